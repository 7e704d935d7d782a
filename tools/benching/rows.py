"""A round of 10,000 bets as rows: for the store, which keeps them as it keeps every round, and for bare SQL beside it.

The bare programs do what nobody can do with less: tuples that are made before the clock runs, `executemany` or set SQL
on a file with the same schema and the same settings, one transaction.
"""

import asyncio
import gc
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bigroad.app import log_records
from bigroad.app.store import Advanced, BetResult, Changes, KeptAnswer, Opened
from bigroad.app.texts import shoe_text, terms_text
from bigroad.compose import table_plan
from bigroad.fairness.deal import commitment
from bigroad.ledger import accounts, book
from bigroad.rules.coup import Outcome
from bigroad.rules.settle import settler
from bigroad.rules.shoe import Shoe
from bigroad.settings import Settings
from bigroad.storage.rows import stakes_text
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.events import Bet, Opening
from bigroad.table.phases import Phase

PATRONS = 10_000
HAS_MINOR = 100_000_000
UTC_MS = 1_700_000_000_000
KEY = accounts.coup_key(1, 1)
AREAS = ("player", "banker", "tie")
TERMS = table_plan(Settings().tables[0]).terms
SETTLED = settler(Outcome.BANKER, TERMS.paytable)


def stakes_of(number: int) -> dict[str, int]:
    """What the patron of that number bets."""
    return {AREAS[number % 3]: 2_000 + number % 7 * 100}


BETS = [Bet(n, n, stakes_of(n), sum(stakes_of(n).values()), False, UTC_MS, HAS_MINOR) for n in range(1, PATRONS + 1)]
STAKES = [book.stake(1, 1, bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in BETS]
ANSWERS = [
    KeptAnswer(n, f"bet-{n}", 1, '["submit",false]', f'{{"receipt":{HAS_MINOR}}}') for n in range(1, PATRONS + 1)
]
BACK = [SETTLED(bet.stakes) for bet in BETS]
RESULTS = [
    BetResult(bet.bet_seq, back, total, HAS_MINOR - bet.staked_minor + total)
    for bet, (back, _, total) in zip(BETS, BACK, strict=True)
]
COMMISSION_MINOR = sum(one.commission_minor for one in BACK)
RETURNS = book.settlement(
    1,
    1,
    [
        (bet.bet_seq, bet.patron_id, bet.staked_minor, one.returned_total_minor)
        for bet, one in zip(BETS, BACK, strict=True)
    ],
    COMMISSION_MINOR,
)


def betting() -> Changes:
    """What the store is handed when 10,000 patrons have pressed BET."""
    return Changes(
        1, 1, UTC_MS, 1, drafts=dict.fromkeys(range(1, PATRONS + 1), ()), bets=BETS, transfers=STAKES, answers=ANSWERS
    )


def settling() -> Changes:
    """What the store is handed when the coup is paid."""
    record = log_records.settled(1, 1, [row[:3] for row in RESULTS], COMMISSION_MINOR)
    advanced = Advanced(1, Phase.DEALT, Phase.SETTLED)
    return Changes(1, 1, UTC_MS, advanced=advanced, results=RESULTS, transfers=RETURNS, log=[record])


def make(path: Path) -> None:
    """A database with a claimed table, 10,000 patrons who have staged their bets, and an open coup."""
    asyncio.run(_make(path))


async def _make(path: Path) -> None:
    store = SqliteStore(path)
    await store.claim("bench", 10**13, UTC_MS)
    with closing(sqlite3.connect(path)) as db:
        add_patrons(db, PATRONS)
        db.execute("INSERT INTO drafts SELECT 1, patron_id, ? FROM patrons", ('[{"player":2000},{"player":5000}]',))
        db.commit()
    seed = bytes(32)
    opening = Opening(1, 1, seed, commitment(seed), UTC_MS, UTC_MS, UTC_MS, 0, 0, 416, False)
    shoe = shoe_text(Shoe.fresh(8))
    opened = Opened(opening, terms_text(TERMS), shoe, "multiplayer-deluxe")
    await store.commit(1, [], lambda funds: Changes(1, 1, UTC_MS, opened=opened))
    await store.close()


def add_patrons(db: sqlite3.Connection, count: int) -> None:
    """So many patrons with their first money."""
    db.execute(
        "WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)"
        " INSERT INTO patrons (patron_id, nickname, created_utc_ms) SELECT n, 'Ann', 0 FROM counted",
        (count,),
    )
    db.execute("INSERT INTO accounts (kind, owner, balance_minor) SELECT 1, patron_id, ? FROM patrons", (HAS_MINOR,))
    db.execute(
        "UPDATE accounts SET balance_minor = balance_minor - ? * (SELECT count(*) FROM patrons) WHERE kind = 0",
        (HAS_MINOR,),
    )
    db.execute(
        "INSERT INTO transfers SELECT 0, patron_id * 1048576, 1, 0, 0, 1, patron_id, ?, 0, 0 FROM patrons", (HAS_MINOR,)
    )


def dealt(path: Path) -> None:
    """The same coup with its bets kept, its cards on the table."""

    async def go() -> None:
        store = SqliteStore(path)
        await store.commit(1, [], lambda funds: betting())
        for one, other in ((Phase.OPEN, Phase.LOCKED), (Phase.LOCKED, Phase.DEALT)):
            changes = Changes(1, 1, UTC_MS, advanced=Advanced(1, one, other))
            await store.commit(1, [], lambda funds, changes=changes: changes)  # type: ignore[misc]
        await store.close()

    asyncio.run(go())


def by_store(path: Path, changes: Changes) -> float:
    """Seconds for the server's own store to keep the changes: from the hand-over until they are on the disk."""

    async def go() -> float:
        store = SqliteStore(path)
        await store.purse(1)  # the file is open and warm
        gc.collect()
        begun = time.perf_counter()
        await store.commit(1, [], lambda funds: changes)
        took_s = time.perf_counter() - begun
        await store.close()
        return took_s

    return asyncio.run(go())


def by_hand(path: Path, work: Callable[[sqlite3.Connection], None]) -> float:
    """Seconds for bare SQL in one transaction, as durable as the store's."""
    with closing(sqlite3.connect(path, isolation_level=None, cached_statements=512)) as db:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("SELECT count(*) FROM accounts").fetchone()
        gc.collect()
        begun = time.perf_counter()
        db.execute("BEGIN IMMEDIATE")
        work(db)
        db.execute("COMMIT")
        return time.perf_counter() - begun


def copied(source: Path, name: str) -> Path:
    """A copy of a closed database beside it."""
    target = source.with_name(name)
    shutil.copyfile(source, target)
    return target


_BET_ROWS = [(KEY, *bet[:2], stakes_text(bet.stakes), *bet[3:]) for bet in BETS]
_STAKE_ROWS = [(*row[:3], *row.debit, *row.credit, row.amount_minor, 1, UTC_MS) for row in STAKES]
_ANSWER_ROWS = [(1, row.coup_no, row.patron_id, row.request_id, row.act, row.answer) for row in ANSWERS]
_RESERVED = [(bet.staked_minor, 1, bet.patron_id) for bet in BETS]


def bare_betting(db: sqlite3.Connection) -> None:
    """The rows of `betting` by executemany."""
    db.execute("INSERT INTO eras VALUES (0, ?, ?)", (PATRONS, UTC_MS))
    db.executemany("DELETE FROM drafts WHERE table_no = 1 AND patron_id = ?", [(bet.patron_id,) for bet in BETS])
    db.executemany(
        "INSERT INTO bets (coup_key, bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms,"
        " balance_before_minor, era_no) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
        _BET_ROWS,
    )
    db.executemany("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _STAKE_ROWS)
    db.executemany("UPDATE accounts SET reserved_minor = reserved_minor + ? WHERE kind = ? AND owner = ?", _RESERVED)
    staked = sum(bet.staked_minor for bet in BETS)
    db.execute("INSERT INTO accounts (kind, owner, expected_minor) VALUES (2, ?, ?)", (KEY, staked))
    db.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", _ANSWER_ROWS)


def bare_settling(db: sqlite3.Connection) -> None:
    """The rows of `settling` by set SQL: Banker has won."""
    db.execute(
        "UPDATE bets SET returned_minor = coalesce(stakes ->> 'banker', 0) * 195 / 100,"
        " returned = json_object((SELECT key FROM json_each(stakes)), coalesce(stakes ->> 'banker', 0) * 195 / 100),"
        " balance_after_minor = balance_before_minor - staked_minor + coalesce(stakes ->> 'banker', 0) * 195 / 100"
        " WHERE coup_key = ?",
        (KEY,),
    )
    db.execute(
        "INSERT INTO transfers"
        " SELECT coup_key, bet_seq, 11, 1, patron_id, 2, coup_key, staked_minor, 1, ?2 FROM bets WHERE coup_key = ?1"
        " UNION ALL SELECT coup_key, bet_seq, 13, 2, coup_key, 1, patron_id, returned_minor, 1, ?2 FROM bets"
        " WHERE coup_key = ?1 AND returned_minor > 0",
        (KEY, UTC_MS),
    )
    db.execute(
        "UPDATE accounts SET balance_minor = balance_minor - staked_minor + returned_minor,"
        " reserved_minor = reserved_minor - staked_minor FROM bets"
        " WHERE kind = 1 AND owner = patron_id AND coup_key = ?",
        (KEY,),
    )
    (staked, returned) = db.execute(
        "SELECT sum(staked_minor), sum(returned_minor) FROM bets WHERE coup_key = ?", (KEY,)
    ).fetchone()
    db.execute(
        "INSERT INTO transfers VALUES (?1, 0, 14, 2, ?1, 3, 1, ?2, 1, ?3), (?1, 0, 16, 2, ?1, 4, 1, ?4, 1, ?3)",
        (KEY, staked - returned - COMMISSION_MINOR, UTC_MS, COMMISSION_MINOR),
    )
    db.execute("UPDATE accounts SET expected_minor = 0 WHERE kind = 2 AND owner = ?", (KEY,))
    db.execute(
        "UPDATE accounts SET balance_minor = balance_minor + ? WHERE kind = 3 AND owner = 1",
        (staked - returned - COMMISSION_MINOR,),
    )
    db.execute("INSERT INTO accounts (kind, owner, balance_minor) VALUES (4, 1, ?)", (COMMISSION_MINOR,))
    db.execute("UPDATE coups SET phase = 'settled'")


def books_agree(one: Path, other: Path) -> bool:
    """Do both databases hold the same bets, money and transfers?"""
    with closing(sqlite3.connect(one)) as db:
        db.execute("ATTACH ? AS other", (str(other),))
        return not any(
            db.execute(f"SELECT count(*) FROM (SELECT * FROM {a} EXCEPT SELECT * FROM {b})").fetchone()[0]
            for name in ("bets", "eras", "accounts", "transfers", "answers", "drafts")
            for a, b in ((f"main.{name}", f"other.{name}"), (f"other.{name}", f"main.{name}"))
        )
