"""The betting of a coup, open for writing.

Acts that are judged together go onto one sheet, in their order: each sees what those before it have left. The
persistent maps of the state are opened and closed once for all of them, and not copied for each. The state that the
sheet was opened on stays as it was.
"""

from dataclasses import replace

from immutables import Map

from bigroad.ledger import book
from bigroad.ledger.transfers import Transfer
from bigroad.table.commands import Funds, PatronCommand
from bigroad.table.events import Answer, Bet, BetsLocked, Receipt, Stakes
from bigroad.table.exposure import most_loss_minor, worst_loss_minor
from bigroad.table.phases import Phase
from bigroad.table.state import Answered, TableState, evolved, plus


class Sheet:
    """A state while it is written to. funds: money as it was when the sheet was opened; `available_minor` is what is
    left of it by now."""

    __slots__ = (
        "_at_most_minor",
        "_before",
        "_spent",
        "_stake",
        "_written",
        "answers",
        "bet_seq",
        "bets",
        "coup_no",
        "drafts",
        "due_ns",
        "funds",
        "last_stakes",
        "limits",
        "opening",
        "pays",
        "phase",
        "seq",
        "terms",
        "totals",
    )

    def __init__(self, state: TableState, funds: Funds) -> None:
        self._before, self.funds, self._written = state, funds, False
        self.coup_no, self.terms = state.coup_no, state.coup_terms
        self.phase, self.opening, self.seq, self.due_ns = state.phase, state.opening, state.seq, state.due_ns
        self.drafts, self.bets = state.drafts.mutate(), state.bets.mutate()
        self.last_stakes, self.answers = state.last_stakes.mutate(), state.answers.mutate()
        self._stake = book.staking(state.table_no, state.coup_no)
        self.totals, self.bet_seq = dict(state.totals), state.bet_seq
        self.limits = {limit.area.value: limit for limit in self.terms.limits}
        self.pays = {pay.area.value: pay for pay in self.terms.paytable.pays}
        self._spent: dict[int, int] = {}
        self._at_most_minor = most_loss_minor(self.terms.paytable, self.totals)

    def available_minor(self, patron_id: int) -> int:
        """What the patron has to bet with now."""
        return self.funds.available_minor.get(patron_id, 0) - self._spent.get(patron_id, 0)

    def answered(self, command: PatronCommand) -> Answered | None:
        """What the patron's request of that id was told before, in this coup or the one before it."""
        key = (command.patron_id, command.request_id)
        return self.answers.get(key) or self._before.earlier_answers.get(key)

    def remember(self, command: PatronCommand, answer: Answer) -> None:
        """A retry of this request gets the same answer."""
        self._written = True
        self.answers[command.patron_id, command.request_id] = Answered(command.coup_no, command.act, answer)

    def stage(self, patron_id: int, steps: tuple[Stakes, ...]) -> None:
        """These steps lie there now."""
        self._written = True
        if steps:
            self.drafts[patron_id] = steps
        else:
            self.drafts.pop(patron_id, None)

    def can_pay(self, stakes: Stakes) -> bool:
        """Could the house pay whichever way the coup ends, with these stakes bet too?"""
        bank_minor, at_most_minor = self.funds.bank_minor, self._at_most_minor
        for area, amount in stakes.items():
            at_most_minor += self.pays[area].gross_minor(amount) + 1
        if at_most_minor <= bank_minor:
            return True
        paytable, totals = self.terms.paytable, plus(self.totals, stakes)
        return most_loss_minor(paytable, totals) <= bank_minor or worst_loss_minor(paytable, totals) <= bank_minor

    def place(
        self, patron_id: int, stakes: Stakes, at_utc_ms: int, request_id: str | None, staked: int
    ) -> tuple[Receipt, Transfer]:
        """Book a verified bet of so much in all: the next bet_seq, the stake reserved, the draft gone. Without a
        request it is the server's own submission."""
        before = self.available_minor(patron_id)
        self._written = True
        totals = self.totals
        for area, amount in stakes.items():
            totals[area] = totals.get(area, 0) + amount
            self._at_most_minor += self.pays[area].gross_minor(amount) + 1  # what rounding down took of both
        self._spent[patron_id] = self._spent.get(patron_id, 0) + staked
        self.bet_seq = bet_seq = self.bet_seq + 1
        bet = Bet(bet_seq, patron_id, stakes, staked, request_id is None, at_utc_ms, before)
        self.bets[patron_id] = bet
        self.last_stakes[patron_id] = stakes
        self.drafts.pop(patron_id, None)
        receipt = Receipt(patron_id, request_id, self.coup_no, bet, before - staked)
        return receipt, self._stake(bet_seq, patron_id, staked)

    def lock(self, at_utc_ms: int, now_ns: int, *, fast: bool) -> BetsLocked:
        """OPEN → LOCKED, where no clock does it: the coup's moments are now."""
        if self.opening is None:
            raise AssertionError("an open coup has an opening")
        self.opening = replace(
            self.opening,
            closes_utc_ms=at_utc_ms,
            deals_utc_ms=at_utc_ms,
            closes_ns=now_ns,
            deals_ns=now_ns,
            fast=fast,
        )
        self._written = True
        self.phase, self.seq, self.due_ns = Phase.LOCKED, self.seq + 1, now_ns
        self.drafts = Map[int, tuple[Stakes, ...]]().mutate()
        return BetsLocked(self.coup_no, at_utc_ms, dict(self.totals), len(self.bets))

    def closed(self) -> TableState:
        """The state after all that was written. The sheet is used up."""
        if not self._written:
            return self._before
        return evolved(
            self._before,
            phase=self.phase,
            opening=self.opening,
            seq=self.seq,
            due_ns=self.due_ns,
            drafts=self.drafts.finish(),
            bets=self.bets.finish(),
            last_stakes=self.last_stakes.finish(),
            answers=self.answers.finish(),
            totals=self.totals,
            bet_seq=self.bet_seq,
        )
