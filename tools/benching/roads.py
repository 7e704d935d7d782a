"""The five boards of a whole shoe, drawn coup by coup."""

import statistics
import time

from benching.figure import Figure
from bigroad.roads.marks import CoupMarks, parse_sequence
from bigroad.roads.scoreboard import Scoreboard

RUNS = 101


def run() -> list[Figure]:
    """80 coups, as many as eight decks give."""
    coups = [CoupMarks(outcome) for outcome in parse_sequence("BBPTPPBPBB" * 8)]
    took = []
    for _ in range(RUNS):
        scoreboard, begun = Scoreboard.empty(), time.perf_counter()
        for coup in coups:
            scoreboard.add(coup)
        took.append((time.perf_counter() - begun) * 1e3)
    return [Figure("five boards of a whole shoe", statistics.median(took), "ms", 1, note=f"{len(coups)} coups")]
