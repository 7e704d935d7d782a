"""The 52 cards: their codes, their two-character names, their points.

Codes: rank * 4 + suit, with rank 0 = ace … 12 = king and suit 0 = clubs, 1 = diamonds, 2 = hearts, 3 = spades.
The order of the codes is the order in which a shoe is walked when a card is drawn, so it is part of the fairness
protocol.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bigroad.rules.errors import UnknownCard

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
KINDS: Final = len(RANKS) * len(SUITS)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One of the 52 cards. `code` is 0–51. Take cards from `CARDS` or `parse_card`; equal codes are equal cards."""

    code: int

    @property
    def rank(self) -> int:
        """0 for the ace, 1 for the two … 9 for the ten, 10 jack, 11 queen, 12 king."""
        return self.code // 4

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self.code % 4

    @property
    def points(self) -> int:
        """What the card counts: ace 1, two to nine their face, ten and faces 0. Source: docs/rules.md R1."""
        pips = self.code // 4 + 1
        return pips if pips < 10 else 0

    def __str__(self) -> str:
        return RANKS[self.code // 4] + SUITS[self.code % 4]


CARDS: Final[tuple[Card, ...]] = tuple(Card(code) for code in range(KINDS))
"""Every card once; `CARDS[code]` has that code."""

_BY_NAME: Final[dict[str, Card]] = {str(card): card for card in CARDS}


def parse_card(text: str) -> Card:
    """The card that a name of two characters means: rank `A23456789TJQK`, then suit `CDHS`, capitals only.

    Raises UnknownCard for every other text.
    """
    card = _BY_NAME.get(text)
    if card is None:
        shown = text[:16]
        raise UnknownCard(
            f"there is no card {shown!r}; write rank then suit, like TS for the ten of spades", card=shown
        )
    return card


def points(cards: Iterable[Card]) -> int:
    """Points of a hand, 0–9: the last digit of the sum of its cards' points. Source: docs/rules.md R1."""
    return sum(card.points for card in cards) % 10
