"""A patron who does not give up: sits down again, and asks again with the same id until there is an answer."""

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bigroad.wire.version import subprotocols

CHIPS = (2_000, 10_000)
AREAS = ("player", "banker", "tie")
AGAIN_S = 0.1


class Stubborn:
    """Bets on every coup, mostly by BET, now and then by leaving it to the close; at a table of its own always by BET.
    Writes down all that is told."""

    def __init__(self, url: str, name: str, dice: random.Random, table: str = "emerald") -> None:
        self._url, self._name, self._dice, self.table = url, name, dice, table
        self._numbers = itertools.count()
        self._cookie = ""
        self._line: ClientConnection | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._opened: asyncio.Queue[int] = asyncio.Queue()
        self._coup = 0
        self.patron_id = 0
        self.staged: dict[int, list[int]] = {}
        self.receipts: dict[int, dict[str, Any]] = {}
        self.settled: dict[int, dict[str, Any]] = {}
        self.commitments: dict[int, str] = {}
        self.dealt: dict[int, dict[str, Any]] = {}
        self.wrong: list[str] = []
        self.codes: set[str] = set()
        self.listener: Callable[[dict[str, Any]], None] = lambda told: None

    @property
    def waiting(self) -> int:
        """Requests without an answer."""
        return len(self._answers)

    @property
    def is_idle(self) -> bool:
        """Nothing is asked, and no coup waits to be bet on."""
        return not self._answers and self._opened.empty()

    async def live(self) -> None:
        """Until cancelled."""
        await self._enter()
        await asyncio.gather(self._sit(), self._play())

    async def _enter(self) -> None:
        async with httpx.AsyncClient(base_url=self._url, timeout=10) as http:
            while not self._cookie:
                with contextlib.suppress(httpx.HTTPError):
                    answer = await http.post("/api/session")
                    if answer.status_code == 200:
                        self._cookie = answer.headers["set-cookie"].split(";")[0]
                        self.patron_id = msgspec.json.decode(answer.content)["patron"]["patron_id"]
                        return
                await asyncio.sleep(AGAIN_S)

    async def _ticket(self) -> str:
        async with httpx.AsyncClient(base_url=self._url, timeout=10) as http:
            answer = await http.post("/api/ticket", headers={"Cookie": self._cookie})
        return str(answer.raise_for_status().json()["ticket"])

    async def _sit(self) -> None:
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError, httpx.HTTPError):
                async with connect(
                    f"ws{self._url.removeprefix('http')}/ws/{self.table}",
                    subprotocols=subprotocols(await self._ticket()),  # type: ignore[arg-type]
                    origin=self._url,  # type: ignore[arg-type]
                    additional_headers={"Cookie": self._cookie},
                    compression=None,
                    open_timeout=10,
                    ping_interval=None,
                ) as line:
                    self._line = line
                    async for body in line:
                        self._hear(msgspec.json.decode(body))
            self._line = None
            await asyncio.sleep(AGAIN_S)

    async def _play(self) -> None:
        while True:
            coup = await self._opened.get()
            if not self._opened.empty():
                continue
            for _ in range(self._dice.randrange(1, 3)):
                amount = self._dice.choice(CHIPS)
                self.staged.setdefault(coup, []).append(amount)
                await self._ask(
                    {"type": "stage", "coup": coup, "area": self._dice.choice(AREAS), "amount_minor": amount}
                )
            if self.table == "alone":
                await self._ask({"type": "submit", "coup": coup, "fast": self._dice.random() < 0.8})
            elif self._dice.random() < 0.75:
                await self._ask({"type": "submit", "coup": coup})

    async def _ask(self, message: dict[str, Any]) -> None:
        """Send, and send again whenever it may have been lost, until there is an answer."""
        request_id = f"{self._name}-{next(self._numbers)}"
        body = msgspec.json.encode({**message, "request_id": request_id}).decode()
        while True:
            answer = self._answers[request_id] = asyncio.get_running_loop().create_future()
            line = self._line
            if line is not None:
                with contextlib.suppress(OSError, WebSocketException):
                    await line.send(body)
            done, _ = await asyncio.wait({answer}, timeout=1 if line is not None else AGAIN_S)
            code = answer.result().get("code") if done else None
            if code is not None:
                self.codes.add(code)
            if done and code not in ("STORE_UNAVAILABLE", "TABLE_CLOSED", "RATE_LIMITED"):
                del self._answers[request_id]
                return
            await asyncio.sleep(AGAIN_S)

    def _hear(self, told: dict[str, Any]) -> None:
        kind = told["type"]
        self.listener(told)
        if kind == "snapshot":
            for part in ("opened", "dealt", "closed"):
                if told.get(part):
                    self._hear(told[part] | {"locked": told.get("locked") or told.get("voided")})
        elif kind == "coup_opened":
            self._once(self.commitments, told["coup"], told["commitment"])
            if told["coup"] > self._coup and not told.get("locked"):
                self._coup = told["coup"]
                self._opened.put_nowait(told["coup"])
        elif kind == "coup_dealt":
            cards = {name: told[name] for name in ("player_cards", "banker_cards", "burned", "seed", "outcome")}
            self._once(self.dealt, told["coup"], cards)
        elif kind == "receipt":
            self._once(self.receipts, told["coup"], {name: told[name] for name in ("bet_seq", "stakes", "automatic")})
        elif kind == "settled":
            self._once(self.settled, told["coup"], {name: told[name] for name in ("returned", "returned_minor")})
        elif kind == "table_closed" and told["reason"] != "stopping":
            self.wrong.append(f"the table closed: {told['reason']}")
        elif kind == "you":
            for part in ("receipt", "settled"):
                if told.get(part):
                    self._hear(told[part])
        if told.get("request_id") in self._answers and not self._answers[told["request_id"]].done():
            self._answers[told["request_id"]].set_result(told)

    def _once(self, known: dict[int, Any], coup: int, told: Any) -> None:
        """What is told twice is told the same."""
        if known.setdefault(coup, told) != told:
            self.wrong.append(f"coup {coup}: told {known[coup]}, then {told}")
