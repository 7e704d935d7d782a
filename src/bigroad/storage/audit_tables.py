"""Audit of the tables themselves: whose they are, how far their epochs are, which coup numbers a restore has skipped.

An owner's claim has its entry in the log, and so has a restore; a table that is older than the log may have none.
"""

import sqlite3
from contextlib import suppress

import msgspec

from bigroad.app.log_records import LogKind
from bigroad.storage.errors import AuditFailed


def check(db: sqlite3.Connection) -> None:
    """Raises AuditFailed for the first table that is not what it says."""
    claimed, skipped = _told(db, LogKind.CLAIMED, "epoch"), _told(db, LogKind.RESTORED, "skipped_to")
    by_any = (0, *skipped.values())  # of a table that is younger than a restore
    rows = db.execute(
        "SELECT tables.table_no, tables.table_id, tables.epoch, tables.skipped_to, tables.bank_no, tables.patron_id,"
        " houses.table_id FROM tables LEFT JOIN tables AS houses ON houses.table_no = tables.bank_no"
        " ORDER BY tables.table_no"
    )
    for table_no, name, epoch, skipped_to, bank_no, patron_id, house in rows:
        where = f"table {name}"
        is_seat = "/" in name
        if (bank_no is not None, patron_id is not None) != (is_seat, is_seat):
            raise AuditFailed("rows", where, f"its bank is {bank_no}'s and its patron {patron_id}")
        if is_seat and name != f"{house}/{patron_id}":
            raise AuditFailed("rows", where, f"it is the seat of {house}/{patron_id}")
        if epoch < claimed.get(table_no, 0):
            raise AuditFailed("I8", where, f"its epoch is {epoch}, that of its last claim {claimed[table_no]}")
        if skipped_to not in ((skipped[table_no],) if table_no in skipped else by_any):
            raise AuditFailed("I6", where, f"its numbers go on behind {skipped_to}, which no restore has said")


def _told(db: sqlite3.Connection, kind: LogKind, what: str) -> dict[int, int]:
    """By table what its last entry of that kind says. An entry that cannot be read is the log's own matter."""
    told: dict[int, int] = {}
    for table_no, body in db.execute(
        "SELECT table_no, body FROM round_log WHERE kind = ? ORDER BY entry_no", (kind.value,)
    ):
        with suppress(msgspec.MsgspecError, KeyError, TypeError, ValueError):
            told[table_no] = int(msgspec.json.decode(body)[what])
    return told
