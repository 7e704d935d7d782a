"""`bigroad roads`: the five boards of a sequence of outcomes."""

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from bigroad.cli import output
from bigroad.roads.export import as_json
from bigroad.roads.marks import CoupMarks, parse_sequence
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.coup import Outcome


def roads(
    sequence: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="Outcomes, like BBPTPB; a dash reads one a line.")
    ],
    /,
    *,
    json: Annotated[bool, Parameter(negative="", help="Print JSON, one line a sequence.")] = False,
) -> int:
    """Show the five boards of a shoe: bead plate, big road and the three derived roads.

    B is a Banker win, P a Player win, T a tie; small letters will do. A refused line of input is answered by an error
    object (without --json, by words on standard error), and the rest goes on. The exit status is 2 if anything was
    refused.
    """
    output.verify_no_option(sequence)
    show = _print_json if json else _draw
    if sequence == "-":
        return output.each_line(show, as_json=json)
    show(sequence)
    return 0


def _scoreboard(outcomes: Sequence[Outcome]) -> Scoreboard:
    known = {outcome: CoupMarks(outcome) for outcome in Outcome}
    return Scoreboard.of(known[outcome] for outcome in outcomes)


def _print_json(sequence: str) -> None:
    boards = as_json(_scoreboard(parse_sequence(sequence)))
    output.emit({"sequence": sequence.upper(), **boards})


def _draw(sequence: str) -> None:
    from bigroad.cli.boards_picture import pictures

    output.draw(*pictures(_scoreboard(parse_sequence(sequence))))
