"""Where the marks of a road go: six rows, streaks down, then to the right.

One routine for all four roads that turn. Source: docs/rules.md S4, S5.
"""

from typing import Final, Self

ROWS: Final = 6

Cell = tuple[int, int]
"""(row, col), both from 0; row 0 is the top."""


class Layout:
    """Places marks one after another; a placed mark never moves.

    Mutable: `copy` before going two ways. `columns` is how many columns have a mark, from column 0 without a gap.
    """

    __slots__ = ("_col", "_head", "_row", "_taken")

    def __init__(self) -> None:
        self._taken: list[int] = []
        self._head = -1
        self._row = 0
        self._col = 0

    @property
    def columns(self) -> int:
        """Columns in use."""
        return len(self._taken)

    @property
    def head(self) -> int:
        """Column in which the running streak began, -1 before the first mark."""
        return self._head

    def copy(self) -> Self:
        """The same board, to be continued apart from this one."""
        twin = type(self)()
        twin._taken = self._taken.copy()
        twin._head, twin._row, twin._col = self._head, self._row, self._col
        return twin

    def place(self, *, new_streak: bool) -> Cell:
        """The cell of the next mark, which is taken from now on. Constant time, amortised over the road.

        A new streak starts on top of the first column right of the previous start whose top is free. A running streak
        goes to the cell below if the board has one and no mark stands there, whatever its colour; else to the right.
        """
        taken = self._taken
        if new_streak or not taken:
            self._row = 0
            self._col = self._head + 1
            while self._col < len(taken) and taken[self._col] & 1:
                self._col += 1
            self._head = self._col
        elif self._row + 1 < ROWS and not taken[self._col] >> (self._row + 1) & 1:
            self._row += 1
        else:
            self._col += 1
        if self._col == len(taken):
            taken.append(0)
        taken[self._col] |= 1 << self._row
        return self._row, self._col


def window(columns: int, width: int, newest_col: int, head_col: int) -> range:
    """The columns to show when `width` of them (1 or more) fit, as a range that may end right of the board.

    columns: in use. newest_col: that of the newest mark. head_col: where its streak began. The newest mark is always
    inside. Within that, the right end of the board is shown, but not at the price of the running streak's start.
    """
    first = min(columns - width, max(head_col, newest_col - width + 1))
    first = max(first, 0)
    return range(first, first + width)
