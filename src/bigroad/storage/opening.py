"""Open the database with what lies beside it: the key that signs its log, and the head that was published."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bigroad.app.measures import UNMEASURED, Measures
from bigroad.ledger import chain
from bigroad.ledger.chain import Head
from bigroad.ledger.errors import ChainBroken
from bigroad.storage import round_log
from bigroad.storage.errors import KeyUnusable
from bigroad.storage.heads import HeadPublisher, read_head
from bigroad.storage.keys import LogKey, SeedSeal, is_signature, load_secret, make_secret, sync_folder
from bigroad.storage.sqlite import SqliteStore

KEY = "bigroad.key"
SEED_KEY = "bigroad.seed.key"
HEAD = "bigroad.head.json"


@dataclass(frozen=True, slots=True)
class Book:
    """A database that is open. trouble: why no table may deal from it (`restored`, `broken`), and words for the log."""

    store: SqliteStore
    key: LogKey
    published: Head | None
    trouble: tuple[str, str] | None


def open_book(
    path: Path, head_path: Path | None = None, *, syslog: bool = False, measures: Measures = UNMEASURED
) -> Book:
    """Open the database at `path`, made where it is missing, as is its key.

    head_path: where heads are published, beside the database by default. syslog: say them to the system's log too.
    measures: is told what the store keeps. Raises StoreError, KeyUnusable, HeadUnreadable.
    """
    head_path = head_path or path.parent / HEAD
    key, seal = keys_of(path)
    published = read_head(head_path)
    publisher = HeadPublisher(head_path, syslog=syslog)
    try:
        store = SqliteStore(path, key, publisher.offer, closed=publisher.stop, seal=seal, measures=measures)
    except BaseException:
        publisher.stop()
        raise
    return Book(store, key, published, trouble_with(path, key, published))


def keys_of(path: Path) -> tuple[LogKey, SeedSeal]:
    """The two secrets beside a database, made where they are missing and nothing depends on them.

    Raises KeyUnusable.
    """
    return _key_for(path), _seal_for(path)


def trouble_with(path: Path, key: LogKey, published: Head | None) -> tuple[str, str] | None:
    """Why nothing may be dealt from this database, or None.

    It is older than the published head, or the end of its log is not what was signed. A whole log is checked by
    `bigroad verify-log`; here only its end is, so that a start stays quick.
    """
    db = reader(path)
    try:
        last = round_log.last_entry(db)
        if last is not None:
            before = round_log.entry(db, last.entry_no - 1)
            try:
                _verify_last(last, before.hash if before else chain.GENESIS, key)
            except ChainBroken as problem:
                return "broken", f"the log of rounds is damaged: {problem}"
        if published is None or published.entry_no == 0:
            return None
        known = round_log.entry(db, published.entry_no)
    finally:
        db.close()
    if known is None:
        have = last.entry_no if last else 0
        return "restored", f"the log ends at entry {have}, but entry {published.entry_no} was published"
    if known.hash != published.hash:
        return "restored", f"another entry {published.entry_no} was published than this database has"
    return None


def _verify_last(last: chain.Entry, previous: bytes, key: LogKey) -> None:
    if last.hash != chain.entry_hash(previous, last.entry_no, last.body):
        raise ChainBroken(last.entry_no, "it is not what was written, or does not follow the entry before")
    if not is_signature(key.public_key, last.signature, chain.signed_message(last.hash)):
        raise ChainBroken(last.entry_no, "it is not signed with the log's key")


def _key_for(path: Path) -> LogKey:
    """The key beside the database; made for a database whose log is empty. Raises KeyUnusable."""
    key_path, signed_by = path.parent / KEY, signer_of(path)
    _finish_rotation(key_path, signed_by, lambda secret: LogKey(secret).public_key)
    secret = load_secret(key_path)
    if secret is None and signed_by is None:
        secret = make_secret(key_path)
    if secret is None:
        raise KeyUnusable(f"{key_path} is missing: it signs the log of {path}. Put it back, or move the database away.")
    key = LogKey(secret)
    if signed_by is not None and key.public_key != signed_by:
        raise KeyUnusable(
            f"{key_path} is another key than the one that signs the log of {path}, {signed_by.hex()[:16]}…. Put that"
            " one back."
        )
    return key


def _seal_for(path: Path) -> SeedSeal:
    """The seal beside the database; made where no coup waits that another one has sealed. Raises KeyUnusable."""
    key_path, mark = path.parent / SEED_KEY, _asked(path, round_log.seal_mark)
    _finish_rotation(key_path, mark, lambda secret: SeedSeal(secret).mark)
    secret = load_secret(key_path)
    if secret is None and _has_sealed(path):
        raise KeyUnusable(f"{key_path} is missing: an open coup of {path} cannot be dealt without it. Put it back.")
    seal = SeedSeal(secret or make_secret(key_path))
    if mark is not None and seal.mark != mark and _has_sealed(path):
        raise KeyUnusable(
            f"{key_path} is another key than the one that has the open coups of {path}. Put that one back."
        )
    return seal


def _finish_rotation(key_path: Path, wanted: bytes | None, mark_of: Callable[[bytes], bytes]) -> None:
    """Where a rotation was cut off after the database had it, give its new key its name. wanted: what is to be its
    mark."""
    fresh = load_secret(next_of(key_path))
    if fresh is not None and wanted is not None and mark_of(fresh) == wanted:
        secret = load_secret(key_path)
        if secret is None or mark_of(secret) != wanted:
            take_up(key_path)


def next_of(key_path: Path) -> Path:
    """Where a key waits to take the place of that one."""
    return key_path.with_name(key_path.name + ".next")


def take_up(key_path: Path) -> Path | None:
    """Let the key that waits take its place; answers where the old one is kept, None where there was none."""
    old = None
    if key_path.exists():
        old = next(name for number in range(1, 10_000) if not (name := Path(f"{key_path}.{number}")).exists())
        os.link(key_path, old)
    os.replace(next_of(key_path), key_path)
    sync_folder(key_path.parent)
    return old


def _has_sealed(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with contextlib.closing(reader(path)) as db:
            return db.execute("SELECT 1 FROM coups WHERE length(seed) = 33 LIMIT 1").fetchone() is not None
    except sqlite3.Error:
        return False  # told when it is opened in earnest


def signer_of(path: Path) -> bytes | None:
    """The public key that signs the log of this database now, or None where there is no log yet."""
    return _asked(path, round_log.key_in_force)


def _asked(path: Path, question: Callable[[sqlite3.Connection], bytes | None]) -> bytes | None:
    """What the log of this database says, None where it says nothing; what is wrong with it is told when it is opened
    in earnest."""
    if not path.is_file():
        return None
    try:
        with contextlib.closing(reader(path)) as db:
            return question(db)
    except (sqlite3.Error, msgspec.DecodeError, KeyError, ValueError):
        return None


def reader(path: Path) -> sqlite3.Connection:
    """The database, to be read only, beside whoever writes it."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    db.execute("PRAGMA query_only = ON")
    return db
