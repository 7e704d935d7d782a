"""A patron who writes messages by hand: amounts that are none, results of one's own making, other rounds, replays."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

from bigroad.wire.version import subprotocols
from tests.server import Server


class Hand:
    """One patron's cookie and socket."""

    def __init__(self, http: httpx.AsyncClient, line: ClientConnection) -> None:
        self.http, self.line = http, line

    async def says(self, message: str | dict[str, Any]) -> dict[str, Any]:
        """Send, and hear the next private answer."""
        await self.line.send(message if isinstance(message, str) else json.dumps(message))
        async with asyncio.timeout(20):
            while True:
                event: dict[str, Any] = json.loads(await self.line.recv())
                if event["type"] in ("staged", "receipt", "refused"):
                    return event

    async def balance_minor(self) -> int:
        return int((await self.http.post("/api/session")).json()["balance_minor"])

    async def bets(self) -> list[dict[str, Any]]:
        return list((await self.http.get("/api/history")).json()["coups"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A round of ten minutes: nothing here ends by the clock."""
    running = Server(tmp_path_factory.mktemp("hostile"), betting_ms=600_000, closing_ms=300, pace=0.05).start()
    yield running
    assert "Traceback" not in running.stop()


@pytest_asyncio.fixture
async def hand(server: Server) -> AsyncIterator[Hand]:
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http, await sit(server, http) as line:
        yield Hand(http, line)


async def sit(server: Server, http: httpx.AsyncClient) -> ClientConnection:
    await http.post("/api/session")
    words: dict[str, Any] = {"subprotocols": subprotocols((await http.post("/api/ticket")).json()["ticket"])}
    words |= {"origin": server.url, "additional_headers": {"Cookie": f"bigroad={http.cookies['bigroad']}"}}
    return await connect(f"{server.url.replace('http', 'ws', 1)}/ws/emerald", **words)


AMOUNTS = [
    "-600",
    "-1",
    "0",
    "-0",
    "0.715",
    "5.6e-14",
    "0.1",
    "1e3",
    "2000.0",
    '"2000"',
    '"540.45"',
    "true",
    "null",
    "[]",
]
AMOUNTS += ["{}", str(2**53), str(2**63), "1" + "0" * 400, "NaN", "Infinity", "-Infinity"]
ACTS = [
    '{"type":"submit","request_id":"x","coup":1,"payout_minor":99999999}',
    '{"type":"submit","request_id":"x","coup":1,"balance_minor":99999999}',
    '{"type":"submit","request_id":"x","coup":1,"cards":["9S","KD"]}',
    '{"type":"stage","request_id":"x","coup":1,"area":"player","amount_minor":2000,"patron_id":1}',
    '{"type":"stage","request_id":"x","coup":1,"area":"player\' OR 1=1 --","amount_minor":2000}',
    '{"type":"stage","request_id":"x","coup":2,"area":"player","amount_minor":2000}',
    '{"type":"rebet","request_id":"x","coup":1,"times":-1}',
    '{"type":"settled","request_id":"x","coup":1,"returned_minor":99999999}',
    '{"type":"coup_dealt","outcome":"player"}',
]


async def test_nothing_written_by_hand_moves_money_but_a_bet(hand: Hand) -> None:
    before = await hand.balance_minor()
    for number, amount in enumerate(AMOUNTS):
        text = f'{{"type":"stage","request_id":"a{number}","coup":1,"area":"player","amount_minor":{amount}}}'
        refused = await hand.says(text)
        assert refused["type"] == "refused"
        assert refused["code"] in ("BAD_AMOUNT", "NOT_JSON"), amount
    for text in ACTS:
        assert (await hand.says(text))["type"] == "refused", text
    nothing = await hand.says({"type": "submit", "request_id": "nothing", "coup": 1})
    assert nothing["code"] == "NOTHING_STAGED", "not one of them left a chip on the table"
    assert (await hand.balance_minor(), await hand.bets()) == (before, [])
    await hand.says({"type": "stage", "request_id": "s", "coup": 1, "area": "player", "amount_minor": 54_045})
    receipt = await hand.says({"type": "submit", "request_id": "b", "coup": 1})
    assert (receipt["type"], receipt["total_minor"]) == ("receipt", 54_045)
    assert await hand.balance_minor() == before - 54_045


async def test_replayed_and_reordered_messages_do_what_they_did_or_nothing(server: Server, hand: Hand) -> None:
    before = await hand.balance_minor()
    record = [
        {"type": "stage", "request_id": "r1", "coup": 1, "area": "tie", "amount_minor": 2_000},
        {"type": "stage", "request_id": "r2", "coup": 1, "area": "banker", "amount_minor": 4_000},
        {"type": "submit", "request_id": "r3", "coup": 1},
    ]
    first = [await hand.says(message) for message in record]
    for at in (2, 0, 1, 1, 2, 0):
        assert await hand.says(record[at]) == first[at], "the same request gets the same answer"
    changed = await hand.says({**record[2], "request_id": "r1"})
    assert changed["code"] == "CONFLICT"
    stale = [await hand.says({**message, "request_id": f"{message['request_id']}x", "coup": 7}) for message in record]
    assert {answer["code"] for answer in stale} == {"STALE_COUP"}
    assert await hand.balance_minor() == before - 6_000
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http, await sit(server, http) as line:
        other = Hand(http, line)
        theirs = await other.balance_minor()
        assert (await other.says(record[2]))["code"] == "NOTHING_STAGED", "another's receipt is not told"
        assert await other.balance_minor() == theirs
    assert await hand.balance_minor() == before - 6_000
