"""The table machine: pure `step(state, command, now_ns, funds)`.

Time and money are judged by what comes in: now_ns is the monotonic moment at which the runner took the command, and
the funds are what the store had in the transaction that will keep the step. Commands of patrons that wait together are
judged by `betting.acts` at once, as `step` would judge one after the other.
"""

from dataclasses import replace
from typing import NamedTuple, assert_never

from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.shoe import Shoe
from bigroad.table import betting, rounds
from bigroad.table.commands import NO_FUNDS, Command, Funds, PatronCommand, Stop, Tick
from bigroad.table.events import Event, TableClosed
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from bigroad.table.terms import Terms


class Step(NamedTuple):
    """The state after a command, and what it brought about, in order."""

    state: TableState
    events: tuple[Event, ...]


def step(state: TableState, command: Command, now_ns: int, funds: Funds = NO_FUNDS) -> Step:
    """Judge one command at now_ns (monotonic). The next deadline is `state.due_ns`. Raises nothing on bad input:
    what a patron may not do is answered with Refused."""
    match command:
        case PatronCommand():
            after, (events,) = betting.acts(state, [(command, now_ns)], funds)
            return Step(after, events)
        case Tick():
            return Step(*rounds.tick(state, command, now_ns, funds))
        case Stop():
            return Step(replace(state, seq=state.seq + 1), (TableClosed("stopping"),))
        case _:
            assert_never(command)


def first_state(table_no: int, terms: Terms, now_ns: int) -> TableState:
    """A table that has never dealt. Its first coup opens at now_ns."""
    return TableState(
        table_no=table_no,
        terms=terms,
        coup_terms=terms,
        phase=Phase.CLOSED,
        coup_no=0,
        shoe_no=0,
        shoe=Shoe.fresh(terms.decks),
        scoreboard=Scoreboard.empty(),
        due_ns=now_ns,
    )
