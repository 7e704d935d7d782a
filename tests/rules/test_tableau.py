"""Who draws: every cell, against a second wording of the rule."""

import pytest

from bigroad.rules.tableau import banker_draws, is_natural, player_draws
from tests.vectors import load

BANKER_DRAWS_UP_TO = {2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2, 1: 3, 9: 3, 0: 3}
"""The rule read by the Player's third card instead of by the Banker's points."""


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("banker", range(8))
def test_eighty_cells(banker: int, third: int) -> None:
    expected = load("hands")["tableau"][str(banker)][third] == "H"
    assert (banker <= BANKER_DRAWS_UP_TO[third]) is expected
    assert banker_draws(banker, third) is expected


@pytest.mark.parametrize("banker", range(10))
def test_player_stood(banker: int) -> None:
    assert banker_draws(banker, None) is (banker <= 5)


@pytest.mark.parametrize("points", range(10))
def test_player_and_naturals(points: int) -> None:
    assert player_draws(points) is (points <= 5)
    assert is_natural(points) is (points >= 8)
    assert not (is_natural(points) and (player_draws(points) or banker_draws(points, None)))


@pytest.mark.parametrize("banker", [8, 9])
def test_a_natural_never_draws(banker: int) -> None:
    assert not any(banker_draws(banker, third) for third in range(10))


def test_a_third_card_of_zero_is_a_third_card() -> None:
    """B14: Banker 3 draws against a king; with no third card at all 4 and 5 draw too, against a king they stand."""
    assert banker_draws(3, 0)
    assert not banker_draws(4, 0)
    assert not banker_draws(5, 0)
    assert banker_draws(5, None)
