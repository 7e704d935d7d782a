"""Change the keys: from one entry of the log on another key signs, and another seal has the seeds of open coups.

In this order, so that it can be cut off anywhere: both new keys lie on the disk under a name of their own; one
transaction hands the log over and seals every open seed again; then the keys take their places. What was cut off before
the transaction has not happened; what was cut off after it is finished by the next start (`opening`).
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bigroad.app import log_records
from bigroad.ledger.chain import Head
from bigroad.storage import round_log
from bigroad.storage.errors import KeyUnusable
from bigroad.storage.heads import write_head
from bigroad.storage.keys import LogKey, SeedSeal, load_secret, make_secret
from bigroad.storage.opening import KEY, SEED_KEY, keys_of, next_of, take_up, trouble_with


class Rotated(NamedTuple):
    """head: the new end of the log. seeds: how many open coups were sealed again. old: where the keys of before are."""

    head: Head
    seeds: int
    old: tuple[Path, ...]


def rotate_keys(path: Path, head_path: Path, published: Head | None, at_utc_ms: int) -> Rotated:
    """Hand the log over to a new key, and every open seed to a new seal.

    No server may be running: one that is cannot write any more. Raises KeyUnusable, sqlite3.Error, OSError.
    """
    key, seal = keys_of(path)
    trouble = trouble_with(path, key, published)
    if trouble is not None:
        raise KeyUnusable(f"the keys stay: {trouble[1]}")
    new_key, new_seal = LogKey(_fresh(path.parent / KEY)), SeedSeal(_fresh(path.parent / SEED_KEY))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        seeds = _seal_again(db, seal, new_seal)
        (epoch,) = db.execute("SELECT coalesce(max(epoch), 0) FROM tables").fetchone()
        db.execute("UPDATE tables SET epoch = epoch + 1")
        last = round_log.append(db, [log_records.rekeyed(new_key.public_key, new_seal.mark)], epoch, at_utc_ms, key)
        if last is None or last.entry_no < 2:
            raise KeyUnusable("the log of rounds is empty: remove the two keys, and the next start makes new ones")
        last = round_log.begin(db, last, epoch, at_utc_ms, new_key)
        db.execute("COMMIT")
    old = [take_up(path.parent / name) for name in (KEY, SEED_KEY)]
    head = Head(last.entry_no, last.hash, last.signature, new_key.public_key)
    write_head(head_path, head)
    return Rotated(head, seeds, tuple(name for name in old if name is not None))


def _fresh(key_path: Path) -> bytes:
    """A secret that lies on the disk, beside the key whose place it will take."""
    waiting = next_of(key_path)
    return load_secret(waiting) or make_secret(waiting)


def _seal_again(db: sqlite3.Connection, seal: SeedSeal, new_seal: SeedSeal) -> int:
    rows = db.execute("SELECT table_no, coup_no, seed FROM coups WHERE phase IN ('open', 'locked')").fetchall()
    again = [
        (new_seal.sealed(table_no, coup_no, seal.opened(table_no, coup_no, seed)), table_no, coup_no)
        for table_no, coup_no, seed in rows
    ]
    db.executemany("UPDATE coups SET seed = ? WHERE table_no = ? AND coup_no = ?", again)
    return len(again)
