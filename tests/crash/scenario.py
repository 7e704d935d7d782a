"""One crash: a real server on a real file, patrons on sockets, SIGKILL at a named point, a restart, the reckoning."""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bigroad.app.crash_points import VARIABLE
from bigroad.storage.audit import audit_file
from tests.crash.patron import Stubborn
from tests.crash.reckoning import reckon
from tests.server import free_port

ROOT = Path(__file__).parents[2]
ENDS_MS, READY_S = 10_000, 5.0
"""What is promised of a machine that has time for it; where more processes wait than there are processors, the limits
stretch as everything does."""
SETTINGS = """
[[tables]]
id = "emerald"
name = "Emerald Room"
betting_ms = 900
closing_ms = 200
deal_pace = 0.05
"""
ALONE_SETTINGS = """
[[tables]]
id = "alone"
name = "Quiet Corner"
profile = "tableau"
deal_pace = 0.05
"""
ALONE = "alone."
"""Before the name of a point: its patrons sit at tables of their own."""


def own_port() -> tuple[int, socket.socket]:
    """A free port that no other scenario of this machine takes while the claim is held: while the server is away its
    patrons must not find another one there."""
    while True:
        port, claim = free_port(), socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0bigroad-crash-{port}")
        except OSError:
            claim.close()
        else:
            return port, claim


class Zygote:
    """See zygote.py."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self._turn = process, asyncio.Lock()

    async def start(self, words: list[str], folder: Path, **environment: str) -> int:
        """Start `bigroad WORDS`; answers its process id."""
        order = {
            "words": words,
            "folder": str(folder),
            "environment": environment,
            "output": str(folder / "output.txt"),
        }
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        async with self._turn:
            pipe_in.write(json.dumps(order).encode() + b"\n")
            return int(await pipe_out.readline())


@contextlib.asynccontextmanager
async def zygote(**environment: str) -> AsyncIterator[Zygote]:
    """A zygote, until the block ends, with these variables added to its environment."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", **environment}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.crash.zygote",
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Zygote(process)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


def stretch() -> float:
    """How much longer everything takes here now than on a machine with nothing else to do; at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


class Child:
    """A process that is watched."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.gone = asyncio.Event()
        try:
            self._handle = os.pidfd_open(pid)
        except ProcessLookupError:
            self.gone.set()
            return
        asyncio.get_running_loop().add_reader(self._handle, self._ended)

    def _ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self.gone.set()

    async def end(self, how: signal.Signals) -> None:
        """Send it the signal and wait until it is gone."""
        if not self.gone.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)
        await asyncio.wait_for(self.gone.wait(), 30)


@dataclass
class Outcome:
    """What came of one crash. wrong: empty when all is well."""

    point: str
    seed: int
    wrong: list[str] = field(default_factory=list)
    reached: bool = False
    ready_s: float = 0.0
    coups: int = 0
    bets: int = 0
    ended_ms: int = 0
    stretched: float = 1.0


class Scenario:
    """One crash from its seed: which time the point is reached, what patrons do, how long the server stays away."""

    def __init__(self, zygote: Zygote, folder: Path, point: str, seed: int) -> None:
        self._zygote, self.folder, self.point = zygote, folder, point
        self.dice = random.Random(f"{point}/{seed}")
        self.outcome = Outcome(point, seed)
        self.port, self._claim = own_port()
        self.url = f"http://127.0.0.1:{self.port}"
        alone = point.startswith(ALONE)
        table, settings = ("alone", ALONE_SETTINGS) if alone else ("emerald", SETTINGS)
        self.patrons = [Stubborn(self.url, f"p{number}", self.dice, table) for number in range(2)]
        self.database = folder / "data" / "bigroad.sqlite3"
        self._server: Child | None = None
        self._started_utc_ms: list[int] = []
        folder.mkdir(parents=True)
        (folder / "bigroad.toml").write_text(settings, encoding="utf-8")

    async def run(self) -> Outcome:
        """Crash, restart, reckon."""
        living = [asyncio.create_task(patron.live()) for patron in self.patrons]
        try:
            await self._crash()
            if self.outcome.reached:
                await self._recover()
        except TimeoutError:
            self.outcome.wrong.append("it took too long")
        finally:
            for task in living:
                task.cancel()
            await asyncio.gather(*living, return_exceptions=True)
            if self._server is not None:
                await self._server.end(signal.SIGKILL)
            self._claim.close()
        if not self.outcome.reached:
            self.outcome.wrong.append("the point was not reached")
        else:
            await asyncio.to_thread(self._reckon)
        return self.outcome

    # ---- the crash

    async def _crash(self) -> None:
        name, moment = self.point.removeprefix(ALONE).split(".")
        if name == "voided":
            while not self._is_open_with_bets():
                await self._start()
                known = sum(len(patron.receipts) for patron in self.patrons)
                await self._until(lambda known=known: sum(len(p.receipts) for p in self.patrons) > known)  # type: ignore[misc]
                await self._kill()
            await asyncio.sleep(3.2)  # past the close and the two seconds after it
            await self._die(1)
        elif name == "backup":
            await self._start()
            await self._until(lambda: any(patron.settled for patron in self.patrons))
            await self._die_in_backup(moment)
        elif name == "table" and self.dice.random() < 0.7:
            await self._start()
            await self._until(lambda: any(patron.receipts for patron in self.patrons))
            await self._kill()
            await self._die(1)
        else:
            most = {"store": 40, "staged": 6, "bet": 4, "head": 5, "hub": 6, "seat": 2, "guest": 2, "table": 1}
            await self._die(self.dice.randrange(most.get(name, 3)) + 1)

    def _is_open_with_bets(self) -> bool:
        """Has the server been killed while betting was open, after a bet?"""
        if not self.database.exists():
            return False
        with closing(sqlite3.connect(self.database)) as db:
            row = db.execute(
                "SELECT phase, (SELECT count(*) FROM bets WHERE coup_key = 4294967296 + coup_no) FROM coups"
                " ORDER BY coup_no DESC LIMIT 1"
            ).fetchone()
        return row is not None and row[0] == "open" and row[1] > 0

    async def _start(self, **environment: str) -> Child:
        self._started_utc_ms.append(time.time_ns() // 1_000_000)
        words = ["serve", "--data", "data", "--host", "127.0.0.1", "--port", str(self.port)]
        self._server = Child(await self._zygote.start(words, self.folder, **environment))
        return self._server

    async def _kill(self) -> None:
        if self._server is not None:
            await self._server.end(signal.SIGKILL)

    async def _die(self, count: int) -> None:
        """Start, and wait until the server has killed itself."""
        server = await self._start(**{VARIABLE: f"{self.point.removeprefix(ALONE)}:{count}"})
        await asyncio.wait_for(server.gone.wait(), 40 * stretch())
        said = (self.folder / "output.txt").read_text(encoding="utf-8")
        self.outcome.reached = "Traceback" not in said and "bigroad: " not in said
        if not self.outcome.reached:
            self.outcome.wrong.append(said[-2000:])

    async def _die_in_backup(self, moment: str) -> None:
        words = ["backup", "copy.sqlite3", "--data", "data"]
        child = Child(await self._zygote.start(words, self.folder, **{VARIABLE: f"{self.point}:1"}))
        await asyncio.wait_for(child.gone.wait(), 30)
        copy = self.folder / "copy.sqlite3"
        self.outcome.reached = copy.exists() == (moment == "placed")
        if copy.exists():
            audit_file(copy)
        await asyncio.sleep(self.dice.random() * 2)
        await self._kill()

    # ---- the restart

    async def _recover(self) -> None:
        await asyncio.sleep(self.dice.random() * 0.4)
        began = time.monotonic()
        await self._start()
        await self._until_ready()
        self.outcome.ready_s = time.monotonic() - began
        seen = max((coup for patron in self.patrons for coup in patron.commitments), default=0)
        await self._until(lambda: all(max(patron.commitments, default=0) > seen + 1 for patron in self.patrons))
        if self._server is not None:
            await self._server.end(self.dice.choice([signal.SIGKILL, signal.SIGINT]))

    async def _until_ready(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=5) as http:
            for _ in range(int(400 * stretch())):
                with contextlib.suppress(httpx.HTTPError):
                    if (await http.get("/readyz")).status_code == 200:
                        return
                await asyncio.sleep(0.05)
        raise TimeoutError

    async def _until(self, true: Callable[[], bool]) -> None:
        for _ in range(int(900 * stretch())):
            if true():
                return
            await asyncio.sleep(0.05)
        raise TimeoutError

    def _reckon(self) -> None:
        self.outcome.stretched = stretch()
        if self.outcome.ready_s > READY_S * self.outcome.stretched:
            self.outcome.wrong.append(f"ready after {self.outcome.ready_s:.1f} s")
        found = reckon(self.database, self.patrons, self._started_utc_ms)
        self.outcome.coups, self.outcome.bets, self.outcome.ended_ms = found.coups, found.bets, found.ended_ms
        self.outcome.wrong += found.wrong
        if found.ended_ms > ENDS_MS * self.outcome.stretched:
            self.outcome.wrong.append(f"a coup ended {found.ended_ms} ms after it was due or could")
