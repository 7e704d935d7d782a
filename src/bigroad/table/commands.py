"""What can be asked of a table: the acts of patrons, and the passing of time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bigroad.ledger.accounts import EMPTY, Balance
from bigroad.protection.standing import Protected


@dataclass(frozen=True, slots=True)
class Stage:
    """Put chips on an area."""

    area: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Unstage:
    """Take back the last step."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Take back all steps."""


@dataclass(frozen=True, slots=True)
class Double:
    """Stage everything once more."""


@dataclass(frozen=True, slots=True)
class Rebet:
    """Stage the last bet again, `times` over; with `submit` it is the patron's bet at once. fast: as in Submit.

    With a clock it goes on top of what lies there; without one it takes the place of it.
    """

    times: int = 1
    submit: bool = False
    fast: bool = False


@dataclass(frozen=True, slots=True)
class Submit:
    """BET; without a clock it is DEAL too. fast: deal with short gestures, where nobody else watches."""

    fast: bool = False


Act = Stage | Unstage | Clear | Double | Rebet | Submit


@dataclass(frozen=True, slots=True)
class Funds:
    """Money as the store had it when the command was judged, in minor units.

    available_minor: by patron id, what may still be staked. bank_minor: what the table can lose. escrow: what is held
    for the last coup. protected: by patron id, who has asked to be protected; nobody else is there.
    """

    available_minor: Mapping[int, int] = field(default_factory=dict)
    bank_minor: int = 0
    escrow: Balance = EMPTY
    protected: Mapping[int, Protected] = field(default_factory=dict)


NO_FUNDS = Funds()


class PatronCommand(NamedTuple):
    """One act of one patron about one coup. `at_utc_ms` is for the record; time is judged by `step`'s now_ns."""

    patron_id: int
    request_id: str
    coup_no: int
    act: Act
    at_utc_ms: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed. Does at most one arrow of the round. entropy: 32 bytes, used if a coup opens now."""

    utc_ms: int
    entropy: bytes


@dataclass(frozen=True, slots=True)
class Stop:
    """The server goes down in good order: nothing is decided, pages are told."""

    utc_ms: int


Command = PatronCommand | Tick | Stop
