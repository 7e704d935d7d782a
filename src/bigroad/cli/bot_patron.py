"""One bot: a patron with a real session and a real socket, who bets at random and keeps books."""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bigroad.cli.bot_alone import play_alone
from bigroad.cli.bot_books import Books, Tally
from bigroad.wire import server_events as said
from bigroad.wire.server_events import AreaTerms, CoupOpened, ServerEvent, TableTerms
from bigroad.wire.session import HistoryPage, Session, Ticket
from bigroad.wire.version import subprotocols

_decoder: msgspec.json.Decoder[ServerEvent] = msgspec.json.Decoder(ServerEvent)
ANSWER_S = 30.0
TOO_FAST_S = 1.0
"""So long a bot holds still when the house says that it sends too much: who goes on is shown out."""
WAYS = ("bet", "leave", "double", "rebet", "fickle", "twice", "idle")
WEIGHTS = (40, 20, 10, 10, 8, 6, 6)
HISTORY = 200


@dataclass(frozen=True)
class Target:
    """The server: `http://host:port`, and the table."""

    url: str
    table: str

    @property
    def socket_url(self) -> str:
        """Where the table's socket is."""
        return f"ws{self.url.removeprefix('http')}/ws/{self.table}"


class Bot:
    """Bets until `stopping` is set, then waits for what is still open."""

    def __init__(
        self, target: Target, http: httpx.AsyncClient, source: str | None, tally: Tally, rng: random.Random
    ) -> None:
        self._target, self._http, self._source, self._tally, self._rng = target, http, source, tally, rng
        self.books = Books(tally)
        self.stopping = False
        self._cookie = ""
        self._terms: TableTerms | None = None
        self._areas: Sequence[AreaTerms] = ()
        self._resume: tuple[int, int] | None = None
        self.can_rebet = self._started = self._lies_staged = False
        self._offset_ms = 0.0
        self._line: ClientConnection | None = None
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._number = 0
        self._playing: asyncio.Task[None] | None = None
        self.idle = asyncio.Event()

    @property
    def longest_round_s(self) -> float:
        """How long a bet may stay open: betting and closing; the gestures after the deal come on top."""
        return (self._terms.betting_ms + self._terms.closing_ms) / 1000 if self._terms is not None else 0.0

    @property
    def _is_alone(self) -> bool:
        """The table is the bot's own: no clock submits what lies there."""
        return self._terms is not None and not self._terms.clock

    def choose(self, values: Sequence[Any], weights: Sequence[int] | None = None) -> Any:
        """One of the values, by the bot's dice."""
        return self._rng.choices(values, weights)[0]

    def wrong(self, what: str, detail: str) -> None:
        """Something that must not happen."""
        self._tally.wrong(what, detail)

    def stop_betting(self) -> None:
        """Bet no more; `idle` is set once nothing is open."""
        self.stopping = True
        if self._playing is not None:
            self._playing.cancel()
        self._rest()

    def _rest(self) -> None:
        if self.stopping and not (self._asked or self.books.open_coups or self._lies_staged):
            self.idle.set()

    async def enter(self) -> None:
        """Get a session. Raises httpx.HTTPError."""
        answer = await self._http.post("/api/session", headers={"Cookie": self._cookie} if self._cookie else None)
        answer.raise_for_status()
        session = msgspec.json.decode(answer.content, type=Session)
        self._cookie = answer.headers["set-cookie"].split(";")[0]
        self.books.balance(session.balance_minor)

    async def run(self) -> None:
        """Sit at the table, again whenever the socket is closed, until cancelled."""
        while True:
            try:
                await self._sit()
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, httpx.HTTPError) as trouble:
                self._tally.wrong("no socket", f"{type(trouble).__name__}: {trouble}")
            await asyncio.sleep(self._rng.uniform(0.2, 1.0))
            self._tally.reconnected += 1

    async def leave(self) -> None:
        """Compare the books with the server's."""
        headers = {"Cookie": self._cookie}
        session = await self._http.post("/api/session", headers=headers)
        history = await self._http.get("/api/history", params={"limit": HISTORY}, headers=headers)
        self.books.verify_whole(
            msgspec.json.decode(session.content, type=Session).balance_minor,
            msgspec.json.decode(history.content, type=HistoryPage).coups,
            self._target.table,
        )

    async def _ticket(self) -> str:
        answer = await self._http.post("/api/ticket", headers={"Cookie": self._cookie})
        answer.raise_for_status()
        return msgspec.json.decode(answer.content, type=Ticket).ticket

    async def _sit(self) -> None:
        url = self._target.socket_url
        if self._resume is not None:
            url += f"?epoch={self._resume[0]}&seq={self._resume[1]}"
        async with connect(
            url,
            subprotocols=subprotocols(await self._ticket()),  # type: ignore[arg-type]
            origin=self._target.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": self._cookie},
            compression=None,
            local_addr=(self._source, 0) if self._source else None,
            open_timeout=ANSWER_S,
            ping_interval=None,
            max_size=4_194_304,
        ) as line:
            self._line = line
            self._tally.connected += 1
            try:
                async for body in line:
                    self._tally.events += 1
                    self._hear(_decoder.decode(body))
            finally:
                self._tally.connected -= 1
                self._line = None
                for answer in self._asked.values():
                    answer.cancel()
                self._asked.clear()

    def _hear(self, event: ServerEvent) -> None:
        if isinstance(event, said.Public):
            if self._resume is not None and (event.epoch, event.seq) != (self._resume[0], self._resume[1] + 1):
                self._tally.wrong("a hole in the numbered events", f"after {self._resume} came {event.seq}")
            self._resume = (event.epoch, event.seq)
        match event:
            case said.Welcome():
                self._terms, self._areas = event.terms, event.terms.areas
                self._offset_ms = event.server_utc_ms - time.time() * 1000
            case said.Snapshot():
                self._resume = (event.epoch, event.seq)
                if event.opened is not None and event.locked is None and event.voided is None:
                    self._begin(event.opened)
            case said.You():
                self._own_side(event)
            case said.CoupOpened():
                self._begin(event)
            case said.CoupVoided():
                self._lies_staged = False
            case said.CoupDealt():
                self._tally.dealt(id(self) if self._is_alone else 0, event.coup)
                self.books.dealt(event)
            case said.Receipt():
                self.can_rebet, self._lies_staged = True, False
                self.books.receipt(event)
                self._answer(event.request_id, event)
            case said.Settled():
                self.books.settlement(event)
            case said.Staged():
                self._lies_staged = event.total_minor > 0 and not self._is_alone
                self._answer(event.request_id, event)
            case said.Refused():
                self._lies_staged = self._lies_staged and not event.automatic
                self._tally.refusals[event.code + (" (automatic)" if event.automatic else "")] += 1
                self._answer(event.request_id, event)
            case said.BalanceChanged():
                self._tally.refills += 1
                self.books.balance(event.balance_minor)
            case _:
                pass
        self._rest()

    def _own_side(self, event: said.You) -> None:
        if not self._started:
            self.books.balance(event.balance_minor)
            self._started = True
            return
        if event.receipt is not None:
            self.books.receipt(event.receipt)
        if event.settled is not None:
            self.books.settlement(event.settled)

    def _answer(self, request_id: str | None, event: said.Private) -> None:
        waiting = self._asked.pop(request_id, None) if request_id is not None else None
        if waiting is not None and not waiting.done():
            waiting.set_result(event)

    def _begin(self, coup: CoupOpened) -> None:
        if self._playing is not None:
            self._playing.cancel()
        self._areas = coup.areas or self._areas
        if not self.stopping:
            self._playing = asyncio.create_task(self._play(coup))

    async def _play(self, coup: CoupOpened) -> None:
        way = self._rng.choices(WAYS, WEIGHTS)[0]
        if coup.closes_utc_ms is not None:
            left_s = (coup.closes_utc_ms - self._offset_ms) / 1000 - time.time()
            await asyncio.sleep(self._rng.uniform(0, max(left_s * 0.9, 0)))
        if coup.coup in self.books.receipts or self._terms is None:
            return
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed, TimeoutError):
            if not await self._is_poor(coup):
                await (self._act(way, coup) if coup.closes_utc_ms is not None else play_alone(self, coup))

    async def _is_poor(self, coup: CoupOpened) -> bool:
        """Too little left for any bet: ask for new chips."""
        if self.books.balance_minor >= min(area.min_minor for area in self._areas):
            return False
        await self._http.post("/api/refill", headers={"Cookie": self._cookie})
        return True

    async def _act(self, way: str, coup: CoupOpened) -> None:
        if way == "idle":
            return
        if way == "rebet" and self.can_rebet:
            await self.ask("rebet", coup.coup, times=self._rng.choice((1, 1, 2)))
        else:
            for area, amount in self.chips(coup):
                await self.ask("stage", coup.coup, area=area, amount_minor=amount)
        if way == "double":
            await self.ask("double", coup.coup)
        if way == "fickle":
            await self.ask("unstage", coup.coup)
            await self.ask("clear", coup.coup)
            for area, amount in self.chips(coup):
                await self.ask("stage", coup.coup, area=area, amount_minor=amount)
        if way != "leave":
            await self._bet(coup.coup, twice=way == "twice")

    async def deal(self, coup: int, **fields: object) -> said.Private:
        """BET, timed."""
        started = time.perf_counter()
        answer = await self.ask("submit", coup, **fields)  # type: ignore[arg-type]
        if not _is_too_fast(answer):
            self._tally.bet_answers_ms.append((time.perf_counter() - started) * 1000)
        return answer

    async def _bet(self, coup: int, *, twice: bool) -> None:
        request_id = self._next_id()
        first = await self.deal(coup, request_id=request_id)
        if twice:
            second = await self.ask("submit", coup, request_id=request_id)
            if first != second:
                self._tally.wrong("the same request got two answers", f"{first} and {second}")

    def chips(self, coup: CoupOpened) -> list[tuple[str, int]]:
        """Random areas, and random multiples of their minimum, as chips come."""
        areas = self._rng.sample(self._areas, self._rng.randint(1, len(self._areas)))
        left, chips = self.books.balance_minor, []
        for area in areas:
            most = min(area.max_minor, max(left // 4, area.min_minor))
            if left < area.min_minor:
                break
            amount = self._rng.randint(1, most // area.min_minor) * area.min_minor
            chips.append((area.area, amount))
            left -= amount
        return chips

    async def ask(self, kind: str, coup: int, *, request_id: str | None = None, **fields: object) -> said.Private:
        if self._line is None:
            raise TimeoutError
        request_id = request_id or self._next_id()
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[request_id] = waiting
        self._tally.commands += 1
        await self._line.send(
            msgspec.json.encode({"type": kind, "request_id": request_id, "coup": coup, **fields}), text=True
        )
        try:
            async with asyncio.timeout(ANSWER_S):
                answer: said.Private = await waiting
        except TimeoutError:
            self._tally.wrong(f"no answer to {kind}")
            raise
        if _is_too_fast(answer):
            await asyncio.sleep(TOO_FAST_S)
        return answer

    def _next_id(self) -> str:
        self._number += 1
        return f"b{self._number}"


def _is_too_fast(answer: said.Private) -> bool:
    """It was not looked at: too much came before it."""
    return isinstance(answer, said.Refused) and answer.code == "RATE_LIMITED"
