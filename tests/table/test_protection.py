"""A table keeps to what its patrons have asked to be protected from."""

from dataclasses import replace

import pytest

from bigroad.protection.guard import FOR_GOOD, Guard, Limit, Rule
from bigroad.protection.periods import MS_PER_DAY, day_of
from bigroad.protection.standing import Protected, Spent
from bigroad.table.commands import Act, Clear, Double, Funds, Rebet, Stage, Submit, Unstage
from bigroad.table.errors import Refusal
from bigroad.table.events import Receipt, Refused, Settled, Staged
from tests.tables import BETTING_MS, RICH, UTC_MS, Patron, open_table, ticked, usual_terms

TODAY = day_of(UTC_MS)
MIDNIGHT = (TODAY + 1) * MS_PER_DAY


def funds(guard: Guard, *days: Spent) -> Funds:
    return replace(RICH, protected={1: Protected(guard, days)})


def loss(amount: int) -> Guard:
    return Guard({Rule.LOSS_DAY: Limit(amount)})


def stake(amount: int) -> Guard:
    return Guard({Rule.STAKE_WEEK: Limit(amount)})


YESTERDAY = Spent(TODAY - 1, 90_000, 0)
BETS = [
    ("all that is left", funds(loss(10_000), Spent(TODAY, 9_000, 4_000)), None),
    ("one unit more than is left", funds(loss(9_999), Spent(TODAY, 9_000, 4_000)), Refusal.LOSS_LIMIT),
    ("stakes under way count as lost", funds(loss(10_000), Spent(TODAY, 5_001, 0)), Refusal.LOSS_LIMIT),
    ("what was won today may be lost again", funds(loss(1_000), Spent(TODAY, 5_000, 9_000)), None),
    ("yesterday is over", funds(loss(5_000), YESTERDAY), None),
    ("stakes count whatever came back", funds(stake(10_000), Spent(TODAY, 5_001, 50_000)), Refusal.STAKE_LIMIT),
    ("the week is not over", funds(stake(90_000), YESTERDAY), Refusal.STAKE_LIMIT),
    ("a break", funds(Guard(time_out_until_utc_ms=UTC_MS + 60_000)), Refusal.ON_A_BREAK),
    ("a break that is over", funds(Guard(time_out_until_utc_ms=UTC_MS + 1_000)), None),
    ("excluded", funds(Guard({}, 0, UTC_MS + 60_000)), Refusal.SELF_EXCLUDED),
    ("excluded for good", funds(Guard({}, 0, FOR_GOOD)), Refusal.SELF_EXCLUDED_FOR_GOOD),
    ("somebody else's", replace(RICH, protected={2: Protected(loss(1))}), None),
]


@pytest.mark.parametrize("alone", [False, True], ids=["shared", "alone"])
@pytest.mark.parametrize("automatic", [False, True], ids=["BET", "00:10"])
@pytest.mark.parametrize(("title", "money", "why"), BETS, ids=[row[0] for row in BETS])
def test_a_bet_of_5_000(title: str, money: Funds, why: Refusal | None, automatic: bool, alone: bool) -> None:
    if alone and automatic:
        return  # without a clock nothing is submitted but by the patron
    ann = Patron()
    state, _ = ann.does(open_table(usual_terms(alone=alone)), Stage("player", 3_000))
    state, _ = ann.does(state, Stage("tie", 2_000))
    ann.funds = money
    staged = state
    if automatic:
        state, events = ticked(state, BETTING_MS, money)
    else:
        state, events = ann.does(state, Submit())
    (verdict,) = [event for event in events if isinstance(event, Receipt | Refused)]
    if why is None:
        assert isinstance(verdict, Receipt)
        assert state.bets[1].staked_minor == 5_000
        return
    assert isinstance(verdict, Refused)
    assert (verdict.code, verdict.automatic) == (why, automatic)
    assert not state.bets
    assert not state.totals
    if not automatic:
        assert state.drafts == staged.drafts


def test_the_refusal_says_what_is_left_and_until_when() -> None:
    ann = Patron()
    state, _ = ann.does(open_table(), Stage("player", 5_000))
    ann.funds = funds(loss(10_000), Spent(TODAY, 8_000, 1_000))
    _, (refused,) = ann.does(state, Submit())
    assert isinstance(refused, Refused)
    assert dict(refused.facts) == {
        "period": "day",
        "limit_minor": 10_000,
        "spent_minor": 7_000,
        "left_minor": 3_000,
        "stake_minor": 5_000,
        "until_utc_ms": MIDNIGHT,
    }


@pytest.mark.parametrize(
    "guard", [Guard(time_out_until_utc_ms=FOR_GOOD), Guard({}, 0, FOR_GOOD)], ids=["out", "excluded"]
)
@pytest.mark.parametrize("act", [Stage("player", 2_000), Double(), Rebet(), Rebet(submit=True), Submit()], ids=str)
def test_who_may_not_play_adds_nothing_but_may_take_back(act: Act, guard: Guard) -> None:
    ann = Patron()
    state, _ = ann.does(open_table(), Stage("player", 2_000))
    state, _ = ann.does(state, Stage("tie", 2_000))
    state = replace(state, last_stakes=state.last_stakes.set(1, {"player": 2_000}))
    ann.funds = funds(guard)
    after, (refused,) = ann.does(state, act)
    assert isinstance(refused, Refused)
    assert refused.code in (Refusal.ON_A_BREAK, Refusal.SELF_EXCLUDED_FOR_GOOD)
    assert after.drafts == state.drafts
    state, (left,) = ann.does(state, Unstage())
    assert isinstance(left, Staged)
    state, (cleared,) = ann.does(state, Clear())
    assert isinstance(cleared, Staged)
    assert not state.drafts


def test_a_limit_is_asked_when_the_bet_is_placed_not_when_chips_are_staged() -> None:
    ann = Patron(funds=funds(loss(1)))
    state, (staged,) = ann.does(open_table(), Stage("player", 5_000))
    assert isinstance(staged, Staged)
    _, (refused,) = ann.does(state, Submit())
    assert isinstance(refused, Refused)


def test_a_bet_that_is_placed_stands_whatever_is_asked_for_afterwards() -> None:
    ann = Patron()
    state, _ = ann.does(open_table(), Stage("player", 5_000))
    state, _ = ann.does(state, Submit())
    away = funds(Guard({Rule.LOSS_DAY: Limit(1)}, FOR_GOOD, FOR_GOOD))
    state, _ = ticked(state, BETTING_MS, away)
    state, _ = ticked(state, 60_000, away)
    before = state
    state, events = ticked(state, 60_000, away)
    assert before.bets[1].staked_minor == 5_000
    assert [event.patron_id for event in events if isinstance(event, Settled)] == [1]
