"""The big road: one circle for each coup that somebody won, ties as a count on the circle before."""

from bigroad.roads.layout import Layout
from bigroad.roads.marks import COLOURS, Mark
from bigroad.rules.coup import Outcome


class BigRoad:
    """Streaks of one side, one after another. Source: docs/rules.md S4.

    marks: circles in the order of their coups; before the first winner, at most one mark without colour that counts
    the waiting ties. sides and lengths: winner and length of each streak, in order; a turned streak is one streak.
    """

    __slots__ = ("layout", "lengths", "marks", "sides")

    def __init__(self) -> None:
        self.layout = Layout()
        self.marks: list[Mark] = []
        self.sides: list[Outcome] = []
        self.lengths: list[int] = []

    def copy(self) -> "BigRoad":
        """The same road, to be continued apart from this one."""
        twin = BigRoad()
        twin.layout = self.layout.copy()
        twin.marks = self.marks.copy()
        twin.sides = self.sides.copy()
        twin.lengths = self.lengths.copy()
        return twin

    def add(self, outcome: Outcome, coup_no: int) -> Mark:
        """Enter a coup; the answer is the circle that is new or, after a tie, the one whose count went up."""
        if outcome is Outcome.TIE:
            return self._tie(coup_no)
        new_streak = not self.sides or self.sides[-1] is not outcome
        row, col = self.layout.place(new_streak=new_streak)
        waiting = 0
        if new_streak:
            if not self.sides and self.marks:
                waiting = self.marks.pop().ties
            self.sides.append(outcome)
            self.lengths.append(1)
        else:
            self.lengths[-1] += 1
        mark = Mark(row, col, COLOURS[outcome], waiting, coup_no)
        self.marks.append(mark)
        return mark

    def _tie(self, coup_no: int) -> Mark:
        if self.marks:
            last = self.marks.pop()
            mark = last._replace(ties=last.ties + 1)
        else:
            mark = Mark(0, 0, None, 1, coup_no)
        self.marks.append(mark)
        return mark
