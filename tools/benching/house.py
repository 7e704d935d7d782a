"""A server in a process of its own, whole as `bigroad serve` runs it, with guests whose cookies are known."""

import asyncio
import cProfile
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import structlog
import uvloop

from bigroad.app.ports import News
from bigroad.bus.local import LocalBus
from bigroad.compose import open_floor
from bigroad.profiles.read import Source
from bigroad.settings import Settings, settings_of
from bigroad.table.terms import Timing
from bigroad.web.app import create_app
from bigroad.web.metrics import Metrics
from bigroad.web.serve import listen, serve, settle_process
from bigroad.wire.client_messages import Stage, Submit

TABLE = "bench"
NO_LIMIT = 10**6
LIMITS = dict.fromkeys(
    ("sockets_per_patron", "sockets_per_ip", "requests_per_ip_per_minute", "messages_per_second", "message_burst"),
    NO_LIMIT,
)
AT_ONCE = 1000
HURRIED = Timing(20, 5, 2)
"""A round of a few hundredths of a second: far below what settings allow."""
BETTORS = 50
AREA = "player"
STAKE_MINOR = 2_000
PROFILE = os.environ.get("BIGROAD_BENCH_PROFILE")
"""A file to write cProfile's statistics of the server to; times are worth little then, shares much."""


@dataclass(frozen=True)
class Plan:
    """guests: how many cookies to give out. table: what the table has otherwise than usual. core: the processor that
    the server keeps to, None for any."""

    guests: int
    table: dict[str, Any] = field(default_factory=dict)
    core: int | None = None
    body_bytes: int = 300
    every_s: float = 0.2


@dataclass
class House:
    """A running server. tokens: a file with one cookie a line."""

    pid: int
    port: int
    tokens: Path
    folder: Path
    _line: Connection

    def ask(self, question: str) -> Any:
        """Ask the process: publish, hush, coup, sums, resident (bytes), behind (sockets), hurry (play
        rounds as short as can be, some patrons betting in each), lateness (of locks and deals since it was asked last,
        in milliseconds)."""
        self._line.send(question)
        return self._line.recv()

    def cpu_s(self) -> float:
        """Processor time of the server so far, in all its threads."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with suppress(FileNotFoundError):
                total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9


@contextmanager
def open_house(plan: Plan) -> Iterator[House]:
    """Start a server on a free port of this machine, with a database of its own."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_run, args=(plan, folder, there), daemon=True)
        process.start()
        there.close()
        try:
            port = here.recv()
            yield House(process.pid or 0, port, Path(folder, "tokens"), Path(folder), here)
        finally:
            here.close()
            process.terminate()
            process.join(20)
            process.kill()


def _run(plan: Plan, folder: str, line: Connection) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if plan.core is not None:
        os.sched_setaffinity(0, {plan.core})
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    table = {"id": TABLE, "name": "Bench", **plan.table}
    tree = {"server": {"host": "127.0.0.1", "port": 0, "data": folder}, "limits": LIMITS, "tables": [table]}
    server = _Server(plan, settings_of(tree, Source("bench"), Path()), line)
    if PROFILE:
        profile = cProfile.Profile()
        profile.runcall(uvloop.run, server.run())
        profile.dump_stats(PROFILE)
    else:
        uvloop.run(server.run())


class _Server:
    """The inside of the server's process."""

    def __init__(self, plan: Plan, settings: Settings, line: Connection) -> None:
        self._plan, self._settings, self._line = plan, settings, line
        self._bus, self._metrics = LocalBus(), Metrics()
        self._publishing: asyncio.Task[None] | None = None
        self._late_ms: list[int] = []
        self._betting = False

    async def run(self) -> None:
        """Serve until the process is ended."""
        self._floor = await open_floor(self._settings, self._bus, self._metrics)
        self._write_tokens(await self._invite())
        self._bus.subscribe(TABLE, self._note)
        self._app = app = create_app(self._floor, self._bus, self._settings, metrics=self._metrics)
        bound = listen(self._settings)

        async def started() -> None:
            self._floor.start()
            settle_process()
            asyncio.get_running_loop().add_reader(self._line.fileno(), self._hear)
            self._line.send(bound.getsockname()[1])

        async def stopping() -> None:
            self._hush()
            await self._floor.stop()

        await serve(app, self._settings, bound=bound, started=started, stopping=stopping)

    async def _invite(self) -> list[str]:
        tokens: list[str] = []
        while len(tokens) < self._plan.guests:
            some = min(AT_ONCE, self._plan.guests - len(tokens))
            visits = await asyncio.gather(*(self._floor.cashier.visit(None) for _ in range(some)))
            tokens += [visit.new_token or "" for visit in visits]
        return tokens

    def _write_tokens(self, tokens: list[str]) -> None:
        Path(self._settings.server.data, "tokens").write_text("\n".join(tokens) + "\n", encoding="ascii")

    def _hear(self) -> None:
        try:
            question = self._line.recv()
        except (EOFError, OSError):
            asyncio.get_running_loop().remove_reader(self._line.fileno())
            return
        self._line.send(getattr(self, f"_{question}")())

    def _publish(self) -> None:
        self._publishing = asyncio.get_running_loop().create_task(self._tell_all())

    def _hush(self) -> None:
        if self._publishing is not None:
            self._publishing.cancel()
            self._publishing = None

    async def _tell_all(self) -> None:
        body_bytes = self._plan.body_bytes
        while True:
            await asyncio.sleep(self._plan.every_s)
            head = b'{"type":"x","ts":%019d,"pad":"' % time.monotonic_ns()
            self._bus.publish(TABLE, [News(head + b"x" * (body_bytes - len(head) - 2) + b'"}')])

    def _note(self, news: Sequence[News]) -> None:
        """The bus has it: this is when a lock or a deal is told."""
        for item in news:
            if item.body.startswith((b'{"type":"bets_locked"', b'{"type":"coup_dealt"')):
                late_ms = self._floor.utc_ms() - self._due_ms(item.body)
                self._late_ms.append(max(0, late_ms))
            elif self._betting and item.body.startswith(b'{"type":"coup_opened"'):
                self._bet()

    def _due_ms(self, body: bytes) -> int:
        opening = self._desk().state.opening
        return int(opening.closes_utc_ms if body.startswith(b'{"type":"bets_locked"') else opening.deals_utc_ms)

    def _bet(self) -> None:
        desk = self._desk()
        coup_no = desk.state.coup_no
        for number in range(BETTORS):
            patron_id = (coup_no * BETTORS + number) % self._plan.guests + 1
            desk.command(patron_id, Stage(f"s{coup_no}", coup_no, AREA, STAKE_MINOR))
            desk.command(patron_id, Submit(f"b{coup_no}", coup_no))

    def _desk(self) -> Any:
        return self._floor.desk(TABLE)

    def _lateness(self) -> list[int]:
        noted, self._late_ms = self._late_ms, []
        return noted

    def _hurry(self) -> None:
        desk = self._desk()
        self._betting = True
        desk.change_terms(replace(desk.state.terms, timing=HURRIED))

    def _behind(self) -> int:
        return self._app.hub.behind()

    def _resident(self) -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def _coup(self) -> tuple[int, str, int]:
        """Its number, its phase, and when it closes or closed, in UTC milliseconds."""
        state = self._floor.desk(TABLE).state  # type: ignore[union-attr]
        return state.coup_no, str(state.phase), (state.opening.closes_utc_ms or 0) if state.opening else 0

    def _sums(self) -> dict[str, float]:
        """Seconds by the server's own figures, summed since its start."""
        names = ("lock", "settle", "step", "commit")
        read = self._metrics.registry.get_sample_value
        return {name: read(f"bigroad_{name}_seconds_sum") or 0.0 for name in names}
