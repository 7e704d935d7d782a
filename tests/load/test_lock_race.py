"""A thousand bets within 20 ms of the close over real sockets: one verdict each, and the accepted ones are locked."""

import asyncio
import contextlib
import json
import random
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from bigroad.cli.bots import source_address
from bigroad.ledger.accounts import COUPS_PER_TABLE
from bigroad.wire.version import subprotocols
from tests.server import Server

CROWD, BETS = 200, 1_000
NEAR_S = 0.02
STAKE_MINOR = 2_000
PATIENCE_S = 90


class Racer:
    """A patron with a session and a socket of its own, who writes down every verdict."""

    def __init__(self, number: int) -> None:
        self.number, self.source = number, source_address(number)
        self.patron_id = 0
        self.answers: dict[str, list[dict[str, Any]]] = {}
        self.receipts: dict[int, list[dict[str, Any]]] = {}
        self.ended: set[int] = set()
        self.opened: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard = asyncio.Event()
        self._requests = 0
        self._line: ClientConnection

    async def come(self, url: str, stack: contextlib.AsyncExitStack) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=self.source)
        async with httpx.AsyncClient(base_url=url, transport=transport, timeout=90) as http:
            answer = (await http.post("/api/session")).raise_for_status()
            ticket = (await http.post("/api/ticket")).raise_for_status().json()["ticket"]
        self.patron_id = answer.json()["patron"]["patron_id"]
        self._line = await stack.enter_async_context(
            connect(
                f"ws{url.removeprefix('http')}/ws/emerald",
                subprotocols=subprotocols(ticket),  # type: ignore[arg-type]
                origin=url,  # type: ignore[arg-type]
                additional_headers={"Cookie": answer.headers["set-cookie"].split(";")[0]},
                compression=None,
                local_addr=(self.source, 0),
                open_timeout=90,
                close_timeout=1,
                ping_interval=None,
            )
        )

    async def listen(self) -> None:
        async for text in self._line:
            message = json.loads(text)
            kind = message["type"]
            if kind == "receipt":
                self.receipts.setdefault(message["coup"], []).append(message)
            elif kind == "coup_opened":
                self.opened.put_nowait(message)
            elif kind in ("coup_dealt", "coup_voided"):
                self.ended.add(message["coup"])
            if message.get("request_id") is not None:
                self.answers.setdefault(message["request_id"], []).append(message)
            self.heard.set()

    async def bet(self, coup: int, closes_utc_ms: int, rng: random.Random) -> str:
        """Stage before or around the close, and press BET around it; answers the request's id. One patron in twenty is
        early, one late: there are both even where a busy machine sends whatever was due together."""
        loop, closes_s = asyncio.get_running_loop(), closes_utc_ms / 1000
        first, second = sorted(closes_s + rng.uniform(-NEAR_S, NEAR_S) for _ in range(2))
        if self.number % 20 == 0:
            first = second = 0.0
        elif self.number % 20 == 1:
            first, second = sorted(closes_s + rng.uniform(NEAR_S, 5 * NEAR_S) for _ in range(2))
        self._requests += 1
        chip, bet = f"{self.number}-{self._requests}-chip", f"{self.number}-{self._requests}-bet"
        chips = {"type": "stage", "coup": coup, "request_id": chip, "area": "player", "amount_minor": STAKE_MINOR}
        for moment, message in (
            (first if rng.random() < 0.5 else 0.0, chips),
            (second, {"type": "submit", "coup": coup, "request_id": bet}),
        ):
            due = loop.create_future()
            loop.call_later(max(0.0, moment - time.time()), due.set_result, None)
            await due
            await self._line.send(json.dumps(message))
        return bet

    async def until_ended(self, coup: int, bet: str) -> None:
        while not (coup in self.ended and bet in self.answers):
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), PATIENCE_S)


async def test_a_thousand_bets_around_the_close(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(tmp_path, betting_ms=1_500, closing_ms=500, pace=0.05).start()
    crowd, rng = [Racer(number) for number in range(CROWD)], random.Random(2026)
    asked: dict[str, tuple[Racer, int]] = {}
    closes: dict[int, int] = {}
    async with contextlib.AsyncExitStack() as stack:
        listening = []
        for racer in crowd:
            await racer.come(server.url, stack)
            listening.append(asyncio.create_task(racer.listen()))
        while len(asked) < BETS:
            while not crowd[0].opened.empty():
                crowd[0].opened.get_nowait()
            opened = await asyncio.wait_for(crowd[0].opened.get(), PATIENCE_S)
            coup = opened["coup"]
            closes[coup] = opened["closes_utc_ms"]
            bets = await asyncio.gather(*(racer.bet(coup, closes[coup], rng) for racer in crowd))
            await asyncio.gather(*(racer.until_ended(coup, bet) for racer, bet in zip(crowd, bets, strict=True)))
            asked |= {bet: (racer, coup) for racer, bet in zip(crowd, bets, strict=True)}
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    server.stop()

    verdicts: Counter[str] = Counter()
    for bet, (racer, _) in asked.items():
        assert len(racer.answers[bet]) == 1, f"{bet} has one verdict: {racer.answers[bet]}"
        verdicts[racer.answers[bet][0].get("code", "receipt")] += 1
    with contextlib.closing(sqlite3.connect(server.database)) as db:
        rows = db.execute(
            "SELECT coup_key % ?, patron_id, staked_minor, automatic, at_utc_ms FROM bets", (COUPS_PER_TABLE,)
        ).fetchall()
    kept = {(coup, patron_id): (staked, bool(automatic)) for coup, patron_id, staked, automatic, _ in rows}
    told = {
        (coup, racer.patron_id): (receipts[0]["total_minor"], receipts[0]["automatic"])
        for racer in crowd
        for coup, receipts in racer.receipts.items()
    }
    by_hand = sum(not automatic for _, automatic in kept.values())
    with capsys.disabled():
        print(f"\n{len(asked)} bets around {len(closes)} closes: {dict(verdicts)}, {by_hand} by hand of {len(kept)}")
    assert told == kept, "what was accepted is exactly what was locked"
    assert all(len({receipt["bet_seq"] for receipt in many}) == 1 for r in crowd for many in r.receipts.values())
    late = [row for row in rows if not row[3] and row[4] > closes[row[0]]]
    assert late == [], "nothing by hand at or after the close"
    assert by_hand
    assert verdicts["receipt"] > by_hand / 2
    assert verdicts["BETS_CLOSED"] + verdicts["NOTHING_STAGED"] > 0
