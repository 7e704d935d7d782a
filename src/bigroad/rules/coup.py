"""One coup: the cards of both hands and what they come to."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from bigroad.rules.cards import Card, points
from bigroad.rules.tableau import banker_draws, is_natural, player_draws


class Outcome(StrEnum):
    """How a coup ends."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Coup:
    """Both hands of a coup, whole. player_cards, banker_cards: two or three cards in the order in which they fell."""

    player_cards: tuple[Card, ...]
    banker_cards: tuple[Card, ...]

    @property
    def player_points(self) -> int:
        """Points of the whole Player hand, 0–9."""
        return points(self.player_cards)

    @property
    def banker_points(self) -> int:
        """Points of the whole Banker hand, 0–9."""
        return points(self.banker_cards)

    @property
    def player_natural(self) -> bool:
        """The Player's first two cards make 8 or 9."""
        return is_natural(points(self.player_cards[:2]))

    @property
    def banker_natural(self) -> bool:
        """The Banker's first two cards make 8 or 9."""
        return is_natural(points(self.banker_cards[:2]))

    @property
    def natural(self) -> bool:
        """Either hand is a natural."""
        return self.player_natural or self.banker_natural

    @property
    def outcome(self) -> Outcome:
        """Whose points are higher."""
        player, banker = self.player_points, self.banker_points
        if player == banker:
            return Outcome.TIE
        return Outcome.PLAYER if player > banker else Outcome.BANKER

    @property
    def player_pair(self) -> bool:
        """The Player's first two cards are of one rank."""
        return self.player_cards[0].rank == self.player_cards[1].rank

    @property
    def banker_pair(self) -> bool:
        """The Banker's first two cards are of one rank."""
        return self.banker_cards[0].rank == self.banker_cards[1].rank

    @property
    def cards_used(self) -> int:
        """Cards of both hands, 4–6."""
        return len(self.player_cards) + len(self.banker_cards)

    @property
    def cards_in_order(self) -> tuple[Card, ...]:
        """The cards in the order in which they left the shoe: P B P B, Player's third, Banker's third."""
        (p1, p2, *p3), (b1, b2, *b3) = self.player_cards, self.banker_cards
        return (p1, b1, p2, b2, *p3, *b3)


def deal_coup(next_card: Callable[[], Card]) -> Coup:
    """Deal one coup, asking `next_card` for exactly the cards that it needs. Source: docs/rules.md R2–R5.

    What `next_card` raises goes through unchanged; the cards asked for until then are lost to the caller, so a caller
    that can run out looks before.
    """
    player = [next_card()]
    banker = [next_card()]
    player.append(next_card())
    banker.append(next_card())
    if not (is_natural(points(player)) or is_natural(points(banker))):
        third_points: int | None = None
        if player_draws(points(player)):
            third = next_card()
            third_points = third.points
            player.append(third)
        if banker_draws(points(banker), third_points):
            banker.append(next_card())
    return Coup(tuple(player), tuple(banker))
