"""The doors of the app: what it offers to the web, and what it asks of stores and buses."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from bigroad.app.accounts import Accounts
from bigroad.app.sessions import Visitor
from bigroad.app.store import Cursor, Wanted
from bigroad.protection.guard import Rule
from bigroad.wire.client_messages import TableCommand
from bigroad.wire.protection import Protection, Sitting
from bigroad.wire.server_events import Patron, TableTerms
from bigroad.wire.session import CoupRecord, HistoryPage, Preferences, Session, ShoeRecord, TableRow


class News(NamedTuple):
    """One encoded server event (a JSON text) and whom it is for.

    patron_id: None for everybody at the table, else for all sockets of that patron there.
    volatile: may be dropped for a reader that is behind, since a newer one follows.
    """

    body: bytes
    patron_id: int | None = None
    volatile: bool = False


Listener = Callable[[Sequence[News]], None]
"""Called on the event loop with the news of one table, in order. Must not block and must not raise."""


class Bus(Protocol):
    """Carries the news of tables to whoever has sockets there."""

    def publish(self, table: str, news: Sequence[News]) -> None:
        """Hand the news to every listener of the table, in order."""

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Listen from now on; the answer is a function that ends it."""


class TableDesk(Protocol):
    """One table, as the web sees it. All calls are from the event loop."""

    @property
    def terms(self) -> TableTerms:
        """What the table is; changes from one coup to the next at most."""

    @property
    def is_open(self) -> bool:
        """Whether bets can be made here."""

    def channel(self, patron_id: int) -> str:
        """What the bus calls the news that this patron hears here."""

    async def row(self, patron_id: int | None) -> TableRow:
        """The table as a row of the lobby. Where each patron plays alone it is that patron's."""

    async def shoe(self, number: int, patron_id: int | None) -> ShoeRecord | None:
        """A shoe of this table with its dealt coups, or None where there is no such shoe. Where each patron plays alone
        it is that patron's."""

    async def coup(self, number: int, patron_id: int | None) -> CoupRecord | None:
        """A dealt coup of this table, with the patron's own part in it, or None where there is no such coup or it is
        still being dealt. Where each patron plays alone it is that patron's."""

    async def greet(
        self, patron: Patron, epoch: int | None, seq: int | None, join: Callable[[Sequence[bytes]], None]
    ) -> None:
        """Welcome a new socket.

        `join` is called once, between two batches of news, with the frames that bring a page up to date: the welcome,
        then the tail after (`epoch`, `seq`) or one snapshot, then the patron's own side. A socket that starts to
        listen inside `join` misses nothing and hears nothing twice.
        """

    def leave(self, patron_id: int) -> None:
        """One socket of the patron is gone. Staged chips and bets stay."""

    def command(self, patron_id: int, message: TableCommand) -> "asyncio.Future[bytes | None]":
        """Take a command; it is stamped at the call. Commands are judged in the order of the calls. Whoever asks holds
        what is answered until it is done.

        The answer is what the asking socket alone must get: a refusal, or the repeated answer of a retry. None: the
        answer goes to all of the patron's sockets as news.
        """


@dataclass(frozen=True, slots=True)
class Visit:
    """Who came, and the new cookie to set, if any."""

    session: Session
    new_token: str | None


class Cashier(Protocol):
    """Guests, their cookies and their money away from the tables."""

    async def visit(self, token: str | None) -> Visit:
        """The patron of this cookie, or a new guest with play money when there is none."""

    async def visitor(self, token: str | None) -> Visitor | None:
        """Who has this cookie, or None; a session whose time is over is none."""

    async def refill(self, patron_id: int) -> Session:
        """`Get chips`: back to the guest's first balance, once a UTC day. Raises RefillNotYet."""

    async def history(self, patron_id: int, limit: int, wanted: Wanted, before: Cursor | None) -> HistoryPage:
        """The patron's latest coups that are wanted, newest first, from after `before` on."""

    async def preferences(self, patron_id: int) -> Preferences:
        """What the patron has chosen."""

    async def keep_preferences(self, patron_id: int, preferences: Preferences) -> None:
        """Keep what the patron has chosen, in place of what was chosen before."""


class Guardian(Protocol):
    """What patrons ask to be protected from. Each change answers how things are after it."""

    async def protection(self, patron_id: int) -> Protection:
        """What protects the patron now."""

    async def want_limit(self, patron_id: int, rule: Rule, amount_minor: int | None) -> Protection:
        """A limit, None for none. The first one and a lower one hold at once, any other waits to be confirmed."""

    async def confirm_limit(self, patron_id: int, rule: Rule) -> Protection:
        """What has waited long enough is still wanted. Raises NothingPending, NotYetReady."""

    async def take_back_limit(self, patron_id: int, rule: Rule) -> Protection:
        """What waits is not wanted any more. Raises NothingPending."""

    async def take_time_out(self, patron_id: int, duration_ms: int) -> Protection:
        """No bets for a while. Raises StandsAlready."""

    async def exclude(self, patron_id: int, months: int | None) -> Protection:
        """No play for long, None for good. Raises StandsAlready."""

    async def sit(self, patron_id: int) -> Sitting:
        """The patron is here. How long already, and what came of it."""


class Floor(Protocol):
    """Everything the web needs."""

    @property
    def accounts(self) -> Accounts | None:
        """The desk for accounts, where the floor has one."""

    @property
    def cashier(self) -> Cashier:
        """The cashier."""

    @property
    def guardian(self) -> Guardian:
        """The guardian."""

    def utc_ms(self) -> int:
        """The time that every moment on the wire is counted by, in UTC milliseconds."""

    async def can_write(self) -> bool:
        """Could a bet be kept now? Found out by writing; answers within a few seconds."""

    def desk(self, table: str) -> TableDesk | None:
        """The table of that id, or None."""

    def desks(self) -> Sequence[TableDesk]:
        """All tables in the order of the settings."""
