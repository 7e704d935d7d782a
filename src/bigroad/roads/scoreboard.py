"""The five boards of a shoe together."""

from collections.abc import Iterable
from typing import NamedTuple, Self

from bigroad.roads.bead_plate import BeadPlate
from bigroad.roads.big_road import BigRoad
from bigroad.roads.derived import DerivedRoad, Distance, colour_of
from bigroad.roads.marks import Colour, CoupMarks, Mark
from bigroad.rules.coup import Coup, Outcome


class Boards(NamedTuple):
    """Marks of the five boards, each in the order in which they came."""

    bead_plate: tuple[Mark, ...] = ()
    big_road: tuple[Mark, ...] = ()
    big_eye_boy: tuple[Mark, ...] = ()
    small_road: tuple[Mark, ...] = ()
    cockroach_road: tuple[Mark, ...] = ()


class Ask(NamedTuple):
    """What a win of one side would add to each derived road: a colour, or None for nothing."""

    big_eye_boy: Colour | None = None
    small_road: Colour | None = None
    cockroach_road: Colour | None = None


class Counts(NamedTuple):
    """How many coups of the shoe, and how many of each kind; natural counts coups in which either hand had one."""

    coups: int = 0
    banker: int = 0
    player: int = 0
    tie: int = 0
    natural: int = 0
    player_pair: int = 0
    banker_pair: int = 0


_COUPS, _NATURAL, _PLAYER_PAIR, _BANKER_PAIR = map(
    Counts._fields.index, ("coups", "natural", "player_pair", "banker_pair")
)
_OF = {outcome: Counts._fields.index(outcome) for outcome in Outcome}


class Delta(NamedTuple):
    """What to draw: marks to add, or to put over the mark at their place; and counts and asks as they are then.

    anew: these marks are all there are; those drawn before are gone.
    """

    boards: Boards
    counts: Counts
    if_banker: Ask
    if_player: Ask
    anew: bool = False


class Scoreboard:
    """The boards of one shoe, grown coup by coup.

    `add` changes this scoreboard in constant time. `plus` leaves it alone and answers a longer one, which costs a copy
    of the lists. Use one way or the other: a scoreboard held in an immutable state is never `add`ed to.
    Scoreboards with the same coups are equal.
    """

    __slots__ = ("_counts", "bead_plate", "big_eye_boy", "big_road", "cockroach_road", "small_road")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self.bead_plate = BeadPlate()
        self.big_road = BigRoad()
        self.big_eye_boy = DerivedRoad(Distance.BIG_EYE_BOY)
        self.small_road = DerivedRoad(Distance.SMALL_ROAD)
        self.cockroach_road = DerivedRoad(Distance.COCKROACH_ROAD)
        self._counts = [0] * len(Counts._fields)

    @classmethod
    def empty(cls) -> Self:
        """The boards of a new shoe."""
        return cls()

    @property
    def counts(self) -> Counts:
        """How the coups went."""
        return Counts(*self._counts)

    @classmethod
    def of(cls, coups: Iterable[CoupMarks]) -> Self:
        """The boards after these coups."""
        scoreboard = cls()
        for coup in coups:
            scoreboard._enter(coup)
        return scoreboard

    def add(self, coup: CoupMarks) -> Delta:
        """Enter a coup here; the answer holds the marks that are new or changed. Constant time."""
        return Delta(self._enter(coup), self.counts, self.ask(Outcome.BANKER), self.ask(Outcome.PLAYER))

    def plus(self, coup: Coup, coup_no: int | None = None) -> tuple[Self, Delta]:
        """The scoreboard after a dealt coup, and what changed; this one stays as it is.

        coup_no: the number that the marks carry, None for the coup's place in the shoe (from 1).
        """
        twin = self.copy()
        return twin, twin.add(CoupMarks.of(coup, coup_no))

    def copy(self) -> Self:
        """The same boards, to be continued apart from these."""
        twin = type(self)()
        twin.bead_plate = self.bead_plate.copy()
        twin.big_road = self.big_road.copy()
        twin.big_eye_boy = self.big_eye_boy.copy()
        twin.small_road = self.small_road.copy()
        twin.cockroach_road = self.cockroach_road.copy()
        twin._counts = self._counts.copy()
        return twin

    def whole(self) -> Delta:
        """Everything, in the form of a delta from an empty board."""
        boards = Boards(
            tuple(self.bead_plate.marks),
            tuple(self.big_road.marks),
            tuple(self.big_eye_boy.marks),
            tuple(self.small_road.marks),
            tuple(self.cockroach_road.marks),
        )
        return Delta(boards, self.counts, self.ask(Outcome.BANKER), self.ask(Outcome.PLAYER))

    def ask(self, outcome: Outcome) -> Ask:
        """What the derived roads would add if the next coup ended so; a tie adds nothing. Source: docs/rules.md S6."""
        if outcome is Outcome.TIE:
            return Ask()
        sides, lengths = self.big_road.sides, self.big_road.lengths
        streak, entry = len(lengths), 1
        if sides and sides[-1] is outcome:
            streak, entry = streak - 1, lengths[-1] + 1
        return Ask(
            colour_of(lengths, streak, entry, 1),
            colour_of(lengths, streak, entry, 2),
            colour_of(lengths, streak, entry, 3),
        )

    def _enter(self, coup: CoupMarks) -> Boards:
        outcome = coup.outcome
        counts = self._counts
        counts[_COUPS] += 1
        counts[_OF[outcome]] += 1
        counts[_NATURAL] += coup.natural
        counts[_PLAYER_PAIR] += coup.player_pair
        counts[_BANKER_PAIR] += coup.banker_pair
        coup_no = counts[_COUPS] if coup.coup_no is None else coup.coup_no
        bead = (self.bead_plate.add(coup, coup_no),)
        circle = (self.big_road.add(outcome, coup_no),)
        if outcome is Outcome.TIE:
            return Boards(bead, circle)
        lengths = self.big_road.lengths
        return Boards(
            bead,
            circle,
            _some(self.big_eye_boy.add(lengths)),
            _some(self.small_road.add(lengths)),
            _some(self.cockroach_road.add(lengths)),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scoreboard):
            return NotImplemented
        return self.counts == other.counts and self.bead_plate.marks == other.bead_plate.marks

    def __repr__(self) -> str:
        return f"Scoreboard({self.counts})"


def _some(mark: Mark | None) -> tuple[Mark, ...]:
    return () if mark is None else (mark,)
