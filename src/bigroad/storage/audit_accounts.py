"""Audit of patrons: an account can be found by its name and opened with a password, and the day of the last refill is
that of the transfer. Strays are the foreign keys' matter."""

import sqlite3

from bigroad.ledger.transfers import DAYS_PER_PATRON, TransferKind
from bigroad.storage.errors import AuditFailed


def check(db: sqlite3.Connection) -> None:
    """Raises AuditFailed for the first account that nobody could sign in to, or patron who could refill too soon."""
    row = db.execute(
        "SELECT patron_id, password LIKE '$argon2id$%' FROM logins"
        " WHERE patron_id NOT IN (SELECT patron_id FROM looks) OR password NOT LIKE '$argon2id$%'"
        " ORDER BY patron_id LIMIT 1"
    ).fetchone()
    if row is not None:
        patron_id, hashed = row
        why = "it has no look to be found by" if hashed else "its password is no argon2id hash"
        raise AuditFailed("rows", f"account of patron {patron_id}", why)
    row = db.execute(
        "SELECT patron_id, refilled_utc_ms FROM patrons WHERE refilled_utc_ms NOT IN (SELECT at_utc_ms FROM transfers"
        " WHERE coup_key = 0 AND bet_seq BETWEEN patron_id * ?1 AND (patron_id + 1) * ?1 - 1 AND kind = ?2)"
        " AND (refilled_utc_ms != 0 OR EXISTS (SELECT 1 FROM transfers WHERE coup_key = 0"
        " AND bet_seq BETWEEN patron_id * ?1 AND (patron_id + 1) * ?1 - 1 AND kind = ?2)) ORDER BY patron_id LIMIT 1",
        (DAYS_PER_PATRON, TransferKind.REFILL.value),
    ).fetchone()
    if row is not None:
        raise AuditFailed("rows", f"patron {row[0]}", f"no transfer is that of a refill at {row[1]}")
