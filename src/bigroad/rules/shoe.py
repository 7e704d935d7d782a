"""The shoe: how many of each card are left, and where its cut card lies.

A shoe is a multiset and no hidden order: which card comes next is settled when it is drawn (see `bigroad.fairness`),
so nobody can know it before. The joint law of the draws is that of a shuffled shoe dealt from the top.

A shoe's life: fresh → burned (first cards away, cut card in) → coups … → cut card out → one last coup → spent.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from bigroad.rules.cards import KINDS, Card
from bigroad.rules.errors import BadShoe, ShoeSpent, TooFewCards, TooManyCopies

MAX_DECKS: Final = 255
CUT_FROM_END: Final = (14, 15, 16)
"""Where the cut card can lie, in cards from the end. Fourteen still hold two coups of six cards. Source: R10."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """What is left of `decks` packs.

    counts: cards left per code, shape (52,), each 0 to decks. cut_from_end: cards behind the cut card, None until the
    burn. last_coup: the cut card is out, so the next coup is the last. spent: that coup has been dealt.
    Raises BadShoe when these do not fit together.
    """

    decks: int
    counts: tuple[int, ...]
    cut_from_end: int | None = None
    last_coup: bool = False
    spent: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.decks <= MAX_DECKS:
            raise BadShoe(f"a shoe has 1 to {MAX_DECKS} decks", decks=self.decks)
        if len(self.counts) != KINDS:
            raise BadShoe(f"a shoe counts {KINDS} cards", counts=len(self.counts))
        if min(self.counts) < 0 or max(self.counts) > self.decks:
            raise BadShoe("each card is left 0 to decks times", decks=self.decks)
        if self.cut_from_end is not None and not 0 <= self.cut_from_end <= KINDS * self.decks:
            raise BadShoe("the cut card lies inside the shoe", cut_from_end=self.cut_from_end)
        if self.cut_from_end is None and (self.last_coup or self.spent):
            raise BadShoe("a shoe without a cut card has no last coup")
        if self.spent and not self.last_coup:
            raise BadShoe("a spent shoe has had its last coup")

    @classmethod
    def fresh(cls, decks: int) -> Self:
        """All the cards of `decks` packs, not yet burned. Raises BadShoe unless decks is 1 to 255."""
        return cls(decks, (decks,) * KINDS)

    @classmethod
    def for_one_coup(cls, decks: int) -> Self:
        """A full shoe that is shuffled for a single coup: no burn, and spent after it. Raises BadShoe as `fresh`."""
        return cls(decks, (decks,) * KINDS, cut_from_end=0, last_coup=True)

    @property
    def cards_left(self) -> int:
        """Cards in the shoe, 0 to 52 * decks."""
        return sum(self.counts)

    @property
    def burned(self) -> bool:
        """The first cards are away and the cut card is in."""
        return self.cut_from_end is not None

    def remove(self, card: Card) -> Self:
        """The shoe without one copy of `card`. Raises TooManyCopies when none is left."""
        code = card.code
        left = self.counts[code]
        if left == 0:
            raise TooManyCopies(
                f"{self.decks} decks hold {self.decks} copies of {card}, and one more is asked for",
                card=str(card),
                decks=self.decks,
            )
        return replace(self, counts=(*self.counts[:code], left - 1, *self.counts[code + 1 :]))

    def with_cut(self, cut_from_end: int) -> Self:
        """The burned shoe with its cut card `cut_from_end` cards from the end. Raises BadShoe when it has one."""
        if self.burned:
            raise BadShoe("the cut card is in already")
        return replace(self, cut_from_end=cut_from_end)

    def verify_can_deal(self) -> None:
        """Raises ShoeSpent after the last coup, TooFewCards below the six cards that any coup can need."""
        if self.spent:
            raise ShoeSpent("the last coup of this shoe has been dealt")
        if self.cards_left < 6:
            raise TooFewCards("a coup can need six cards", cards_left=self.cards_left)

    def after_coup(self) -> Self:
        """The shoe when a coup is done: has the cut card come out, or was this the last coup? Source: R10.

        The cut card has come out when fewer cards are left than lay behind it. Raises BadShoe before the burn.
        """
        if self.cut_from_end is None:
            raise BadShoe("a coup is dealt from a burned shoe")
        if self.last_coup:
            return replace(self, spent=True)
        return replace(self, last_coup=self.cards_left < self.cut_from_end)


def burn_after(first: Card) -> int:
    """How many more cards are burned after the first: its points, ten for tens and faces. 1–10. Source: R10."""
    return first.points or 10
