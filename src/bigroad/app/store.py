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
from bigroad.protection.guard import Change, Guard
from bigroad.protection.standing import Protected
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
    """A coup row to insert, with what its recovery needs. terms and shoe are texts of the app's making; profile is the
    kind of game."""

    opening: Opening
    terms: str
    shoe: str
    profile: str


@dataclass(frozen=True, slots=True)
class Advanced:
    """A coup's state, compared and set. dealing and the shoe after it come with DEALT.

    locked: where no clock runs the lock sets the coup's moments. exposure_minor: what the coup can cost the bank at the
    worst, kept until it has ended.
    """

    coup_no: int
    expected: Phase
    phase: Phase
    dealing: Dealing | None = None
    shoe: str | None = None
    locked: Opening | None = None
    exposure_minor: int = 0


class BetResult(NamedTuple):
    """What a bet of the coup got back, and what the patron has to bet with since."""

    bet_seq: int
    returned: Stakes
    returned_minor: int
    balance_after_minor: int


class KeptAnswer(NamedTuple):
    """An accepted request and its answer, as texts of the app's making."""

    patron_id: int
    request_id: str
    coup_no: int
    act: str
    answer: str


class Spending(NamedTuple):
    """What a commit adds to the sums of a day of a patron who is protected."""

    patron_id: int
    day: int
    staked_minor: int
    returned_minor: int


TAIL = 200
"""So many public events of a shared table are kept for pages that come back."""


@dataclass(slots=True)
class Changes:
    """Everything one commit keeps. drafts: by patron the staged steps; an empty tuple forgets them. log: what the log
    of rounds says of it. spending: of those patrons whose limits are counted.

    open_coup_no: the coup that must be OPEN for bets and drafts to be kept. tail: how many public events stay. Unset
    parts change nothing.
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
    spending: list[Spending] = field(default_factory=list)
    tail: int = TAIL

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
    counts when it opened. Its moments are None where no clock runs, until the lock sets them."""

    coup_no: int
    shoe_no: int
    phase: Phase
    seed: bytes
    opened_utc_ms: int
    closes_utc_ms: int | None
    deals_utc_ms: int | None
    shown_until_utc_ms: int
    last_of_shoe: bool
    terms: str
    shoe: str
    player_cards: tuple[str, ...]
    banker_cards: tuple[str, ...]
    burned: tuple[str, ...]
    cards_left: int
    fast: bool
    profile: str
    outcome: str | None


SHOE_MOST = 250
"""More coups than any shoe has; where every coup has a shoe of its own, more than the boards follow."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """What recovery needs of a table. shoe_coups: the last SHOE_MOST dealt coups of the last coup's shoe, in order.
    bets are the last coup's, earlier_bets those of the one before."""

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
    """A patron as kept. refilled_utc_ms is 0 for never. registered: has an account."""

    patron_id: int
    nickname: str
    refilled_utc_ms: int
    registered: bool = False


class StoredSession(NamedTuple):
    """A visit that goes on. key: the hash of its token. seen_utc_ms: its last use that was noted."""

    key: bytes
    patron: StoredPatron
    begun_utc_ms: int
    seen_utc_ms: int


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
    """A bet with its coup, for the history. table: the id of the table, or of the one that the seat belongs to.
    returned and balance_after_minor are None until the coup has ended. cursor: its place in the history."""

    table: str
    coup: StoredCoup
    bet: Bet
    returned: Stakes | None
    balance_after_minor: int | None
    cursor: "Cursor"


class Cursor(NamedTuple):
    """A place in a patron's history: newer bets come before it."""

    at_utc_ms: int
    coup_key: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which bets of a patron are asked for. result: won, lost or push, on balance, of coups that have ended.
    from_utc_ms inclusive, to_utc_ms exclusive. Unset parts ask for nothing."""

    table: str | None = None
    profile: str | None = None
    outcome: str | None = None
    result: str | None = None
    from_utc_ms: int | None = None
    to_utc_ms: int | None = None


EVERYTHING = Wanted()


Decide = Callable[[Funds], Changes]
Wish = Callable[[Guard], Change | None]
"""What a patron's wish makes of the guard as it is; None for nothing."""


class Sitting(NamedTuple):
    """How long a patron has been playing, and what of it: of the coups of this while whose results have been shown."""

    started_utc_ms: int
    staked_minor: int
    returned_minor: int


class Store(Protocol):
    """One contract for every store. All methods raise StoreError when the store fails."""

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        """Take the table over; a table not seen before gets its bankroll."""

    async def table_no(self, table: str) -> int | None:
        """The number of a table, or None where it was never claimed."""

    async def claim_seat(self, bank_no: int, patron_id: int, at_utc_ms: int) -> Claim:
        """Take over the patron's own seat at table `bank_no`, whose bank pays it; it is made where there is none."""

    async def seat_no(self, bank_no: int, patron_id: int) -> int | None:
        """The number of the patron's seat at table `bank_no`, None where the patron never sat. Claims nothing."""

    async def seats_under_way(self, bank_no: int) -> Sequence[int]:
        """The patrons whose seats at table `bank_no` have a coup that is locked and has not ended."""

    async def load(self, table_no: int) -> StoredTable:
        """Everything recovery needs."""

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        """Read, decide, keep. The bank of the funds is the one that pays, less what coups under way at its other seats
        can still cost. since_day: from which UTC day on the sums of protected patrons are read. Raises StaleOwner,
        StoreError, or what `decide` raises; then nothing was kept."""

    async def last_stakes(self, table_no: int, patron_ids: Sequence[int]) -> Mapping[int, Stakes]:
        """Each patron's latest bet at the table, or empty."""

    async def create_guest(self, nickname: str, token_hash: bytes, grant_minor: int, at_utc_ms: int) -> StoredPatron:
        """A new patron with play money and one cookie."""

    async def session(self, token_hash: bytes) -> StoredSession | None:
        """The session of that cookie, whether or not its time is over."""

    async def patron(self, patron_id: int) -> StoredPatron:
        """The patron of that id."""

    async def purse(self, patron_id: int) -> Purse:
        """The patron's money now."""

    async def purses(self, patron_ids: Sequence[int]) -> Mapping[int, Purse]:
        """Each patron's money now."""

    async def refill(self, patron_id: int, below_minor: int, to_minor: int, utc_day: int, at_utc_ms: int) -> bool:
        """Top the balance up to `to_minor` if it is below `below_minor`, stakes under way included, and no refill
        happened on that UTC day. Answers whether it was due."""

    async def history(
        self, patron_id: int, limit: int, wanted: Wanted = EVERYTHING, before: Cursor | None = None
    ) -> Sequence[StoredBet]:
        """The patron's latest bets that are wanted, newest first; those after `before` in that order."""

    async def own_bet(self, table_no: int, coup_no: int, patron_id: int) -> StoredBet | None:
        """The patron's bet of that coup."""

    async def coup(self, table_no: int, coup_no: int) -> StoredCoup | None:
        """One coup, or None."""

    async def preferences(self, patron_id: int) -> str | None:
        """What the patron has chosen, as it was kept."""

    async def keep_preferences(self, patron_id: int, text: str) -> None:
        """Keep what the patron has chosen."""

    async def protected(self, patron_id: int, since_day: int) -> Protected | None:
        """The patron's guard and the sums from that UTC day on; None for one who never asked to be protected."""

    async def protect(self, patron_id: int, at_utc_ms: int, wish: Wish) -> Guard:
        """Read the guard, ask for the change, keep both, in one transaction. Answers the guard after it. From the first
        change on the patron's days are summed up, those of the running periods from their beginning. Raises StoreError,
        or what `wish` raises."""

    async def protection_changes(self, patron_id: int, limit: int) -> Sequence[Change]:
        """The latest changes of the patron's guard, newest first."""

    async def sit(self, patron_id: int, at_utc_ms: int, gap_ms: int) -> Sitting:
        """The patron is here now. Who has not been here for `gap_ms` starts a new sitting."""

    async def book(self) -> tuple[dict[Account, Balance], list[Transfer]]:
        """Every account and transfer, for an audit."""

    async def coups(self, table_no: int) -> Sequence[StoredCoup]:
        """Every coup of a table in order, for an audit."""

    async def shoe(self, table_no: int, shoe_no: int) -> Sequence[StoredCoup]:
        """The dealt coups of one shoe in order, the last SHOE_MOST of them."""

    async def log(self) -> Sequence[Entry]:
        """The log of rounds, whole and in order, for an audit."""

    async def log_entry(self, entry_no: int) -> Entry | None:
        """One entry of the log, or None where there is none of that number; 0 asks for the last."""

    async def probe(self) -> None:
        """Write something and forget it. Raises StoreError where a bet could not be kept now."""

    async def close(self) -> None:
        """Keep what is under way, then let go."""
