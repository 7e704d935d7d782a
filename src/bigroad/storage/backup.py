"""Copy a database that is in use, and take up an older one."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bigroad.app import crash_points, log_records
from bigroad.app.log_records import LogRecord
from bigroad.ledger import accounts, book
from bigroad.ledger.chain import Entry, Head, Signer
from bigroad.storage import round_log
from bigroad.storage.audit import Counted, audit_file
from bigroad.storage.errors import AuditFailed, BackupRefused
from bigroad.storage.keys import SeedSeal, sync_folder
from bigroad.storage.opening import reader
from bigroad.storage.rows import BET_COLUMNS, bet_of, stakes_text
from bigroad.storage.sqlite_apply import reveal_seed
from bigroad.storage.sqlite_transfers import insert_transfers
from bigroad.table.phases import ENDED, Phase

MARGIN = 1000
"""Entries that may have been written after the last head was published."""


def back_up(source: Path, target: Path, public_key: bytes) -> Counted:
    """Copy one moment of the database, whoever writes meanwhile; audit the copy; then give it its name.

    target: must not be there yet. Answers what the audit counted. Raises BackupRefused, sqlite3.Error, OSError; then
    there is no file of that name.
    """
    if target.exists():
        raise BackupRefused(f"{target} is there already")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    with closing(reader(source)) as db, closing(sqlite3.connect(part, isolation_level=None)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    crash_points.reached("backup.copied")
    try:
        counted = audit_file(part, public_key)
    except AuditFailed as problem:
        raise BackupRefused(f"what was copied is not sound: {problem}; it is left in {part}") from problem
    os.replace(part, target)
    sync_folder(target.parent)
    crash_points.reached("backup.placed")
    return counted


def accept_restore(
    db: sqlite3.Connection, published: Head, signer: Signer, seal: SeedSeal, at_utc_ms: int
) -> tuple[Entry, list[str]]:
    """Go on from a database that is older than the published head. To be called inside a transaction.

    Coups that had not ended are void and their stakes back: how they went on is lost. No number of a coup and no epoch
    is used again: each coup and each owner has an entry in the log, so a table cannot have used more numbers than
    entries are missing. Answers the new head, and a sentence a table.
    """
    last = round_log.last_entry(db)
    have = last.entry_no if last else 0
    skipped = max(0, published.entry_no - have) + MARGIN
    records: list[LogRecord] = []
    told: list[str] = []
    epoch = 0
    tables = db.execute("SELECT table_no, table_id, epoch, skipped_to FROM tables ORDER BY table_no").fetchall()
    for table_no, name, table_epoch, skipped_to in tables:
        coup_no, refunded = _end_coup(db, table_no, table_epoch, seal, at_utc_ms, records)
        beyond = max(coup_no, skipped_to) + skipped
        db.execute(
            "UPDATE tables SET skipped_to = ?, epoch = ?, exposure_minor = 0 WHERE table_no = ?",
            (beyond, table_epoch + skipped, table_no),
        )
        records.append(log_records.restored(table_no, coup_no, published.entry_no, published.hash, have, beyond))
        void = f"coup {coup_no} is void, {refunded} stakes are back; " if refunded is not None else ""
        told.append(f"{name}: {void}the next coup is {beyond + 1}")
        epoch = max(epoch, table_epoch)
    db.execute("DELETE FROM drafts")
    entry = round_log.append(db, records, epoch, at_utc_ms, signer)
    if entry is None:
        raise BackupRefused("this database has no table")
    return entry, told


def _end_coup(
    db: sqlite3.Connection, table_no: int, epoch: int, seal: SeedSeal, at_utc_ms: int, records: list[LogRecord]
) -> tuple[int, int | None]:
    """End the table's last coup: void it unless it is paid. Answers its number, and how many stakes went back."""
    row = db.execute(
        "SELECT coup_no, phase FROM coups WHERE table_no = ? ORDER BY coup_no DESC LIMIT 1", (table_no,)
    ).fetchone()
    if row is None or row[1] in ENDED:
        return (row[0] if row else 0), None
    coup_no = row[0]
    key, where = accounts.coup_key(table_no, coup_no), (table_no, coup_no)
    if row[1] == Phase.SETTLED:
        db.execute("UPDATE coups SET phase = ? WHERE table_no = ? AND coup_no = ?", (Phase.CLOSED.value, *where))
        return coup_no, None
    bets = [bet_of(bet) for bet in db.execute(f"SELECT {BET_COLUMNS} FROM bets WHERE coup_key = ?", (key,)).fetchall()]
    released = book.void(table_no, coup_no, [(bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in bets])
    insert_transfers(db, released, epoch, at_utc_ms)
    db.executemany(
        "UPDATE bets SET returned = ?, returned_minor = ? WHERE coup_key = ? AND bet_seq = ?",
        [(stakes_text(bet.stakes), bet.staked_minor, key, bet.bet_seq) for bet in bets],
    )
    db.execute("UPDATE coups SET phase = ? WHERE table_no = ? AND coup_no = ?", (Phase.VOIDED.value, *where))
    reveal_seed(db, *where, seal)
    (seed,) = db.execute("SELECT seed FROM coups WHERE table_no = ? AND coup_no = ?", where).fetchone()
    records.append(log_records.voided(table_no, coup_no, "restored", seed, bets))
    return coup_no, len(bets)
