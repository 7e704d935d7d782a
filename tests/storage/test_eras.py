"""Bets by eras: whatever order they come in, and however many eras there are, the same ones are found."""

import sqlite3
from contextlib import closing
from typing import NamedTuple
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from bigroad.app.store import EVERYTHING, Cursor, Wanted
from bigroad.ledger.accounts import coup_key
from bigroad.storage.eras import era_of_new
from bigroad.storage.migrate import migrate
from bigroad.storage.sqlite_history import bets_wanted

PATRON = 1


class Laid(NamedTuple):
    """late_ms: after the one before, or earlier where the clock was set back."""

    table_no: int
    mine: bool
    late_ms: int


lots = st.lists(st.builds(Laid, st.integers(1, 2), st.booleans(), st.integers(-3, 5)), max_size=40)


def filled(db: sqlite3.Connection, bets: list[Laid], era_bets: int) -> list[Cursor]:
    """A database with these bets, each in a coup of its own; answers the patron's, newest first."""
    migrate(db)
    db.execute("INSERT INTO tables (table_no, table_id, epoch) VALUES (1, 'emerald', 1), (2, 'express', 1)")
    db.execute("INSERT INTO patrons (patron_id, nickname, created_utc_ms) VALUES (1, 'Ann', 0), (2, 'Ben', 0)")
    at_utc_ms, mine = 1_000, []
    with patch("bigroad.storage.eras.ERA_BETS", era_bets):
        for coup_no, bet in enumerate(bets, 1):
            at_utc_ms += bet.late_ms
            key, patron_id = coup_key(bet.table_no, coup_no), PATRON if bet.mine else 2
            db.execute(
                "INSERT INTO coups (table_no, coup_no, phase, epoch, shoe_no, seed, opened_utc_ms, closes_utc_ms,"
                " deals_utc_ms, last_of_shoe, cards_left, terms, shoe)"
                " VALUES (?, ?, 'open', 1, 1, x'00', 0, 1, 2, 0, 400, '{}', '{}')",
                (bet.table_no, coup_no),
            )
            db.execute(
                "INSERT INTO bets (coup_key, bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms, era_no)"
                " VALUES (?, 1, ?, '{\"tie\":100}', 100, 0, ?, ?)",
                (key, patron_id, at_utc_ms, era_of_new(db, 1, at_utc_ms)),
            )
            if bet.mine:
                mine.append(Cursor(at_utc_ms, key))
    return sorted(mine, reverse=True)


@given(lots, st.integers(1, 5), st.integers(1, 4))
def test_pages_hold_what_there_is_in_its_order(bets: list[Laid], era_bets: int, page: int) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        due = filled(db, bets, era_bets)
        found: list[Cursor] = []
        while rows := bets_wanted(db, PATRON, page, EVERYTHING, found[-1] if found else None):
            assert len(rows) <= page
            found += (row.cursor for row in rows)
    assert found == due


@given(lots, st.integers(1, 5), st.integers(980, 1_100), st.integers(980, 1_100))
def test_moments_are_found_in_whatever_eras_they_are(bets: list[Laid], era_bets: int, since: int, until: int) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        due = [bet for bet in filled(db, bets, era_bets) if since <= bet.at_utc_ms < until]
        rows = bets_wanted(db, PATRON, 99, Wanted(from_utc_ms=since, to_utc_ms=until), None)
    assert [row.cursor for row in rows] == due


def test_no_more_eras_are_looked_at_than_a_page_needs() -> None:
    """A patron of a thousand eras asks for the last bets: the older eras are never touched."""

    def steps(eras: int) -> int:
        counted = 0

        def count() -> int:
            nonlocal counted
            counted += 1
            return 0

        with closing(sqlite3.connect(":memory:")) as db:
            filled(db, [Laid(1, True, 1)] * eras, 1)
            db.set_progress_handler(count, 1)
            assert len(bets_wanted(db, PATRON, 2, EVERYTHING, None)) == 2
        return counted

    assert steps(1_000) == steps(10)
