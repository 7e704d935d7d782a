"""Audit what was told and what waits to be told: events, answers, drafts."""

import sqlite3
from collections.abc import Mapping
from typing import Any

import msgspec

from bigroad.ledger.accounts import coup_key
from bigroad.storage.audit_coup import TableRow
from bigroad.storage.errors import AuditFailed
from bigroad.storage.rows import stakes_of, steps_of
from bigroad.table.phases import Phase
from bigroad.table.state import plus


def check(db: sqlite3.Connection, tables: Mapping[int, TableRow]) -> None:
    """Raises AuditFailed."""
    _check_events(db, tables)
    _check_drafts(db, tables)
    row = db.execute(
        "SELECT answers.table_no, answers.coup_no, patron_id FROM answers LEFT JOIN coups USING (table_no, coup_no)"
        " WHERE coups.coup_no IS NULL LIMIT 1"
    ).fetchone()
    if row is not None:
        raise AuditFailed("rows", f"an answer to patron {row[2]}", f"there is no coup {row[1]} of table {row[0]}")


def _check_events(db: sqlite3.Connection, tables: Mapping[int, TableRow]) -> None:
    """I6: events are numbered without holes. I10 and cards: what was told of a coup is what is kept of it."""
    before: tuple[int, int] = (0, 0)
    for table_no, seq, body in db.execute("SELECT table_no, seq, body FROM events ORDER BY table_no, seq"):
        name = tables[table_no].table_id if table_no in tables else f"number {table_no}"
        where = f"table {name}, event {seq}"
        if before[0] == table_no and seq != before[1] + 1:
            raise AuditFailed("I6", where, f"it follows event {before[1]}")
        before = (table_no, seq)
        try:
            told = msgspec.json.decode(body)
            told_as = tables[table_no].told_as if table_no in tables else name
            if (told["table"], told["seq"]) != (told_as, seq):
                raise AuditFailed("I6", where, f"it speaks of {told['table']} {told['seq']}")
        except (msgspec.MsgspecError, KeyError, TypeError) as problem:
            raise AuditFailed("rows", where, f"cannot be read: {problem}") from problem
        _check_event(db, table_no, told, where)


def _check_event(db: sqlite3.Connection, table_no: int, told: dict[str, Any], where: str) -> None:
    if told["type"] == "coup_dealt":
        row = db.execute(
            "SELECT player_cards, banker_cards, hex(seed) FROM coups WHERE table_no = ? AND coup_no = ?",
            (table_no, told["coup"]),
        ).fetchone()
        due = [" ".join(told["player_cards"]), " ".join(told["banker_cards"]), told["seed"].upper()]
        if row is None or list(row) != due:
            raise AuditFailed("I9", f"{where}, coup {told['coup']}", f"{due[:2]} was told, {row and row[:2]} is kept")
    elif told["type"] == "bets_locked":
        totals: dict[str, int] = {}
        key = coup_key(table_no, told["coup"])
        for (text,) in db.execute("SELECT stakes FROM bets WHERE coup_key = ?", (key,)):
            totals = plus(totals, stakes_of(text))
        if totals != told["totals"]:
            raise AuditFailed("I10", f"{where}, coup {told['coup']}", f"{told['totals']} was told, {totals} was bet")


def _check_drafts(db: sqlite3.Connection, tables: Mapping[int, TableRow]) -> None:
    """Staged chips lie only on an open coup, and are chips."""
    rows = db.execute(
        "SELECT drafts.table_no, patron_id, steps, (SELECT phase FROM coups WHERE coups.table_no = drafts.table_no"
        " ORDER BY coup_no DESC LIMIT 1), (SELECT count(*) FROM patrons WHERE patrons.patron_id = drafts.patron_id)"
        " FROM drafts"
    )
    for table_no, patron_id, steps, phase, known in rows:
        name = tables[table_no].table_id if table_no in tables else f"number {table_no}"
        where = f"table {name}, draft of patron {patron_id}"
        if phase != Phase.OPEN or not known:
            raise AuditFailed("I7", where, f"chips are staged on a coup that is {phase}")
        try:
            sound = all(amount > 0 for step in steps_of(steps) for amount in step.values())
        except msgspec.MsgspecError as problem:
            raise AuditFailed("rows", where, f"cannot be read: {problem}") from problem
        if not sound:
            raise AuditFailed("I7", where, "an amount is not above zero")
