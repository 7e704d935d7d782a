"""A real server on a machine that fails it: its disk, its clocks, its signals. Patrons do not give up meanwhile."""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from tests.crash.patron import Stubborn
from tests.crash.reckoning import Reckoned, reckon
from tests.crash.scenario import Child, Zygote, own_port, stretch, zygote

SHIM = Path(__file__).with_name("shim.c")


def compiled(folder: Path) -> Path | None:
    """The shim as a library, None where there is no compiler."""
    compiler, library = shutil.which("cc"), folder / "shim.so"
    if compiler is None or sys.platform != "linux":
        return None
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True)
    return library


@contextlib.asynccontextmanager
async def shimmed_zygote(library: Path | None) -> AsyncIterator[Zygote]:
    """A zygote whose processes have the shim, where there is one."""
    preload = {"LD_PRELOAD": str(library)} if library else {}
    async with zygote(**preload) as start:
        yield start


class Ordeal:
    """A server with a table `emerald`, and two patrons who bet on every coup and write down what they are told.

    Ends with `over`, which holds everything told against everything kept and answers the rest of what it found.
    """

    def __init__(
        self, start: Zygote, folder: Path, betting_ms: int = 900, closing_ms: int = 200, pace: float = 0.05
    ) -> None:
        self._zygote, self.folder = start, folder
        self.data = folder / "data"
        self.database = self.data / "bigroad.sqlite3"
        self._orders = folder / "orders"
        self.port, self._claim = own_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.started_utc_ms: list[int] = []
        self._server: Child | None = None
        self.told: list[dict[str, Any]] = []
        folder.mkdir(parents=True)
        self.order()
        (folder / "bigroad.toml").write_text(
            f'[[tables]]\nid = "emerald"\nname = "Emerald Room"\n'
            f"betting_ms = {betting_ms}\nclosing_ms = {closing_ms}\ndeal_pace = {pace}\n",
            encoding="utf-8",
        )
        self.patrons = [Stubborn(self.url, f"p{number}", random.Random(number)) for number in range(2)]
        self.patrons[0].listener = self.told.append
        self._http = httpx.AsyncClient(base_url=self.url, timeout=10)
        self._living = [asyncio.create_task(patron.live()) for patron in self.patrons]

    @property
    def pid(self) -> int:
        """The server's process."""
        assert self._server is not None
        return self._server.pid

    @property
    def alive(self) -> bool:
        """It has not ended."""
        return self._server is not None and not self._server.gone.is_set()

    def order(self, wall_s: int = 0, write: int = 0, flush: int = 0) -> None:
        """From now on: seconds to add to the wall clock, errno of each write to the database, and of each flush."""
        with self._orders.open("r+b" if self._orders.exists() else "wb") as file:
            file.write(struct.pack("3q", wall_s * 10**9, write, flush))

    async def start(self, **environment: str) -> None:
        """Start the server and wait until it is ready."""
        self.started_utc_ms.append(time.time_ns() // 1_000_000)
        words = ["serve", "--data", "data", "--host", "127.0.0.1", "--port", str(self.port)]
        pid = await self._zygote.start(words, self.folder, TEST_SHIM=str(self._orders), **environment)
        self._server = Child(pid)
        await self.until(lambda: self.ready() if self.alive else True)
        assert self.alive, self.said()

    async def end(self, how: signal.Signals) -> None:
        """Send the server this signal and wait until it is gone."""
        assert self._server is not None
        await self._server.end(how)

    def signal(self, which: signal.Signals) -> None:
        """Send the server this signal."""
        os.kill(self.pid, which)

    async def ready(self) -> bool:
        """Does the server say that bets can be made?"""
        with contextlib.suppress(httpx.HTTPError):
            return (await self._http.get("/readyz")).status_code == 200
        return False

    async def until(self, true: Callable[[], Any], wanted: bool = True) -> None:
        """Wait until that is so; it may be asynchronous."""
        for _ in range(int(600 * stretch())):
            answer = true()
            if asyncio.iscoroutine(answer):
                answer = await answer
            if bool(answer) is wanted:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"it took too long\n{self.said()[-3000:]}")

    async def hear(self, kind: str, coup: int | None = None) -> dict[str, Any]:
        """The first message of that kind to the first patron, or that of the coup, already there or not."""

        def found() -> dict[str, Any] | None:
            wanted = (one for one in self.told if one["type"] == kind and coup in (None, one.get("coup")))
            return next(wanted, None)

        await self.until(lambda: found() is not None)
        message = found()
        assert message is not None
        return message

    async def when_opened(self, do: Callable[[], None]) -> None:
        """Do it the moment the first patron hears that a coup has opened, before the patron can answer."""
        done = asyncio.Event()

        def listen(told: dict[str, Any]) -> None:
            self.told.append(told)
            if told["type"] == "coup_opened" and "locked" not in told and not done.is_set():
                do()
                done.set()

        self.patrons[0].listener = listen
        await self.until(done.is_set)

    async def more(self, receipts: int = 1) -> None:
        """Wait until each patron has that many more receipts."""
        known = [len(patron.receipts) for patron in self.patrons]
        await self.until(
            lambda: all(len(p.receipts) >= had + receipts for p, had in zip(self.patrons, known, strict=True))
        )

    def said(self) -> str:
        """What the server has printed."""
        return (self.folder / "output.txt").read_text(encoding="utf-8")

    def rows(self, query: str) -> list[Any]:
        """Rows of the database, beside the server."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()

    async def over(self) -> Reckoned:
        """Stop in good order, and reckon."""
        await self.end(signal.SIGINT)
        await self.close()
        found = await asyncio.to_thread(reckon, self.database, self.patrons, self.started_utc_ms)
        assert found.wrong == []
        assert "Traceback" not in self.said()
        assert "table stopped" not in self.said()
        return found

    async def close(self) -> None:
        """End what is left."""
        for task in self._living:
            task.cancel()
        await asyncio.gather(*self._living, return_exceptions=True)
        if self._server is not None and self.alive:
            await self._server.end(signal.SIGKILL)
        await self._http.aclose()
        self._claim.close()
