"""Who draws a third card. Source: docs/rules.md R3–R5.

Two different things are kept apart throughout: a third card that counts zero, and no third card at all (None).
"""

from typing import Final

_BANKER_DRAWS_ON: Final[tuple[frozenset[int], ...]] = (
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)) - {8},
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)
"""Row: the Banker's two-card points. Entries: points of the Player's third card on which the Banker draws."""


def is_natural(two_card_points: int) -> bool:
    """Do the first two cards make 8 or 9?"""
    return two_card_points >= 8


def player_draws(player_points: int) -> bool:
    """Does the Player draw on these two-card points (0–9)? 0–5 draw; 6 and 7 stand, and so do naturals.

    Whether the *Banker* has a natural is the coup's business: it ends the coup before this is asked.
    """
    return player_points <= 5


def banker_draws(banker_points: int, player_third_points: int | None) -> bool:
    """Does the Banker draw?

    banker_points: the Banker's two-card points, 0–9. player_third_points: points of the Player's third card, 0–9, or
    None when the Player stood.
    """
    if player_third_points is None:
        return banker_points <= 5
    if is_natural(banker_points):
        return False
    return player_third_points in _BANKER_DRAWS_ON[banker_points]
