"""Sockets that are gone before they are greeted, on the event loop that is really served with."""

import asyncio
import contextlib
import json
import urllib.request
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bigroad.wire.version import subprotocols
from tests.server import Server


def guest(url: str) -> str:
    request = urllib.request.Request(url + "/api/session", method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.headers["set-cookie"]).split(";")[0]


def ticket(url: str, cookie: str) -> str:
    request = urllib.request.Request(url + "/api/ticket", method="POST", headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["ticket"])


async def test_sockets_that_leave_at_once_do_not_stop_the_table(tmp_path: Path) -> None:
    server = Server(tmp_path, betting_ms=1_000, closing_ms=300, pace=0.05).start()
    cookie = await asyncio.to_thread(guest, server.url)

    async def line() -> connect:
        shown = await asyncio.to_thread(ticket, server.url, cookie)
        return connect(
            server.url.replace("http", "ws") + "/ws/emerald",
            subprotocols=subprotocols(shown),  # type: ignore[arg-type]
            origin=server.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
        )

    async def come_and_go(abort: bool) -> None:
        with contextlib.suppress(WebSocketException, OSError):
            socket = await (await line())
            if abort:
                socket.transport.abort()
            else:
                await socket.close()

    try:
        for number in range(60):
            await come_and_go(abort=number % 2 == 1)
        seen: set[int] = set()
        async with asyncio.timeout(90), await line() as socket:
            async for raw in socket:
                event = json.loads(raw)
                if event["type"] == "coup_opened":
                    seen.add(event["coup"])
                if len(seen) == 2:
                    break
        assert len(seen) == 2, "the rounds go on"
    finally:
        said = server.stop()
    assert "Traceback" not in said


def test_an_impatient_ctrl_c_shows_no_traceback(tmp_path: Path) -> None:
    for number in range(3):
        said = Server(tmp_path / str(number), betting_ms=60_000, closing_ms=300, pace=0.05).start().stop_impatiently()
        assert "Traceback" not in said
        assert "Stopping." in said
