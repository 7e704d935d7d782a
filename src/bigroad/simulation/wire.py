"""The network between pages and processes: lines that the hub writes to, and messages that take their time."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import msgspec

from bigroad.app.ports import TableDesk
from bigroad.simulation.faults import Fault, Weather
from bigroad.simulation.world import NS_PER_MS, World
from bigroad.web.frames import read, refusal
from bigroad.web.hub import Hub
from bigroad.web.line import Line
from bigroad.wire.client_messages import Message, Stage, TableCommand
from bigroad.wire.server_events import Patron

LATENCY_NS = (NS_PER_MS // 5, NS_PER_MS, 30 * NS_PER_MS)
LONG_DELAY_NS = 5_000 * NS_PER_MS
_encoder = msgspec.json.Encoder()


class Page(Protocol):
    """The patron's end of a connection."""

    def hear(self, connection: "Connection", message: dict[str, Any]) -> None:
        """A message has come."""

    def gone(self, connection: "Connection") -> None:
        """The connection has ended."""


class Process(Protocol):
    """What a connection needs of the process that it leads to."""

    number: int
    hub: Hub
    loop: Any
    is_dead: bool

    def told(self, connection: "Connection", body: bytes) -> dict[str, Any]:
        """Look at a message on its way out."""

    def taken(self, channel: str, patron_id: int, request_id: str) -> None:
        """A request is handed to the table."""

    def answered(self, channel: str, patron_id: int, request_id: str) -> None:
        """The table has done with it."""


class Connection:
    """One socket; to the hub it is a `bigroad.web.line.Line`. channel: the table, or the patron's own seat at one."""

    def __init__(self, world: World, weather: Weather, page: Page, process: Process, channel: str, patron: Patron):
        self.channel, self.patron, self.process = channel, patron, process
        self.is_open = True
        self.patron_id, self.since = patron.patron_id, 0
        self.paused = False
        self.missed_s: float | None = None
        self.closing = False
        self._world, self._weather, self._page = world, weather, page
        self._behind = 0
        self._down_ns = self._up_ns = 0
        self._joined = self._catching_up = False
        self._desk: TableDesk | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- the process's side: a Line for the hub

    def write(self, frame: bytes) -> None:
        """See Line."""
        if self.closing or self.process.is_dead:
            return
        if self._weather.strikes(Fault.HANDLER_THROWS):
            raise RuntimeError("the line broke")
        if self.paused:
            self._behind += len(frame)
        size = frame[1]
        message = self.process.told(self, frame[2 if size < 126 else 4 if size == 126 else 10 :])
        if self.process.is_dead:
            return
        self._down_ns = self._arrives(self._down_ns, lambda at: self._world.at(at, None, self._hear, message))

    def buffered(self) -> int:
        """See Line."""
        return self._behind

    def end(self, code: int, reason: str) -> None:
        """See Line."""
        if not self.closing:
            self.closing = True
            self._world.at(max(self._down_ns, self._world.now_ns) + NS_PER_MS, None, self._cut)

    def _hear(self, message: dict[str, Any]) -> None:
        if self.is_open:
            self._page.hear(self, message)

    # ---- the page's side

    def open(self, desk: TableDesk, epoch: int | None, seq: int | None) -> None:
        """Ask to be seated, in the process's loop."""
        self._desk = desk
        self._task(self._greet(desk, epoch, seq))

    def send(self, text: str, at_ns: int | None = None) -> None:
        """Send a text; it arrives after a while, or at that moment."""
        if at_ns is not None:
            self._world.at(at_ns, self.process.loop, self._receive, text)
            return
        self._up_ns = self._arrives(self._up_ns, lambda at: self._world.at(at, self.process.loop, self._receive, text))

    def close(self) -> None:
        """The page goes away. What is under way is lost."""
        if self.is_open:
            self.is_open = False
            self._world.at(self._world.now_ns, self.process.loop, self._left)

    def stall(self, *, paused: bool) -> None:
        """The page stops reading, or reads on."""
        self.paused = paused
        self._behind = 0
        if not paused and self.missed_s is not None and self._joined:
            self._world.at(self._world.now_ns, self.process.loop, self._catch_up)

    def _cut(self) -> None:
        if self.is_open:
            self.close()
            self._page.gone(self)

    def lost(self) -> None:
        """The process has died."""
        if self.is_open:
            self.is_open = False
            self._page.gone(self)

    # ---- between them

    def _arrives(self, last_ns: int, send: Callable[[int], None]) -> int:
        """When a message arrives that is sent now: in order, and once, unless something goes wrong."""
        weather = self._weather
        at = self._world.now_ns + int(weather.dice.choice(LATENCY_NS) * weather.dice.random())
        if weather.strikes(Fault.DROP):
            return last_ns
        if weather.strikes(Fault.DELAY):
            at += int(LONG_DELAY_NS * weather.dice.random())
        if weather.strikes(Fault.DUPLICATE):
            send(at + int(LATENCY_NS[-1] * weather.dice.random()))
        if weather.strikes(Fault.REORDER):
            send(at + LATENCY_NS[-1])
            return last_ns
        at = max(at, last_ns)
        send(at)
        return at

    # ---- in the process

    async def _greet(self, desk: TableDesk, epoch: int | None, seq: int | None) -> None:
        try:
            await desk.greet(self.patron, epoch, seq, self._join)
        except Exception:
            self.end(1011, "no greeting")

    def _catch_up(self) -> None:
        """See Line.drained."""
        if self._joined and self._desk is not None and not self._catching_up:
            self._catching_up = True
            self._task(self._greet_again(self._desk))

    async def _greet_again(self, desk: TableDesk) -> None:
        try:
            await desk.greet(self.patron, None, None, self._join_again)
        except Exception:
            self.end(1011, "no greeting")
        else:
            desk.leave(self.patron_id)
        finally:
            self._catching_up = False

    def _join_again(self, bodies: Sequence[bytes]) -> None:
        self._catching_up = False
        if self._joined:
            self.process.hub.join(self.channel, cast(Line, self), bodies)

    def _join(self, bodies: Sequence[bytes]) -> None:
        if not self.is_open:
            raise ConnectionError("the page has gone")
        self._joined = True
        self.process.hub.join(self.channel, cast(Line, self), bodies)

    def _receive(self, text: str) -> None:
        if not self._joined or not self.is_open or self.closing:
            return
        message = read(text)
        if isinstance(message, TableCommand):
            self._task(self._command(message))
        elif not isinstance(message, Message):
            self._reply(_encoder.encode(message))

    async def _command(self, message: TableCommand) -> None:
        assert self._desk is not None
        request_id = message.request_id
        if self._weather.strikes(Fault.HANDLER_THROWS):
            message = poisoned(message)
        self.process.taken(self.channel, self.patron_id, request_id)
        try:
            answer = await self._desk.command(self.patron_id, message)
        except Exception:
            answer = _encoder.encode(refusal("INTERNAL", request_id, message.coup))
        self.process.answered(self.channel, self.patron_id, request_id)
        if answer is not None:
            self._reply(answer)

    def _reply(self, body: bytes) -> None:
        if self.closing:
            return
        try:
            self.process.hub.send(cast(Line, self), body)
        except RuntimeError:
            self.end(1011, "broken")

    def _left(self) -> None:
        if self._joined and self._desk is not None:
            self._joined = False
            self.process.hub.leave(self.channel, cast(Line, self))
            self._desk.leave(self.patron_id)
        self.closing = True

    def _task(self, coroutine: Any) -> None:
        task = self.process.loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Poison(str):
    """An area whose use throws, inside the machine."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise MemoryError("a handler throws")


def poisoned(message: TableCommand) -> TableCommand:
    """The same command; where it names an area, judging it throws."""
    if isinstance(message, Stage):
        return msgspec.structs.replace(message, area=_Poison(message.area))
    return message
