"""The published head: where the log of rounds ended, in a small file of its own and, if wished, in the system's log.

The chain cannot show by itself that its end is missing. The head can: a database whose log does not contain the head
that was published is older than what patrons were told. The file is replaced whole, and is on the disk before the old
one is gone.
"""

import contextlib
import os
import threading
from pathlib import Path

import msgspec
import structlog

from bigroad.app import crash_points
from bigroad.ledger.chain import Head
from bigroad.storage.errors import HeadUnreadable
from bigroad.storage.keys import sync_folder

EVERY_S = 0.25
"""Heads that come faster than this are published together."""

log = structlog.get_logger()


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    entry: int
    hash: str
    signature: str
    public_key: str


def read_head(path: Path) -> Head | None:
    """The head that was published there, or None where none was. Raises HeadUnreadable."""
    try:
        raw = path.read_bytes()
        told = msgspec.json.decode(raw, type=_Written)
        head = Head(told.entry, *map(bytes.fromhex, (told.hash, told.signature, told.public_key)))
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, ValueError) as problem:
        raise HeadUnreadable(f"{path}: not a published head: {problem}") from problem
    if head.entry_no < 0 or len(head.hash) != 32:
        raise HeadUnreadable(f"{path}: not a published head")
    return head


def write_head(path: Path, head: Head) -> None:
    """Publish: the new file is whole and on the disk, then it takes the old one's place. Raises OSError."""
    told = _Written(head.entry_no, head.hash.hex(), head.signature.hex(), head.public_key.hex())
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    crash_points.reached("head.written")
    os.replace(fresh, path)
    sync_folder(path.parent)
    crash_points.reached("head.published")


class HeadPublisher:
    """Publishes heads in a thread of its own, newest last; a round never waits for it.

    syslog: say each published head to the system's log too, where there is one.
    """

    def __init__(self, path: Path, *, syslog: bool = False, every_s: float = EVERY_S) -> None:
        self._path, self._syslog, self._every_s = path, syslog, every_s
        self._wake = threading.Condition()
        self._head: Head | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="bigroad-heads", daemon=True)
        self._thread.start()

    def offer(self, head: Head) -> None:
        """Publish this head soon, unless a newer one comes first."""
        with self._wake:
            if self._head is None or head.entry_no >= self._head.entry_no:
                self._head = head
                self._wake.notify()

    def stop(self) -> None:
        """Publish what waits, then end."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._wake:
                while self._head is None and not self._stopping:
                    self._wake.wait()
                head, self._head = self._head, None
            if head is None:
                return
            self._publish(head)
            with self._wake:
                if not self._stopping:
                    self._wake.wait_for(lambda: self._stopping, self._every_s)

    def _publish(self, head: Head) -> None:
        try:
            write_head(self._path, head)
        except OSError as problem:
            log.error("the head was not published", path=str(self._path), entry=head.entry_no, problem=str(problem))
        if self._syslog:
            with contextlib.suppress(ImportError, OSError):
                import syslog

                syslog.syslog(syslog.LOG_NOTICE, f"bigroad log head {head.entry_no} {head.hash.hex()}")
