"""What is asked of every connection: not too many, not too large, not too slow. Raw bytes over real sockets."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest
import pytest_asyncio

from bigroad.web.gate import BODY_BYTES, SPARE
from bigroad.web.options import LimitOptions
from tests.web.rig import House, Options, hear, hear_the_end, open_house, until

QUICK = Options(limits=LimitOptions(request_seconds=1))
GET = b"GET /healthz HTTP/1.1\r\nHost: bigroad\r\n"


class Answer(NamedTuple):
    status: int
    code: str | None
    headers: dict[str, str]


async def speak(house: House, *parts: bytes, source: str = "127.0.0.1") -> Answer | None:
    """Send these bytes on a connection of their own; the first answer, None where it was closed without one."""
    host, port = house.host.split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
    try:
        for part in parts:
            writer.write(part)
            try:
                await writer.drain()
            except ConnectionError:
                break
        return await asyncio.wait_for(read_answer(reader), 60)
    finally:
        writer.close()


async def read_answer(reader: asyncio.StreamReader) -> Answer | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    is_json = headers.get("content-type") == "application/json" and body
    return Answer(int(first.split()[1]), json.loads(body).get("code") if is_json else None, headers)


UPGRADE = b"GET /ws/emerald HTTP/1.1\r\nHost: bigroad\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
LARGE = b"X-Padding: " + b"x" * 40_000 + b"\r\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[House]:
    """One server for a table of many cases."""
    async with open_house() as house:
        yield house


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        (GET + b"\r\n", 200, None),
        (GET + b"X-Padding: " + b"x" * 30_000 + b"\r\n\r\n", 200, None),
        (GET + LARGE + b"\r\n", 431, "HEADERS_TOO_LARGE"),
        (GET + LARGE, 431, "HEADERS_TOO_LARGE"),
        (GET + b"a: b\r\n" * 200 + b"\r\n", 431, "HEADERS_TOO_LARGE"),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: bigroad\r\n\r\n", 431, "HEADERS_TOO_LARGE"),
        (UPGRADE + LARGE + b"\r\n", 431, "HEADERS_TOO_LARGE"),
        (UPGRADE + b"a: b\r\n" * 200 + b"\r\n", 431, "HEADERS_TOO_LARGE"),
        (UPGRADE + b"\r\n", 400, None),
        (UPGRADE + b"Sec-WebSocket-Version: 9\r\nSec-WebSocket-Key: x\r\n\r\n", 400, None),
        (b"\x16\x03\x01\x02\x00\x01", 400, "BAD_REQUEST"),
        (b"nonsense\r\n\r\n", 400, "BAD_REQUEST"),
        (b"GET /\xff HTTP/1.1\r\nHost: bigroad\r\n\r\n", 400, "BAD_REQUEST"),
        (GET + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "BAD_REQUEST"),
        (GET + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "BAD_REQUEST"),
        (GET + b"Content-Length: -1\r\n\r\n", 400, "BAD_REQUEST"),
        (GET + b"Content-Length: 9999999999\r\n\r\n", 413, "FRAME_TOO_LARGE"),
        (GET.replace(b"GET", b"PUT") + b"Content-Length: 70000\r\n\r\n", 413, "FRAME_TOO_LARGE"),
    ],
)
async def test_a_head_is_answered_or_refused_before_it_is_kept(
    shared: House, request_bytes: bytes, status: int, code: str
) -> None:
    answer = await speak(shared, request_bytes)
    assert answer is not None
    assert (answer.status, answer.code) == (status, code)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


ENDLESS = b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (GET, b"X-More: " + b"x" * 65_000 + b"\r\n"),
        (GET.replace(b"GET /healthz", b"POST /") + ENDLESS, b"fde8\r\n" + b"x" * 65_000 + b"\r\n"),
        (GET.replace(b"GET", b"POST") + ENDLESS, b"fde8\r\n" + b"x" * 65_000 + b"\r\n"),
    ],
    ids=["head", "body of a file", "body of the API"],
)
async def test_what_has_no_end_is_cut_off_early(head: bytes, piece: bytes) -> None:
    async with open_house() as house:
        host, port = house.host.split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(head)
        sent = 0
        while sent < 120_000_000:
            writer.write(piece)
            try:
                await writer.drain()
            except ConnectionError:
                break
            sent += len(piece)
        assert sent < 20_000_000, "what the kernel holds, and no more"


async def test_a_chunked_body_without_end_is_cut_off_early() -> None:
    async with open_house() as house:
        cookie = (await house.guest()).encode()
        head = b"PUT /api/preferences HTTP/1.1\r\nHost: bigroad\r\nCookie: " + cookie
        head += b"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
        answer = await speak(house, head, *[chunk] * (4 * BODY_BYTES // 0x1000))
        assert answer is None or (answer.status, answer.code) == (413, "FRAME_TOO_LARGE")
        small = await house.http.put("/api/preferences", content=b" " * 5000, headers={"Cookie": cookie.decode()})
        assert (small.status_code, small.json()["code"]) == (413, "FRAME_TOO_LARGE")


async def test_who_sends_slowly_or_nothing_is_let_go() -> None:
    async with open_house(QUICK) as house:
        line, cookie = await house.sit(), (await house.guest()).encode()
        head = b"PUT /api/preferences HTTP/1.1\r\nHost: bigroad\r\nCookie: " + cookie + b"\r\nContent-Length: 9\r\n\r\n"
        nothing, part, second, body = await asyncio.gather(
            speak(house), speak(house, GET), speak(house, GET + b"\r\n" + GET), speak(house, head + b"{")
        )
        assert nothing is None, "opened and never used, as browsers do: closed without a word"
        assert part is not None
        assert (part.status, part.code) == (408, "TOO_SLOW")
        assert second is not None
        assert second.status == 200
        assert body is not None
        assert (body.status, body.code) == (408, "TOO_SLOW")
        pong = await line.ping()  # it has lived longer than a request may take: a socket is none
        await asyncio.wait_for(pong, 60)
        await line.close()


async def test_an_address_has_so_many_connections_and_gets_them_back() -> None:
    async with open_house(Options(limits=LimitOptions(sockets_per_ip=1))) as house:
        host, port = house.host.split(":")
        before = house.app.gate.inside
        opened = [await asyncio.open_connection(host, int(port), local_addr=("127.0.0.9", 0)) for _ in range(SPARE + 1)]
        await until(lambda: house.app.gate.inside == before + SPARE + 1)
        refused = await speak(house, GET + b"\r\n", source="127.0.0.9")
        assert refused is not None
        assert (refused.status, refused.code) == (429, "TOO_MANY_CONNECTIONS")
        elsewhere = await speak(house, GET + b"\r\n", source="127.0.0.8")
        assert elsewhere is not None
        assert elsewhere.status == 200
        for _, writer in opened:
            writer.close()
        await until(lambda: house.app.gate.inside == before)
        again = await speak(house, GET + b"\r\n", source="127.0.0.9")
        assert again is not None
        assert again.status == 200


async def test_a_socket_is_counted_till_its_end_and_the_house_is_full_at_some_point() -> None:
    async with open_house(Options(limits=LimitOptions(sockets=2))) as house:
        before = house.app.gate.inside
        first, second = await house.sit(local_addr=("127.0.0.2", 0)), await house.sit(local_addr=("127.0.0.3", 0))
        assert house.app.gate.inside == before + 3, "two sockets, and the connection that asked for their tickets"
        cookie = await house.guest()
        with pytest.raises(Exception, match="503"):
            await house.connect(cookie, local_addr=("127.0.0.4", 0))
        await first.close()
        second.transport.abort()
        await until(lambda: house.app.gate.inside == before + 1)
        again = await house.sit()
        await again.close()


async def test_asking_for_signs_of_life_without_end_costs_nothing() -> None:
    async with open_house() as house:
        line = await house.sit()
        pongs = [asyncio.ensure_future(await line.ping(str(number))) for number in range(500)]
        await line.send('{"type":"ping","request_id":"p","client_ms":1}')
        assert (await hear(line))["type"] == "pong", "the socket lives on"
        assert pongs[19].done()
        assert not pongs[-1].done()
        for pong in pongs:
            pong.cancel()
        await line.close()


async def test_a_message_of_endless_empty_parts_is_too_much() -> None:
    async with open_house() as house:
        line = await house.sit()
        empty = bytes([0x00, 0x80, 0, 0, 0, 0])  # not the last part, no bytes, masked
        line.transport.write(bytes([0x01, 0x80, 0, 0, 0, 0]) + empty * 5_000)
        assert await hear_the_end(line) == 1009


async def test_a_connection_that_has_ended_is_freed_without_a_collector() -> None:
    async with open_house() as house:
        await house.http.get("/healthz")
        line = await house.sit()
        connections = [weakref.ref(connection) for connection in house.server.server_state.connections]
        assert len(connections) == 2, "the socket's, and the one that asked for its ticket"
        gc.disable()
        try:
            await line.close()
            await house.http.aclose()
            await until(lambda: all(connection() is None for connection in connections))
        finally:
            gc.enable()
