"""A table in simulated time: the very runner of the server, under a clock that is moved by hand.

One seed decides everything: the cards, who bets what and when. The same seed gives the same log, byte for byte.
"""

import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from bigroad.app.clock import SimulatedClock
from bigroad.app.ports import Listener, News
from bigroad.app.recovery import recovered
from bigroad.app.store import Store
from bigroad.app.table_runner import TableRunner
from bigroad.ledger import accounts, audit
from bigroad.ledger.accounts import Account, Balance
from bigroad.ledger.errors import InvariantBroken
from bigroad.rules.settle import settle
from bigroad.table.phases import Phase
from bigroad.table.rounds import NS_PER_MS
from bigroad.table.terms import Terms
from bigroad.wire.client_messages import Clear, Double, Rebet, Stage, Submit, TableCommand, Unstage
from bigroad.wire.server_events import TableTerms

CHIPS_MINOR = (2_000, 10_000, 50_000, 100_000)
START_MINOR = 1_000_000_000
BANKROLL_MINOR = 10**12


class BookStore(Store, Protocol):
    """A store whose accounts can be looked at between two steps."""

    def balance(self, account: Account) -> Balance:
        """An account's numbers now."""


class Ear:
    """A bus without listeners: it counts what is told, and folds it into the log."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self.answers: Counter[str] = Counter()

    def publish(self, table: str, news: Sequence[News]) -> None:
        """Fold the news into the log."""
        for item in news:
            self._digest.update(b"%d %s\n" % (item.patron_id or 0, item.body))

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Nobody listens to a simulation."""
        raise NotImplementedError

    def hear(self, patron_id: int, reply: bytes | None) -> None:
        """Fold a reply into the log."""
        if reply is None:
            self.answers["accepted"] += 1
            return
        message = msgspec.json.decode(reply)
        self.answers[message.get("code", "repeated")] += 1
        self._digest.update(b"%d > %s\n" % (patron_id, reply))

    @property
    def log(self) -> str:
        """SHA-256 (hex) over everything, in order."""
        return self._digest.hexdigest()


@dataclass(slots=True)
class Report:
    """What a simulation came to. answers: how often each answer was given to a command."""

    coups: int = 0
    bets: int = 0
    automatic: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    log: str = ""


async def simulate(store: BookStore, terms: Terms, seed: int, coups: int, patrons: int) -> Report:
    """Play `coups` coups with `patrons` patrons. The invariants of the ledger are checked after every coup.

    store: empty. Raises InvariantBroken.
    """
    dice = random.Random(seed)
    clock, ear = SimulatedClock(), Ear()
    claim = await store.claim("simulated", BANKROLL_MINOR, clock.utc_ms())
    looks = TableTerms(
        "simulated", "Simulated", "multiplayer-deluxe", "emerald", "female", terms.decks, list(CHIPS_MINOR), 0, 0, []
    )
    state = recovered(claim.table_no, await store.load(claim.table_no), terms, clock)
    runner = TableRunner(state, claim.epoch, looks, [], store, ear, clock, lambda: dice.randbytes(32), 0)
    ids = [
        (await store.create_guest(f"Patron {n}", n.to_bytes(4, "big"), START_MINOR, clock.utc_ms())).patron_id
        for n in range(patrons)
    ]
    report = Report()
    outcomes: Counter[str] = Counter()
    while report.coups < coups:
        clock.move_to(max(clock.now_ns(), runner.next_ns))
        await runner.pump()
        before = {patron_id: store.balance(accounts.patron(patron_id)).balance_minor for patron_id in ids}
        await _play_coup(store, runner, clock, ear, dice, ids)
        verify_between_coups(store, runner, ids)
        verify_payouts(store, runner, before)
        report.coups += 1
        if runner.state.coup_no != report.coups:
            raise InvariantBroken("I6", f"coup {runner.state.coup_no} is the {report.coups}th")
        report.bets += len(runner.state.bets)
        report.automatic += sum(bet.automatic for bet in runner.state.bets.values())
        if runner.state.dealing is not None:
            outcomes[runner.state.dealing.coup.outcome.value] += 1
    report.answers, report.outcomes, report.log = dict(ear.answers), dict(outcomes), ear.log
    return report


async def _play_coup(
    store: BookStore,
    runner: TableRunner,
    clock: SimulatedClock,
    ear: Ear,
    dice: random.Random,
    ids: Sequence[int],
) -> None:
    """Let the patrons do what they will, then let the coup be dealt and paid."""
    state = runner.state
    if state.opening is None:
        raise AssertionError("an open coup has an opening")
    window_ms = state.coup_terms.timing.betting_ms
    start_ns = state.opening.closes_ns - window_ms * NS_PER_MS
    agenda: list[tuple[int, int, int, TableCommand]] = []
    for patron_id in ids:
        at_ms = dice.randrange(window_ms)
        for number, message in enumerate(_wishes(dice, state.coup_no, patron_id)):
            heapq.heappush(agenda, (start_ns + at_ms * NS_PER_MS, patron_id, number, message))
            at_ms += dice.randrange(1, window_ms // 10)
    while agenda:
        at_ns, patron_id, _, message = heapq.heappop(agenda)
        while runner.next_ns < at_ns:
            clock.move_to(max(clock.now_ns(), runner.next_ns))
            await runner.pump()
        clock.move_to(max(clock.now_ns(), at_ns))
        answer = runner.command(patron_id, message)
        await runner.pump()
        ear.hear(patron_id, await answer)
    while runner.state.phase not in (Phase.SETTLED, Phase.VOIDED):
        clock.move_to(max(clock.now_ns(), runner.next_ns))
        await runner.pump()
        if runner.state.phase is Phase.LOCKED:
            verify_lock(store, runner)


def _wishes(dice: random.Random, coup_no: int, patron_id: int) -> list[TableCommand]:
    """What a patron tries in one coup: chips, second thoughts, BET or leaving it to the close, now and then twice."""
    count = iter(range(100))

    def request() -> str:
        return f"{coup_no}-{patron_id}-{next(count)}"

    wishes: list[TableCommand] = []
    for _ in range(dice.randrange(4)):
        area = dice.choice(("player", "banker", "tie"))
        wishes.append(Stage(request(), coup_no, area, dice.choice(CHIPS_MINOR)))
    luck = dice.random()
    if luck < 0.1:
        wishes.append(Unstage(request(), coup_no))
    elif luck < 0.15:
        wishes.append(Clear(request(), coup_no))
    elif luck < 0.25:
        wishes.append(Double(request(), coup_no))
    elif luck < 0.35:
        wishes.append(Rebet(request(), coup_no))
    if dice.random() < 0.6:
        bet = Submit(request(), coup_no)
        wishes += [bet, bet] if dice.random() < 0.1 else [bet]
    return wishes


def verify_between_coups(store: BookStore, runner: TableRunner, patrons: Sequence[int]) -> None:
    """I1, I2, I3 and I9 when a coup has been settled and the next is not open. Raises InvariantBroken."""
    state = runner.state
    key = accounts.coup_key(state.table_no, state.coup_no)
    hold = store.balance(accounts.escrow(key))
    if hold != Balance():
        raise InvariantBroken("I3", f"coup {state.coup_no}: escrow holds {hold}")
    held = [accounts.patron(patron_id) for patron_id in patrons]
    held += [accounts.bank(state.table_no), accounts.commission(state.table_no)]
    balances = {account: store.balance(account) for account in (*held, accounts.WORLD)}
    audit.verify_balances(balances)
    if any(balance.reserved_minor for balance in balances.values()):
        raise InvariantBroken("I3", "a stake is still reserved")
    total = sum(balance.balance_minor for balance in balances.values())
    if total:
        raise InvariantBroken("I1", f"all accounts sum to {total}")
    shoe = state.shoe
    if shoe.cards_left != sum(shoe.counts) or not all(0 <= count <= shoe.decks for count in shoe.counts):
        raise InvariantBroken("I9", f"the shoe counts {shoe.counts}")


def verify_lock(store: BookStore, runner: TableRunner) -> None:
    """I4: the escrow expects what was locked. I10: everybody's gold totals are the totals less one's own."""
    state = runner.state
    key = accounts.coup_key(state.table_no, state.coup_no)
    audit.verify_escrow(key, store.balance(accounts.escrow(key)), sum(state.totals.values()))
    for bet in state.bets.values():
        others = {area: total - bet.stakes.get(area, 0) for area, total in state.totals.items()}
        told = dict.fromkeys(state.totals, 0)
        for other in state.bets.values():
            for area, amount in other.stakes.items():
                told[area] += amount if other is not bet else 0
        if others != told:
            raise InvariantBroken("I10", f"patron {bet.patron_id} would see {others}, the others have {told}")


def verify_payouts(store: BookStore, runner: TableRunner, before: Mapping[int, int]) -> None:
    """I5: what each patron has follows from the cards, the stake and the rules frozen in the coup."""
    state = runner.state
    for patron_id, balance_minor in before.items():
        bet, due = state.bets.get(patron_id), balance_minor
        if bet is not None and state.dealing is not None:
            result = settle(bet.stakes, state.dealing.coup.outcome, state.coup_terms.paytable)
            due += result.returned_total_minor - bet.staked_minor
        has = store.balance(accounts.patron(patron_id)).balance_minor
        if has != due:
            raise InvariantBroken("I5", f"patron {patron_id} has {has}, due are {due}")
