"""One message to 10,000 clients: beside a bare C server, and what it does to somebody else's echo meanwhile.

C, ours, C, ours ...: each run a fresh server on one core and the same C clients on the other. A message is 300 bytes,
five a second, as gold totals come; the real app greets 10,000 patrons before. Then 500 clients, and one more that never
reads: what does it do to the others?
"""

import json
import math
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benching.crowd import come
from benching.figure import Figure
from benching.house import House, Plan, open_house
from benching.native_programs import built
from benching.ports import free_port
from bigroad.wire.version import SUBPROTOCOL, TICKET_PREFIX

CLIENTS = int(os.environ.get("BIGROAD_BENCH_CLIENTS", "10000"))
RUNS = int(os.environ.get("BIGROAD_BENCH_RUNS", "5"))
LISTEN_S = 3.0
PROBE_S = 4.0
STALL_CLIENTS = 500
LONG_ROUND = {"betting_ms": 600_000, "closing_ms": 10_000}


class Run(NamedTuple):
    """cpu_us: the server's processor time a message and client. last_ms: to the last client, the median message."""

    cpu_us: float
    last_ms: float
    resident_kb: float = 0.0
    echo_ms: tuple[float, ...] = ()
    greet_us: float = 0.0


def run() -> list[Figure]:
    """See above."""
    bare, ours = [], []
    for _ in range(RUNS):
        bare.append(bare_run())
        ours.append(our_run())
    cpu = [one.cpu_us / limit.cpu_us for one, limit in zip(ours, bare, strict=True)]
    last = [one.last_ms / limit.last_ms for one, limit in zip(ours, bare, strict=True)]
    echoes = sorted(echo for one in ours for echo in one.echo_ms)
    runs = f"{CLIENTS:,} clients, {RUNS} alternating runs"
    own_us, own_ms = statistics.median(one.cpu_us for one in ours), statistics.median(one.last_ms for one in ours)
    return [
        Figure("fan-out: CPU a message, × C", statistics.median(cpu), "×", 1.5, note=runs, samples=tuple(cpu)),
        Figure("fan-out: to the last client, × C", statistics.median(last), "×", 1.5, note=runs, samples=tuple(last)),
        Figure("fan-out: CPU a message", own_us, "µs", note="a message and client"),
        Figure("fan-out: to the last client", own_ms, "ms"),
        Figure(
            "echo of 1 kB during fan-out, p99",
            echoes[int(len(echoes) * 0.99)],
            "ms",
            5,
            note=f"{len(echoes):,} echoes; p50 {echoes[len(echoes) // 2]:.2f}, most {echoes[-1]:.1f} ms",
        ),
        Figure(
            "resident memory a connection",
            statistics.median(one.resident_kb for one in ours),
            "kB",
            30,
            note=f"{CLIENTS:,} different patrons, greeted, all in",
        ),
        stalled(),
        Figure("greeting: CPU a connection", statistics.median(one.greet_us for one in ours), "µs"),
    ]


def bare_run() -> Run:
    """The C server."""
    program, port = built("bare"), free_port()
    server = subprocess.Popen([str(program), str(port), "200", "300"])
    os.sched_setaffinity(server.pid, {0})
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".tokens") as tokens:
            tokens.write("none\n" * (CLIENTS + 1))
            tokens.flush()
            time.sleep(0.2)
            with come(port, CLIENTS, Path(tokens.name), core=1, greeting=False, headers=()) as crowd:
                server.send_signal(signal.SIGUSR1)
                crowd.ask("listen 0.5")
                before = _cpu_s(server.pid)
                heard = crowd.ask(f"listen {LISTEN_S}")
                used_s = _cpu_s(server.pid) - before
    finally:
        server.kill()
        server.wait()
    return Run(used_s * 1e6 / heard["frames"], statistics.median(heard["last_ms"]))


def our_run() -> Run:
    """The server as it is."""
    with open_house(Plan(CLIENTS + 1, LONG_ROUND, core=0)) as house:
        empty, cpu_s = house.ask("resident"), house.cpu_s()
        with come(house.port, CLIENTS, house.tokens, core=1) as crowd:
            crowd.ask("listen 1")
            greet_us = (house.cpu_s() - cpu_s) * 1e6 / CLIENTS
            resident_kb = (house.ask("resident") - empty) / 1024 / CLIENTS
            with publishing(house):
                crowd.ask("listen 0.5")
                before = house.cpu_s()
                heard = crowd.ask(f"listen {LISTEN_S}")
                used_s = house.cpu_s() - before
                echo_ms = crowd.ask(f"probe {PROBE_S}")["echo_ms"]
    return Run(
        used_s * 1e6 / heard["frames"], statistics.median(heard["last_ms"]), resident_kb, tuple(echo_ms), greet_us
    )


def stalled() -> Figure:
    """How much later messages of 3 kB are with all 500, in the worst of a hundred, while another one does not read."""
    plan = Plan(STALL_CLIENTS + 2, LONG_ROUND, core=0, body_bytes=3_000, every_s=0.02)
    with (
        open_house(plan) as house,
        come(house.port, STALL_CLIENTS, house.tokens, core=1) as crowd,
        publishing(house),
    ):
        crowd.ask("listen 0.5")
        before = p99(crowd.ask(f"listen {LISTEN_S}")["last_ms"])
        with who_never_reads(house):
            deadline = time.monotonic() + 20
            while not house.ask("behind") and time.monotonic() < deadline:
                crowd.ask("listen 0.2")
            behind = house.ask("behind")
            after = p99(crowd.ask(f"listen {LISTEN_S}")["last_ms"])
    return Figure(
        "one that never reads: the others' p99 later by",
        after - before if behind == 1 else math.inf,
        "ms",
        50,
        note=f"{STALL_CLIENTS} others, 50 messages of 3 kB a second: {before:.1f} and {after:.1f} ms",
    )


@contextmanager
def who_never_reads(house: House) -> Iterator[None]:
    """A socket at the table that has shaken hands, and then reads nothing."""
    token = house.tokens.read_text().splitlines()[-1]
    host = f"127.0.0.1:{house.port}"
    head = f"Host: {host}\r\nOrigin: http://{host}\r\nCookie: bigroad={token}\r\n"
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", house.port))
        line.sendall(f"POST /api/ticket HTTP/1.1\r\n{head}Content-Length: 0\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"}"):
            answer += line.recv(4096)
        ticket = json.loads(answer.partition(b"\r\n\r\n")[2])["ticket"]
        protocols = f"Sec-WebSocket-Protocol: {SUBPROTOCOL}, {TICKET_PREFIX}{ticket}\r\n"
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        line.sendall(f"GET /ws/bench HTTP/1.1\r\n{head}{protocols}{upgrade}{key}".encode())
        if not line.recv(12).endswith(b"101"):
            raise SystemExit("the one who never reads was not let in")
        yield


def p99(values: Sequence[float]) -> float:
    """The worst but one of a hundred."""
    return sorted(values)[int(len(values) * 0.99)]


@contextmanager
def publishing(house: House) -> Iterator[None]:
    """Five messages a second meanwhile."""
    house.ask("publish")
    yield
    house.ask("hush")


def _cpu_s(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
