"""The log of rounds as rows: appended in the transaction of what they tell, never changed."""

import sqlite3
from collections.abc import Iterable, Iterator

from bigroad.app import log_records
from bigroad.app.log_records import LogRecord
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
    """Chain and sign the records; answers the new head, None where there were no records."""
    records = list(records)
    if not records:
        return None
    newest = last_entry(db)
    if newest is None:
        records.insert(0, log_records.begun(signer.public_key))
    last: Entry | chain.Head = newest or chain.EMPTY
    rows = []
    for record in records:
        last = chain.appended(last, record.body(epoch, at_utc_ms), signer)
        rows.append((last.entry_no, record.table_no, record.coup_no, record.kind.value, last.body.decode(), *last[2:]))
    db.executemany("INSERT INTO round_log VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return last if isinstance(last, Entry) else None


def _entry(row: tuple[int, str, bytes, bytes]) -> Entry:
    return Entry(row[0], str(row[1]).encode(errors="replace"), bytes(row[2]), bytes(row[3]))
