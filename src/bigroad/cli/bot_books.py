"""What a bot writes down, and the sums that have to come out."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bigroad.rules.coup import Outcome
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import settle
from bigroad.wire.server_events import CoupDealt, Receipt, Settled
from bigroad.wire.session import HistoryCoup

ERRORS_KEPT = 20


@dataclass
class Tally:
    """What all bots saw together."""

    connected: int = 0
    reconnected: int = 0
    commands: int = 0
    events: int = 0
    submitted: int = 0
    automatic: int = 0
    settled: int = 0
    voided: int = 0
    refills: int = 0
    staked_minor: int = 0
    returned_minor: int = 0
    coups: set[tuple[int, int]] = field(default_factory=set)
    refusals: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    bet_answers_ms: list[float] = field(default_factory=list)
    wanted_coups: int | None = None
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    def dealt(self, seat: int, coup: int) -> None:
        """A coup has been dealt. seat: 0 at a table that is shared."""
        self.coups.add((seat, coup))
        if self.wanted_coups is not None and len(self.coups) >= self.wanted_coups:
            self.enough.set()

    def wrong(self, what: str, detail: str = "") -> None:
        """Something that must not happen. The first ones keep their details."""
        self.errors[f"{what}: {detail}" if detail and len(self.errors) < ERRORS_KEPT else what] += 1


class Books:
    """One bot's money, coup by coup: every bet settled exactly once, every balance the sum of what was seen."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.balance_minor = 0
        self.receipts: dict[int, Receipt] = {}
        self.settled: dict[int, Settled] = {}

    @property
    def open_coups(self) -> set[int]:
        """Coups with a bet whose end has not been seen."""
        return self.receipts.keys() - self.settled.keys()

    def receipt(self, event: Receipt) -> None:
        """A bet was booked, or its receipt came again."""
        known = self.receipts.get(event.coup)
        if known is not None:
            same = (known.bet_seq, known.stakes, known.automatic) == (event.bet_seq, event.stakes, event.automatic)
            if not same:
                self._tally.wrong("two bets in one coup", f"{known} and {event}")
            return
        self.receipts[event.coup] = event
        self._tally.staked_minor += event.total_minor
        if event.automatic:
            self._tally.automatic += 1
        else:
            self._tally.submitted += 1
        self.balance_minor -= event.total_minor
        if event.total_minor != sum(event.stakes.values()):
            self._tally.wrong("a receipt's total is not its sum", str(event))
        self._verify("after a bet", event.balance_minor)

    def settlement(self, event: Settled) -> None:
        """A bet has ended."""
        bet = self.receipts.get(event.coup)
        if bet is None or event.coup in self.settled:
            if bet is None or self.settled[event.coup] != event:
                self._tally.wrong("settled without a bet, or twice", str(event))
            return
        self.settled[event.coup] = event
        self._tally.settled += 1
        self._tally.returned_minor += event.returned_minor
        self._verify("before the returns", event.balance_before_minor)
        self.balance_minor += event.returned_minor
        self._verify("after the returns", event.balance_minor)
        if event.outcome is None:
            self._tally.voided += 1
            due = dict(bet.stakes)
        else:
            due = dict(settle(bet.stakes, Outcome(event.outcome), STANDARD).returned_minor)
        if event.stakes != bet.stakes or _without_zeros(event.returned) != _without_zeros(due):
            self._tally.wrong("paid what the rules do not say", f"{bet.stakes} {event}")
        if event.returned_minor != sum(event.returned.values()):
            self._tally.wrong("returns are not their sum", str(event))

    def dealt(self, event: CoupDealt) -> None:
        """The cards that everybody saw agree with what this bot was paid for."""
        mine = self.settled.get(event.coup)
        if mine is not None and mine.outcome != event.outcome:
            self._tally.wrong("settled for another outcome than was dealt", f"{mine} {event.outcome}")

    def balance(self, balance_minor: int) -> None:
        """Money moved outside the table, as announced."""
        self.balance_minor = balance_minor

    def verify_whole(self, balance_minor: int, history: Sequence[HistoryCoup], table: str) -> None:
        """At the end: the server's balance and history are the same as these books."""
        self._verify("at the end", balance_minor)
        rows = {row.coup: row for row in history if row.table == table}
        for coup, bet in list(self.receipts.items())[-len(rows) :] if rows else self.receipts.items():
            row, end = rows.get(coup), self.settled.get(coup)
            if row is None:
                self._tally.wrong("a bet is not in the history", str(bet))
            elif row.stakes != bet.stakes or (end is not None and row.returned_minor != end.returned_minor):
                self._tally.wrong("the history tells it differently", f"{bet} {row}")
            if end is None:
                self._tally.wrong("a bet was never settled", str(bet))

    def _verify(self, when: str, balance_minor: int) -> None:
        if balance_minor != self.balance_minor:
            self._tally.wrong(f"balance {when}", f"expected {self.balance_minor}, told {balance_minor}")
            self.balance_minor = balance_minor


def _without_zeros(amounts: dict[str, int]) -> dict[str, int]:
    return {str(area): amount for area, amount in amounts.items() if amount}
