"""5,000 clients are cut off at once and come back within five seconds, tickets and all, while rounds go on."""

import math

from benching.crowd import come
from benching.figure import Figure
from benching.house import Plan, open_house

CLIENTS = 5_000
OVER_S = 5
MOST_S = 30
STORMS = 3
ROUND = {"betting_ms": 3_000, "closing_ms": 1_000, "deal_pace": 0.1}


def run() -> list[Figure]:
    """See above."""
    back_s: list[float] = []
    late_ms: list[int] = []
    tries = 0
    with (
        open_house(Plan(CLIENTS + 1, ROUND, core=0)) as house,
        come(house.port, CLIENTS, house.tokens, core=1) as crowd,
    ):
        for _ in range(STORMS):
            crowd.ask("listen 2")
            house.ask("lateness")
            storm = crowd.ask(f"storm {CLIENTS} {OVER_S} {MOST_S}")
            back_s.append(storm["back_s"] if storm["all_back"] else math.inf)
            tries += storm["tries"]
            late_ms += house.ask("lateness")
    how = f"{CLIENTS:,} clients cut off, back over {OVER_S} s, {STORMS} times; {tries:,} connections"
    return [
        Figure("reconnect storm: all current again", max(back_s), "s", 15, note=how, samples=tuple(back_s)),
        Figure(
            "reconnect storm: lock and deal late by at most",
            max(late_ms, default=math.inf),
            "ms",
            250,
            note=f"{len(late_ms)} locks and deals meanwhile",
            samples=tuple(late_ms),
        ),
    ]
