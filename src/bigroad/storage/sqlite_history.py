"""What a patron has bet, as the history asks for it. Each page is found by an index, however long the history is."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from bigroad.app.store import Cursor, StoredBet, Wanted
from bigroad.ledger import accounts
from bigroad.storage.eras import eras_of
from bigroad.storage.rows import (
    BET_COLUMNS,
    BET_WIDTH,
    COUP_COLUMNS,
    COUP_WIDTH,
    bet_of,
    coup_of_row,
    stakes_of,
)

_FROM: Final = f"""SELECT houses.table_id, bets.coup_key, bets.returned, bets.balance_after_minor,
    {COUP_COLUMNS}, {BET_COLUMNS}
    FROM bets
    JOIN tables ON tables.table_no = bets.coup_key / {accounts.COUPS_PER_TABLE}
    JOIN tables AS houses ON houses.table_no = coalesce(tables.bank_no, tables.table_no)
    JOIN coups ON coups.table_no = tables.table_no AND coups.coup_no = bets.coup_key % {accounts.COUPS_PER_TABLE}
    WHERE bets.patron_id = :patron"""
_NEWEST: Final = "ORDER BY bets.at_utc_ms DESC, bets.coup_key DESC LIMIT :limit"

_OWN_COLUMNS: Final = 4

_RESULT: Final = {
    "won": "bets.returned_minor > bets.staked_minor",
    "lost": "bets.returned_minor < bets.staked_minor",
    "push": "bets.returned_minor = bets.staked_minor",
}


def bets_wanted(
    db: sqlite3.Connection, patron_id: int, limit: int, wanted: Wanted, before: Cursor | None
) -> Sequence[StoredBet]:
    """The patron's latest bets, newest first."""
    parts, values = [_FROM], {"patron": patron_id, "limit": limit}
    asked: list[tuple[str, Any, str]] = [
        ("table", wanted.table, "houses.table_id = :table"),
        ("profile", wanted.profile, "coups.profile = :profile"),
        ("outcome", wanted.outcome, "coups.outcome = :outcome"),
        ("from", wanted.from_utc_ms, "bets.at_utc_ms >= :from"),
        ("to", wanted.to_utc_ms, "bets.at_utc_ms < :to"),
    ]
    for name, value, condition in asked:
        if value is not None:
            parts.append(condition)
            values[name] = value
    if wanted.result is not None:
        parts.append(f"coups.phase IN ('settled', 'closed') AND {_RESULT[wanted.result]}")
    if before is not None:
        parts.append("(bets.at_utc_ms, bets.coup_key) < (:at, :key)")
        values |= {"at": before.at_utc_ms, "key": before.coup_key}
    query = " AND ".join([*parts, f"bets.era_no = :era {_NEWEST}"])
    found: list[StoredBet] = []
    for era in eras_of(db, patron_id):
        if wanted.from_utc_ms is not None and era.latest_utc_ms < wanted.from_utc_ms:
            break
        found += (_stored(row) for row in db.execute(query, values | {"era": era.era_no}))
        found = sorted(found, key=lambda bet: bet.cursor, reverse=True)[:limit]
        if len(found) == limit and era.before_utc_ms is not None and found[-1].bet.at_utc_ms > era.before_utc_ms:
            break
    return found


def bet_on(db: sqlite3.Connection, table_no: int, coup_no: int, patron_id: int) -> StoredBet | None:
    """The patron's bet of one coup."""
    values = {"patron": patron_id, "key": accounts.coup_key(table_no, coup_no)}
    row = db.execute(f"{_FROM} AND bets.coup_key = :key", values).fetchone()
    return _stored(row) if row else None


def _stored(row: Sequence[Any]) -> StoredBet:
    table, coup_key, returned, after = row[:_OWN_COLUMNS]
    cut = _OWN_COLUMNS + COUP_WIDTH
    bet = bet_of(row[cut : cut + BET_WIDTH])
    return StoredBet(
        table,
        coup_of_row(row[_OWN_COLUMNS:cut]),
        bet,
        stakes_of(returned) if returned else None,
        after,
        Cursor(bet.at_utc_ms, coup_key),
    )
