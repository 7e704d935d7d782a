"""The boards as plain JSON values: what `bigroad roads --json` prints and the test vectors hold."""

from bigroad.roads.derived import DerivedRoad
from bigroad.roads.scoreboard import Ask, Scoreboard
from bigroad.rules.coup import Outcome

_LETTERS = {Outcome.BANKER: "B", Outcome.PLAYER: "P"}


def as_json(scoreboard: Scoreboard) -> dict[str, object]:
    """All five boards with what led to them.

    counts: hands, banker, player, tie. bead_plate, big_road, big_eye_boy, small_road, cockroach_road: `cells` in the
    order in which they came, each with row, col and colour (and ties on the big road; colour null while ties wait for
    the first winner); `columns` as [side or colour, length] of each streak; `marks` as colours in order.
    next_hand_preview: for B and P what the derived roads would add, null for nothing.
    """
    counts, big_road = scoreboard.counts, scoreboard.big_road
    return {
        "counts": {"hands": counts.coups, "banker": counts.banker, "player": counts.player, "tie": counts.tie},
        "bead_plate": {
            "cells": [{"row": m.row, "col": m.col, "colour": m.colour} for m in scoreboard.bead_plate.marks]
        },
        "big_road": {
            "columns": [
                [_LETTERS[side], length] for side, length in zip(big_road.sides, big_road.lengths, strict=True)
            ],
            "cells": [{"row": m.row, "col": m.col, "colour": m.colour, "ties": m.ties} for m in big_road.marks],
        },
        "big_eye_boy": _derived(scoreboard.big_eye_boy),
        "small_road": _derived(scoreboard.small_road),
        "cockroach_road": _derived(scoreboard.cockroach_road),
        "next_hand_preview": {letter: _preview(scoreboard.ask(outcome)) for outcome, letter in _LETTERS.items()},
    }


def _derived(road: DerivedRoad) -> dict[str, object]:
    return {
        "marks": [mark.colour for mark in road.marks],
        "columns": [[colour, length] for colour, length in zip(road.colours, road.lengths, strict=True)],
        "cells": [{"row": mark.row, "col": mark.col, "colour": mark.colour} for mark in road.marks],
    }


def _preview(ask: Ask) -> dict[str, object]:
    return {"big_eye_boy": ask.big_eye_boy, "small_road": ask.small_road, "cockroach_road": ask.cockroach_road}
