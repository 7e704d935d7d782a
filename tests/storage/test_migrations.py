"""Databases made by earlier programs go on."""

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

from bigroad.app.store import Wanted
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.storage.migrate import migrate, scripts
from bigroad.storage.sqlite import SqliteStore

HANDS = ("AS KD", "2C TH", "9D 9C", "8S AH", "5C 4D", "TD QC AS", "2H 3C 9S", "4S AD JC", "KH KS 7D", "3D 3H 2S")


def old_database(path: Path, version: int) -> int:
    """A database of that version, with a coup for each pair of hands and a bet on each; answers how many."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for number, script in scripts():
            if number <= version:
                db.executescript(f"BEGIN;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
        db.execute("INSERT INTO tables (table_no, table_id, epoch) VALUES (1, 'emerald', 1)")
        db.execute("INSERT INTO patrons (patron_id, nickname, created_utc_ms) VALUES (1, 'Ann', 0)")
        pairs = list(itertools.product(HANDS, HANDS))
        for coup_no, (player, banker) in enumerate(pairs, 1):
            db.execute(
                "INSERT INTO coups VALUES (1, ?, 'closed', 1, 1, x'00', 0, 1, 2, 3, 0, 400, '{}', '{}', ?, ?, '')",
                (coup_no, player, banker),
            )
            db.execute(
                "INSERT INTO bets VALUES (?, 1, 1, '{\"tie\":100}', 100, 0, ?, '{}', 0)", (2**32 + coup_no, coup_no)
            )
        db.execute(
            "INSERT INTO coups VALUES (1, ?, 'open', 1, 1, x'00', 0, 1, 2, 3, 0, 400, '{}', '{}', '', '', '')",
            (len(pairs) + 1,),
        )
    return len(pairs)


async def test_what_was_dealt_before_has_its_outcome_its_game_and_no_invented_balance(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite3"
    count = old_database(path, 2)
    store = SqliteStore(path)
    rows = await store.history(1, 1_000)
    await store.close()
    assert len(rows) == count
    for row in rows:
        coup = Coup(*(tuple(map(parse_card, cards)) for cards in (row.coup.player_cards, row.coup.banker_cards)))
        assert row.coup.outcome == coup.outcome.value, (row.coup.player_cards, row.coup.banker_cards)
        assert (row.table, row.coup.profile, row.coup.fast) == ("emerald", "multiplayer-deluxe", False)
        assert (row.bet.balance_before_minor, row.balance_after_minor) == (None, None)
    assert {row.coup.outcome for row in rows} == {"player", "banker", "tie"}


async def test_an_open_coup_of_before_has_none(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite3"
    count = old_database(path, 1)
    store = SqliteStore(path)
    coup = await store.coup(1, count + 1)
    assert coup is not None
    assert (coup.outcome, coup.closes_utc_ms, coup.deals_utc_ms) == (None, 1, 2)
    assert await store.history(1, 10, Wanted(table="emerald", outcome="tie")) != []
    await store.close()


def test_every_version_comes_to_the_same_schema(tmp_path: Path) -> None:
    schemas = []
    for version in range(len(scripts()) + 1):
        with closing(sqlite3.connect(tmp_path / f"{version}.sqlite3", isolation_level=None)) as db:
            for number, script in scripts()[:version]:
                db.executescript(f"BEGIN;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
            assert migrate(db) == scripts()[-1][0]
            schemas.append(sorted(row[0] or "" for row in db.execute("SELECT sql FROM sqlite_master")))
    assert all(schema == schemas[0] for schema in schemas)
