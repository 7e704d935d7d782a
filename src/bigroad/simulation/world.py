"""Virtual time: one agenda for everything that happens, and an event loop for each simulated process.

No wall clock, no thread and no real socket: the agenda alone decides what runs next, by time and then by the order of
its entries. A process that has died runs nothing any more, not even its `finally`s; one that is suspended runs what has
come due meanwhile when it goes on.
"""

import asyncio
import contextvars
import heapq
import inspect
from asyncio import events
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

T = TypeVar("T")

START_UTC_MS = 1_700_000_000_000
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000


class Breach(Exception):
    """Something happened that must never happen. rule: an invariant of docs/ledger.md, or a word."""

    def __init__(self, rule: str, words: str) -> None:
        super().__init__(f"{rule}: {words}")


class World:
    """The agenda and the time. steps: entries done so far. breach: the first one; `run` raises it at the end of the
    step, whoever caught it on its way."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.wall_shift_ms = 0
        self.steps = 0
        self.breach: Breach | None = None
        self._order = 0
        self._agenda: list[tuple[int, int, ProcessLoop | None, Callable[..., Any], tuple[Any, ...]]] = []

    def utc_ms(self) -> int:
        """What the machine's wall clock shows."""
        return START_UTC_MS + self.wall_shift_ms + self.now_ns // NS_PER_MS

    def at(self, when_ns: int, owner: "ProcessLoop | None", call: Callable[..., Any], *args: Any) -> None:
        """Let something happen at a moment, or now where that is past. owner: the process that does it, if any."""
        self._order += 1
        heapq.heappush(self._agenda, (max(when_ns, self.now_ns), self._order, owner, call, args))

    def after(self, delay_ns: int, call: Callable[..., Any], *args: Any) -> None:
        """Let something happen outside all processes after a while."""
        self.at(self.now_ns + delay_ns, None, call, *args)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Remember a breach that is found in here, for the product may catch what is raised inside it."""
        try:
            yield
        except Breach as breach:
            self.breach = self.breach or breach
            raise

    def run(self, until_ns: int, is_over: Callable[[], bool]) -> bool:
        """Do what is on the agenda until `is_over`, asked after every step; False if the time ran out before."""
        agenda, pop = self._agenda, heapq.heappop
        current: ProcessLoop | None = None
        with _no_running_loop():
            events._set_running_loop(None)
            while agenda and agenda[0][0] <= until_ns:
                self.now_ns, _, owner, call, args = pop(agenda)
                if owner is not None:
                    if owner.is_dead:
                        continue
                    if owner.parked is not None:
                        owner.parked.append((call, args))
                        continue
                self.steps += 1
                if owner is not current:
                    events._set_running_loop(cast(Any, owner))
                    current = owner
                call(*args)
                if self.breach is not None:
                    raise self.breach
                if is_over():
                    return True
        self.now_ns = max(self.now_ns, until_ns)
        return False


@contextmanager
def _no_running_loop() -> Iterator[None]:
    outer = events._get_running_loop()
    try:
        yield
    finally:
        events._set_running_loop(outer)


class ProcessLoop:
    """The event loop of one simulated process: what asyncio's own parts ask of one, and no more."""

    def __init__(self, world: World, trouble: Callable[[str], None]) -> None:
        self._world, self._trouble = world, trouble
        self.is_dead = False
        self.parked: list[tuple[Callable[..., Any], tuple[Any, ...]]] | None = None
        self._self: Any = self
        self._tasks: dict[asyncio.Task[Any], Coroutine[Any, Any, Any]] = {}

    def die(self) -> None:
        """Run nothing any more."""
        self.is_dead = True
        for coroutine in self._tasks.values():
            if inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
                coroutine.close()  # it has not begun; asyncio would complain about it when it is collected
        self._tasks.clear()

    def suspend(self) -> None:
        """Run nothing until `resume`; time goes on."""
        if self.parked is None:
            self.parked = []

    def resume(self) -> None:
        """Do what has come due meanwhile, in its order."""
        parked, self.parked = self.parked, None
        for call, args in parked or ():
            self._world.at(self._world.now_ns, self, call, *args)

    def time(self) -> float:
        return self._world.now_ns / NS_PER_S

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self._self, context)
        self._world.at(self._world.now_ns, self, self._do, handle)
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self._self, context)
        self._world.at(int(when * NS_PER_S) + 1, self, self._do, handle)
        return handle

    @staticmethod
    def _do(handle: asyncio.Handle) -> None:
        if not handle.cancelled():
            handle._run()

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self._self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> "asyncio.Task[Any]":
        """A task that leaves no trace when its process dies before it ends."""
        task = asyncio.Task(coro, loop=self._self, **options)
        task._log_destroy_pending = False  # type: ignore[attr-defined]
        if self.is_dead:
            coro.close()
        self._tasks[task] = coro
        task.add_done_callback(self._tasks.pop)
        return task

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return self.is_dead

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.is_dead:
            self._trouble(f"{context.get('message')}: {context.get('exception')!r}")


class ProcessClock:
    """Implements `bigroad.app.clock.Clock` as the server does: the wall clock is read once, when the process starts.

    offset_ns: what the process's monotonic clock shows more than the world's.
    """

    def __init__(self, world: World, offset_ns: int) -> None:
        self._world, self._offset_ns = world, offset_ns
        self._utc_base_ns = world.utc_ms() * NS_PER_MS - world.now_ns

    def now_ns(self) -> int:
        """See Clock."""
        return self._world.now_ns + self._offset_ns

    def utc_ms(self) -> int:
        """See Clock."""
        return (self._utc_base_ns + self._world.now_ns) // NS_PER_MS

    def wall_ahead_ms(self) -> int:
        """See Clock."""
        return 1_000 * round((self._world.utc_ms() - self.utc_ms()) / 1_000)


def now(coroutine: Coroutine[None, None, T]) -> T:
    """The answer of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        answer: T = end.value
        return answer
    raise AssertionError("the memory store never waits")
