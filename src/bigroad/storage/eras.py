"""Eras of bets: so many at a time are found by their patron together. What is new touches few pages, and what is old
is never touched again, however long the history is."""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

ERA_BETS = 32_768
"""An era ends once it has so many. Of an index of them a page of 4 kB holds about 150."""


class Era(NamedTuple):
    """before_utc_ms: no bet of an earlier era is later than this; None where there is none."""

    era_no: int
    latest_utc_ms: int
    before_utc_ms: int | None


def era_of_new(db: sqlite3.Connection, bets: int, latest_utc_ms: int) -> int:
    """The era of so many bets that are about to be written, the latest of that moment."""
    row = db.execute("SELECT era_no, bets, latest_utc_ms FROM eras ORDER BY era_no DESC LIMIT 1").fetchone()
    era_no, held, before = row or (0, 0, latest_utc_ms)
    latest = max(before, latest_utc_ms)
    if held >= ERA_BETS:
        era_no, held = era_no + 1, 0
    db.execute(
        "INSERT INTO eras VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bets = ?2, latest_utc_ms = ?3",
        (era_no, held + bets, latest),
    )
    return int(era_no)


def eras_of(db: sqlite3.Connection, patron_id: int) -> Iterator[Era]:
    """Where the patron's bets can be, the newest first."""
    rows = db.execute(
        "SELECT eras.era_no, eras.latest_utc_ms, earlier.latest_utc_ms FROM eras"
        " LEFT JOIN eras AS earlier ON earlier.era_no = eras.era_no - 1"
        " WHERE eras.era_no >= (SELECT era_no FROM patrons WHERE patron_id = ?) ORDER BY eras.era_no DESC",
        (patron_id,),
    )
    return (Era(*row) for row in rows)
