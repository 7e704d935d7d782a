"""The five boards drawn for a terminal."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from bigroad.roads.layout import ROWS, Layout, window
from bigroad.roads.marks import Colour, Mark
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.coup import Outcome

CELL_WIDTH: Final = 3
_LETTERS: Final = {Colour.RED: "B", Colour.BLUE: "P", Colour.GREEN: "T"}
_SHAPES: Final = {"Big Eye Boy": "●○", "Small Road": "■□", "Cockroach Road": "╱╲"}
"""Red and blue marks of the derived roads: told apart by shape as well as by colour."""


def pictures(board: Scoreboard) -> Iterator[Text]:
    """Title and six rows of each board, the newest mark in view, then the counts and the preview."""
    width = max(1, Console().width // CELL_WIDTH)
    beads = board.bead_plate.marks
    last = beads[-1].col if beads else 0
    yield from _board("Bead Plate", beads, window(last + 1, width, last, last), _bead)
    circles = board.big_road.marks
    yield from _board("Big Road", circles, _shown(board.big_road.layout, circles, width), _circle)
    roads = (board.big_eye_boy, board.small_road, board.cockroach_road)
    for (title, shapes), road in zip(_SHAPES.items(), roads, strict=True):
        yield from _board(
            f"{title}  {shapes[0]} red  {shapes[1]} blue",
            road.marks,
            _shown(road.layout, road.marks, width),
            _shape(shapes),
        )
    counts = board.counts
    yield Text(f"{counts.coups} coups: Banker {counts.banker}, Player {counts.player}, Tie {counts.tie}", "bold")
    for outcome in (Outcome.BANKER, Outcome.PLAYER):
        asked = ", ".join(
            f"{title} {colour or 'nothing'}" for title, colour in zip(_SHAPES, board.ask(outcome), strict=True)
        )
        yield Text(f"A {outcome.capitalize()} win would add: {asked}")


def _shown(layout: Layout, marks: Sequence[Mark], width: int) -> range:
    return window(layout.columns, width, marks[-1].col, layout.head) if marks else range(width)


def _board(title: str, marks: Sequence[Mark], shown: range, picture: Callable[[Mark], Text]) -> Iterator[Text]:
    yield Text(title, "bold")
    rows: list[dict[int, Text]] = [{} for _ in range(ROWS)]
    for mark in marks:
        if mark.col in shown:
            rows[mark.row][mark.col] = picture(mark)
    for row in rows:
        cells = (row.get(col) or Text(" · ", "dim") for col in range(shown.start, max(row, default=-1) + 1))
        yield Text.assemble(*cells)
    yield Text()


def _bead(mark: Mark) -> Text:
    colour = mark.colour or Colour.GREEN
    return Text(f" {_LETTERS[colour]} ", f"bold white on {colour}")


def _circle(mark: Mark) -> Text:
    """The winner's letter; after it the ties on this circle, a line for one, their number from two up."""
    ties = "" if mark.ties == 0 else "─" if mark.ties == 1 else str(min(mark.ties, 9)) + "+" * (mark.ties > 9)
    if mark.colour is None:
        return Text(f" {ties or '─'}".ljust(CELL_WIDTH)[:CELL_WIDTH], "green")
    return Text.assemble((_LETTERS[mark.colour], f"bold {mark.colour}"), (ties.ljust(CELL_WIDTH - 1), "green"))


def _shape(shapes: str) -> Callable[[Mark], Text]:
    def picture(mark: Mark) -> Text:
        return Text(f" {shapes[mark.colour is Colour.BLUE]} ", str(mark.colour))

    return picture
