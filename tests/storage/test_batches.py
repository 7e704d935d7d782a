"""Many rows in few statements: every row once, whatever their number."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bigroad.storage import batches

CHANGE = "UPDATE t SET b = column2 FROM (VALUES {rows}) WHERE a = column1"


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        made.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        yield made


@pytest.mark.parametrize("count", [0, 1, 2, 3, 255, 511, 512, 513, 1023, 1300])
def test_every_row_is_there_once_and_changed_once(db: sqlite3.Connection, count: int) -> None:
    rows = [(n, f"row {n}") for n in range(count)]
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    batches.insert(db, "INSERT INTO t (a, b)", rows)
    db.set_trace_callback(None)
    assert db.execute("SELECT a, b FROM t ORDER BY a").fetchall() == rows
    assert len(statements) <= count // batches.ROWS + 9
    changed = batches.put(db, CHANGE, [(n, "x") for n, _ in rows])
    assert changed == count == db.execute("SELECT count(*) FROM t WHERE b = 'x'").fetchone()[0]


def test_rows_that_match_nothing_are_not_counted(db: sqlite3.Connection) -> None:
    batches.insert(db, "INSERT INTO t (a, b)", [(1, "one"), (2, "two")])
    assert batches.put(db, CHANGE, [(1, "x"), (7, "x"), (2, "x")]) == 2
