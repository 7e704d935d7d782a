"""A share of the crash matrix: every crash point once. `make crash` runs all of it."""

import os
import sys
from pathlib import Path

import pytest

from bigroad.app import crash_points
from bigroad.app.crash_points import POINTS
from tests.crash.matrix import ALONE_POINTS, matrix

ALONE_SHARE = [
    point for point in ALONE_POINTS if point.endswith(("locked.inside", "locked.kept", "dealt.kept", "settled.inside"))
]


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux, to watch processes")
async def test_every_crash_point_once(tmp_path: Path) -> None:
    points = [*sorted(POINTS), *ALONE_SHARE]
    outcomes = await matrix(points, [0], tmp_path)
    wrong = [f"{outcome.point}: {'; '.join(outcome.wrong)}" for outcome in outcomes if outcome.wrong]
    assert not wrong, "\n".join(wrong)
    assert len(outcomes) == len(points) >= 16
    print(f"\n{len(outcomes)} crashes: {sum(o.coups for o in outcomes)} coups, {sum(o.bets for o in outcomes)} bets")
    print(f"slowest ready: {max(o.ready_s for o in outcomes):.1f} s", file=sys.stderr)


def test_only_the_environment_arms_a_crash_point() -> None:
    crash_points.arm({})
    assert not crash_points.armed()
    for point in POINTS:
        crash_points.reached(point)
    with pytest.raises(ValueError, match="no crash point"):
        crash_points.arm({crash_points.VARIABLE: "bet.keptt:1"})
    assert not crash_points.armed()
