"""What a profile says, and what a table may say otherwise."""

from typing import Annotated, Literal

import msgspec

MAX_MINOR = 2**53 - 1
Minor = Annotated[int, msgspec.Meta(ge=1, le=MAX_MINOR)]
BettingMs = Annotated[int, msgspec.Meta(ge=500, le=600_000)]
ClosingMs = Annotated[int, msgspec.Meta(ge=200, le=600_000)]
Pace = Annotated[float, msgspec.Meta(ge=0.05, le=10)]
Decks = Annotated[int, msgspec.Meta(ge=1, le=8)]
Chips = Annotated[tuple[Minor, ...], msgspec.Meta(min_length=1, max_length=10)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Area = Literal["player", "banker", "tie"]
AREAS: tuple[Area, ...] = ("player", "banker", "tie")
Seats = Literal["many", "one"]
ShoeRule = Literal["kept", "every_round"]
Reveal = Literal["hands", "as_dealt"]
Start = Literal["bet", "deal"]
Felt = Literal["emerald", "midnight", "burgundy", "onyx", "teal"]
Dealer = Literal["female", "male"]
Button = Literal["undo", "clear", "double", "rebet", "rebet_x2"]
Option = Literal["fast_play", "rebet_and_deal"]

USUAL_CHIPS = (2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000)


class AreaLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How little and how much one patron may bet on one area."""

    min_minor: Minor = 2_000
    max_minor: Minor = 2_500_000


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of each area; one that is not named has those of the profile, at last the usual ones."""

    player: AreaLimits | None = None
    banker: AreaLimits | None = None
    tie: AreaLimits | None = None

    def of(self, area: str) -> AreaLimits | None:
        """The limits of an area, None where they are not named."""
        named: AreaLimits | None = getattr(self, area)
        return named


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """betting_ms: from the opening to "no more bets". closing_ms: from there to 00:00."""

    betting_ms: BettingMs = 50_000
    closing_ms: ClosingMs = 10_000


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of game.

    seats: many play one coup by the clock, or each patron plays coups of their own. shoe: kept is burned and dealt down
    to its cut card (R10); every_round is full and fresh for each coup. clock: none where one patron plays. deal_pace
    multiplies the time of every gesture. areas: where bets may lie. start: the word on the button that bets. buttons:
    which others there are. options: the entries of the game's own settings. felts: what a patron may choose, the first
    of them need not be `felt`.
    """

    name: Name
    seats: Seats
    decks: Decks
    shoe: ShoeRule
    start: Start
    reveal: Reveal = "hands"
    clock: Clock | None = None
    deal_pace: Pace = 1.0
    areas: Annotated[tuple[Area, ...], msgspec.Meta(min_length=1, max_length=3)] = AREAS
    limits: Limits = Limits()
    chips_minor: Chips = USUAL_CHIPS
    bankroll_minor: Minor = 1_000_000_000
    buttons: tuple[Button, ...] = ("undo", "clear", "double", "rebet")
    options: tuple[Option, ...] = ()
    felt: Felt = "emerald"
    felts: tuple[Felt, ...] = ()
    dealer: Dealer = "female"

    def area_limits(self, area: str) -> AreaLimits:
        """The limits of an area, the usual ones where none are named."""
        return self.limits.of(area) or AreaLimits()

    @property
    def pace_permille(self) -> int:
        """The deal's pace in thousandths, rounded to the nearest."""
        return round(self.deal_pace * 1000)


def contradictions(profile: Profile) -> list[tuple[str, str]]:
    """(key, words) of everything in a profile that does not go together."""
    found: list[tuple[str, str]] = []
    if profile.seats == "many" and profile.clock is None:
        found.append(("clock", "where many play one coup, a clock says when it is dealt"))
    if profile.seats == "one" and profile.clock is not None:
        found.append(("clock", "where one patron plays, the bet brings the cards; there is no clock"))
    if "rebet_and_deal" in profile.options and profile.seats == "many":
        found.append(("options", "rebet_and_deal is for tables of one patron"))
    if list(profile.chips_minor) != sorted(set(profile.chips_minor)):
        found.append(("chips_minor", "chips must ascend"))
    for name in ("areas", "buttons", "options", "felts"):
        values = getattr(profile, name)
        if len(set(values)) != len(values):
            found.append((name, "the same twice"))
    for area in AREAS:
        limits = profile.area_limits(area)
        if limits.min_minor > limits.max_minor:
            found.append((f"limits.{area}", "min_minor is more than max_minor"))
        if profile.limits.of(area) is not None and area not in profile.areas:
            found.append((f"limits.{area}", "limits of an area that is not in `areas`"))
    return found
