"""The bead plate: one bead a coup, down six, then the next column."""

from bigroad.roads.layout import ROWS
from bigroad.roads.marks import COLOURS, CoupMarks, Mark


class BeadPlate:
    """Every coup of the shoe as a bead, ties too. Source: docs/rules.md S3.

    The plate has no end: showing the last columns is the screen's business, and beads keep their row for good.
    """

    __slots__ = ("marks",)

    def __init__(self) -> None:
        self.marks: list[Mark] = []

    def copy(self) -> "BeadPlate":
        """The same plate, to be continued apart from this one."""
        twin = BeadPlate()
        twin.marks = self.marks.copy()
        return twin

    def add(self, coup: CoupMarks, coup_no: int) -> Mark:
        """Put down the next bead."""
        col, row = divmod(len(self.marks), ROWS)
        mark = Mark(row, col, COLOURS[coup.outcome], 0, coup_no, coup.pairs)
        self.marks.append(mark)
        return mark
