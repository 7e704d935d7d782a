"""What only the file can show: durability, migrations, group commit, a busy or full disk."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from bigroad.app.store import StoredSession, StoreError
from bigroad.storage.migrate import migrate, scripts
from bigroad.storage.sqlite import SqliteStore
from bigroad.storage.writer import FOLD_AT, Writer


async def test_what_was_acknowledged_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite3"
    store = SqliteStore(path)
    guest = await store.create_guest("Ann", b"a", 500, 1)
    await store.close()
    again = SqliteStore(path)
    assert await again.session(b"a") == StoredSession(b"a", guest, 1, 1)
    assert (await again.purse(guest.patron_id)).available_minor == 500
    await again.close()


async def test_memory_that_runs_out_between_two_groups_ends_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread looks whether there is anything to carry over while nobody waits: nobody's job is at stake."""
    usual, ran_out = Writer._has_grown, threading.Event()

    def has_grown(writer: Writer) -> bool:
        if not ran_out.is_set():
            ran_out.set()
            raise MemoryError
        return usual(writer)

    monkeypatch.setattr(Writer, "_has_grown", has_grown)
    writer = Writer(tmp_path / "floor.sqlite3")
    writer.start()
    assert await asyncio.to_thread(ran_out.wait, 60)
    assert await writer.run(lambda db: db.execute("SELECT 7").fetchone()) == (7,)
    await writer.stop()


async def test_the_file_is_durable_and_ordered(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "floor.sqlite3")
    writer.start()
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
        assert await writer.run(lambda db, pragma=pragma: db.execute(f"PRAGMA {pragma}").fetchone()[0]) == value  # type: ignore[misc]
    await writer.stop()


async def test_jobs_that_wait_together_are_one_transaction_and_fail_alone(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "floor.sqlite3")
    writer.start()
    statements: list[str] = []
    await writer.run(lambda db: db.set_trace_callback(statements.append))
    await writer.run(lambda db: db.execute("CREATE TABLE t (x INTEGER UNIQUE)"))
    gate, holding = asyncio.Event(), asyncio.Event()
    held = asyncio.get_running_loop()

    def hold(db: sqlite3.Connection) -> None:
        held.call_soon_threadsafe(holding.set)
        asyncio.run_coroutine_threadsafe(gate.wait(), held).result(10)

    first = asyncio.create_task(writer.run(hold))
    await holding.wait()
    rest = [
        asyncio.create_task(writer.run(lambda db, n=n: db.execute("INSERT INTO t VALUES (?)", (n,)).rowcount))  # type: ignore[misc]
        for n in (1, 2, 2, 3)
    ]
    await asyncio.sleep(0)
    statements.clear()
    gate.set()
    await first
    results = await asyncio.gather(*rest, return_exceptions=True)
    assert [isinstance(result, StoreError) for result in results] == [False, False, True, False]
    assert statements.count("BEGIN IMMEDIATE") == 1
    assert [row[0] for row in await writer.run(lambda db: db.execute("SELECT x FROM t ORDER BY x").fetchall())] == [
        1, 2, 3
    ]  # fmt: skip
    await writer.stop()


async def test_a_writer_that_dies_leaves_nobody_waiting(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "floor.sqlite3")
    writer.start()

    def die(db: sqlite3.Connection) -> None:
        raise SystemExit

    results = await asyncio.gather(writer.run(die), writer.run(lambda db: 1), return_exceptions=True)
    assert all(isinstance(result, StoreError) for result in results)
    with pytest.raises(StoreError):
        await writer.run(lambda db: 1)
    await writer.stop()


async def test_a_full_disk_is_refused_and_forgiven(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.sqlite3")
    writer = store._writer
    pages = await writer.run(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await writer.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}"))

    async def fill() -> None:
        for n in range(2_000):
            await store.create_guest("Nobody has so long a name " * 9, b"%d" % n, 500, 1)

    with pytest.raises(StoreError):
        await fill()
    await writer.run(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
    guest = await store.create_guest("Ann", b"ann", 500, 1)
    assert (await store.purse(guest.patron_id)).available_minor == 500
    await store.close()


async def test_a_file_locked_by_another_process_is_refused_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "floor.sqlite3"
    await SqliteStore(path).close()
    writer = Writer(path, busy_timeout_ms=50)
    writer.start()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError):
        await writer.run(lambda db: db.execute("DELETE FROM patrons"))
    other.execute("ROLLBACK")
    other.close()
    assert await writer.run(lambda db: db.execute("SELECT count(*) FROM patrons").fetchone()[0]) == 0
    await writer.stop()


def test_transfers_are_never_changed_or_deleted(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "floor.sqlite3", isolation_level=None)
    migrate(db)
    db.execute("INSERT INTO transfers VALUES (0, 1, 1, 0, 0, 1, 1, 5, 0, 0)")
    for statement in ("UPDATE transfers SET amount_minor = 6", "DELETE FROM transfers"):
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(statement)
    db.close()


def test_a_migration_is_whole_or_absent(tmp_path: Path) -> None:
    """Stop the first script at each of its statements: the schema is wholly old, and the next start makes it new."""
    (_, script) = scripts()[0]
    steps = script.count(";")
    for stop in range(1, 12):
        db = sqlite3.connect(tmp_path / f"{stop}.sqlite3", isolation_level=None)
        count = iter(range(10_000))
        db.set_authorizer(
            lambda action, *rest, count=count, stop=stop: (
                sqlite3.SQLITE_DENY
                if action == sqlite3.SQLITE_CREATE_TABLE and next(count) >= stop - 1
                else sqlite3.SQLITE_OK
            )
        )
        if stop <= 10:
            with pytest.raises(sqlite3.DatabaseError):
                migrate(db)
            db.execute("ROLLBACK")
        db.close()
        again = sqlite3.connect(tmp_path / f"{stop}.sqlite3", isolation_level=None)
        if stop <= 10:
            assert again.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        assert migrate(again) == scripts()[-1][0]
        again.close()
    assert steps > 10


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "floor.sqlite3", isolation_level=None)
    db.execute("PRAGMA user_version = 999")
    with pytest.raises(RuntimeError, match="newer"):
        migrate(db)
    db.close()


UNUSABLE = ["no database", "a folder", "somebody else's", "newer"]


@pytest.mark.parametrize("what", UNUSABLE)
def test_an_unusable_file_is_named_and_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / "floor.sqlite3"
    if what == "no database":
        path.write_bytes(b"nothing of the kind" * 100)
    elif what == "a folder":
        path.mkdir()
    else:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("CREATE TABLE coups (x)" if what == "somebody else's" else "PRAGMA user_version = 999")
        db.close()
    with pytest.raises(StoreError, match=r"floor\.sqlite3"):
        SqliteStore(path)


async def test_what_many_bets_wrote_is_carried_into_the_file(tmp_path: Path) -> None:
    """The write-ahead log grew past FOLD_AT rows: it is carried over, and the rows are in the file without it."""
    path = tmp_path / "floor.sqlite3"
    writer = Writer(path)
    writer.start()
    many, carried = FOLD_AT + 1, threading.Event()

    def hear(statement: str) -> None:
        if "checkpoint" in statement:
            carried.set()

    await writer.run(lambda db: db.set_trace_callback(hear))
    await writer.run(lambda db: db.execute("CREATE TABLE many (n INTEGER PRIMARY KEY)"))
    await writer.run(lambda db: db.executemany("INSERT INTO many VALUES (?)", ((n,) for n in range(many))))
    assert await asyncio.to_thread(carried.wait, 30)
    await writer.run(lambda db: None)  # after it
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(path.read_bytes())  # without its log
    await writer.stop()
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM many").fetchone() == (many,)
