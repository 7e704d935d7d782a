"""The three derived roads: how regular the big road is, seen one, two and three streaks back."""

from collections.abc import Sequence
from enum import IntEnum

from bigroad.roads.layout import Layout
from bigroad.roads.marks import Colour, Mark


class Distance(IntEnum):
    """How many streaks back a derived road looks."""

    BIG_EYE_BOY = 1
    SMALL_ROAD = 2
    COCKROACH_ROAD = 3


def colour_of(lengths: Sequence[int], streak: int, entry: int, distance: int) -> Colour | None:
    """What a big-road entry adds to a derived road: red for repetition, blue for change, None where nothing to compare.

    lengths: of the streaks so far; only those before `streak` are read, so the entry may be one that is only thought
    of. streak: index of the entry's streak. entry: its place in that streak, from 1. distance: 1, 2 or 3.
    Lengths are those of streaks, however they are drawn. Source: docs/rules.md S5.
    """
    if entry == 1:
        compared = streak - 1 - distance
        if compared < 0:
            return None
        return Colour.RED if lengths[streak - 1] == lengths[compared] else Colour.BLUE
    compared = streak - distance
    if compared < 0:
        return None
    return Colour.BLUE if entry == lengths[compared] + 1 else Colour.RED


class DerivedRoad:
    """One derived road, laid out like the big road: each colour starts its own new column.

    marks: in order. colours and lengths: colour and length of each run, in order.
    """

    __slots__ = ("colours", "distance", "layout", "lengths", "marks")

    def __init__(self, distance: Distance) -> None:
        self.distance = distance
        self.layout = Layout()
        self.marks: list[Mark] = []
        self.colours: list[Colour] = []
        self.lengths: list[int] = []

    def copy(self) -> "DerivedRoad":
        """The same road, to be continued apart from this one."""
        twin = DerivedRoad(self.distance)
        twin.layout = self.layout.copy()
        twin.marks = self.marks.copy()
        twin.colours = self.colours.copy()
        twin.lengths = self.lengths.copy()
        return twin

    def add(self, big_road_lengths: Sequence[int]) -> Mark | None:
        """Add what the newest big-road entry calls for; `big_road_lengths` includes it. None when that is nothing."""
        colour = colour_of(big_road_lengths, len(big_road_lengths) - 1, big_road_lengths[-1], self.distance)
        if colour is None:
            return None
        new_run = not self.colours or self.colours[-1] is not colour
        if new_run:
            self.colours.append(colour)
            self.lengths.append(1)
        else:
            self.lengths[-1] += 1
        row, col = self.layout.place(new_streak=new_run)
        mark = Mark(row, col, colour)
        self.marks.append(mark)
        return mark
