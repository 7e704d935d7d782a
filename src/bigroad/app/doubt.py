"""After a commit that failed: what the store has kept of it after all.

A store that raises has kept nothing as a rule. But the answer of a commit can be lost on its way, and then the table's
state in memory is older than its rows: every later step would be judged against a past that nobody else remembers. So
a table whose commit failed reads its rows before it does anything else.
"""

from dataclasses import dataclass, replace

from bigroad.app.clock import Clock
from bigroad.app.recovery import recovered
from bigroad.app.store import StoredTable
from bigroad.table.phases import Phase
from bigroad.table.state import TableState


@dataclass(frozen=True, slots=True)
class Found:
    """The state by the rows, the public events that nobody was told yet, and the patrons whose own side has changed."""

    state: TableState
    events: list[tuple[int, bytes]]
    patrons: list[int]


def found(before: TableState, stored: StoredTable, clock: Clock) -> Found | None:
    """What was kept beyond `before`, or None where that is nothing. stored: the rows as they are now."""
    if stored.last is None or _same(before, stored):
        return None
    state = recovered(before.table_no, stored, before.terms, clock, before.bank_no)
    if state.coup_no == before.coup_no:
        state = replace(
            _with_deadlines_of(before, state),
            answers=before.answers.update(state.answers),
            earlier_answers=before.earlier_answers.update(state.earlier_answers),
        )
    else:
        state = replace(state, earlier_answers=before.answers.update(state.earlier_answers))
    state = replace(state, last_stakes=before.last_stakes.update(state.last_stakes))
    events = [(seq, body) for seq, body in stored.events if seq > before.seq]
    return Found(state, events, _concerned(before, state))


def _with_deadlines_of(before: TableState, state: TableState) -> TableState:
    """By the clock no deadline moves. Without one the bet that was kept has set them."""
    opening = before.opening
    if opening is None or not before.coup_terms.clock:
        return state
    deadlines = {Phase.OPEN: opening.closes_ns, Phase.LOCKED: opening.deals_ns}
    return replace(state, opening=opening, due_ns=deadlines.get(state.phase, state.due_ns))


def _same(before: TableState, stored: StoredTable) -> bool:
    last = stored.last
    return (
        last is not None
        and (last.coup_no, last.phase, stored.seq) == (before.coup_no, before.phase, before.seq)
        and all(
            (row.patron_id, row.request_id) in before.answers for row in stored.answers if row.coup_no == before.coup_no
        )
    )


def _concerned(before: TableState, after: TableState) -> list[int]:
    patrons = {patron_id for patron_id, _ in set(after.answers.keys()) - set(before.answers.keys())}
    patrons |= set(after.bets.keys()) - set(before.bets.keys())
    patrons |= set(before.drafts.keys()) - set(after.drafts.keys())
    if after.phase is not before.phase and after.phase in (Phase.SETTLED, Phase.VOIDED):
        patrons |= set(after.bets.keys())
    return sorted(patrons)
