"""What the HTTP API says."""

import msgspec

from bigroad.wire.server_events import Amounts, Counts, Patron, TableTerms


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


class Problem(msgspec.Struct, frozen=True):
    """The one shape of every error of the API."""

    code: str
    message: str
    facts: dict[str, int | str] = {}
