"""Check the whole log of rounds of a database: chain, signatures, published heads, and the columns beside."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from bigroad.app.log_records import LogKind
from bigroad.ledger import chain
from bigroad.ledger.chain import Entry, Head
from bigroad.ledger.errors import ChainBroken
from bigroad.storage import round_log
from bigroad.storage.keys import is_signature
from bigroad.storage.opening import reader
from bigroad.storage.round_log import handed


def verify_log(path: Path, public_key: bytes, published: Sequence[Head]) -> Head:
    """Walk the log from its first entry to its last; answers its head.

    public_key: one of the keys that must have signed it; empty takes the key that the log names itself. Raises
    ChainBroken for the first entry that is wrong, sqlite3.Error where the file cannot be read.
    """
    with closing(reader(path)) as db:
        return verify_rows(db, public_key, published)


def verify_rows(db: sqlite3.Connection, public_key: bytes, published: Sequence[Head]) -> Head:
    """As `verify_log`, on a database that is open. Reads one moment of it, whoever writes meanwhile."""
    db.execute("BEGIN")
    try:
        return verify_entries(db, public_key, published)
    finally:
        db.execute("ROLLBACK")


def verify_entries(db: sqlite3.Connection, public_key: bytes, published: Sequence[Head]) -> Head:
    """As `verify_rows`, inside the caller's transaction."""
    named = named_key(db)
    if public_key and named and public_key not in round_log.keys(db):
        raise ChainBroken(1, f"it names the key {named.hex()[:16]}…, not the log's key {public_key.hex()[:16]}…")
    return chain.verify(_checked(db), named or public_key, is_signature, published, handed, public_key)


def named_key(db: sqlite3.Connection) -> bytes | None:
    """The public key in the first entry, or None where there is none."""
    row = db.execute("SELECT body FROM round_log ORDER BY entry_no LIMIT 1").fetchone()
    try:
        return bytes.fromhex(msgspec.json.decode(row[0])["public_key"]) if row else None
    except (msgspec.DecodeError, KeyError, TypeError, ValueError):
        return None


def _checked(db: sqlite3.Connection) -> Iterator[Entry]:
    """The entries, each of whose columns say what its body says, and each of whose keys was handed the log."""
    promised: bytes | None = None
    rows = db.execute(
        "SELECT entry_no, body, hash, signature, table_no, coup_no, kind FROM round_log ORDER BY entry_no"
    )
    for number, body, hash_, signature, table_no, coup_no, kind in rows:
        entry = Entry(number, _bytes(body), _bytes(hash_), _bytes(signature))
        yield entry
        told = msgspec.json.decode(entry.body)
        if (told["table_no"], told["coup"], told["kind"]) != (table_no, coup_no, kind):
            raise ChainBroken(number, "the columns beside it are not what it says")
        if kind == LogKind.BEGUN and number > 1 and bytes.fromhex(told["public_key"]) != promised:
            raise ChainBroken(number, "it names a key that was not handed the log")
        promised = handed(entry.body)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
