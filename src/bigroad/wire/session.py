"""What the HTTP API says."""

import msgspec

from bigroad.wire.server_events import Amounts, Counts, Patron, Roads, TableTerms


class Session(msgspec.Struct, frozen=True):
    """Who the caller is. `created`: this call made a new guest."""

    patron: Patron
    balance_minor: int
    can_refill: bool
    created: bool
    server_utc_ms: int


class TableRow(msgspec.Struct, frozen=True):
    """One table of the lobby. phase: betting, closing, dealing, closed."""

    terms: TableTerms
    phase: str
    coup: int
    closes_utc_ms: int
    patrons: int
    counts: Counts


class HistoryCoup(msgspec.Struct, frozen=True):
    """One coup that the patron bet on. `outcome` and cards are empty while it runs; state as the ledger names it."""

    table: str
    coup: int
    state: str
    automatic: bool
    at_utc_ms: int
    outcome: str | None
    player_cards: list[str]
    banker_cards: list[str]
    stakes: Amounts
    returned: Amounts
    staked_minor: int
    returned_minor: int


class CoupCards(msgspec.Struct, frozen=True):
    """A dealt coup, as everybody saw it. Cards are two characters, rank and suit."""

    coup: int
    dealt_utc_ms: int
    outcome: str
    player_cards: list[str]
    banker_cards: list[str]
    player_points: int
    banker_points: int
    natural: bool
    player_pair: bool
    banker_pair: bool


class ShoeRecord(msgspec.Struct, frozen=True):
    """One shoe of a table: its boards and its coups, oldest first. `current` is the shoe on the table now; shoes are
    numbered from 1 without holes."""

    table: str
    shoe: int
    current: int
    roads: Roads
    coups: list[CoupCards]


class Problem(msgspec.Struct, frozen=True):
    """The one shape of every error of the API."""

    code: str
    message: str
    facts: dict[str, int | str] = {}
