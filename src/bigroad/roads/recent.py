"""Boards where every coup has its own shoe: they follow the last coups, and forget the oldest. Source: R10."""

from collections.abc import Iterable
from typing import Final

from bigroad.roads.marks import CoupMarks
from bigroad.roads.scoreboard import Delta, Scoreboard

FOLLOWED: Final = 80
"""So many coups stay on the boards."""

Recent = tuple[CoupMarks, ...]
"""The coups on the boards, oldest first."""


def follow(scoreboard: Scoreboard, recent: Recent, coup: CoupMarks) -> tuple[Scoreboard, Recent, Delta]:
    """The boards after one more coup, the coups that are on them then, and what is to be drawn.

    While fewer than FOLLOWED coups are known that is what the coup adds; from then on everything, since the oldest coup
    goes and takes its place on each board with it. scoreboard: the boards of `recent`; it stays as it is.
    """
    followed = (*recent, coup)[-FOLLOWED:]
    if len(followed) > len(recent):
        longer = scoreboard.copy()
        return longer, followed, longer.add(coup)
    after = Scoreboard.of(followed)
    return after, followed, after.whole()._replace(anew=True)


def boards_of(coups: Iterable[CoupMarks]) -> tuple[Scoreboard, Recent, Scoreboard, Delta]:
    """The boards after all these coups with the coups on them, the boards before the last one, and what that added."""
    known = tuple(coups)
    before = known[:-1][-FOLLOWED:]
    boards = Scoreboard.of(before)
    if not known:
        return boards, (), boards, boards.whole()
    after, recent, delta = follow(boards, before, known[-1])
    return after, recent, boards, delta
