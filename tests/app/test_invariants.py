"""Every invariant, asserted on a step that breaks it: a real step of a real table, bent in one place."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from bigroad.app import table_runner
from bigroad.app.invariants import verify, verify_recovered
from bigroad.app.store import BetResult, Changes
from bigroad.ledger.accounts import Balance
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import TransferKind
from bigroad.table.commands import Funds
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from tests.app.floor import Floor


@dataclass
class Step:
    """What `verify` is asked about."""

    changes: Changes
    before: TableState
    after: TableState
    funds: Funds
    taken_ns: dict[int, int]

    def verify(self) -> None:
        verify(self.changes, self.before, self.after, self.funds, self.taken_ns)


async def steps(monkeypatch: pytest.MonkeyPatch) -> dict[str, Step]:
    """The steps of one round with a bet on Banker and chips that the close submits, by their arrow."""
    seen: dict[str, Step] = {}

    def note(changes: Changes, before: TableState, after: TableState, funds: Funds, taken: dict[int, int]) -> None:
        verify(changes, before, after, funds, taken)
        seen[changes.arrow] = Step(changes, before, after, funds, taken)

    monkeypatch.setattr(table_runner, "verify", note)
    floor = await Floor().start()
    ann, bob = await floor.guest(), await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.bet(ann, "banker", 5_000)
    await floor.stage(bob, "tie", 2_000)
    await floor.until(Phase.CLOSED)
    return seen


def transfers(kind: TransferKind, amount: int) -> Callable[[Step], None]:
    """All transfers of that kind move another amount."""

    def bend(step: Step) -> None:
        rows = step.changes.transfers
        assert any(row.kind is kind for row in rows)
        step.changes.transfers = [row._replace(amount_minor=amount) if row.kind is kind else row for row in rows]

    return bend


def twice(step: Step) -> None:
    step.changes.transfers.append(step.changes.transfers[0])


def poor(step: Step) -> None:
    step.funds = replace(step.funds, available_minor=dict.fromkeys(step.funds.available_minor, 100))


def without_escrow(step: Step) -> None:
    step.funds = replace(step.funds, escrow=Balance())


def drop_first(step: Step) -> None:
    del step.changes.transfers[0]


def no_events(step: Step) -> None:
    step.changes.events.clear()


def number_again(step: Step) -> None:
    step.after = replace(step.after, coup_no=step.before.coup_no)


def skip(step: Step) -> None:
    step.after = replace(step.after, coup_no=step.after.coup_no + 1)


def other_arrow(step: Step) -> None:
    assert step.changes.advanced is not None
    step.changes.advanced = replace(step.changes.advanced, expected=Phase.OPEN)


def unlogged(step: Step) -> None:
    step.changes.log.clear()


def logged_twice(step: Step) -> None:
    step.changes.log.append(step.changes.log[-1])


def not_open(step: Step) -> None:
    step.before = replace(step.before, phase=Phase.LOCKED)
    step.after = replace(step.after, phase=Phase.LOCKED)


def at_the_close(step: Step) -> None:
    assert step.before.opening is not None
    step.taken_ns = dict.fromkeys(step.taken_ns, step.before.opening.closes_ns)


def bet_before(step: Step) -> None:
    step.before = replace(step.before, bets=step.after.bets)


def no_stake(step: Step) -> None:
    step.changes.transfers.clear()


def totals(step: Step) -> None:
    step.after = replace(step.after, totals={"banker": 4_999})


def paid_otherwise(step: Step) -> None:
    step.changes.results = [BetResult(row[0], row[1], row[2] + 1, *row[3:]) for row in step.changes.results]


def a_card_more(step: Step) -> None:
    counts = step.after.shoe.counts
    at = next(number for number, count in enumerate(counts) if count < step.after.shoe.decks)
    more = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
    step.after = replace(step.after, shoe=replace(step.after.shoe, counts=more))


def stale_fresh_shoe(step: Step) -> None:
    counts = step.before.shoe.counts
    step.before = replace(step.before, shoe=replace(step.before.shoe, counts=(counts[0] - 1, *counts[1:])))


PLANTED: list[tuple[str, Callable[[Step], None], str]] = [
    ("bet", twice, "I1"),
    ("settled", transfers(TransferKind.POST, 0), "I1"),
    ("bet", poor, "I2"),
    ("settled", drop_first, "I3"),
    ("settled", transfers(TransferKind.POST, 7), "I3"),
    ("settled", without_escrow, "I3"),
    ("dealt", without_escrow, "I4"),
    ("locked", without_escrow, "I4"),
    ("settled", paid_otherwise, "I5"),
    ("opened", no_events, "I6"),
    ("opened", number_again, "I6"),
    ("opened", skip, "I6"),
    ("dealt", other_arrow, "I6"),
    ("locked", unlogged, "I6"),
    ("dealt", logged_twice, "I6"),
    ("bet", not_open, "I7"),
    ("bet", at_the_close, "I7"),
    ("bet", bet_before, "I7"),
    ("bet", no_stake, "I7"),
    ("bet", transfers(TransferKind.STAKE, 4_000), "I7"),
    ("dealt", a_card_more, "I9"),
    ("dealt", stale_fresh_shoe, "I9"),
    ("bet", totals, "I10"),
    ("locked", totals, "I10"),
]


@pytest.mark.parametrize(("arrow", "bend", "invariant"), PLANTED)
async def test_a_step_that_breaks_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, arrow: str, bend: Callable[[Step], None], invariant: str
) -> None:
    step = (await steps(monkeypatch))[arrow]
    step.verify()
    bend(step)
    with pytest.raises(InvariantBroken) as broken:
        step.verify()
    assert broken.value.invariant == invariant, broken.value


async def test_what_is_read_back_is_held_against_its_escrow_and_its_shoe() -> None:
    floor = await Floor().start()
    ann = await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.bet(ann)
    await floor.until(Phase.LOCKED)
    state, stored = floor.runner.state, await floor.store.load(floor.table_no)
    verify_recovered(state, stored)
    with pytest.raises(InvariantBroken, match="I4"):
        verify_recovered(state, replace(stored, hold=Balance()))
    with pytest.raises(InvariantBroken, match="I10"):
        verify_recovered(replace(state, totals={"player": 1}), stored)
    await floor.until(Phase.CLOSED)
    state, stored = floor.runner.state, await floor.store.load(floor.table_no)
    verify_recovered(state, stored)
    with pytest.raises(InvariantBroken, match="I9"):
        verify_recovered(state, replace(stored, shoe_coups=()))
    with pytest.raises(InvariantBroken, match="I4"):
        verify_recovered(state, replace(stored, hold=Balance(5)))
