"""A table for one patron: no clock, the bet brings the cards, every coup has a full shoe. One line for one rule."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigroad.app.table_runner import with_terms
from bigroad.ledger.accounts import AccountKind
from bigroad.ledger.transfers import TransferKind
from bigroad.roads.marks import CoupMarks
from bigroad.roads.recent import FOLLOWED
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.shoe import Shoe
from bigroad.table.commands import Act, Clear, Double, Funds, Rebet, Stage, Submit, Unstage
from bigroad.table.errors import Refusal
from bigroad.table.events import (
    NEVER_NS,
    BetsLocked,
    CoupDealt,
    CoupOpened,
    CoupVoided,
    Moved,
    Receipt,
    Refused,
    Repeated,
    Settled,
    ShoeChanged,
    Staged,
)
from bigroad.table.exposure import worst_loss_minor
from bigroad.table.machine import first_state
from bigroad.table.phases import Phase
from bigroad.table.rounds import NS_PER_MS
from bigroad.table.state import TableState, sums
from bigroad.table.timing import Act as Gesture
from tests.tables import RICH, UTC_MS, Patron, open_table, ticked, usual_terms

ALONE = usual_terms(alone=True, decks=6)
YEAR_MS = 365 * 86_400_000


def seat() -> TableState:
    return open_table(ALONE)


def played(state: TableState, now_ms: int, seed: int = 1) -> TableState:
    """The rest of a locked coup, and the next one open."""
    for _ in range(4):
        state, _ = ticked(state, max(now_ms, -(-state.due_ns // NS_PER_MS)), seed=seed)
    assert state.phase is Phase.OPEN
    return state


def after_a_round(stakes: dict[str, int] | None = None) -> tuple[TableState, Patron]:
    """A seat in its second coup, the first one bet on; the request ids go on counting."""
    state, ann = seat(), Patron()
    for area, amount in (stakes or {"player": 50_000}).items():
        state, _ = ann.does(state, Stage(area, amount))
    state, _ = ann.does(state, Submit())
    return played(state, 1_000), ann


def test_betting_is_open_for_as_long_as_nobody_bets() -> None:
    state = seat()
    assert state.opening is not None
    assert (state.opening.closes_utc_ms, state.opening.deals_utc_ms, state.due_ns) == (None, None, NEVER_NS)
    after, events = ticked(state, YEAR_MS)
    assert (after, events) == (state, ())
    state, (staged,) = Patron().does(state, Stage("tie", 2_000), now_ms=YEAR_MS)
    assert isinstance(staged, Staged)


def test_deal_books_the_bet_and_locks_in_one_step() -> None:
    state, ann = seat(), Patron()
    state, _ = ann.does(state, Stage("player", 50_000), now_ms=5_000)
    state, events = ann.does(state, Submit(), now_ms=7_000)
    moved, receipt, locked = events
    assert isinstance(moved, Moved)
    assert [(row.kind, row.amount_minor) for row in moved.transfers] == [(TransferKind.STAKE, 50_000)]
    assert isinstance(receipt, Receipt)
    assert receipt.bet.balance_before_minor == RICH.available_minor[1]
    assert locked == BetsLocked(1, UTC_MS + 7_000, {"player": 50_000}, 1)
    assert (state.phase, state.due_ns, len(state.drafts)) == (Phase.LOCKED, 7_000 * NS_PER_MS, 0)
    assert state.opening is not None
    assert (state.opening.closes_utc_ms, state.opening.deals_utc_ms) == (UTC_MS + 7_000, UTC_MS + 7_000)


def test_then_come_cards_money_the_end_and_the_next_coup() -> None:
    state, ann = seat(), Patron()
    state, _ = ann.does(state, Stage("player", 50_000))
    state, _ = ann.does(state, Submit(), now_ms=1_000)
    state, (dealt,) = ticked(state, 1_000)
    assert isinstance(dealt, CoupDealt)
    assert dealt.dealing.deals_utc_ms == UTC_MS + 1_000
    assert Gesture.CLEAR not in [gesture.act for gesture in dealt.dealing.timeline.gestures]
    state, paid = ticked(state, 1_000)
    assert any(isinstance(event, Settled) for event in paid)
    shown_ms = dealt.dealing.timeline.ends_ms
    before, nothing = ticked(state, 1_000 + shown_ms - 1)
    assert (before, nothing) == (state, ())
    state, _ = ticked(state, 1_000 + shown_ms)
    state, (opened,) = ticked(state, 1_000 + shown_ms)
    assert isinstance(opened, CoupOpened)
    assert (state.phase, state.coup_no, opened.opening.opened_utc_ms) == (Phase.OPEN, 2, UTC_MS + 1_000 + shown_ms)


@pytest.mark.parametrize("act", [Submit(fast=True), Rebet(1, submit=True, fast=True)], ids=["deal", "rebet"])
def test_fast_play_is_over_in_a_glance(act: Act) -> None:
    state, ann = after_a_round()
    now_ms = state.opening.opened_utc_ms - UTC_MS if state.opening else 0
    if isinstance(act, Submit):
        state, _ = ann.does(state, Stage("tie", 2_000), now_ms=now_ms)
    state, _ = ann.does(state, act, now_ms=now_ms)
    state, (dealt,) = ticked(state, now_ms)
    assert isinstance(dealt, CoupDealt)
    assert dealt.dealing.timeline.ends_ms < 1_500


def test_every_coup_has_a_full_shoe_and_nothing_is_burned() -> None:
    state, ann = seat(), Patron()
    assert state.shoe == Shoe.for_one_coup(6)
    for coup_no in range(1, 4):
        state, _ = ann.does(state, Stage("tie", 2_000), now_ms=coup_no * 60_000)
        state, _ = ann.does(state, Submit(), now_ms=coup_no * 60_000)
        dealt, events = ticked(state, coup_no * 60_000, seed=coup_no)
        assert [type(event) for event in events] == [CoupDealt]
        assert dealt.dealing is not None
        assert dealt.dealing.burned == ()
        taken = Counter((*dealt.dealing.coup.player_cards, *dealt.dealing.coup.banker_cards))
        assert dealt.shoe.cards_left + sum(taken.values()) == 6 * 52
        state = played(state, coup_no * 60_000, seed=coup_no)
        assert (state.shoe, state.shoe_no) == (Shoe.for_one_coup(6), 1)
        assert state.opening is not None
        assert (state.opening.cards_left, state.opening.last_of_shoe) == (312, False)


def test_the_boards_follow_the_last_eighty_coups() -> None:
    state, ann, known = seat(), Patron(), []
    for number in range(1, 96):
        state, _ = ann.does(
            state, Rebet(1, submit=True) if number > 1 else Stage("player", 2_000), now_ms=number * 60_000
        )
        if number == 1:
            state, _ = ann.does(state, Submit(), now_ms=60_000)
        state, (dealt,) = ticked(state, number * 60_000)
        assert isinstance(dealt, CoupDealt)
        known.append(CoupMarks.of(dealt.dealing.coup, number))
        wanted = Scoreboard.of(known[-FOLLOWED:])
        assert state.scoreboard.whole() == wanted.whole()
        assert dealt.dealing.scoreboard_before == Scoreboard.of(known[:-1][-FOLLOWED:])
        assert dealt.dealing.roads.anew == (number > FOLLOWED)
        if number > FOLLOWED:
            assert dealt.dealing.roads.boards == wanted.whole().boards
        for _ in range(3):
            state, events = ticked(state, max(number * 60_000, -(-state.due_ns // NS_PER_MS)), seed=number)
            assert not any(isinstance(event, ShoeChanged) for event in events)


# ---- Rebet

REPEATS = [
    ("once", {"player": 50_000}, 1, [], {"player": 50_000}),
    ("twice", {"player": 50_000, "tie": 2_000}, 2, [], {"player": 100_000, "tie": 4_000}),
    ("instead of what lies there", {"player": 50_000}, 1, [Stage("tie", 2_000)], {"player": 50_000}),
    ("twice after once", {"player": 50_000}, 2, [Rebet(1)], {"player": 100_000}),
]


@pytest.mark.parametrize(("title", "last", "times", "acts", "due"), REPEATS, ids=[row[0] for row in REPEATS])
@pytest.mark.parametrize("submit", [False, True])
def test_rebet_makes_the_last_bet_again(
    title: str, last: dict[str, int], times: int, acts: list[Act], due: dict[str, int], submit: bool
) -> None:
    state, ann = after_a_round(last)
    for act in acts:
        state, _ = ann.does(state, act, now_ms=60_000)
    state, events = ann.does(state, Rebet(times, submit=submit), now_ms=60_000)
    if submit:
        assert isinstance(events[1], Receipt)
        assert (dict(events[1].bet.stakes), state.phase) == (due, Phase.LOCKED)
    else:
        (staged,) = events
        assert isinstance(staged, Staged)
        assert (sums(staged.steps), state.phase) == (due, Phase.OPEN)
        assert not ann.does(state, Unstage(), now_ms=60_000)[0].drafts


def funds(available: int, bank: int = 10**12) -> Funds:
    return Funds({1: available}, bank)


ODD, TWICE = {"balance_minor": 49_999, "total_minor": 50_000}, {"total_minor": 100_000}
HIGH = {"area": "banker", "max_minor": 2_500_000, "stake_minor": 4_000_000}
REFUSED = [
    ("an odd balance", {"player": 50_000}, 1, funds(49_999), "BALANCE_TOO_LOW", ODD),
    ("enough for one, not for two", {"player": 50_000}, 2, funds(99_999), "BALANCE_TOO_LOW", TWICE),
    ("above MAX", {"banker": 2_000_000}, 2, RICH, "ABOVE_MAX", HIGH),
    ("more than the bank can lose", {"tie": 2_500_000}, 1, funds(10**9, 19_999_999), "HOUSE_LIMIT", {}),
]


@pytest.mark.parametrize(("title", "last", "times", "money", "code", "facts"), REFUSED, ids=[row[0] for row in REFUSED])
def test_rebet_that_cannot_be_is_refused_whole(
    title: str, last: dict[str, int], times: int, money: Funds, code: str, facts: dict[str, int | str]
) -> None:
    state, ann = after_a_round(last)
    ann.funds = money
    after, (refused,) = ann.does(state, Rebet(times, submit=True), now_ms=60_000)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert facts.items() <= dict(refused.facts).items()
    assert (after.phase, len(after.drafts), len(after.bets)) == (Phase.OPEN, 0, 0)


@pytest.mark.parametrize("limit", ["more", "less"])
def test_rebet_after_a_change_of_limits_keeps_to_the_new_ones(limit: str) -> None:
    state, ann = after_a_round({"player": 50_000})
    lower = usual_terms(alone=True, decks=6, max_minor=40_000)
    changed = lower if limit == "less" else usual_terms(alone=True, decks=6, max_minor=90_000)
    state = with_terms(state, changed, 60_000 * NS_PER_MS)
    state, (voided,) = ticked(state, 60_000)
    assert isinstance(voided, CoupVoided)
    assert (voided.reason, state.phase) == ("rules", Phase.VOIDED)
    state, (opened,) = ticked(state, 60_000)
    assert isinstance(opened, CoupOpened)
    _, events = ann.does(state, Rebet(1, submit=True), now_ms=60_000)
    if limit == "less":
        assert isinstance(events[0], Refused)
        assert (events[0].code, events[0].facts["max_minor"]) == (Refusal.ABOVE_MAX, 40_000)
    else:
        assert isinstance(events[1], Receipt)


def test_a_first_bet_has_nothing_to_repeat() -> None:
    _, (refused,) = Patron().does(seat(), Rebet(1, submit=True))
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.NOTHING_TO_REPEAT


# ---- pressed again and again


@pytest.mark.parametrize(
    "second", [Submit(), Submit(fast=True), Rebet(1, submit=True), Rebet(2, submit=True, fast=True)]
)
def test_whatever_is_pressed_after_the_bet_gets_its_receipt(second: Act) -> None:
    state, ann = after_a_round()
    state, _ = ann.does(state, Stage("tie", 2_000), now_ms=60_000)
    state, first = ann.does(state, Submit(), now_ms=60_000)
    for now_ms in (60_000, 61_000):
        after, (again,) = ann.does(state, second, now_ms=now_ms)
        assert isinstance(again, Repeated)
        assert isinstance(again.answer, Receipt)
        assert isinstance(first[1], Receipt)
        assert again.answer.bet == first[1].bet
        assert (after.bets, after.phase, after.seq) == (state.bets, state.phase, state.seq)
        state, _ = ticked(after, now_ms)


def test_a_press_for_the_coup_before_lands_in_no_other() -> None:
    state, ann = after_a_round()
    for act in (Submit(), Rebet(1, submit=True), Stage("tie", 2_000)):
        after, (refused,) = ann.does(state, act, now_ms=60_000, coup_no=1)
        assert isinstance(refused, Refused)
        assert refused.code is Refusal.STALE_COUP
        assert (len(after.bets), len(after.drafts)) == (0, 0)


def test_the_same_request_has_the_same_answer_and_another_body_a_conflict() -> None:
    state, ann = after_a_round()
    state, events = ann.does(state, Rebet(2, submit=True), now_ms=60_000, request_id="x")
    _, (same,) = ann.does(state, Rebet(2, submit=True), now_ms=61_000, request_id="x")
    _, (other,) = ann.does(state, Rebet(1, submit=True), now_ms=61_000, request_id="x")
    assert isinstance(same, Repeated)
    assert same.answer == events[1]
    assert isinstance(other, Repeated)
    assert isinstance(other.answer, Refused)
    assert other.answer.code is Refusal.CONFLICT


# ---- one bank for many seats


def test_another_tables_bank_pays_and_earns() -> None:
    state = replace(open_table(ALONE), bank_no=77)
    state, _ = Patron().does(state, Stage("player", 50_000))
    state, _ = Patron(2).does(state, Stage("tie", 2_000))
    state, _ = Patron().does(state, Submit(), request_id="b")
    state, _ = ticked(state, 1_000)
    _, events = ticked(state, 1_000)
    owners = {
        account.owner
        for event in events
        if isinstance(event, Moved)
        for row in event.transfers
        for account in (row.debit, row.credit)
        if account.kind in (AccountKind.BANK, AccountKind.COMMISSION)
    }
    assert owners == {77}


def test_a_table_that_never_dealt_has_no_rules_to_wait_for() -> None:
    state, events = ticked(first_state(1, ALONE, 0), 0)
    assert [type(event) for event in events] == [ShoeChanged, CoupOpened]
    assert ticked(state, 1) == (state, ())


ACTS: st.SearchStrategy[Act] = st.one_of(
    st.builds(Stage, st.sampled_from(["player", "banker", "tie"]), st.integers(1, 3_000_000)),
    st.just(Unstage()),
    st.just(Clear()),
    st.just(Double()),
    st.builds(Rebet, st.integers(1, 2), st.booleans(), st.booleans()),
    st.builds(Submit, st.booleans()),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(ACTS, st.booleans()), max_size=40), st.integers(0, 4_000_000), st.integers(1, 2**64))
def test_whatever_is_pressed_money_and_rounds_add_up(acts: list[tuple[Act, bool]], balance: int, seed: int) -> None:
    """Any order of presses, by two tabs at once: one bet a coup, inside the limits, never more than there is."""
    state, now_ms, available, bank = seat(), 1_000, balance, 40_000_000
    for number, (act, waits) in enumerate(acts):
        ann = Patron(funds=Funds({1: available}, bank))
        before = state
        state, events = ann.does(state, act, now_ms=now_ms, request_id=f"r{number}")
        for event in events:
            if isinstance(event, Receipt):
                available -= event.bet.staked_minor
                assert before.phase is Phase.OPEN
                assert state.phase is Phase.LOCKED
                assert all(2_000 <= amount <= 2_500_000 for amount in event.bet.stakes.values())
                assert event.balance_minor == available >= 0
                assert worst_loss_minor(state.coup_terms.paytable, state.totals) <= bank
        assert len(state.bets) <= 1
        assert sum(bet.staked_minor for bet in state.bets.values()) == sum(state.totals.values())
        assert sum(sums(state.drafts.get(1, ())).values()) <= max(available, 0)
        if waits:
            while state.due_ns < NEVER_NS:
                now_ms = max(now_ms, -(-state.due_ns // NS_PER_MS))
                state, events = ticked(state, now_ms, Funds({1: available}, bank), seed=seed + number)
                for event in events:
                    if isinstance(event, Settled):
                        available += event.returned_minor
                        bank += event.bet.staked_minor - event.returned_minor
            assert state.phase is Phase.OPEN
            assert bank > 0
