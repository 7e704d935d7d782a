"""What a stake may be."""

from typing import Any

import pytest

from bigroad.rules.errors import BadAmount, BadPaytable, UnknownArea
from bigroad.rules.paytables import STANDARD, Pay, Paytable
from bigroad.rules.wagers import MAX_STAKE_MINOR, Area, parse_area, verify_stakes


@pytest.mark.parametrize(
    "amount",
    [0, -1, 5.6e-14, 0.72, 1.0, "100", "", True, False, None, float("nan"), float("inf"), 2**53, 10**30, [], {}, b"1"],
)
def test_no_amount(amount: Any) -> None:
    """B25, B27, B28: a stake is a whole number from 1 on; nothing is converted, nothing is rounded."""
    with pytest.raises(BadAmount) as caught:
        verify_stakes({"banker": amount})
    assert caught.value.code == "BAD_AMOUNT"


@pytest.mark.parametrize("amount", [1, 20, MAX_STAKE_MINOR])
def test_an_amount(amount: int) -> None:
    assert verify_stakes({"tie": amount}) == {Area.TIE: amount}


def test_all_stakes_together_are_an_amount_too() -> None:
    with pytest.raises(BadAmount):
        verify_stakes({"tie": MAX_STAKE_MINOR, "player": 1})


def test_any_combination_of_areas() -> None:
    """R8: opposite sides included, and nothing at all."""
    assert verify_stakes({"player": 1, "banker": 2, "tie": 3}) == {"player": 1, "banker": 2, "tie": 3}
    assert verify_stakes({}) == {}


@pytest.mark.parametrize("name", ["", "Banker", "dragon", "banker ", "player_pair", "\ud800", "x" * 10_000])
def test_no_area(name: str) -> None:
    with pytest.raises(UnknownArea) as caught:
        parse_area(name)
    assert len(str(caught.value)) < 200
    with pytest.raises(UnknownArea):
        STANDARD.pay(name)


def test_what_no_table_can_pay() -> None:
    for numerator, denominator, bps in ((-1, 1, 0), (1, 0, 0), (1, 1, -1), (1, 1, 10_001)):
        with pytest.raises(BadPaytable):
            Pay(Area.TIE, numerator, denominator, bps)
    with pytest.raises(BadPaytable):
        Paytable(())
    with pytest.raises(BadPaytable):
        Paytable((Pay(Area.TIE, 8), Pay(Area.TIE, 9)))
