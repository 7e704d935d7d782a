"""Money as rows: transfers are appended, and what they come to is carried to the accounts."""

import sqlite3
from collections.abc import Iterable, Mapping

from bigroad.ledger.accounts import Account, AccountKind, Balance
from bigroad.ledger.transfers import Transfer, TransferKind, postings
from bigroad.storage import batches


def insert_transfers(db: sqlite3.Connection, moves: Iterable[Transfer], epoch: int, at_utc_ms: int) -> None:
    """Append the transfers and carry their sums to the accounts. A key used before raises IntegrityError."""
    rows = list(moves)
    if not rows:
        return
    append(db, rows, epoch, at_utc_ms)
    new_patrons = [row.credit for row in rows if row.kind is TransferKind.GRANT]
    batches.insert(db, "INSERT OR IGNORE INTO accounts (kind, owner)", new_patrons)
    carry(db, postings(rows))


def append(db: sqlite3.Connection, rows: Iterable[Transfer], epoch: int, at_utc_ms: int) -> None:
    """The rows alone."""
    batches.insert(
        db,
        "INSERT INTO transfers",
        [(key, seq, kind, *debit, *credit, amount, epoch, at_utc_ms) for key, seq, kind, debit, credit, amount in rows],
    )


def carry(db: sqlite3.Connection, changes: Mapping[Account, Balance]) -> None:
    """Add to the accounts. Those of the house are made where they are missing; a patron has one since the grant."""
    houses = [account for account in changes if account.kind is not AccountKind.PATRON]
    batches.insert(db, "INSERT OR IGNORE INTO accounts (kind, owner)", houses)
    changed = batches.put(
        db,
        "UPDATE accounts SET balance_minor = balance_minor + column3, reserved_minor = reserved_minor + column4,"
        " expected_minor = expected_minor + column5 FROM (VALUES {rows}) WHERE kind = column1 AND owner = column2",
        [(*account, *change) for account, change in changes.items()],
    )
    if changed != len(changes):
        raise sqlite3.IntegrityError("money for a patron who has no account")
