"""One server process on the simulated floor: the real lobby, runners, hub and bus, on a simulated loop."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.ports import News
from bigroad.app.private_table import PrivateTable
from bigroad.app.store import StoreError
from bigroad.app.table_runner import TableRunner
from bigroad.bus.local import LocalBus
from bigroad.simulation.faults import Fault, Weather
from bigroad.simulation.store import access
from bigroad.simulation.told import Told
from bigroad.simulation.wire import Connection
from bigroad.simulation.world import Breach, ProcessClock, ProcessLoop, World
from bigroad.storage.memory import MemoryStore
from bigroad.web.hub import Hub

SEND_QUEUE_BYTES = 16_384


class Supervisor(Protocol):
    """Whoever starts processes, and is told when they end."""

    def ready(self, process: "ServerProcess") -> None:
        """Its tables are open."""

    def died(self, process: "ServerProcess", how: str) -> None:
        """It runs no more."""


class Bus(LocalBus):
    """The bus of one process, with a listener now and then that throws."""

    def __init__(self, weather: Weather, published: Callable[[str, Sequence[News]], None]) -> None:
        super().__init__()
        self._weather, self._published = weather, published

    def publish(self, table: str, news: Sequence[News]) -> None:
        self._published(table, news)
        if self._weather.strikes(Fault.HANDLER_THROWS):
            end = self.subscribe(table, _throws)
            super().publish(table, news)
            end()
        else:
            super().publish(table, news)


def _throws(news: Sequence[News]) -> None:
    raise RuntimeError("a listener throws")


class ServerProcess:
    """Implements `bigroad.simulation.wire.Process`."""

    def __init__(
        self,
        number: int,
        world: World,
        weather: Weather,
        disk: MemoryStore,
        told: Told,
        supervisor: Supervisor,
        entropy: Callable[[], bytes],
        start_minor: int,
        lowest_minor: int,
    ) -> None:
        self.number = number
        self.is_dead = self.is_ready = self.is_leaving = False
        self.loop: Any = ProcessLoop(world, self._trouble)
        self.offset_ns = weather.dice.randrange(10**12)
        self.clock = ProcessClock(world, self.offset_ns)
        self.connections: list[Connection] = []
        bus = Bus(weather, self._published)
        self.hub = Hub(bus, SEND_QUEUE_BYTES)
        store = access(disk, weather, lambda how: self.die(how.value))
        self.lobby = Lobby(store, bus, self.clock, entropy, start_minor, lowest_minor)
        self._world, self._weather, self._told, self._supervisor = world, weather, told, supervisor
        self._taken: dict[tuple[str, int, str], list[int]] = {}
        self._main: Any = None

    def boot(self, plans: Sequence[TablePlan]) -> None:
        """Open the tables and let them run."""
        self._main = self.loop.create_task(self._boot(plans))

    async def _boot(self, plans: Sequence[TablePlan]) -> None:
        try:
            for plan in plans:
                await self.lobby.open_table(plan)
        except StoreError:
            self.die("cannot start")
            return
        self.lobby.start()
        self.is_ready = True
        self._supervisor.ready(self)

    def stop(self) -> None:
        """End in good order."""
        self.is_leaving = True
        self._main = self.loop.create_task(self._stop())

    async def _stop(self) -> None:
        await self.lobby.stop()
        await self.hub.stop()
        self.die("stopped")

    def die(self, how: str) -> None:
        """Run nothing any more."""
        if not self.is_dead:
            self.is_dead = True
            self.loop.die()
            self._supervisor.died(self, how)

    def told(self, connection: Connection, body: bytes) -> dict[str, Any]:
        """See wire.Process."""
        with self._world.watching():
            message = self._told.verify(self.number, connection.channel, connection.patron_id, body)
        if self._weather.strikes(Fault.KILL_WHILE_TELLING):
            self.die(Fault.KILL_WHILE_TELLING.value)
        return message

    def _published(self, table: str, news: Sequence[News]) -> None:
        if not self.is_dead:
            with self._world.watching():
                for item in news:
                    self._told.verify_published(self.number, table, item)

    def taken(self, channel: str, patron_id: int, request_id: str) -> None:
        """See wire.Process."""
        self._taken.setdefault((channel, patron_id, request_id), []).append(self.clock.now_ns())

    def answered(self, channel: str, patron_id: int, request_id: str) -> None:
        """See wire.Process."""
        moments = self._taken[(channel, patron_id, request_id)]
        moments.pop(0)
        if not moments:
            del self._taken[(channel, patron_id, request_id)]

    def was_late(self, channel: str, patron_id: int, request_id: str) -> str | None:
        """Why a request may have no effect: nobody sent it, or it was taken at the deadline or after it."""
        moments = self._taken.get((channel, patron_id, request_id))
        closes_ns = self.closes_ns(channel)
        if not moments:
            return "nobody asked"
        if closes_ns is None or min(moments) >= closes_ns:
            return f"taken at {min(moments)}, closed at {closes_ns}"
        return None

    def closes_ns(self, channel: str) -> int | None:
        """When betting closes, by this process's monotonic clock."""
        runner = self.runner(channel)
        opening = runner.state.opening if runner is not None else None
        return opening.closes_ns if opening is not None else None

    def runner(self, channel: str) -> TableRunner | None:
        """The table of that channel, or the seat."""
        table, _, _ = channel.partition("/")
        desk = self.lobby.desk(table)
        if isinstance(desk, PrivateTable):
            return next((seat for seat in desk.seats if seat.channel(0) == channel), None)
        return desk

    def _trouble(self, words: str) -> None:
        self._world.breach = self._world.breach or Breach("unhandled", words)
