"""A running server for the tests of the web: the real app and the real uvicorn, over a floor that only speaks."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bigroad.app.accounts import Accounts
from bigroad.app.clock import SimulatedClock
from bigroad.app.ports import News, Visit
from bigroad.app.protection import PatronGuardian
from bigroad.app.sessions import Visitor
from bigroad.app.store import Cursor, Wanted
from bigroad.bus.local import LocalBus
from bigroad.storage.memory import MemoryStore
from bigroad.web.app import WebApp, create_app
from bigroad.web.options import LimitOptions, ServerOptions
from bigroad.web.serve import Server, listen
from bigroad.web.static import Page
from bigroad.wire.client_messages import Stage, TableCommand
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import (
    Ask,
    Boards,
    Counts,
    Patron,
    Presence,
    Refused,
    Roads,
    Staged,
    TableTerms,
    Welcome,
)
from bigroad.wire.session import (
    CoupRecord,
    HistoryCoup,
    HistoryPage,
    Preferences,
    Session,
    ShoeRecord,
    TableRow,
)
from bigroad.wire.version import subprotocols

TABLE = "emerald"
PATIENCE_S = 60
"""Only bounds a hang."""
FLOOR_UTC_MS = 1_234_567_890_123
"""The floor's clock: far from the wall's, and the only one that pages may hear of."""


class TooEarly(Exception):
    code: ClassVar[str] = Fault.REFILL_NOT_YET


class StoreAway(Exception):
    code: ClassVar[str] = Fault.STORE_UNAVAILABLE


class TalkingCashier:
    """Knows the tokens that it gave out."""

    def __init__(self) -> None:
        self.patrons: dict[str, Patron] = {}
        self.coups: list[HistoryCoup] = []
        self.asked: list[tuple[int, Wanted, Cursor | None]] = []
        self.kept: dict[int, Preferences] = {}

    async def visit(self, token: str | None) -> Visit:
        created = token not in self.patrons
        fresh = secrets.token_urlsafe(32) if created else None
        if fresh:
            number = len(self.patrons) + 1
            self.patrons[fresh] = Patron(patron_id=number, nickname=f"Guest {number}")
        patron = self.patrons[fresh or token or ""]
        return Visit(self._session(patron, created), fresh)

    async def visitor(self, token: str | None) -> Visitor | None:
        patron = self.patrons.get(token or "")
        return Visitor(patron, (token or "").encode(), False, None) if patron else None

    async def refill(self, patron_id: int) -> Session:
        raise TooEarly

    async def history(self, patron_id: int, limit: int, wanted: Wanted, before: Cursor | None) -> HistoryPage:
        self.asked.append((limit, wanted, before))
        shown = self.coups[before.coup_key if before else 0 :][:limit]
        end = (before.coup_key if before else 0) + len(shown)
        return HistoryPage(shown, f"1-{end}" if end < len(self.coups) else None)

    async def preferences(self, patron_id: int) -> Preferences:
        return self.kept.get(patron_id, Preferences(changed_utc_ms=0))

    async def keep_preferences(self, patron_id: int, preferences: Preferences) -> None:
        self.kept[patron_id] = preferences

    @staticmethod
    def _session(patron: Patron, created: bool) -> Session:
        return Session(patron=patron, balance_minor=1000, can_refill=False, created=created, server_utc_ms=1)


class TalkingDesk:
    """Answers `stage` with news to all of the patron's sockets, and the area "boom" by breaking."""

    def __init__(self, bus: LocalBus) -> None:
        self._bus = bus
        self.greeted: list[tuple[int | None, int | None]] = []
        self.left: list[int] = []
        self.commands: list[TableCommand] = []
        self.greet_trouble: Exception | None = None
        self.judges = asyncio.Event()
        self.judges.set()
        self.sitting = 0
        self.coups_asked: list[tuple[int, int | None]] = []
        self.is_open = True

    @property
    def terms(self) -> TableTerms:
        return TableTerms(
            table=TABLE,
            name="Emerald Room",
            profile="multiplayer-deluxe",
            felt="emerald",
            dealer="female",
            decks=8,
            chips_minor=[2000],
            betting_ms=50_000,
            closing_ms=10_000,
            areas=[],
        )

    def channel(self, patron_id: int) -> str:
        return TABLE

    async def row(self, patron_id: int | None) -> TableRow:
        return TableRow(self.terms, "betting", 1, 1, 2, self.sitting, Counts(), [], None)

    async def coup(self, number: int, patron_id: int | None) -> CoupRecord | None:
        self.coups_asked.append((number, patron_id))
        return None

    async def shoe(self, number: int, patron_id: int | None) -> ShoeRecord | None:
        if number != 1:
            return None
        nothing = Roads(Boards([], [], [], [], []), Counts(), Ask(None, None, None), Ask(None, None, None), True)
        return ShoeRecord(table=TABLE, shoe=1, current=1, roads=nothing, coups=[])

    async def greet(
        self, patron: Patron, epoch: int | None, seq: int | None, join: Callable[[Sequence[bytes]], None]
    ) -> None:
        self.greeted.append((epoch, seq))
        if self.greet_trouble is not None:
            raise self.greet_trouble
        join([msgspec.json.encode(Welcome(patron=patron, terms=self.terms, server_utc_ms=1))])

    def leave(self, patron_id: int) -> None:
        self.left.append(patron_id)

    def command(self, patron_id: int, message: TableCommand) -> "asyncio.Future[bytes | None]":
        return asyncio.get_running_loop().create_task(self._command(patron_id, message))

    async def _command(self, patron_id: int, message: TableCommand) -> bytes | None:
        self.commands.append(message)
        await self.judges.wait()
        if isinstance(message, Stage):
            match message.area:
                case "boom":
                    raise ValueError("the desk broke")
                case "away":
                    raise StoreAway
            self.tell(
                Staged(
                    request_id=message.request_id,
                    coup=message.coup,
                    steps=[],
                    stakes={message.area: message.amount_minor},
                    total_minor=message.amount_minor,
                ),
                patron_id,
            )
            return None
        return msgspec.json.encode(Refused(request_id=message.request_id, coup=1, code="NOTHING_STAGED", facts={}))

    def tell(self, event: Any, patron_id: int | None = None) -> None:
        self._bus.publish(TABLE, [News(msgspec.json.encode(event), patron_id, isinstance(event, Presence))])


class TalkingFloor:
    accounts: Accounts | None = None

    def __init__(self, bus: LocalBus) -> None:
        self.cashier = TalkingCashier()
        self.guardian = PatronGuardian(MemoryStore(), SimulatedClock(FLOOR_UTC_MS))
        self.only = TalkingDesk(bus)
        self.others: list[TalkingDesk] = []
        self.writes = True

    def desk(self, table: str) -> TalkingDesk | None:
        return self.only if table == TABLE else None

    def utc_ms(self) -> int:
        return FLOOR_UTC_MS

    async def can_write(self) -> bool:
        return self.writes

    def desks(self) -> Sequence[TalkingDesk]:
        return [self.only, *self.others]


@dataclass(frozen=True)
class Options:
    server: ServerOptions = field(default_factory=lambda: ServerOptions(host="127.0.0.1", port=0))
    limits: LimitOptions = field(default_factory=LimitOptions)


@dataclass
class House:
    """A server that runs. `http` asks it; `sit` opens a socket as a guest."""

    app: WebApp
    bus: LocalBus
    floor: TalkingFloor
    server: Server
    host: str
    http: httpx.AsyncClient

    @property
    def desk(self) -> TalkingDesk:
        return self.floor.only

    async def guest(self) -> str:
        """A new guest's cookie, as a header's value."""
        self.http.cookies.clear()
        answer = await self.http.post("/api/session")
        self.http.cookies.clear()
        return str(answer.headers["set-cookie"]).split(";")[0]

    async def ticket(self, cookie: str) -> str:
        """A ticket of that cookie's session."""
        return str((await self.http.post("/api/ticket", headers={"Cookie": cookie})).json().get("ticket", "none"))

    async def connect(self, cookie: str | None, *, path: str = f"/ws/{TABLE}", **words: Any) -> ClientConnection:
        """An open socket; `origin`, `headers`, `ticket` and what `connect` takes may be given."""
        headers = [("Cookie", cookie)] if cookie else []
        headers += words.pop("headers", [])
        words.setdefault("origin", f"http://{self.host}")
        if "subprotocols" not in words:
            ticket = words.pop("ticket", None) or (await self.ticket(cookie) if cookie else "none")
            words["subprotocols"] = subprotocols(ticket)
        return await connect(f"ws://{self.host}{path}", additional_headers=headers, compression=None, **words)

    async def sit(self, cookie: str | None = None, **words: Any) -> ClientConnection:
        """A guest's socket that has heard its welcome."""
        line = await self.connect(cookie or await self.guest(), **words)
        assert (await hear(line))["type"] == "welcome"
        return line


@contextlib.asynccontextmanager
async def open_house(options: Options | None = None, page: Page | None = None) -> AsyncIterator[House]:
    """Start a server on a free port of 127.0.0.1, and stop it again."""
    options = options or Options()
    bus = LocalBus()
    floor = TalkingFloor(bus)
    app = create_app(floor, bus, options, page)
    bound = listen(options)
    host = f"127.0.0.1:{bound.getsockname()[1]}"
    up = asyncio.Event()

    async def started() -> None:
        up.set()

    server = Server(app, options, started)
    running = asyncio.get_running_loop().create_task(server.serve(sockets=[bound]))
    await up.wait()
    try:
        async with httpx.AsyncClient(base_url=f"http://{host}") as http:
            yield House(app, bus, floor, server, host, http)
    finally:
        server.should_exit = True
        await running


async def hear(line: ClientConnection) -> dict[str, Any]:
    """The next event of a socket."""
    event: dict[str, Any] = msgspec.json.decode(await asyncio.wait_for(line.recv(), PATIENCE_S))
    return event


async def until(true: Callable[[], bool]) -> None:
    """Let the event loop turn until this holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  (nothing to wait on: the server has no event for it)
            await asyncio.sleep(0)


async def hear_the_end(line: ClientConnection) -> int | None:
    """Read until the socket is closed; answers the code."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await line.recv()
    return line.close_code
