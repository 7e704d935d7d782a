"""The rules of one table, frozen into each coup when it opens."""

from dataclasses import dataclass
from typing import Literal

from bigroad.rules.paytables import Paytable
from bigroad.rules.wagers import Area
from bigroad.table.timing import Reveal


@dataclass(frozen=True, slots=True)
class AreaLimit:
    """How little and how much one patron may bet on one area."""

    area: Area
    min_minor: int
    max_minor: int


@dataclass(frozen=True, slots=True)
class Timing:
    """betting_ms: from opening to "no more bets". closing_ms: from there to 00:00. pace_permille: 1000 deals at the
    usual pace, 500 twice as fast."""

    betting_ms: int
    closing_ms: int
    pace_permille: int = 1000


ShoeRule = Literal["kept", "every_round"]
"""kept: dealt down to its cut card. every_round: all cards are shuffled for each coup, nothing is burned."""


@dataclass(frozen=True, slots=True)
class Terms:
    """decks of the shoe, odds, limits and timing of a table.

    clock: betting closes by time, and cards fall by time; without one (`timing` has no betting then) they fall when
    the only patron bets. profile: the kind of game, for the record.
    """

    decks: int
    paytable: Paytable
    limits: tuple[AreaLimit, ...]
    timing: Timing
    clock: bool = True
    shoe: ShoeRule = "kept"
    reveal: Reveal = Reveal.HANDS
    profile: str = "multiplayer-deluxe"

    def limit(self, area: str) -> AreaLimit | None:
        """The limits of an area, or None where the table has no such area."""
        for limit in self.limits:
            if limit.area == area:
                return limit
        return None
