"""The timeline of a deal: which gesture happens when, decided by the cards alone.

Everybody who knows the coup and its start shows the same gesture at the same moment.
"""

from dataclasses import dataclass
from enum import StrEnum

from bigroad.rules.coup import Coup


class Act(StrEnum):
    """What the dealer does."""

    DRAW = "draw"
    TURN = "turn"
    RESULT = "result"
    COLLECT = "collect"
    PAY = "pay"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Gesture:
    """at_ms counts from 00:00. `points` of a TURN is the hand's total with the cards turned by then."""

    act: Act
    at_ms: int
    dur_ms: int
    side: str | None = None
    index: int | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """Gestures in order, and the moment at which the table is clear for the next coup."""

    gestures: tuple[Gesture, ...]
    ends_ms: int


DRAW_MS = 620
TURN_MS = 440
DRAW_EVERY_MS = 780
TURN_EVERY_MS = 560
FIRST_MS = 300
THIRD_CARD_MS = 500
RESULT_MS = 700
COLLECT_MS = 1100
PAY_MS = 1100
SHOWN_MS = 2400
CLEAR_MS = 700


def timeline(coup: Coup, pace_permille: int = 1000) -> Timeline:
    """The gestures of a coup; 8 to 16 s at pace 1000.

    Four cards leave the shoe face down, P B P B; the Player hand is turned, then the Banker hand; third cards leave
    and are turned one by one; the result is called; losing chips are collected, winning ones paid, cards cleared.
    """
    hands = {"player": coup.player_cards, "banker": coup.banker_cards}
    gestures: list[Gesture] = []
    now = FIRST_MS

    def draw(side: str, index: int) -> None:
        gestures.append(Gesture(Act.DRAW, now, DRAW_MS, side, index))

    def turn(side: str, index: int) -> None:
        points = sum(card.points for card in hands[side][: index + 1]) % 10
        gestures.append(Gesture(Act.TURN, now, TURN_MS, side, index, points))

    for index in (0, 1):
        for side in ("player", "banker"):
            draw(side, index)
            now += DRAW_EVERY_MS
    for side in ("player", "banker"):
        for index in (0, 1):
            turn(side, index)
            now += TURN_EVERY_MS
    for side in ("player", "banker"):
        if len(hands[side]) > 2:
            now += THIRD_CARD_MS
            draw(side, 2)
            now += DRAW_EVERY_MS
            turn(side, 2)
            now += TURN_EVERY_MS
    now += RESULT_MS - TURN_EVERY_MS + TURN_MS
    for act, dur_ms in ((Act.RESULT, RESULT_MS), (Act.COLLECT, COLLECT_MS), (Act.PAY, PAY_MS)):
        gestures.append(Gesture(act, now, dur_ms))
        now += dur_ms
    now += SHOWN_MS
    gestures.append(Gesture(Act.CLEAR, now, CLEAR_MS))
    now += CLEAR_MS
    if pace_permille == 1000:
        return Timeline(tuple(gestures), now)
    return Timeline(tuple(_paced(gesture, pace_permille) for gesture in gestures), now * pace_permille // 1000)


def _paced(gesture: Gesture, pace_permille: int) -> Gesture:
    return Gesture(
        gesture.act,
        gesture.at_ms * pace_permille // 1000,
        max(1, gesture.dur_ms * pace_permille // 1000),
        gesture.side,
        gesture.index,
        gesture.points,
    )
