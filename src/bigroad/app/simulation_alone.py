"""Seats of one table for one patron each, in simulated time: many rounds under way at once, one bank that pays all.

One seed decides everything, as in `bigroad.app.simulation`. Patrons press what they like, from two tabs, late, twice.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bigroad.app.clock import SimulatedClock
from bigroad.app.recovery import recovered
from bigroad.app.simulation import CHIPS_MINOR, BookStore, Ear, Report
from bigroad.app.table_runner import Seat, TableRunner
from bigroad.ledger import accounts, audit
from bigroad.ledger.accounts import Balance
from bigroad.ledger.errors import InvariantBroken
from bigroad.rules.settle import settle
from bigroad.table.exposure import worst_loss_minor
from bigroad.table.phases import Phase
from bigroad.table.terms import Terms
from bigroad.wire.client_messages import Clear, Double, Rebet, Stage, Submit, TableCommand, Unstage
from bigroad.wire.server_events import TableTerms

RUNNING = (Phase.LOCKED, Phase.DEALT)


@dataclass(slots=True)
class _Sitting:
    """A patron at a seat. has_minor: what the patron should have by the rules, stakes under way included."""

    patron_id: int
    runner: TableRunner
    has_minor: int
    paid: int = 0
    requests: int = 0
    earlier: list[TableCommand] = field(default_factory=list)


async def simulate_alone(
    store: BookStore, terms: Terms, seed: int, rounds: int, patrons: int, start_minor: int, bankroll_minor: int
) -> Report:
    """Play `rounds` rounds in all. The invariants are checked after every step.

    store: empty. terms: without a clock. start_minor: what a patron has, and gets again when it is lost. Raises
    InvariantBroken.
    """
    dice, clock, ear, report = random.Random(seed), SimulatedClock(), Ear(), Report()
    house = await store.claim("simulated", bankroll_minor, clock.utc_ms())
    looks = TableTerms("simulated", "Simulated", "three-d", "onyx", "female", terms.decks, list(CHIPS_MINOR), 0, 0, [])
    sitting: list[_Sitting] = []
    for number in range(patrons):
        token = number.to_bytes(4, "big")
        guest = await store.create_guest(f"Patron {number}", token, start_minor, clock.utc_ms())
        claim = await store.claim_seat(house.table_no, guest.patron_id, clock.utc_ms())
        state = recovered(claim.table_no, await store.load(claim.table_no), terms, clock, house.table_no)
        seat = Seat(guest.patron_id, f"simulated/{guest.patron_id}")
        runner = TableRunner(
            state, claim.epoch, looks, [], store, ear, clock, lambda: dice.randbytes(32), 0, None, seat
        )
        sitting.append(_Sitting(guest.patron_id, runner, start_minor))
    outcomes: Counter[str] = Counter()
    while report.coups < rounds:
        clock.move_to(clock.now_ns() + dice.randrange(1, 400) * 1_000_000)
        for one in sitting:
            await one.runner.pump()
        one = dice.choice(sitting)
        if store.balance(accounts.patron(one.patron_id)).balance_minor < CHIPS_MINOR[0]:
            await store.refill(one.patron_id, CHIPS_MINOR[0], start_minor, report.coups, clock.utc_ms())
            one.has_minor = store.balance(accounts.patron(one.patron_id)).balance_minor
        await _press(dice, ear, one)
        for one in sitting:
            _count(one, report, outcomes)
        verify_bank(store, house.table_no, sitting)
    report.answers, report.outcomes, report.log = dict(ear.answers), dict(outcomes), ear.log
    return report


async def _press(dice: random.Random, ear: Ear, one: _Sitting) -> None:
    """One or two presses that wait together, now and then one that was sent before."""
    wishes = [_wish(dice, one) for _ in range(dice.choice((1, 1, 1, 2)))]
    if one.earlier and dice.random() < 0.1:
        wishes.append(dice.choice(one.earlier[-5:]))
    one.earlier += wishes
    answers = [one.runner.command(one.patron_id, wish) for wish in wishes]
    await one.runner.pump()
    for answer in answers:
        ear.hear(one.patron_id, await answer)


def _wish(dice: random.Random, one: _Sitting) -> TableCommand:
    one.requests += 1
    request = f"r{one.requests}"
    coup = max(1, one.runner.state.coup_no - (dice.random() < 0.05))
    luck = dice.random()
    if luck < 0.4:
        return Stage(request, coup, dice.choice(("player", "banker", "tie")), dice.choice(CHIPS_MINOR))
    if luck < 0.6:
        return Submit(request, coup, dice.random() < 0.5)
    if luck < 0.9:
        return Rebet(request, coup, dice.choice((1, 2)), dice.random() < 0.7, dice.random() < 0.5)
    return dice.choice((Unstage, Clear, Double))(request, coup)


def _count(one: _Sitting, report: Report, outcomes: Counter[str]) -> None:
    """What the rules say of a coup that has been paid, once."""
    state = one.runner.state
    if state.phase in RUNNING or state.dealing is None or one.paid == state.coup_no:
        return
    bet, outcome = state.bets[one.patron_id], state.dealing.coup.outcome
    one.has_minor += settle(bet.stakes, outcome, state.coup_terms.paytable).returned_total_minor - bet.staked_minor
    one.paid = state.coup_no
    report.coups += 1
    report.bets += 1
    outcomes[outcome.value] += 1


def verify_bank(store: BookStore, table_no: int, sitting: Sequence[_Sitting]) -> None:
    """I1 to I5 over all seats together, and that the bank can pay every coup that is under way at its worst."""
    bank = store.balance(accounts.bank(table_no))
    total = sum(store.balance(account).balance_minor for account in (accounts.WORLD, accounts.commission(table_no)))
    at_worst = 0
    for one in sitting:
        state, has = one.runner.state, store.balance(accounts.patron(one.patron_id))
        key = accounts.coup_key(state.table_no, state.coup_no)
        due = sum(state.totals.values()) if state.phase in RUNNING else 0
        audit.verify_escrow(key, store.balance(accounts.escrow(key)), due)
        audit.verify_balances({accounts.patron(one.patron_id): has})
        if has.reserved_minor != due:
            raise InvariantBroken("I3", f"patron {one.patron_id}: {has.reserved_minor} reserved, {due} at stake")
        if has.balance_minor != one.has_minor:
            raise InvariantBroken("I5", f"patron {one.patron_id} has {has.balance_minor}, due are {one.has_minor}")
        if store.balance(accounts.bank(state.table_no)) != Balance():
            raise InvariantBroken("I1", f"seat {state.table_no} has a bank of its own")
        at_worst += worst_loss_minor(state.coup_terms.paytable, state.totals) if state.phase in RUNNING else 0
        total += has.balance_minor
    if total + bank.balance_minor:
        raise InvariantBroken("I1", f"all accounts sum to {total + bank.balance_minor}")
    if at_worst > bank.balance_minor:
        raise InvariantBroken("I2", f"the bank has {bank.balance_minor} and could lose {at_worst}")
