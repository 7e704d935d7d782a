"""The crash matrix: every crash point, so many seeds each, several servers at a time."""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bigroad.app.crash_points import MOMENTS, POINTS
from tests.crash.scenario import ALONE, Outcome, Scenario, Zygote, zygote

ALONE_POINTS = [
    *(f"{ALONE}{arrow}.{moment}" for arrow in ("opened", "locked", "dealt", "settled", "closed") for moment in MOMENTS),
    *(ALONE + point for point in ("staged.inside", "staged.kept", "bet.received", "bet.answered", "store.committed")),
    *(ALONE + point for point in ("seat.opening", "seat.joined", "hub.telling")),
]
"""The same for patrons at tables of their own: there a bet locks the coup in the same step."""
ALL_POINTS = [*sorted(POINTS), *ALONE_POINTS]
AT_A_TIME = 8
PORTS = 3


async def matrix(
    points: Sequence[str], seeds: Sequence[int], folder: Path, at_a_time: int = AT_A_TIME
) -> list[Outcome]:
    """Run every point with every seed; answers what came of each, in that order."""
    turns = asyncio.Semaphore(at_a_time)

    async def one(start: Zygote, point: str, seed: int) -> Outcome:
        async with turns:
            for attempt in range(PORTS):
                place = folder / f"{point}-{seed}-{attempt}"
                outcome = await Scenario(start, place, point, seed).run()
                if not any("CANNOT_LISTEN" in line for line in outcome.wrong):
                    break  # else somebody else has taken the port meanwhile
            if not outcome.wrong:
                await asyncio.to_thread(shutil.rmtree, place)
            return outcome

    async with zygote() as start:
        return await asyncio.gather(*(one(start, point, seed) for seed in seeds for point in points))


def main() -> int:
    """`python -m tests.crash.matrix`: print the counts, and one line for whatever went wrong."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seeds", type=int, default=64, help="seeds for each point")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--points", nargs="*", default=ALL_POINTS, help="only these")
    parser.add_argument("--at-a-time", type=int, default=AT_A_TIME, help="servers at a time")
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bigroad-crash-") as name:
        seeds = range(asked.first, asked.first + asked.seeds)
        outcomes = asyncio.run(matrix(asked.points, seeds, Path(name), asked.at_a_time))
    wrong = [outcome for outcome in outcomes if outcome.wrong]
    for outcome in wrong:
        print(f"{outcome.point} --first {outcome.seed}: {'; '.join(outcome.wrong)}")
    print(
        f"{len(outcomes)} crashes at {len(asked.points)} points, {len(wrong)} went wrong;"
        f" {sum(o.coups for o in outcomes)} coups, {sum(o.bets for o in outcomes)} bets,"
        f" slowest ready {max((o.ready_s for o in outcomes), default=0):.1f} s,"
        f" slowest end {max((o.ended_ms for o in outcomes), default=0) / 1000:.1f} s; {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
