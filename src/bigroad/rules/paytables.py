"""What each area pays. Whole numbers only: odds are a fraction, commission is in basis points of the win."""

from dataclasses import dataclass
from typing import Final

from bigroad.rules.errors import BadPaytable, UnknownArea
from bigroad.rules.wagers import Area

BPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Pay:
    """An area pays numerator to denominator, less commission_bps basis points (0 to 10,000) of that win.

    Raises BadPaytable when these are out of range.
    """

    area: Area
    numerator: int
    denominator: int = 1
    commission_bps: int = 0

    def __post_init__(self) -> None:
        if self.numerator < 0 or self.denominator < 1 or not 0 <= self.commission_bps <= BPS:
            raise BadPaytable(
                f"{self.area} cannot pay {self.numerator} to {self.denominator} less {self.commission_bps} bps",
                area=self.area,
            )

    def gross_minor(self, stake_minor: int) -> int:
        """The win on a spot before commission, rounded down to the minor unit."""
        return stake_minor * self.numerator // self.denominator

    def win_minor(self, stake_minor: int) -> int:
        """The win on a spot, commission taken off, rounded down to the minor unit once. Source: docs/rules.md R7.

        stake_minor is the whole stake on the spot, never that of one chip of it.
        """
        return stake_minor * self.numerator * (BPS - self.commission_bps) // (self.denominator * BPS)


@dataclass(frozen=True, slots=True)
class Paytable:
    """The areas of a table and what they pay, in the table's order. Raises BadPaytable if one is named twice."""

    pays: tuple[Pay, ...]

    def __post_init__(self) -> None:
        if not self.pays or len({pay.area for pay in self.pays}) != len(self.pays):
            raise BadPaytable("a paytable names each of its areas once")

    def pay(self, area: str) -> Pay:
        """What `area` pays. Raises UnknownArea where this table has no such area."""
        for pay in self.pays:
            if pay.area == area:
                return pay
        raise UnknownArea(f"this table has no area {area[:32]!r}", area=area[:32])


STANDARD: Final = Paytable((Pay(Area.PLAYER, 1), Pay(Area.BANKER, 1, commission_bps=500), Pay(Area.TIE, 8)))
"""1:1, 1:1 less five per cent, 8:1. Source: docs/rules.md R6."""
