"""What comes back: the worked settlements, the seed's numbers, and laws that hold for every stake."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.rules.coup import Outcome
from bigroad.rules.errors import BadAmount, UnknownArea
from bigroad.rules.paytables import STANDARD, Pay, Paytable
from bigroad.rules.settle import settle
from bigroad.rules.wagers import MAX_STAKE_MINOR, Area
from tests.vectors import load

SIDE_BETS = {"player_pair", "banker_pair"}
"""Areas of the vectors that no table of this release has; cases that bet on them are left out by this name alone."""

CASES = load("hands")["settlements"]
WORKED = [case for case in CASES if "stakes_units" in case and not SIDE_BETS & case["stakes_units"].keys()]
BY_CHIPS = [case for case in CASES if "chips" in case]
LEFT_OUT = [case for case in CASES if SIDE_BETS & case.get("stakes_units", {}).keys()]

stakes_of_a_patron = st.dictionaries(st.sampled_from(list(Area)), st.integers(1, MAX_STAKE_MINOR), min_size=1)


def test_every_case_is_used_or_left_out_by_name() -> None:
    assert (len(WORKED), len(BY_CHIPS), len(LEFT_OUT)) == (64, 2, 4)
    assert len(CASES) == 70


@pytest.mark.parametrize("case", WORKED, ids=[case["id"] for case in WORKED])
def test_worked_settlement(case: dict[str, Any]) -> None:
    settled = settle(case["stakes_units"], Outcome(case["outcome"]), STANDARD)
    assert settled.returned_minor == case["returned_units"]
    assert settled.returned_total_minor == case["total_returned"]
    assert settled.returned_total_minor - sum(case["stakes_units"].values()) == case["net"]
    if case["outcome"] == "banker":
        assert settled.commission_minor == case.get("banker_commission_units", settled.commission_minor)


@pytest.mark.parametrize("case", BY_CHIPS, ids=[case["id"] for case in BY_CHIPS])
def test_commission_is_taken_on_the_spot_and_not_by_chip(case: dict[str, Any]) -> None:
    stake = sum(case["chips"])
    assert settle({"banker": stake}, Outcome.BANKER, STANDARD).returned_minor["banker"] == stake + case["right_win"]


@pytest.mark.parametrize(
    ("stake", "win"), [(1, 0), (3, 2), (9, 8), (10, 9), (19, 18), (20, 19), (1111, 1055), (MAX_STAKE_MINOR, None)]
)
def test_banker_wins_are_rounded_down(stake: int, win: int | None) -> None:
    """B23, B34: every time down, never to nearest; exact where a float would not be."""
    exact = Fraction(stake) * 95 / 100
    expected = exact.numerator // exact.denominator
    assert win is None or win == expected
    settled = settle({"banker": stake}, Outcome.BANKER, STANDARD)
    assert settled.returned_minor["banker"] == stake + expected
    assert settled.commission_minor == stake - expected


def test_every_amount_up_to_two_hundred_on_every_area_and_outcome() -> None:
    """Integers alone: stakes come back on a push, the Banker's win is rounded down, and nothing appears or vanishes."""
    wins: dict[str, Callable[[int], int]] = {
        "player": lambda x: x,
        "banker": lambda x: x * 95 // 100,
        "tie": lambda x: 8 * x,
    }
    for outcome in Outcome:
        for area, win in wins.items():
            for stake in range(1, 201):
                settled = settle({area: stake}, outcome, STANDARD)
                pushed = outcome is Outcome.TIE and area != "tie"
                due = stake if pushed else stake + win(stake) if outcome.value == area else 0
                commission = stake - win(stake) if area == outcome.value == "banker" else 0
                assert (settled.returned_total_minor, settled.commission_minor) == (due, commission)


def test_a_tie_of_ten_returns_ninety() -> None:
    """B22."""
    assert settle({"tie": 10}, Outcome.TIE, STANDARD).returned_minor == {"tie": 90}


def test_a_push_returns_exactly_the_stake() -> None:
    """B19, B20."""
    settled = settle({"player": 15_000, "banker": 333}, Outcome.TIE, STANDARD)
    assert settled.returned_minor == {"player": 15_000, "banker": 333}
    assert settled.commission_minor == 0


def test_three_spots_with_a_net_loss() -> None:
    """B32: what comes back is what the balance gains; the stake is taken once, when the bet is made."""
    settled = settle({"player": 100, "banker": 500, "tie": 50}, Outcome.PLAYER, STANDARD)
    assert settled.returned_minor == {"player": 200, "banker": 0, "tie": 0}
    assert settled.returned_total_minor - 650 == -450


def test_a_lost_bet_returns_nothing_and_no_less() -> None:
    """B21."""
    assert settle({"player": 777}, Outcome.BANKER, STANDARD).returned_minor == {"player": 0}


@given(stakes_of_a_patron, st.sampled_from(list(Outcome)))
def test_laws_of_a_settlement(stakes: dict[str, int], outcome: Outcome) -> None:
    """B26: whole minor units always; areas do not look at each other; rounding goes to the house, under one unit."""
    settled = settle(stakes, outcome, STANDARD)
    assert list(settled.returned_minor) == list(stakes)
    for area, stake in stakes.items():
        back = settled.returned_minor[area]
        assert type(back) is int
        assert settle({area: stake}, outcome, STANDARD).returned_minor[area] == back
        if area == outcome:
            pay = STANDARD.pay(area)
            exact = stake + Fraction(stake * pay.numerator, pay.denominator) * (10_000 - pay.commission_bps) / 10_000
            assert 0 <= exact - back < 1
        else:
            assert back == (stake if outcome is Outcome.TIE else 0)
    assert settle(stakes, outcome, STANDARD) == settled


@given(st.integers(1, 10**7), st.integers(0, 30), st.integers(1, 7), st.integers(0, 10_000))
def test_any_paytable_rounds_once_and_down(stake: int, numerator: int, denominator: int, bps: int) -> None:
    table = Paytable((Pay(Area.TIE, numerator, denominator, bps),))
    back = settle({"tie": stake}, Outcome.TIE, table).returned_minor["tie"]
    exact = Fraction(stake * numerator, denominator) * (10_000 - bps) / 10_000
    assert 0 <= stake + exact - back < 1


def test_refusals() -> None:
    with pytest.raises(UnknownArea):
        settle({"dragon": 1}, Outcome.TIE, STANDARD)
    for amount in (0, -5):
        with pytest.raises(BadAmount):
            settle({"tie": amount}, Outcome.TIE, STANDARD)
