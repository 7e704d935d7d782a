"""A thousand rounds with a thousand patrons on real sockets: does memory stay flat?

Rounds are a few hundredths of a second long, and in each 50 patrons bet, other ones every time; the first 200 fill the
caches (the kept events, the answers, SQLite's pages) and do not count.
"""

import statistics

from benching.crowd import come
from benching.figure import Figure
from benching.house import BETTORS, Plan, open_house

CLIENTS = 1_000
WARM, ROUNDS = 200, 1_000
STEP = 50


def run() -> list[Figure]:
    """See above."""
    samples: list[tuple[int, float]] = []
    plan = Plan(CLIENTS + 1, {"betting_ms": 500, "closing_ms": 200, "deal_pace": 0.05})
    with open_house(plan) as house, come(house.port, CLIENTS, house.tokens) as crowd:
        first = house.ask("coup")[0]
        house.ask("hurry")
        heard = 0
        while (rounds := house.ask("coup")[0] - first) < ROUNDS + WARM:
            heard += crowd.ask("listen 0.5")["frames"]
            if not samples or rounds >= samples[-1][0] + STEP:
                samples.append((rounds, house.ask("resident") / 1e6))
    counted = [megabytes for rounds, megabytes in samples if rounds >= WARM]
    quarter = max(1, len(counted) // 4)
    grown = statistics.mean(counted[-quarter:]) - statistics.mean(counted[:quarter])
    return [
        Figure(
            f"memory over {ROUNDS:,} rounds: last quarter more than first by",
            grown / statistics.mean(counted[:quarter]) * 100,
            "%",
            2,
            note=f"{CLIENTS:,} patrons, {BETTORS} bet each; {counted[0]:.1f} to {counted[-1]:.1f} MB; {heard:,} frames",
            samples=tuple(counted),
        )
    ]
