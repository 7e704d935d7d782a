"""Nonsense at a real server: our own OpenAPI asked at random, and garbage over sockets. Never a 5xx, no memory kept.

BIGROAD_FUZZ_EXAMPLES asks for more of everything; `make fuzz` does so.
"""

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bigroad.wire.version import subprotocols
from tests.server import Server
from tests.web.test_frames import VALID

MANY = int(os.environ.get("BIGROAD_FUZZ_EXAMPLES", "4"))
SLACK_KB = 24_000
"""What a server may grow by while it is new: caches, pages of the allocator."""
OPEN = "[limits]\n" + "".join(
    f"{key} = 1000000\n"
    for key in ("messages_per_second", "message_burst", "requests_per_ip_per_minute", "guests_per_ip_per_minute")
)
CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance, content_type_conformance]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With one table, and hardly a limit."""
    running = Server(tmp_path_factory.mktemp("fuzz"), betting_ms=600_000, closing_ms=300, pace=0.05, extra=OPEN).start()
    yield running
    said = running.stop()
    assert "internal_error" not in said
    assert "Traceback" not in said


def test_the_api_answers_as_it_is_described(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    cookie = httpx.post(server.url + "/api/session").headers["set-cookie"].split(";")[0]
    schema = schemathesis.openapi.from_url(server.url + "/api/openapi.json")
    asked: Counter[int] = Counter()
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(max_examples=MANY, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(operation.as_strategy())
        def ask(case: Any) -> None:
            headers = {**(case.headers or {}), "Cookie": cookie}
            answer = case.call(headers=headers)
            asked[answer.status_code] += 1
            case.validate_response(answer, checks=CHECKS)

        ask()
    with capsys.disabled():
        print(f"\nthe API, asked at random: {dict(sorted(asked.items()))}")
    assert asked.total() >= MANY * 10


def garbage(rng: random.Random) -> str | bytes:
    """Something that is nearly a message, or nothing like it."""
    text = bytearray(json.dumps(rng.choice(VALID)).encode())
    match rng.randrange(8):
        case 0:
            return bytes(rng.randbytes(rng.randrange(200)))
        case 1:
            return (
                '{"type":"stage","request_id":"r","coup":1,"area":"player","amount_minor":1'
                + "0" * rng.randrange(400)
                + "}"
            )
        case 2:
            return rng.choice("[{") * rng.randrange(4000)
        case 3:
            return "é\u202e\x00" * rng.randrange(1500)
        case 4:
            return json.dumps({**rng.choice(VALID), "request_id": str(rng.random()), "coup": rng.randrange(3)})
        case _:
            for _ in range(rng.randrange(1, 5)):
                text[rng.randrange(len(text))] = rng.randrange(128)
            return text.decode("latin-1")


async def sit(url: str, http: httpx.AsyncClient) -> ClientConnection:
    ticket = (await http.post("/api/ticket")).json()["ticket"]
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    words: dict[str, Any] = {
        "subprotocols": subprotocols(ticket),
        "origin": url,
        "compression": None,
        "max_queue": None,
    }
    return await connect(f"{url.replace('http', 'ws', 1)}/ws/emerald", additional_headers={"Cookie": cookie}, **words)


async def bombard(url: str, seed: int, frames: int, heard: Counter[str]) -> None:
    """Send so many frames, some of them in parts; every one of them is answered, or the socket closed for cause."""
    rng = random.Random(seed)
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        await http.post("/api/session")
        sent = 0
        while sent < frames:
            line = await sit(url, http)
            try:
                for _ in range(min(frames - sent, 100)):
                    sent += 1
                    frame = garbage(rng)
                    await line.send([frame[:5], frame[5:]] if rng.random() < 0.1 else frame)
                await line.send('{"type":"ping","request_id":"last","client_ms":0}')
                async with asyncio.timeout(60):
                    while True:
                        event = json.loads(await line.recv())
                        heard[event.get("code") or event["type"]] += 1
                        if event["type"] == "pong" and event["request_id"] == "last":
                            break
            except ConnectionClosed as closed:
                heard[f"closed {closed.rcvd.code if closed.rcvd else None}"] += 1
            finally:
                await line.close()


async def test_garbage_over_sockets_is_answered_and_nothing_of_it_kept(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: Counter[str] = Counter()

    async def all_of_it(seed: int) -> int:
        await asyncio.gather(*(bombard(server.url, seed + number, 100 * MANY, heard) for number in range(4)))
        return server.resident_kb

    warm_kb = await all_of_it(1)
    again_kb = await all_of_it(100)
    with capsys.disabled():
        print(f"\ngarbage over sockets: {dict(heard.most_common())}; {warm_kb} kB, then {again_kb} kB")
    assert not any(code in heard for code in ("INTERNAL", "closed 1011", "closed 1006", "closed None"))
    assert heard["pong"] >= 8 * MANY * 0.9
    assert again_kb < warm_kb + SLACK_KB
