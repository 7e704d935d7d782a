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


class Reveal(StrEnum):
    """When cards are turned: when all four lie there, one hand after the other; or each as soon as it lies there."""

    HANDS = "hands"
    AS_DEALT = "as_dealt"


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


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds. Pairs are (Player, Banker): a Player card is handed on from the left hand to the right one, a
    Banker card is carried to its place by the left hand, which then has to come back to the shoe.

    draw_every: from one draw to the next. turn_every: between the turns of a hand. hands_every: from the Player's last
    turn to the Banker's first. lies: between a card's arrival and its turn. to_shoe: before a third card is drawn.
    again: the same, when the other hand has just turned a card. swept: before the first card, where cards of the coup
    before may still lie. called: between the last turn and the result.
    """

    first: int
    swept: int
    draw: tuple[int, int]
    draw_every: tuple[int, int]
    turn: int
    turn_every: int
    hands_every: int
    lies: int
    to_shoe: int
    again: int
    called: int
    result: int
    collect: int
    pay: int
    shown: int
    clear: int


CALM = Pace(
    first=300,
    swept=900,
    draw=(860, 600),
    draw_every=(880, 1000),
    turn=520,
    turn_every=880,
    hands_every=640,
    lies=140,
    to_shoe=420,
    again=240,
    called=420,
    result=700,
    collect=1100,
    pay=1250,
    shown=900,
    clear=1400,
)
"""As hands move: about a card a second."""

FAST = Pace(
    first=20,
    swept=20,
    draw=(80, 80),
    draw_every=(45, 45),
    turn=60,
    turn_every=40,
    hands_every=40,
    lies=5,
    to_shoe=5,
    again=5,
    called=20,
    result=110,
    collect=100,
    pay=130,
    shown=50,
    clear=80,
)
"""Fast Play: a glance; the result stays until the patron goes on."""

NORMAL_PERMILLE = 1000


def timeline(
    coup: Coup,
    pace_permille: int = NORMAL_PERMILLE,
    reveal: Reveal = Reveal.HANDS,
    fast: bool = False,
    clears: bool = True,
) -> Timeline:
    """The gestures of a coup; 8 to 16 s at pace 1000, under 1.5 s when `fast`.

    Cards leave the shoe face down, P B P B, and are turned as `reveal` says; third cards leave and are turned one by
    one; the result is called; losing chips are collected, winning ones paid. With `clears` the cards are swept away at
    the end; without, they stay until the next round, which leaves time to sweep them before its first card.
    """
    plan = _Plan(coup, FAST if fast else CALM, clears)
    if reveal is Reveal.HANDS:
        plan.deal_hands()
    else:
        plan.deal_open()
    plan.settle()
    if fast:
        pace_permille = min(pace_permille, NORMAL_PERMILLE)
    if pace_permille == NORMAL_PERMILLE:
        return Timeline(tuple(plan.gestures), plan.now)
    return Timeline(
        tuple(_paced(gesture, pace_permille) for gesture in plan.gestures),
        plan.now * pace_permille // NORMAL_PERMILLE,
    )


SIDES = ("player", "banker")


class _Plan:
    """Gestures written one after another; `now` is the moment of the next."""

    def __init__(self, coup: Coup, pace: Pace, clears: bool) -> None:
        self.hands = (coup.player_cards, coup.banker_cards)
        self.pace = pace
        self.clears = clears
        self.now = pace.first if clears else pace.swept
        self.gestures: list[Gesture] = []

    def draw(self, side: int, index: int) -> None:
        self.gestures.append(Gesture(Act.DRAW, self.now, self.pace.draw[side], SIDES[side], index))

    def turn(self, side: int, index: int) -> None:
        points = sum(card.points for card in self.hands[side][: index + 1]) % 10
        self.gestures.append(Gesture(Act.TURN, self.now, self.pace.turn, SIDES[side], index, points))

    def draw_and_turn(self, side: int, index: int) -> None:
        """Ends when the card lies open."""
        self.draw(side, index)
        self.now += self.pace.draw[side] + self.pace.lies
        self.turn(side, index)
        self.now += self.pace.turn

    def deal_hands(self) -> None:
        pace = self.pace
        for index in (0, 1):
            for side in (0, 1):
                self.draw(side, index)
                self.now += pace.draw_every[side]
        self.now += pace.draw[1] - pace.draw_every[1] + pace.lies
        self.turn(0, 0)
        self.now += pace.turn_every
        self.turn(0, 1)
        self.now += pace.hands_every
        self.turn(1, 0)
        self.now += pace.turn_every
        self.turn(1, 1)
        self.now += pace.turn
        self.third_cards()

    def deal_open(self) -> None:
        """While the right hand turns a Player card the left one goes back to the shoe; Banker cards it turns itself."""
        for index in (0, 1):
            for side in (0, 1):
                if (index, side) != (0, 0):
                    self.now += self.pace.to_shoe if side == 0 else self.pace.again
                self.draw_and_turn(side, index)
        self.third_cards()

    def third_cards(self) -> None:
        wait = self.pace.to_shoe
        for side in (0, 1):
            if len(self.hands[side]) > 2:
                self.now += wait
                self.draw_and_turn(side, 2)
                wait = self.pace.again

    def settle(self) -> None:
        pace = self.pace
        self.now += pace.called
        for act, dur_ms in ((Act.RESULT, pace.result), (Act.COLLECT, pace.collect), (Act.PAY, pace.pay)):
            self.gestures.append(Gesture(act, self.now, dur_ms))
            self.now += dur_ms
        self.now += pace.shown
        if self.clears:
            self.gestures.append(Gesture(Act.CLEAR, self.now, pace.clear))
            self.now += pace.clear


def _paced(gesture: Gesture, pace_permille: int) -> Gesture:
    return Gesture(
        gesture.act,
        gesture.at_ms * pace_permille // NORMAL_PERMILLE,
        max(1, gesture.dur_ms * pace_permille // NORMAL_PERMILLE),
        gesture.side,
        gesture.index,
        gesture.points,
    )
