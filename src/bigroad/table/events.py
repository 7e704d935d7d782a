"""What a step answers: public events of the table, private answers, and money to be moved.

Everything here is to be stored in one transaction before any of it is told. What a crowd makes ten thousand of at once
is a NamedTuple: one is made three times as fast as a frozen dataclass.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bigroad.ledger.transfers import Transfer
from bigroad.roads.scoreboard import Delta, Scoreboard
from bigroad.rules.cards import Card
from bigroad.rules.coup import Coup
from bigroad.table.errors import Refusal
from bigroad.table.timing import Timeline

Stakes = Mapping[str, int]
"""Area to minor units."""

NEVER_NS = 2**63
"""A moment that does not come by itself."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The coup's numbers and moments, fixed when it opens. `seed` stays here until the deal.

    Without a clock the moments are None, and NEVER_NS, until the bet that locks the coup sets them; fast is known then
    too: the gestures are to be short.
    """

    coup_no: int
    shoe_no: int
    seed: bytes
    commitment: bytes
    opened_utc_ms: int
    closes_utc_ms: int | None
    deals_utc_ms: int | None
    closes_ns: int
    deals_ns: int
    cards_left: int
    last_of_shoe: bool
    fast: bool = False


class Bet(NamedTuple):
    """A patron's one bet of a coup, booked. balance_before_minor: what there was to bet with, None where not kept."""

    bet_seq: int
    patron_id: int
    stakes: Stakes
    staked_minor: int
    automatic: bool
    at_utc_ms: int
    balance_before_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Dealing:
    """A dealt coup. deals_utc_ms: when its timeline starts. roads: what it adds to the boards as they were before."""

    coup: Coup
    burned: tuple[Card, ...]
    cards_left: int
    deals_utc_ms: int
    shown_until_utc_ms: int
    timeline: Timeline
    roads: Delta
    scoreboard_before: Scoreboard


@dataclass(frozen=True, slots=True)
class ShoeChanged:
    """Public: a fresh shoe; the boards are clear."""

    shoe_no: int


@dataclass(frozen=True, slots=True)
class CoupOpened:
    """Public: betting is open."""

    opening: Opening


@dataclass(frozen=True, slots=True)
class BetsLocked:
    """Public: no more bets."""

    coup_no: int
    deals_utc_ms: int
    totals: Stakes
    bettors: int


@dataclass(frozen=True, slots=True)
class CoupDealt:
    """Public: the coup."""

    opening: Opening
    dealing: Dealing


@dataclass(frozen=True, slots=True)
class CoupSettled:
    """Not told to the table: each bet's return is."""

    coup_no: int


@dataclass(frozen=True, slots=True)
class CoupClosed:
    """Not told: the round has ended."""

    coup_no: int


@dataclass(frozen=True, slots=True)
class CoupVoided:
    """Public: every stake is back. reason: late, or rules (they changed, and nobody had bet). seed: what the cards
    would have been drawn with."""

    coup_no: int
    reason: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class TableClosed:
    """Public: the table stops."""

    reason: str


class Staged(NamedTuple):
    """Private: what lies staged now, step by step."""

    patron_id: int
    request_id: str | None
    coup_no: int
    steps: tuple[Stakes, ...]


class Receipt(NamedTuple):
    """Private: the bet is booked. balance_minor: what is left to bet with."""

    patron_id: int
    request_id: str | None
    coup_no: int
    bet: Bet
    balance_minor: int


class Settled(NamedTuple):
    """Private: how a bet ended. returned includes the stake; outcome is None for a voided coup."""

    patron_id: int
    coup_no: int
    outcome: str | None
    bet: Bet
    returned: Stakes
    returned_minor: int
    balance_before_minor: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Private: nothing was changed. automatic: the server's own submission at the close."""

    patron_id: int
    request_id: str | None
    coup_no: int
    code: Refusal
    facts: Mapping[str, int | str]
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Repeated:
    """Private, to the asking socket alone: the answer that the request got before."""

    patron_id: int
    answer: "Answer"


class Moved(NamedTuple):
    """Money to be moved with this step."""

    transfers: tuple[Transfer, ...]


Answer = Staged | Receipt | Refused
Public = ShoeChanged | CoupOpened | BetsLocked | CoupDealt | CoupVoided | TableClosed
Private = Staged | Receipt | Settled | Refused | Repeated
Event = Public | Private | CoupSettled | CoupClosed | Moved
