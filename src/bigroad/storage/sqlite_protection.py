"""What protects patrons, in SQL: guards, their changes, the days that limits count, and sittings."""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from bigroad.app.store import Sitting, Spending, Wish
from bigroad.ledger.accounts import COUPS_PER_TABLE
from bigroad.protection.guard import UNGUARDED, Act, Change, Guard, Rule, applied
from bigroad.protection.periods import MS_PER_DAY, counted_since
from bigroad.protection.standing import Protected, Spent
from bigroad.storage.rows import guard_of, guard_text

_JOINED = f"""bets JOIN coups ON coups.table_no = bets.coup_key / {COUPS_PER_TABLE}
    AND coups.coup_no = bets.coup_key % {COUPS_PER_TABLE}"""
_SINCE = """bets.era_no IN (SELECT era_no FROM eras WHERE latest_utc_ms >= ?2)
    AND bets.patron_id = ?1 AND bets.at_utc_ms >= ?2"""
DAYS_OF_BETS = f"""
SELECT bets.patron_id AS patron_id, bets.at_utc_ms / {MS_PER_DAY} AS day, sum(bets.staked_minor) AS staked_minor,
       sum(coalesce(bets.returned_minor, 0)) AS returned_minor
FROM {_JOINED} WHERE coups.phase != 'voided' AND {_SINCE} GROUP BY day
"""
"""The sums of a patron's days, from a moment on, as the bets themselves have them."""


def protected_among(db: sqlite3.Connection, patron_ids: str, since_day: int) -> dict[int, Protected]:
    """Those of the patrons (a JSON list) who are guarded, with their days from `since_day` on."""
    guards = db.execute(
        "SELECT patron_id, guard FROM guards WHERE patron_id IN (SELECT value FROM json_each(?))", (patron_ids,)
    ).fetchall()
    if not guards:
        return {}
    days: dict[int, list[Spent]] = {patron_id: [] for patron_id, _ in guards}
    rows = db.execute(
        "SELECT patron_id, day, staked_minor, returned_minor FROM guarded_days"
        " WHERE patron_id IN (SELECT value FROM json_each(?)) AND day >= ?",
        (json.dumps(list(days)), since_day),
    )
    for patron_id, *numbers in rows:
        days[patron_id].append(Spent(*numbers))
    return {patron_id: Protected(guard_of(text), days[patron_id]) for patron_id, text in guards}


def keep_spending(db: sqlite3.Connection, rows: Iterable[Spending]) -> None:
    """Add to the days."""
    db.executemany(
        "INSERT INTO guarded_days VALUES (?1, ?2, max(?3, 0), ?4) ON CONFLICT DO UPDATE"
        " SET staked_minor = staked_minor + ?3, returned_minor = returned_minor + ?4",
        rows,
    )


def protect(db: sqlite3.Connection, patron_id: int, at_utc_ms: int, wish: Wish) -> Guard:
    """Ask for the change of the guard as it is, and keep it; answers the guard after it."""
    row = db.execute("SELECT guard FROM guards WHERE patron_id = ?", (patron_id,)).fetchone()
    guard = guard_of(row[0]) if row else UNGUARDED
    change = wish(guard)
    if change is None:
        return guard
    guard = applied(guard, change)
    db.execute(
        "INSERT INTO protection_changes (patron_id, act, rule, old, new, at_utc_ms, from_utc_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (patron_id, *change),
    )
    if row is None:
        since_day = counted_since(at_utc_ms)
        db.execute("INSERT INTO guards VALUES (?, ?, ?)", (patron_id, guard_text(guard), since_day))
        db.execute(f"INSERT INTO guarded_days {DAYS_OF_BETS}", (patron_id, since_day * MS_PER_DAY))
    else:
        db.execute("UPDATE guards SET guard = ? WHERE patron_id = ?", (guard_text(guard), patron_id))
    return guard


def changes_of(db: sqlite3.Connection, patron_id: int, limit: int) -> Sequence[Change]:
    """The latest changes, newest first."""
    rows = db.execute(
        "SELECT act, rule, old, new, at_utc_ms, from_utc_ms FROM protection_changes WHERE patron_id = ?"
        " ORDER BY change_no DESC LIMIT ?",
        (patron_id, limit),
    )
    return [Change(Act(act), Rule(rule) if rule else None, *rest) for act, rule, *rest in rows]


def sit(db: sqlite3.Connection, patron_id: int, at_utc_ms: int, gap_ms: int) -> Sitting:
    """The patron is here. A result is counted from the moment at which its coup has been shown."""
    (started,) = db.execute(
        "INSERT INTO sittings VALUES (?1, ?2, ?2) ON CONFLICT DO UPDATE SET"
        " started_utc_ms = CASE WHEN seen_utc_ms < ?2 - ?3 THEN ?2 ELSE started_utc_ms END,"
        " seen_utc_ms = max(seen_utc_ms, ?2) RETURNING started_utc_ms",
        (patron_id, at_utc_ms, gap_ms),
    ).fetchone()
    sums = db.execute(
        f"SELECT coalesce(sum(bets.staked_minor), 0), coalesce(sum(bets.returned_minor), 0) FROM {_JOINED}"
        f" WHERE {_SINCE} AND bets.returned_minor IS NOT NULL"
        " AND coups.phase IN ('settled', 'closed') AND coups.shown_until_utc_ms <= ?3",
        (patron_id, started, at_utc_ms),
    ).fetchone()
    return Sitting(started, *sums)
