"""The state of one table. Immutable: a step that is not committed has not happened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from immutables import Map

from bigroad.roads.marks import CoupMarks
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.shoe import Shoe
from bigroad.table.commands import Act
from bigroad.table.events import Answer, Bet, Dealing, Opening, Stakes
from bigroad.table.phases import ENDED, Phase
from bigroad.table.terms import Terms


class Answered(NamedTuple):
    """What a request asked, and what it was told: a retry gets the same, another body gets CONFLICT."""

    coup_no: int
    act: Act
    answer: Answer


Answers = Map[tuple[int, str], Answered]


@dataclass(frozen=True)
class TableState:
    """One table between two steps.

    seq numbers the public events; bet_seq the bets of the coup. shoe is the shoe before the coup until it is dealt,
    and after it from then on. drafts hold each patron's staged steps, oldest first. answers are those of this coup,
    earlier_answers those of the one before. terms apply from the next opening; the coup keeps coup_terms.
    due_ns: when the next Tick has something to do. bank_no: the table whose bank pays, None for its own.
    recent: what the boards follow at a table that is shuffled for every coup, oldest first.
    """

    table_no: int
    terms: Terms
    coup_terms: Terms
    phase: Phase
    coup_no: int
    shoe_no: int
    shoe: Shoe
    scoreboard: Scoreboard
    due_ns: int
    seq: int = 0
    opening: Opening | None = None
    dealing: Dealing | None = None
    drafts: Map[int, tuple[Stakes, ...]] = field(default_factory=Map)
    bets: Map[int, Bet] = field(default_factory=Map)
    totals: Stakes = field(default_factory=dict)
    bet_seq: int = 0
    last_stakes: Map[int, Stakes] = field(default_factory=Map)
    answers: Answers = field(default_factory=Map)
    earlier_answers: Answers = field(default_factory=Map)
    bank_no: int | None = None
    recent: tuple[CoupMarks, ...] = ()

    @property
    def ended(self) -> bool:
        """No coup is running."""
        return self.phase in ENDED


def evolved(state: TableState, **changes: Any) -> TableState:
    """`dataclasses.replace` for what every chip and bet does: the fields are copied as one dictionary, which costs
    a tenth. (That is why a state has no slots.)"""
    new = object.__new__(TableState)
    new.__dict__.update(state.__dict__)
    new.__dict__.update(changes)
    return new


def sums(steps: tuple[Stakes, ...]) -> dict[str, int]:
    """The stakes that steps add up to, per area."""
    total: dict[str, int] = {}
    for step in steps:
        for area, amount in step.items():
            total[area] = total.get(area, 0) + amount
    return total


def plus(left: Stakes, right: Mapping[str, int]) -> dict[str, int]:
    """Two stakes added, per area."""
    total = dict(left)
    count(total, right)
    return total


def count(total: dict[str, int], stakes: Stakes) -> None:
    """Add the stakes to a total, per area."""
    for area, amount in stakes.items():
        total[area] = total.get(area, 0) + amount
