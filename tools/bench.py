"""Measure the fan-out of the server on this machine: `make bench`, or `python tools/bench.py --clients 10000`.

A server process with the real app and the real uvicorn publishes a message of 300 bytes five times a second, as gold
totals come; a client process reads them on many sockets and pings all the while. Printed: how long a message takes to
the last client, the server's processor time a message and client, its memory a socket, and the ping's p50 and p99.
Loopback only.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import uvloop

from bigroad.app.ports import News, Visit
from bigroad.app.store import Cursor, Wanted
from bigroad.bus.local import LocalBus
from bigroad.profiles.read import Source
from bigroad.settings import Settings, settings_of
from bigroad.web.app import create_app
from bigroad.web.serve import listen, serve
from bigroad.wire.client_messages import TableCommand
from bigroad.wire.server_events import Counts, Patron, TableTerms
from bigroad.wire.session import CoupRecord, HistoryPage, Preferences, Session, ShoeRecord, TableRow

BODY = 300
EVERY_S = 0.2
OPENING_AT_ONCE = 200
PER_SOURCE = 2000
TERMS = TableTerms("bench", "Bench", "multiplayer-deluxe", "emerald", "mei", 8, [2000], 50_000, 10_000, [])
LIMITS = {"sockets_per_patron": 10**6, "sockets_per_ip": 10**6, "messages_per_second": 10**6, "message_burst": 10**6}


class OnePatron:
    """A cashier that knows everybody as one patron."""

    async def visit(self, token: str | None) -> Visit:
        return Visit(Session(Patron(1, "Bench"), 0, False, True, 0), "bench")

    async def patron_of(self, token: str | None) -> Patron | None:
        return Patron(1, "Bench")

    async def refill(self, patron_id: int) -> Session:
        return (await self.visit(None)).session

    async def history(self, patron_id: int, limit: int, wanted: Wanted, before: Cursor | None) -> HistoryPage:
        return HistoryPage([], None)

    async def preferences(self, patron_id: int) -> Preferences:
        return Preferences(changed_utc_ms=0)

    async def keep_preferences(self, patron_id: int, preferences: Preferences) -> None:
        pass


class BareTable:
    """A floor of one table that greets with two bytes."""

    def __init__(self) -> None:
        self.cashier = OnePatron()
        self.terms = TERMS
        self.is_open = True

    def channel(self, patron_id: int) -> str:
        return TERMS.table

    async def can_write(self) -> bool:
        return True

    def utc_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def desk(self, table: str) -> "BareTable":
        return self

    def desks(self) -> Sequence["BareTable"]:
        return [self]

    async def row(self, patron_id: int | None) -> TableRow:
        return TableRow(TERMS, "betting", 1, 0, 0, 0, Counts(), [], None)

    async def greet(
        self, patron: Patron, epoch: int | None, seq: int | None, join: Callable[[Sequence[bytes]], None]
    ) -> None:
        join([b"{}"])

    def leave(self, patron_id: int) -> None:
        pass

    async def command(self, patron_id: int, message: TableCommand) -> bytes | None:
        return None

    async def shoe(self, number: int, patron_id: int | None) -> ShoeRecord | None:
        return None

    async def coup(self, number: int, patron_id: int | None) -> CoupRecord | None:
        return None


def serve_forever(told: Connection) -> None:
    """The server's process: says its port, publishes while told to."""
    raise_file_limit()
    tree = {"server": {"host": "127.0.0.1", "port": 0}, "limits": LIMITS}
    settings = settings_of(tree, Source("bench"), Path())
    uvloop.run(_serve(settings, told))


async def _serve(settings: Settings, told: Connection) -> None:
    bus, floor = LocalBus(), BareTable()
    app = create_app(floor, bus, settings)
    bound = listen(settings)

    async def started() -> None:
        told.send(bound.getsockname()[1])
        publisher.append(asyncio.create_task(publish()))

    async def publish() -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            head = b'{"type":"x","ts":%019d,"pad":"' % time.monotonic_ns()
            bus.publish("bench", [News(head + b"x" * (BODY - len(head) - 2) + b'"}', volatile=True)])

    publisher: list[asyncio.Task[None]] = []
    await serve(app, settings, bound=bound, started=started)


class Reader(asyncio.Protocol):
    """Counts messages on one socket; the handshake is the smallest that the server takes."""

    def __init__(self, request: bytes, arrivals: dict[int, list[int]], joined: "asyncio.Future[None]") -> None:
        self._request, self._arrivals, self._joined = request, arrivals, joined
        self._rest = b""
        self._open = False

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._rest += data
        if not self._open:
            head, end, rest = self._rest.partition(b"\r\n\r\n")
            if not end or len(rest) < 4:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"refused: {head[:100]!r}")
            self._open, self._rest = True, rest[4:]
            self._joined.set_result(None)
        now = time.monotonic_ns()
        while len(self._rest) >= BODY + 4:
            self._arrivals[int(self._rest[21:40])].append(now)
            self._rest = self._rest[BODY + 4 :]


async def measure(port: int, pid: int, clients: int, seconds: float) -> dict[str, Any]:
    """Open the sockets, let the server warm up, then count."""
    arrivals: dict[int, list[int]] = defaultdict(list)
    request = (
        f"GET /ws/bench HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: bigroad.v1\r\nCookie: bigroad=bench\r\n\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    before = memory(pid)

    async def sit(number: int) -> None:
        joined: asyncio.Future[None] = loop.create_future()
        source = f"127.0.0.{number // PER_SOURCE + 2}"
        await loop.create_connection(
            lambda: Reader(request, arrivals, joined), "127.0.0.1", port, local_addr=(source, 0)
        )
        await joined

    for start in range(0, clients, OPENING_AT_ONCE):
        await asyncio.gather(*(sit(number) for number in range(start, min(start + OPENING_AT_ONCE, clients))))
    await asyncio.sleep(2)
    memory_each = (memory(pid) - before) / clients
    arrivals.clear()
    started, used = time.monotonic(), cpu_s(pid)
    echoes = await ping(port, seconds)
    used, took = cpu_s(pid) - used, time.monotonic() - started
    whole = [max(times) - sent for sent, times in arrivals.items() if len(times) == clients]
    messages = sum(len(times) for times in arrivals.values())
    return {
        "clients": clients,
        "messages_to_all": len(whole),
        "to_the_last_ms": {"p50": in_ms(whole, 0.5), "p99": in_ms(whole, 0.99)},
        "server_us_a_message": round(used / messages * 1e6, 2) if messages else None,
        "server_busy": round(used / took, 3),
        "kilobytes_a_socket": round(memory_each / 1024, 1),
        "echo_ms": {"p50": in_ms(echoes, 0.5), "p99": in_ms(echoes, 0.99), "count": len(echoes)},
    }


async def ping(port: int, seconds: float) -> list[int]:
    """Round trips of one client that asks for the time, in nanoseconds."""
    from websockets.asyncio.client import connect

    echoes: list[int] = []
    until = time.monotonic() + seconds
    origin: Any = f"http://127.0.0.1:{port}"
    protocols: Any = ["bigroad.v1"]
    async with connect(
        f"ws://127.0.0.1:{port}/ws/bench",
        origin=origin,
        subprotocols=protocols,
        additional_headers={"Cookie": "bigroad=bench"},
        compression=None,
        max_queue=None,
    ) as line:
        while time.monotonic() < until:
            sent = time.monotonic_ns()
            await line.send('{"type":"ping","request_id":"p","client_ms":0}')
            while b'"pong"' not in await line.recv(decode=False):
                pass
            echoes.append(time.monotonic_ns() - sent)
            await asyncio.sleep(0.01)
    return echoes


def in_ms(values: Sequence[int], part: float) -> float | None:
    """A quantile of nanoseconds, in milliseconds."""
    if not values:
        return None
    ordered = sorted(values)
    value = statistics.median(ordered) if part == 0.5 else ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    return round(value / 1e6, 2)


def cpu_s(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def raise_file_limit() -> None:
    """As many sockets as the machine allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> int:
    """Measure and print one line of JSON for each number of clients."""
    parser = argparse.ArgumentParser(description="Measure the fan-out on this machine.")
    parser.add_argument("--clients", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--seconds", type=float, default=10)
    words = parser.parse_args()
    raise_file_limit()
    context = multiprocessing.get_context("spawn")
    for clients in words.clients:
        here, there = context.Pipe()
        server = context.Process(target=serve_forever, args=(there,), daemon=True)
        server.start()
        with closing(here):
            port = here.recv()
            print(json.dumps(uvloop.run(measure(port, server.pid or 0, clients, words.seconds))), flush=True)
        server.terminate()
        server.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
