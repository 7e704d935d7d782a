"""Many rows in few statements.

The connection lets other threads run at every step of a statement and then has to wait for its turn: with a busy event
loop beside it, `executemany` waits once a row. Here it is once in 512 rows. The sizes are 512 and the powers of two
below it, so that there are few statements and all of them stay prepared.
"""

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

ROWS = 512


def insert(db: sqlite3.Connection, head: str, rows: Sequence[Sequence[Any]]) -> None:
    """head: `INSERT INTO t (a, b)`. rows: all of the same width."""
    put(db, f"{head} VALUES {{rows}}", rows)


def put(db: sqlite3.Connection, statement: str, rows: Sequence[Sequence[Any]]) -> int:
    """Run a statement with the rows in place of its `{rows}`, a chunk at a time; answers how many rows it changed."""
    changed, start, end = 0, 0, len(rows)
    while start < end:
        size = min(ROWS, 1 << (end - start).bit_length() - 1)
        values = tuple(chain.from_iterable(rows[start : start + size]))
        changed += db.execute(_sized(statement, size, len(rows[start])), values).rowcount
        start += size
    return changed


@cache
def _sized(statement: str, rows: int, width: int) -> str:
    row = f"({', '.join('?' * width)})"
    return statement.replace("{rows}", ", ".join([row] * rows))
