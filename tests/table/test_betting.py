"""What patrons may do at the shared table (M2 – M7), one row a rule."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from bigroad.ledger.transfers import Transfer, TransferKind, spendable
from bigroad.table.betting import acts, place_drafts, verify_stakes
from bigroad.table.commands import Act, Clear, Double, Funds, PatronCommand, Rebet, Stage, Submit, Unstage
from bigroad.table.errors import Refusal
from bigroad.table.events import Event, Moved, Receipt, Refused, Repeated, Staged
from bigroad.table.exposure import most_loss_minor, worst_loss_minor
from bigroad.table.machine import step
from bigroad.table.sheet import Sheet
from bigroad.table.state import TableState
from bigroad.table.terms import Terms
from tests.tables import BETTING_MS, MAX_MINOR, MIN_MINOR, RICH, UTC_MS, Patron, open_table, ticked, usual_terms

POOR = Funds({1: 10_000}, 10**12)

STAGED = [
    ("one chip", [Stage("player", 2_000)], ({"player": 2_000},)),
    ("two areas", [Stage("player", 2_000), Stage("tie", 5_000)], ({"player": 2_000}, {"tie": 5_000})),
    ("undo", [Stage("player", 2_000), Stage("tie", 5_000), Unstage()], ({"player": 2_000},)),
    ("clear", [Stage("player", 2_000), Stage("tie", 5_000), Clear()], ()),
    ("double", [Stage("player", 2_000), Stage("tie", 5_000), Double()],
     ({"player": 2_000}, {"tie": 5_000}, {"player": 2_000, "tie": 5_000})),
    ("a double is one step", [Stage("player", 2_000), Double(), Unstage()], ({"player": 2_000},)),
    ("up to MAX", [Stage("banker", MAX_MINOR)], ({"banker": MAX_MINOR},)),
    ("below MIN may lie there until BET", [Stage("banker", 1)], ({"banker": 1},)),
]  # fmt: skip


@pytest.mark.parametrize(("title", "acts", "steps"), STAGED, ids=[row[0] for row in STAGED])
def test_staged_chips_add_up(title: str, acts: list[Act], steps: tuple[dict[str, int], ...]) -> None:
    state, patron = open_table(), Patron()
    for act in acts:
        state, events = patron.does(state, act)
    assert isinstance(events[-1], Staged)
    assert events[-1].steps == steps
    assert state.drafts.get(1, ()) == steps


REFUSED = [
    ("unknown area", [Stage("dragon", 2_000)], RICH, Refusal.UNKNOWN_AREA),
    ("over MAX at once", [Stage("player", MAX_MINOR + 1)], RICH, Refusal.ABOVE_MAX),
    ("over MAX in two", [Stage("player", MAX_MINOR), Stage("player", 1)], RICH, Refusal.ABOVE_MAX),
    ("doubled over MAX", [Stage("player", MAX_MINOR - 1), Double()], RICH, Refusal.ABOVE_MAX),
    ("more than the balance", [Stage("player", 10_001)], POOR, Refusal.BALANCE_TOO_LOW),
    ("more as a sum", [Stage("player", 9_000), Stage("tie", 1_001)], POOR, Refusal.BALANCE_TOO_LOW),
    ("nothing to undo", [Unstage()], RICH, Refusal.NOTHING_TO_UNDO),
    ("nothing to clear", [Clear()], RICH, Refusal.NOTHING_TO_UNDO),
    ("nothing to double", [Double()], RICH, Refusal.NOTHING_TO_REPEAT),
    ("nothing to rebet", [Rebet()], RICH, Refusal.NOTHING_TO_REPEAT),
    ("BET without chips", [Submit()], RICH, Refusal.NOTHING_STAGED),
    ("BET below MIN", [Stage("tie", MIN_MINOR - 1), Submit()], RICH, Refusal.BELOW_MIN),
    ("one area below MIN refuses all", [Stage("player", 5_000), Stage("tie", 1), Submit()], RICH, Refusal.BELOW_MIN),
    ("more than the house can lose", [Stage("tie", 5_000), Submit()], Funds({1: 10**9}, 39_999), Refusal.HOUSE_LIMIT),
    ("chips after BET", [Stage("tie", 5_000), Submit(), Stage("tie", 5_000)], RICH, Refusal.ALREADY_SUBMITTED),
    ("undo after BET", [Stage("tie", 5_000), Submit(), Unstage()], RICH, Refusal.ALREADY_SUBMITTED),
    ("clear after BET", [Stage("tie", 5_000), Submit(), Clear()], RICH, Refusal.ALREADY_SUBMITTED),
    ("two hundred steps and one", [Stage("tie", 2)] * 201, RICH, Refusal.TOO_MANY_STEPS),
]  # fmt: skip


@pytest.mark.parametrize(("title", "acts", "funds", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refusals_change_nothing(title: str, acts: list[Act], funds: Funds, code: Refusal) -> None:
    state, patron = open_table(), Patron(funds=funds)
    for act in acts[:-1]:
        state, _ = patron.does(state, act)
    after, events = patron.does(state, acts[-1])
    (refused,) = events
    assert isinstance(refused, Refused)
    assert refused.code is code
    assert (after.drafts, after.bets, after.totals, after.seq) == (state.drafts, state.bets, state.totals, state.seq)


def test_exactly_what_the_house_can_lose_is_taken() -> None:
    patron = Patron(funds=Funds({1: 10**9}, 40_000))
    state, _ = patron.does(open_table(), Stage("tie", 5_000))
    state, _ = patron.does(state, Submit())
    assert state.totals == {"tie": 5_000}


def test_bet_reserves_the_stake_once_and_receipts_it() -> None:
    state, patron = open_table(), Patron()
    for act in (Stage("player", 2_000), Stage("tie", 5_000)):
        state, _ = patron.does(state, act)
    state, events = patron.does(state, Submit(), request_id="bet")
    moved, receipt = events
    assert isinstance(moved, Moved)
    assert [(row.kind, row.amount_minor) for row in moved.transfers] == [(TransferKind.STAKE, 7_000)]
    assert isinstance(receipt, Receipt)
    assert receipt.balance_minor == 10**9 - 7_000
    assert not receipt.bet.automatic
    assert state.totals == {"player": 2_000, "tie": 5_000}
    assert 1 not in state.drafts


def test_same_request_gets_the_same_answer_and_another_body_conflict() -> None:
    state, patron = open_table(), Patron()
    state, first = patron.does(state, Stage("player", 2_000), request_id="x")
    state, again = patron.does(state, Stage("player", 2_000), request_id="x")
    assert isinstance(first[0], Staged)
    assert again == (Repeated(1, first[0]),)
    state, other = patron.does(state, Stage("player", 3_000), request_id="x")
    assert isinstance(other[0], Repeated)
    assert isinstance(other[0].answer, Refused)
    assert other[0].answer.code is Refusal.CONFLICT
    assert state.drafts[1] == ({"player": 2_000},)


def test_another_patron_may_use_the_same_request_id() -> None:
    state, _ = Patron(1).does(open_table(), Stage("player", 2_000), request_id="x")
    state, events = Patron(2).does(state, Stage("tie", 3_000), request_id="x")
    assert isinstance(events[0], Staged)
    assert state.drafts[2] == ({"tie": 3_000},)


def test_second_submit_from_another_tab_gets_the_first_receipt() -> None:
    state, patron = open_table(), Patron()
    state, _ = patron.does(state, Stage("player", 2_000))
    state, first = patron.does(state, Submit(), request_id="tab1")
    state, second = patron.does(state, Submit(), request_id="tab2")
    (again,) = second
    assert isinstance(again, Repeated)
    assert isinstance(again.answer, Receipt)
    assert isinstance(first[1], Receipt)
    assert again.answer.bet == first[1].bet
    assert state.bet_seq == 1


@pytest.mark.parametrize(
    ("now_ms", "taken"), [(0, True), (BETTING_MS - 1, True), (BETTING_MS, False), (BETTING_MS + 1, False)]
)
def test_the_deadline_is_half_open(now_ms: int, taken: bool) -> None:
    state, patron = open_table(), Patron()
    state, _ = patron.does(state, Stage("player", 2_000), 0)
    state, events = patron.does(state, Submit(), now_ms)
    assert (1 in state.bets) is taken
    if not taken:
        assert isinstance(events[0], Refused)
        assert events[0].code is Refusal.BETS_CLOSED


def test_a_delayed_bet_never_lands_in_another_coup() -> None:
    state, patron = open_table(), Patron()
    for coup_no in (0, state.coup_no + 1):
        state, events = patron.does(state, Stage("player", 2_000), coup_no=coup_no)
        assert isinstance(events[0], Refused)
        assert events[0].code is Refusal.STALE_COUP
    assert not state.drafts


def test_rebet_repeats_the_last_bet_times_over() -> None:
    state, patron = open_table(), Patron()
    state, _ = patron.does(state, Stage("banker", 4_000))
    state, _ = patron.does(state, Submit())
    state = next_coup(state)
    state, events = patron.does(state, Rebet(2), state.due_ns // 1_000_000 - 10)
    assert isinstance(events[0], Staged)
    assert events[0].steps == ({"banker": 8_000},)


def test_staged_chips_never_carry_into_the_next_round() -> None:
    state, patron = open_table(), Patron()
    state, _ = patron.does(state, Stage("banker", 1))
    state = next_coup(state)
    assert not state.drafts
    assert not state.bets
    assert state.totals == {}


def next_coup(state: TableState) -> TableState:
    coup_no = state.coup_no
    while state.coup_no == coup_no:
        state, _ = ticked(state, -(-state.due_ns // 1_000_000))
    return state


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1_900, 30_000), min_size=1),
        min_size=1,
        max_size=12,
    ),
    st.integers(0, 300_000),
    st.integers(1_000, 40_000),
)
def test_a_crowd_is_bet_for_as_one_by_one(wishes: list[dict[str, int]], bank: int, purse: int) -> None:
    """All drafts at once or each by itself: the same bets, in the same order, whether the house can pay all or not."""
    drafts = {patron_id: (stakes,) for patron_id, stakes in enumerate(wishes, 1)}
    funds = Funds(dict.fromkeys(drafts, purse), bank)
    start = replace(open_table(), drafts=Map(drafts))
    at_once, told = place_drafts(start, funds, UTC_MS)
    single, moves = start, list[Transfer]()
    answers: list[Event] = []
    for patron_id, (stakes,) in sorted(drafts.items()):
        sheet = Sheet(single, funds)
        no = verify_stakes(sheet, stakes, patron_id, UTC_MS)
        if no is not None:
            answers.append(Refused(patron_id, None, single.coup_no, no.code, no.facts, automatic=True))
            continue
        receipt, moved = sheet.place(patron_id, stakes, UTC_MS, None, sum(stakes.values()))
        single = sheet.closed()
        moves.append(moved)
        answers.append(receipt)
    assert told == ([Moved(tuple(moves)), *answers] if moves else answers)
    assert at_once == replace(single, drafts=Map())


ACTS = st.one_of(
    st.builds(
        Stage,
        st.sampled_from(["player", "banker", "tie", "dragon"]),
        st.sampled_from([1, MIN_MINOR, 5_000, 20_000, MAX_MINOR, MAX_MINOR + 1]),
    ),
    st.builds(Rebet, st.integers(1, 3), st.booleans()),
    st.sampled_from([Unstage(), Clear(), Double(), Submit(), Submit(), Submit()]),
)
COMMANDS = st.lists(
    st.builds(
        PatronCommand,
        st.integers(1, 4),
        st.sampled_from([f"r{number}" for number in range(12)]),
        st.sampled_from([2, 2, 2, 2, 2, 1, 3]),
        ACTS,
        st.sampled_from([UTC_MS, UTC_MS + 7]),
    ),
    max_size=24,
)


@given(COMMANDS, st.lists(st.sampled_from([1, 1, 1, 1, 1, 0, -1]), min_size=24, max_size=24), st.integers(0, 900_000),
       st.integers(1_000, 90_000), st.booleans())  # fmt: skip
def test_commands_that_wait_together_are_judged_as_one_by_one(
    commands: list[PatronCommand], before_close: list[int], bank: int, purse: int, alone: bool
) -> None:
    """Whatever they are and however they get into each other's way: the same events and the same state."""
    start = with_a_last_bet(usual_terms(alone=alone))
    closes_ns = start.due_ns
    taken = [(command, closes_ns - early) for command, early in zip(commands, before_close, strict=False)]
    money = dict.fromkeys(range(1, 4), purse)
    at_once, told = acts(start, taken, Funds(money, bank))
    left, single, answers = dict(money), start, []
    for command, now_ns in taken:
        done = step(single, command, now_ns, Funds(left, bank))
        single = done.state
        answers.append(done.events)
        moves = [row for event in done.events if isinstance(event, Moved) for row in event.transfers]
        for patron_id, change in spendable(moves).items():
            left[patron_id] += change
    assert told == answers
    assert at_once == single
    assert start == with_a_last_bet(usual_terms(alone=alone)), "what they began with is as it was"


def with_a_last_bet(terms: Terms) -> TableState:
    """The second coup is open, and patrons 1 and 2 have something to repeat."""
    state = open_table(terms)
    last = Map({1: {"player": 3_000}, 2: {"tie": 40_000}})
    return replace(state, coup_no=2, last_stakes=last)


@given(st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 10**12)))
def test_the_quick_bound_is_never_below_the_worst_loss(totals: dict[str, int]) -> None:
    paytable = open_table().coup_terms.paytable
    assert worst_loss_minor(paytable, totals) <= most_loss_minor(paytable, totals)
