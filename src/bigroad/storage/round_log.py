"""The log of rounds as rows: appended in the transaction of what they tell, never changed."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bigroad.app import log_records
from bigroad.app.log_records import LogKind, LogRecord
from bigroad.app.store import StaleOwner
from bigroad.ledger import chain
from bigroad.ledger.chain import Entry, Signer

_ENTRY = "SELECT entry_no, body, hash, signature FROM round_log"


def last_entry(db: sqlite3.Connection) -> Entry | None:
    """The newest entry."""
    row = db.execute(f"{_ENTRY} ORDER BY entry_no DESC LIMIT 1").fetchone()
    return _entry(row) if row else None


def entry(db: sqlite3.Connection, entry_no: int) -> Entry | None:
    """The entry of that number."""
    row = db.execute(f"{_ENTRY} WHERE entry_no = ?", (entry_no,)).fetchone()
    return _entry(row) if row else None


def entries(db: sqlite3.Connection) -> Iterator[Entry]:
    """All of them, in order."""
    return map(_entry, db.execute(f"{_ENTRY} ORDER BY entry_no"))


def append(
    db: sqlite3.Connection, records: Iterable[LogRecord], epoch: int, at_utc_ms: int, signer: Signer
) -> Entry | None:
    """Chain and sign the records; answers the new head, None where there were no records.

    Raises StaleOwner where another key has been handed the log.
    """
    records = list(records)
    if not records:
        return None
    newest = last_entry(db)
    if newest is None:
        records.insert(0, log_records.begun(signer.public_key))
    elif signer.public_key not in (b"", key_in_force(db)):
        raise StaleOwner("another key signs the log by now")
    return _written(db, newest or chain.EMPTY, records, epoch, at_utc_ms, signer)


def begin(db: sqlite3.Connection, last: Entry, epoch: int, at_utc_ms: int, signer: Signer) -> Entry:
    """The first entry of a key that `last` has handed the log to."""
    return _written(db, last, [log_records.begun(signer.public_key)], epoch, at_utc_ms, signer)


def _written(
    db: sqlite3.Connection,
    last: Entry | chain.Head,
    records: Sequence[LogRecord],
    epoch: int,
    at_utc_ms: int,
    signer: Signer,
) -> Entry:
    rows = []
    for record in records:
        last = chain.appended(last, record.body(epoch, at_utc_ms), signer)
        rows.append((last.entry_no, record.table_no, record.coup_no, record.kind.value, last.body.decode(), *last[2:]))
    db.executemany("INSERT INTO round_log VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    if not isinstance(last, Entry):
        raise AssertionError("something was written")
    return last


def key_in_force(db: sqlite3.Connection) -> bytes | None:
    """The public key that signs the log now: that of the newest `begun`. None where there is no log."""
    told = _newest(db, LogKind.BEGUN)
    return bytes.fromhex(told["public_key"]) if told else None


def keys(db: sqlite3.Connection) -> list[bytes]:
    """Every key that the log names, the first one first."""
    rows = db.execute(
        "SELECT body FROM round_log WHERE table_no = 0 AND coup_no = 0 AND kind = ? ORDER BY entry_no",
        (LogKind.BEGUN.value,),
    )
    return [bytes.fromhex(msgspec.json.decode(body)["public_key"]) for (body,) in rows]


def seal_mark(db: sqlite3.Connection) -> bytes | None:
    """The mark of the seal that has the open seeds, None where it was never changed."""
    told = _newest(db, LogKind.REKEYED)
    return bytes.fromhex(told["seal_mark"]) if told else None


def handed(body: bytes) -> bytes | None:
    """The key that an entry of that body hands over to."""
    if b'"rekeyed"' not in body:
        return None
    told = msgspec.json.decode(body)
    return bytes.fromhex(told["public_key"]) if told["kind"] == LogKind.REKEYED else None


def _newest(db: sqlite3.Connection, kind: LogKind) -> dict[str, str] | None:
    """The newest entry of that kind that belongs to no table: those are few, and found by their index."""
    rows = db.execute(
        "SELECT body FROM round_log WHERE table_no = 0 AND coup_no = 0 AND kind = ? ORDER BY entry_no DESC LIMIT 1",
        (kind.value,),
    ).fetchall()
    return msgspec.json.decode(rows[0][0]) if rows else None


def _entry(row: tuple[int, str, bytes, bytes]) -> Entry:
    return Entry(row[0], str(row[1]).encode(errors="replace"), bytes(row[2]), bytes(row[3]))
