"""What a table asks of a store: read money, decide, keep everything that was decided, in one transaction.

`Store.commit` is the only door for a table's writes. It reads the balances that the decision needs, calls `decide`
with them, and keeps the answer, all inside one transaction: what `decide` saw is what still holds when its changes
are kept. A commit that raises has changed nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple, Protocol

from bigroad.app.log_records import LogRecord
from bigroad.ledger.accounts import EMPTY, Account, Balance
from bigroad.ledger.chain import Entry
from bigroad.ledger.transfers import Transfer
from bigroad.rules.errors import BigroadError
from bigroad.table.commands import Funds
from bigroad.table.events import Bet, Dealing, Opening, Stakes
from bigroad.table.phases import Phase


class StoreError(BigroadError):
    """The store did not keep the changes: nothing was changed.

    StoreError            full, busy, unreadable: may go well later
    └── StaleOwner        another owner has claimed the table, or the round is elsewhere: stop
    """

    code: ClassVar[str] = "STORE_UNAVAILABLE"


class StaleOwner(StoreError):
    """The table's epoch or the coup's state is not what the writer believed."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A coup row to insert, with what its recovery needs. terms and shoe are texts of the app's making."""

    opening: Opening
    terms: str
    shoe: str


@dataclass(frozen=True, slots=True)
class Advanced:
    """A coup's state, compared and set. dealing and the shoe after it come with DEALT."""

    coup_no: int
    expected: Phase
    phase: Phase
    dealing: Dealing | None = None
    shoe: str | None = None


class BetResult(NamedTuple):
    """What a bet of the coup got back."""

    bet_seq: int
    returned: Stakes
    returned_minor: int


class KeptAnswer(NamedTuple):
    """An accepted request and its answer, as texts of the app's making."""

    patron_id: int
    request_id: str
    coup_no: int
    act: str
    answer: str


@dataclass(slots=True)
class Changes:
    """Everything one commit keeps. drafts: by patron the staged steps; an empty tuple forgets them. log: what the log
    of rounds says of it.

    open_coup_no: the coup that must be OPEN for bets and drafts to be kept. Unset parts change nothing.
    """

    table_no: int
    epoch: int
    at_utc_ms: int
    open_coup_no: int | None = None
    opened: Opened | None = None
    advanced: Advanced | None = None
    drop_drafts: bool = False
    drafts: dict[int, tuple[Stakes, ...]] = field(default_factory=dict)
    bets: list[Bet] = field(default_factory=list)
    results: list[BetResult] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    events: list[tuple[int, bytes]] = field(default_factory=list)
    answers: list[KeptAnswer] = field(default_factory=list)
    log: list[LogRecord] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """There is nothing to keep."""
        parts = (self.opened, self.advanced, self.drafts, self.bets, self.events, self.answers, self.log)
        return not any(parts)

    @property
    def arrow(self) -> str:
        """What the commit is about, in one word."""
        if self.opened is not None:
            return "opened"
        if self.advanced is not None:
            return self.advanced.phase.value
        return "bet" if self.bets else "staged" if self.drafts else "other"


@dataclass(frozen=True, slots=True)
class StoredCoup:
    """A coup as it was kept. cards are empty until DEALT; shoe is the one after the coup from DEALT on; cards_left
    counts when it opened."""

    coup_no: int
    shoe_no: int
    phase: Phase
    seed: bytes
    opened_utc_ms: int
    closes_utc_ms: int
    deals_utc_ms: int
    shown_until_utc_ms: int
    last_of_shoe: bool
    terms: str
    shoe: str
    player_cards: tuple[str, ...]
    banker_cards: tuple[str, ...]
    burned: tuple[str, ...]
    cards_left: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """What recovery needs of a table. shoe_coups: the dealt coups of the last coup's shoe, in order. bets are the last
    coup's, earlier_bets those of the one before."""

    seq: int
    last: StoredCoup | None
    shoe_coups: Sequence[StoredCoup]
    bets: Sequence[Bet]
    earlier_bets: Sequence[Bet]
    drafts: Mapping[int, tuple[Stakes, ...]]
    answers: Sequence[KeptAnswer]
    events: Sequence[tuple[int, bytes]]
    hold: Balance = EMPTY
    skipped_to: int = 0


NEVER_OPENED: Final = StoredTable(0, None, (), (), (), {}, (), ())
"""The rows of a table that has none."""


class Claim(NamedTuple):
    """The right to run a table: its number and the epoch of this owner, higher than all before."""

    table_no: int
    epoch: int


class StoredPatron(NamedTuple):
    """A patron as kept. refilled_utc_ms is 0 for never."""

    patron_id: int
    nickname: str
    refilled_utc_ms: int


class Purse(NamedTuple):
    """A patron's money in minor units. available_minor: to bet with; balance_minor: stakes under way included.
    refilled_utc_ms: the last refill, 0 for never."""

    available_minor: int
    balance_minor: int
    refilled_utc_ms: int


MS_PER_DAY = 86_400_000


def refill_due(purse: Purse, lowest_minor: int, utc_ms: int) -> bool:
    """May `Get chips` be pressed: below the lowest minimum, stakes under way included, and not yet today?"""
    return purse.balance_minor < lowest_minor and purse.refilled_utc_ms // MS_PER_DAY != utc_ms // MS_PER_DAY


class StoredBet(NamedTuple):
    """A bet with its coup, for the history. returned is None until the coup has ended."""

    table: str
    coup: StoredCoup
    bet: Bet
    returned: Stakes | None


Decide = Callable[[Funds], Changes]


class Store(Protocol):
    """One contract for every store. All methods raise StoreError when the store fails."""

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        """Take the table over; a table not seen before gets its bankroll."""

    async def table_no(self, table: str) -> int | None:
        """The number of a table, or None where it was never claimed."""

    async def load(self, table_no: int) -> StoredTable:
        """Everything recovery needs."""

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide) -> Changes:
        """Read, decide, keep. Raises StaleOwner, StoreError, or what `decide` raises; then nothing was kept."""

    async def last_stakes(self, table_no: int, patron_id: int) -> Stakes:
        """The patron's latest bet at the table, or empty."""

    async def create_guest(self, nickname: str, token_hash: bytes, grant_minor: int, at_utc_ms: int) -> StoredPatron:
        """A new patron with play money and one cookie."""

    async def patron_of(self, token_hash: bytes) -> StoredPatron | None:
        """Whose cookie this is."""

    async def patron(self, patron_id: int) -> StoredPatron:
        """The patron of that id."""

    async def purse(self, patron_id: int) -> Purse:
        """The patron's money now."""

    async def refill(self, patron_id: int, below_minor: int, to_minor: int, utc_day: int, at_utc_ms: int) -> bool:
        """Top the balance up to `to_minor` if it is below `below_minor`, stakes under way included, and no refill
        happened on that UTC day. Answers whether it was due."""

    async def history(self, patron_id: int, limit: int) -> Sequence[StoredBet]:
        """The patron's latest bets, newest first."""

    async def book(self) -> tuple[dict[Account, Balance], list[Transfer]]:
        """Every account and transfer, for an audit."""

    async def coups(self, table_no: int) -> Sequence[StoredCoup]:
        """Every coup of a table in order, for an audit."""

    async def shoe(self, table_no: int, shoe_no: int) -> Sequence[StoredCoup]:
        """The dealt coups of one shoe in order."""

    async def log(self) -> Sequence[Entry]:
        """The log of rounds, whole and in order, for an audit."""

    async def log_entry(self, entry_no: int) -> Entry | None:
        """One entry of the log, or None where there is none of that number; 0 asks for the last."""

    async def probe(self) -> None:
        """Write something and forget it. Raises StoreError where a bet could not be kept now."""

    async def close(self) -> None:
        """Keep what is under way, then let go."""
