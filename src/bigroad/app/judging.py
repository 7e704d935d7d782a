"""From commands that wait together to one record of all that they bring about."""

from collections.abc import Sequence
from typing import NamedTuple

import structlog

from bigroad.app.recording import Record, note
from bigroad.app.store import Changes
from bigroad.ledger.transfers import spendable
from bigroad.table.betting import acts
from bigroad.table.commands import Command, Funds, PatronCommand
from bigroad.table.events import Event, Moved, Receipt
from bigroad.table.machine import step
from bigroad.table.state import TableState

log = structlog.get_logger()

Taken = tuple[Command, int]
"""A command and when it was taken, in monotonic nanoseconds."""
TakenOfPatron = tuple[PatronCommand, int]


class Judged(NamedTuple):
    """state: after all commands. failed: by their position, the commands that found a fault of ours; those changed
    nothing. taken_ns: by patron, when the command that placed the bet was taken."""

    state: TableState
    record: Record
    failed: Sequence[int]
    taken_ns: dict[int, int]


def judged(
    before: TableState, commands: Sequence[Taken], funds: Funds, table: str, changes: Changes, rules_before: str | None
) -> Judged:
    """Judge the commands in their order: patrons' commands, any number of them, or one of the table's own."""
    record = Record(changes, rules_before, counted=funds.protected)
    taken_ns: dict[int, int] = {}
    failed: list[int] = []
    asked = [(command, now_ns) for command, now_ns in commands if isinstance(command, PatronCommand)]
    if len(asked) < len(commands):
        ((command, now_ns),) = commands
        done = step(before, command, now_ns, funds)
        note(record, table, done.state, done.events, None, 0)
        return Judged(done.state, record, failed, taken_ns)
    try:
        state, told = acts(before, asked, funds)
        events: Sequence[tuple[Event, ...] | None] = told
    except Exception:  # whose fault it is shows when each is judged by itself
        state, events = _one_by_one(before, asked, funds, table)
    for at, ((command, now_ns), happened) in enumerate(zip(asked, events, strict=True)):
        if happened is None:
            failed.append(at)
            continue
        note(record, table, state, happened, command, at)
        for event in happened:
            if isinstance(event, Receipt):
                taken_ns[command.patron_id] = now_ns
    return Judged(state, record, failed, taken_ns)


def _one_by_one(
    state: TableState, asked: Sequence[TakenOfPatron], funds: Funds, table: str
) -> tuple[TableState, list[tuple[Event, ...] | None]]:
    """As `acts`, but a command that fails has None in place of its events, and the others go on."""
    events: list[tuple[Event, ...] | None] = []
    available = dict(funds.available_minor)
    left = Funds(available, funds.bank_minor, funds.escrow, funds.protected)
    for command, now_ns in asked:
        try:
            state, (happened,) = acts(state, [(command, now_ns)], left)
        except Exception:
            log.exception("a command failed", table=table, patron=command.patron_id)
            events.append(None)
            continue
        events.append(happened)
        moves = [row for event in happened if isinstance(event, Moved) for row in event.transfers]
        for patron_id, change in spendable(moves).items():
            available[patron_id] = available.get(patron_id, 0) + change
    return state, events
