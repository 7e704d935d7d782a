"""Bugs put in on purpose: the simulation finds each, with the product's own checks switched off."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest
from immutables import Map

from bigroad.app import lobby, table_runner
from bigroad.app.recovery import recovered
from bigroad.app.store import Changes, Decide, Spending, StoreError
from bigroad.ledger import book
from bigroad.ledger.transfers import Transfer
from bigroad.protection import guard
from bigroad.protection.standing import Protected
from bigroad.simulation.floor import Outcome, play
from bigroad.simulation.store import DurableStore
from bigroad.table import betting, rounds
from bigroad.table.phases import Phase
from bigroad.table.sheet import Sheet
from bigroad.table.state import TableState

ROUNDS = 20
SEEDS = range(1, 41)


def first_found(disk: Callable[[], DurableStore] = DurableStore) -> Outcome:
    """The first seed that finds something."""
    for seed in SEEDS:
        outcome = play(seed, ROUNDS, disk())
        if outcome.breach is not None:
            return outcome
    raise AssertionError(f"{len(SEEDS)} seeds find nothing")


@pytest.fixture(autouse=True)
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The product would notice some of these by itself, and stop the table."""
    monkeypatch.setattr(table_runner, "verify", lambda *_: None)
    monkeypatch.setattr(lobby, "verify_recovered", lambda *_: None)


def tell(capsys: pytest.CaptureFixture[str], bug: str, outcome: Outcome) -> None:
    with capsys.disabled():
        print(f"\nplanted: {bug}: found by seed {outcome.seed} of {SEEDS.start}-{SEEDS.stop - 1}: {outcome.breach}")


class PaysTwice(DurableStore):
    """Keeps a settlement's money without its end, and takes the same transfers again."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[int, int]] = set()

    def _move(self, rows: Sequence[Transfer]) -> None:
        for row in rows:
            self._transfers.pop((row.coup_key, row.bet_seq, row.kind), None)
        super()._move(rows)

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        changes = await super().commit(table_no, patron_ids, decide, since_day)
        advanced, table = changes.advanced, self._table(table_no)
        if advanced is not None and advanced.phase is Phase.SETTLED and (table_no, advanced.coup_no) not in self.seen:
            self.seen.add((table_no, advanced.coup_no))
            table.coups[-1] = replace(table.coups[-1], phase=Phase.DEALT)
            raise StoreError("the answer was lost")
        return changes


def test_paying_twice_on_a_retry_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = first_found(PaysTwice)
    tell(capsys, "pay twice on retry", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith(("I1: booked twice", "I6:"))


def test_accepting_at_the_deadline_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = betting.verify_open

    def late(sheet: Sheet, coup_no: int, patron_id: int, now_ns: int) -> betting.No | None:
        return right(sheet, coup_no, patron_id, now_ns - 1)

    monkeypatch.setattr(betting, "verify_open", late)
    outcome = first_found()
    tell(capsys, "accept at the deadline", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith("deadline: ")


def test_forgetting_the_void_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(book, "void", lambda *_: [])
    outcome = first_found()
    tell(capsys, "forget the void", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith("I3: ")


def test_losing_the_draft_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right = recovered

    def forgetful(*args: object, **named: object) -> TableState:
        return replace(right(*args, **named), drafts=Map())  # type: ignore[arg-type]

    monkeypatch.setattr(lobby, "recovered", forgetful)
    outcome = first_found()
    tell(capsys, "lose the draft", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith(("draft: ", "told: "))


class TakesAnyNumber(DurableStore):
    def _verify(self, *_: object) -> None:
        pass


def test_reusing_a_round_number_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right = rounds._open

    def reusing(state: TableState, *rest: object) -> rounds.Arrow:
        if state.phase is Phase.VOIDED:
            state = replace(state, coup_no=state.coup_no - 1)
        return right(state, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rounds, "_open", reusing)
    outcome = first_found(TakesAnyNumber)
    tell(capsys, "reuse a round number", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith("I6: ")


class ReadsBeforeTheTransaction(DurableStore):
    """Reads what is left of a limit now and then, and believes it in between."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.read: dict[int, Protected] = {}

    def _protected(self, patron_id: int, since_day: int) -> Protected:
        self.reads += 1
        if patron_id not in self.read or self.reads % 8 == 0:
            self.read[patron_id] = super()._protected(patron_id, since_day)
        return self.read[patron_id]


class ForgetsVoids(DurableStore):
    """A voided bet stays counted as lost, and the next one that is won counts for it: sums drift both ways."""

    def _spend(self, rows: Iterable[Spending]) -> None:
        super()._spend(row._replace(staked_minor=row.staked_minor * (2 if row.staked_minor < 0 else 1)) for row in rows)


def test_reading_a_limit_before_the_transaction_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = first_found(ReadsBeforeTheTransaction)
    tell(capsys, "read a limit before the transaction", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith("protection: ")


def test_giving_a_void_back_twice_to_the_limit_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = first_found(ForgetsVoids)
    tell(capsys, "give a void back twice to the limit", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith("protection: ")


NOT_ASKED = [
    ("limits", "_verify_limits", "protection: "),
    ("time-outs", "verify_welcome", "protection: "),
]


@pytest.mark.parametrize(("what", "name", "breach"), NOT_ASKED, ids=[row[0] for row in NOT_ASKED])
def test_not_asking_is_found(
    what: str, name: str, breach: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(betting, name, lambda *_: None)
    outcome = first_found()
    tell(capsys, f"do not ask for {what}", outcome)
    assert outcome.breach is not None
    assert outcome.breach.startswith(breach)


def test_raising_a_limit_at_once_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(guard, "WAIT_MS", 0)
    outcome = first_found()
    tell(capsys, "raise a limit at once", outcome)
    assert outcome.breach is not None
    assert "was raised early" in outcome.breach
