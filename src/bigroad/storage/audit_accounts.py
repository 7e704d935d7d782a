"""Audit of accounts: each can be found by its name and opened with a password. Strays are the foreign keys' matter."""

import sqlite3

from bigroad.storage.errors import AuditFailed


def check(db: sqlite3.Connection) -> None:
    """Raises AuditFailed for the first account that nobody could sign in to."""
    row = db.execute(
        "SELECT patron_id, password LIKE '$argon2id$%' FROM logins"
        " WHERE patron_id NOT IN (SELECT patron_id FROM looks) OR password NOT LIKE '$argon2id$%'"
        " ORDER BY patron_id LIMIT 1"
    ).fetchone()
    if row is not None:
        patron_id, hashed = row
        why = "it has no look to be found by" if hashed else "its password is no argon2id hash"
        raise AuditFailed("rows", f"account of patron {patron_id}", why)
