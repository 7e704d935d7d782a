"""Audit what protects patrons: guards against their changes, sums of days against the bets."""

import sqlite3

import msgspec

from bigroad.protection.guard import Act, Change, Rule, after
from bigroad.protection.periods import MS_PER_DAY
from bigroad.storage.errors import AuditFailed
from bigroad.storage.rows import guard_of
from bigroad.storage.sqlite_protection import DAYS_OF_BETS

_COLUMNS = "act, rule, old, new, at_utc_ms, from_utc_ms"


def check(db: sqlite3.Connection) -> None:
    """P1: each guard is what its changes add up to. P2: each of its days is the sum of that day's bets.

    Raises AuditFailed for the first thing that is wrong.
    """
    for patron_id, text, since_day in db.execute("SELECT * FROM guards ORDER BY patron_id").fetchall():
        where = f"patron {patron_id}"
        rows = db.execute(
            f"SELECT {_COLUMNS} FROM protection_changes WHERE patron_id = ? ORDER BY change_no", (patron_id,)
        )
        try:
            guard = guard_of(text)
            due = after(Change(Act(act), Rule(rule) if rule else None, *rest) for act, rule, *rest in rows)
        except (ValueError, TypeError, msgspec.MsgspecError) as problem:
            raise AuditFailed("rows", where, f"the guard or its changes cannot be read: {problem}") from problem
        if guard != due:
            raise AuditFailed("P1", where, f"the guard is {guard}, its changes make {due}")
        _check_days(db, patron_id, since_day)
    stray = db.execute(
        "SELECT patron_id FROM protection_changes EXCEPT SELECT patron_id FROM guards ORDER BY 1 LIMIT 1"
    ).fetchone()
    if stray is not None:
        raise AuditFailed("P1", f"patron {stray[0]}", "there are changes but no guard")


def _check_days(db: sqlite3.Connection, patron_id: int, since_day: int) -> None:
    due = db.execute(f"{DAYS_OF_BETS} ORDER BY day", (patron_id, since_day * MS_PER_DAY)).fetchall()
    kept = db.execute(
        "SELECT patron_id, day, staked_minor, returned_minor FROM guarded_days"
        " WHERE patron_id = ? AND day >= ? AND (staked_minor != 0 OR returned_minor != 0) ORDER BY day",
        (patron_id, since_day),
    ).fetchall()
    if kept != due:
        wrong = min(set(kept) ^ set(due), key=lambda row: row[1])
        sums = {row[1]: row[2:] for row in due}.get(wrong[1], (0, 0))
        told = {row[1]: row[2:] for row in kept}.get(wrong[1], (0, 0))
        raise AuditFailed(
            "P2", f"patron {patron_id}, day {wrong[1]}", f"(staked, returned) is {told}, bets make {sums}"
        )
