"""What goes onto the boards, and what stands on them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Self

from bigroad.roads.errors import EmptySequence, TooManyCoups, UnknownOutcome
from bigroad.rules.coup import Coup, Outcome

MAX_COUPS: Final = 1_000_000
PLAYER_PAIR: Final = 1
BANKER_PAIR: Final = 2


class Colour(StrEnum):
    """Red is Banker, blue is Player, green is a tie; on derived roads red repeats and blue does not."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"


COLOURS: Final = {Outcome.BANKER: Colour.RED, Outcome.PLAYER: Colour.BLUE, Outcome.TIE: Colour.GREEN}

LETTERS: Final = {"B": Outcome.BANKER, "P": Outcome.PLAYER, "T": Outcome.TIE}


class Mark(NamedTuple):
    """One mark of a board, at its final place.

    row: 0 is the top, 5 the bottom. col: 0 is the leftmost. colour: None only for ties that wait for the first winner
    of a shoe. ties: ties on this cell of the big road, else 0. coup: number of the coup that made the mark, 0 on
    derived roads. pairs: on the bead plate PLAYER_PAIR + BANKER_PAIR as they fell, else 0.
    """

    row: int
    col: int
    colour: Colour | None
    ties: int = 0
    coup: int = 0
    pairs: int = 0


@dataclass(frozen=True, slots=True)
class CoupMarks:
    """What the boards want to know of a coup. coup_no: the number its marks carry, None for its place in the shoe."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    coup_no: int | None = None

    @classmethod
    def of(cls, coup: Coup, coup_no: int | None = None) -> Self:
        """The marks of a dealt coup."""
        return cls(coup.outcome, coup.player_pair, coup.banker_pair, coup.natural, coup_no)

    @property
    def pairs(self) -> int:
        """Both pair flags in one number, as `Mark.pairs`."""
        return PLAYER_PAIR * self.player_pair + BANKER_PAIR * self.banker_pair


def parse_sequence(text: str) -> list[Outcome]:
    """Outcomes written as letters B, P, T in either case, without anything between them.

    Raises EmptySequence, UnknownOutcome with the place of the first other letter (from 1), and TooManyCoups beyond a
    million letters.
    """
    if not text:
        raise EmptySequence("there is no coup in the sequence; write it in the letters B, P and T")
    if len(text) > MAX_COUPS:
        raise TooManyCoups(f"a sequence has at most {MAX_COUPS} coups", coups=len(text))
    try:
        return [LETTERS[letter] for letter in text.upper()]
    except KeyError:
        place, letter = next((i, x) for i, x in enumerate(text, 1) if x not in "BPTbpt")
        raise UnknownOutcome(
            f"letter {place} of the sequence is {letter!r}; outcomes are B, P and T", place=place, letter=letter
        ) from None
