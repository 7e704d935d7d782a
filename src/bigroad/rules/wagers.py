"""Betting areas, and what a stake may be."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from bigroad.rules.errors import BadAmount, UnknownArea

MAX_STAKE_MINOR: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""


class Area(StrEnum):
    """Where a patron can bet. Source: docs/rules.md R6."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


def parse_area(text: str) -> Area:
    """The area of that name. Raises UnknownArea."""
    try:
        return Area(text)
    except ValueError:
        shown = text[:32]
        raise UnknownArea(f"there is no area {shown!r}; there are {', '.join(Area)}", area=shown) from None


def verify_stake(stake_minor: object, area: str) -> int:
    """The stake as it came in, if it is a whole number of minor units from 1 to 2^53 - 1.

    Takes anything, because it stands at the door: floats (2.0 too), strings, booleans and None are no amounts.
    Raises BadAmount.
    """
    if type(stake_minor) is not int or not 1 <= stake_minor <= MAX_STAKE_MINOR:
        raise BadAmount(
            f"the stake on {area} is to be a whole number of minor units from 1 to {MAX_STAKE_MINOR}", area=area
        )
    return stake_minor


def verify_stakes(stakes: Mapping[str, object]) -> dict[str, int]:
    """One patron's stakes of a coup, Area to minor units, if each is sound. Any combination of areas is (R8).

    Raises UnknownArea, and BadAmount for one stake or for their sum.
    """
    sound: dict[str, int] = {}
    for name, stake_minor in stakes.items():
        area = parse_area(name)
        sound[area] = verify_stake(stake_minor, area)
    if sum(sound.values()) > MAX_STAKE_MINOR:
        raise BadAmount(f"all stakes together are to be {MAX_STAKE_MINOR} minor units at most")
    return sound
