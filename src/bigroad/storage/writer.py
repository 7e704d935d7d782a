"""One thread owns the SQLite connection. Jobs that wait together are committed together.

Each job runs in a savepoint of its own: one that fails is undone and told so, the others go on. Nobody is answered
before the COMMIT has returned (synchronous=FULL): what is acknowledged is on the disk.

A COMMIT that fails may have been kept all the same. The row of `commits` tells: it counts the transactions that changed
anything, in the transaction itself. Where it cannot be read soon the group is told that the store failed, which says
nothing of what was kept: whoever has to know reads again, as `bigroad.app.doubt` does.

After such a failure a disk may hold less than it shows: some systems forget what could not be flushed, and say of the
next flush that all is well. So before anything is read again, all that is in the log of the database is written into
the database itself and flushed there, and the log begins anew.
"""

import asyncio
import contextlib
import gc
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from bigroad.app import crash_points
from bigroad.app.measures import UNMEASURED, Measures
from bigroad.app.store import StoreError
from bigroad.storage.migrate import migrate

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]
Waiting = tuple[Job, "asyncio.Future[Any]", asyncio.AbstractEventLoop]

Connect = Callable[..., sqlite3.Connection]

GROUP = 512
STATEMENTS = 512
"""So many stay prepared."""
CACHE_KB = 4_096
"""Of the file in memory between transactions; the system keeps the rest. It is full soon, and memory grows no more."""
LONG_LOG = 16_384
"""Pages of the write-ahead log after which a commit carries it over into the file itself, where no time was quiet."""
QUIET_S = 0.1
FOLD_AT = 2_000
"""After so many changed rows the log is carried over in the next quiet moment: no commit has to do it then."""
DOUBT_S, DOUBTS = 0.25, 4
"""So often, and so many times, the count is asked for while the file cannot be read: nobody waits longer than that."""


class Writer:
    """Runs jobs one after the other in its thread, a group a transaction."""

    def __init__(
        self,
        path: Path | str,
        busy_timeout_ms: int = 5000,
        connect: Connect = sqlite3.connect,
        measures: Measures = UNMEASURED,
    ) -> None:
        self._path, self._busy_timeout_ms, self._connect = path, busy_timeout_ms, connect
        self._measures = measures
        self._connection: sqlite3.Connection | None = None
        self._jobs: deque[Waiting] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._ready: asyncio.Future[None] | None = None
        self._thread = threading.Thread(target=self._work, name="bigroad-store", daemon=True)
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._doubtful = False
        self._folded = 0

    @property
    def waiting(self) -> int:
        """Jobs that no transaction has taken up yet."""
        return len(self._jobs)

    def start(self) -> None:
        """Open the file, bring its schema up to date. Raises StoreError where it is no database of ours."""
        self._thread.start()
        self._started.wait()
        if isinstance(self._failure, (sqlite3.Error, RuntimeError)):
            raise StoreError(f"{self._path}: {self._failure}") from self._failure
        if self._failure is not None:
            raise self._failure

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run the job in a transaction; its answer comes after the commit. Raises StoreError or what the job raised."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._wake:
            if self._stopping:
                raise StoreError("the store is closed")
            self._jobs.append((job, future, loop))
            self._wake.notify()
        return await future

    async def stop(self) -> None:
        """Finish the jobs that were handed in, then close the file."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        await asyncio.to_thread(self._thread.join)

    def _open(self) -> sqlite3.Connection:
        connection = self._connect(
            self._path, isolation_level=None, timeout=self._busy_timeout_ms / 1000, cached_statements=STATEMENTS
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
            connection.execute("PRAGMA cache_spill = OFF")  # a lock of ten thousand bets needs more, for a moment
            connection.execute(f"PRAGMA wal_autocheckpoint = {LONG_LOG}")
            migrate(connection)
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy and self._doubtful:
                raise sqlite3.OperationalError("what was written is not flushed yet")
            self._doubtful, self._folded = False, 0
        except BaseException:
            connection.close()
            raise
        return connection

    def _work(self) -> None:
        try:
            self._connection = self._open()
        except BaseException as problem:  # told to whoever called start()
            self._failure = problem
            self._started.set()
            return
        self._started.set()
        group: list[Waiting] = []
        try:
            while True:
                group = []
                try:
                    group = self._next_group()
                except MemoryError:  # nobody's job was taken yet, and time may help
                    time.sleep(QUIET_S)
                    continue
                if not group:
                    break
                begun = time.perf_counter()
                try:
                    with _uncollected():
                        self._commit(group)
                    self._measures.committed(len(group), time.perf_counter() - begun)
                except MemoryError as problem:  # whoever has an answer already keeps it
                    self._doubtful = True
                    self._drop()
                    _tell(group, [_Failed(StoreError(f"no memory: {problem}"))] * len(group))
        except BaseException as problem:  # the thread ends: nobody may wait for it in vain
            self._fail(group, problem)
        self._drop()

    def _next_group(self) -> list[Waiting]:
        """The jobs that wait now, once there are any; empty when the store is to stop."""
        while True:
            with self._wake:
                while not self._jobs and not self._stopping:
                    if not self._wake.wait(QUIET_S if self._has_grown() else None):
                        break
                if self._jobs or self._stopping:
                    group = list(islice(self._jobs, GROUP))
                    for _ in group:
                        self._jobs.popleft()
                    return group
            self._fold()

    def _has_grown(self) -> bool:
        """Is there much in the write-ahead log that is not in the file yet?"""
        return self._connection is not None and self._connection.total_changes - self._folded > FOLD_AT

    def _fold(self) -> None:
        """Carry the write-ahead log over into the file while nobody waits. Where that fails nothing is lost: all is in
        the log, and is carried over another time."""
        if self._connection is not None:
            self._folded = self._connection.total_changes
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _fail(self, group: list[Waiting], problem: BaseException) -> None:
        with self._wake:
            self._stopping = True
            waiting = [*group, *self._jobs]
            self._jobs.clear()
        _tell(waiting, [_Failed(StoreError(f"the store has stopped: {problem!r}"))] * len(waiting))

    def _commit(self, group: list[Waiting]) -> None:
        results: list[Any] = []
        count: int | None = None
        committing = False
        try:
            connection = self._connection = self._connection or self._open()
            connection.execute("BEGIN IMMEDIATE")
            changes = connection.total_changes
            for job, _, _ in group:
                results.append(self._attempt(connection, job))
            if connection.total_changes != changes:
                count = _counted(connection)
            committing = True
            crash_points.reached("store.commit")
            connection.execute("COMMIT")
            crash_points.reached("store.committed")
        except (sqlite3.Error, RuntimeError, MemoryError) as problem:
            open_still = self._undo()
            if committing:
                self._doubtful = True
                self._drop()
            if not (committing and count is not None and not open_still and self._was_kept(count)):
                results = [_Failed(StoreError(f"{type(problem).__name__}: {problem}"))] * len(group)
        _tell(group, results)

    def _undo(self) -> bool:
        """Roll back what is open; a connection that cannot even do that is given up. Answers whether it was open."""
        connection = self._connection
        if connection is None:
            return True
        open_still = connection.in_transaction
        try:
            if open_still:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()
        return open_still

    def _was_kept(self, count: int) -> bool:
        """Is it known that the transaction of that count was kept, though its COMMIT failed?"""
        for _ in range(DOUBTS):
            self._drop()
            try:
                self._connection = self._open()
                (kept,) = self._connection.execute("SELECT number FROM commits").fetchone()
            except (sqlite3.Error, RuntimeError, MemoryError) as problem:
                with self._wake:
                    waiting = list(self._jobs)
                    self._jobs.clear()
                    _tell(waiting, [_Failed(StoreError(f"{type(problem).__name__}: {problem}"))] * len(waiting))
                    if self._stopping:
                        return False
                    self._wake.wait(DOUBT_S)
            else:
                return int(kept) >= count
        return False

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    @staticmethod
    def _attempt(connection: sqlite3.Connection, job: Job) -> Any:
        """One job in its savepoint. A broken disk ends the whole group; a broken job ends itself."""
        connection.execute("SAVEPOINT job")
        try:
            result = job(connection)
        except sqlite3.IntegrityError as problem:
            connection.execute("ROLLBACK TO job")
            result = _Failed(StoreError(f"{type(problem).__name__}: {problem}"))
        except sqlite3.Error:
            raise
        except Exception as problem:
            connection.execute("ROLLBACK TO job")
            result = _Failed(problem)
        connection.execute("RELEASE job")
        return result


def _counted(connection: sqlite3.Connection) -> int:
    """Count this transaction, in itself; answers its number."""
    connection.execute("UPDATE commits SET number = number + 1")
    (number,) = connection.execute("SELECT number FROM commits").fetchone()
    return int(number)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Let the collector of cycles wait: a lock of ten thousand bets makes three hundred thousand objects, none of them
    a cycle and most of them gone after it, and to look at them as they come costs as much again as the bets."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Failed:
    """A job's exception on its way to whoever waits."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem


def _tell(group: list[Waiting], results: list[Any]) -> None:
    """Hand each result to the loop that waits for it. A loop that is closed waits for nothing any more."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for (_, future, loop), result in zip(group, results, strict=True):
        loops.setdefault(loop, []).append((future, result))
    for loop, answers in loops.items():
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in answers:
        if future.done():
            continue
        if isinstance(result, _Failed):
            future.set_exception(result.problem)
        else:
            future.set_result(result)
