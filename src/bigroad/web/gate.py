"""What is asked of a connection before anybody looks at what it wants: not too many, not too large, not too slow.

uvicorn's HTTP parser takes heads and bodies of any size and waits for them without end. `GateProtocol` counts what
comes in before it is kept, has a clock run while a request is under way, and answers with a problem as everybody else
does. A connection that becomes a socket stays counted until it ends.
"""

import asyncio
import contextlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bigroad.web.headers import SecurityHeaders
from bigroad.web.limits import Seats
from bigroad.web.metrics import Metrics
from bigroad.web.options import WebOptions
from bigroad.web.origin import Networks, Proxies
from bigroad.web.problems import plain_answer
from bigroad.wire.errors import Fault

BODY_BYTES = 65_536
"""More than any request needs; each address may want less."""
HEADER_LINES = 128
SPARE = 64
"""So many connections more than sockets may an address have, for its requests."""
DRAINING_S = 120.0
"""A client that takes nothing of its answer for so long is cut off."""


class Gate:
    """How many connections there are, and what those are told that are not let in."""

    def __init__(self, options: WebOptions, proxies: Proxies, headers: SecurityHeaders, metrics: Metrics) -> None:
        self.limits, self._proxies, self._headers, self._metrics = options.limits, proxies, headers, metrics
        self._trusted = Networks(options.server.trusted_proxies)
        self._of_address = Seats(options.limits.sockets_per_ip + SPARE)
        self._most = options.limits.sockets + options.limits.sockets // 10 + SPARE
        self.inside = 0
        metrics.watch("connections", "Connections, those of sockets included.", lambda: self.inside)

    def enter(self, client: tuple[str, int] | None) -> Fault | Callable[[], None]:
        """Let a connection in: what to call when it has ended, or why it may not. A trusted proxy has many patrons."""
        if self.inside >= self._most:
            return Fault.HOUSE_FULL
        proxied = client is None or client[0] in self._trusted
        key = self._proxies.address({"client": client}, {})
        if not proxied and not self._of_address.take(key):
            return Fault.TOO_MANY_CONNECTIONS
        self.inside += 1
        left = False

        def leave() -> None:
            nonlocal left
            if not left:
                left = True
                self.inside -= 1
                if not proxied:
                    self._of_address.give_back(key)

        return leave

    def answer(self, code: Fault, **facts: int) -> bytes:
        """A whole answer that ends the connection."""
        self._metrics.cut_off(code)
        status, headers, body = plain_answer(code, dict(facts))
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
        lines += [b"%s: %s" % pair for pair in [*headers, *self._headers.of(""), (b"connection", b"close")]]
        return b"\r\n".join([*lines, b"", body])


class GateProtocol(HttpToolsProtocol):
    """uvicorn's HTTP, bounded."""

    def __init__(self, gate: Gate, **words: Any) -> None:
        super().__init__(**words)
        self._gate = gate
        self._leave: Callable[[], None] = _nothing
        self._refused = False
        self._in_head, self._head_bytes, self._body_bytes = True, 0, 0
        self._clock: asyncio.TimerHandle | None = None
        self._draining: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        entered = self._gate.enter(self.client)
        if isinstance(entered, Fault):
            self._refuse(entered)
        else:
            self._leave = entered
            self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        if self._draining is not None:
            self._draining.cancel()
        self._leave()
        super().connection_lost(exc)
        self._untie()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._in_head:
            if self._clock is None:
                self._start_clock()
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > self._gate.limits.head_bytes:
            self._refuse(Fault.HEADERS_TOO_LARGE, max_bytes=self._gate.limits.head_bytes)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._body_bytes = 0

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self._gate.limits.head_bytes or len(self.headers) > HEADER_LINES:
            self._refuse(Fault.HEADERS_TOO_LARGE, max_bytes=self._gate.limits.head_bytes)
            return
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        if len(length) > 9 or not length.isdigit() or int(length) > BODY_BYTES:
            self._refuse(Fault.FRAME_TOO_LARGE, max_bytes=BODY_BYTES)
            return
        self._in_head, self._head_bytes = False, 0
        with contextlib.suppress(UnicodeDecodeError):  # a path of odd bytes: answered as a bad request
            super().on_headers_complete()
            return
        self._refuse(Fault.BAD_REQUEST)

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        if self._body_bytes > BODY_BYTES:
            self._refuse(Fault.FRAME_TOO_LARGE, max_bytes=BODY_BYTES)
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._refused:
            self._stop_clock()
            self._in_head, self._head_bytes = True, 0
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_clock()
        super().handle_websocket_upgrade()
        protocol: Any = self.transport.get_protocol()
        protocol.ended, self._leave = self._leave, _nothing
        self._untie()

    def _untie(self) -> None:
        """Let go of what leads back here, so that no collector is needed to free it: that one looks seldom."""
        self.parser = self.cycle = None  # type: ignore[assignment]

    def send_400_response(self, msg: str) -> None:
        """What cannot be parsed."""
        self._refuse(Fault.BAD_REQUEST)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._draining = self.loop.call_later(DRAINING_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._draining is not None:
            self._draining.cancel()
            self._draining = None

    def _start_clock(self) -> None:
        self._stop_clock()
        self._clock = self.loop.call_later(self._gate.limits.request_seconds, self._too_slow)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_slow(self) -> None:
        self._clock = None
        if self._in_head and self._head_bytes == 0:
            self.transport.close()  # opened and never used, as browsers do
        else:
            self._refuse(Fault.TOO_SLOW)

    def _refuse(self, code: Fault, **facts: int) -> None:
        """Say why, unless an answer has begun, and end the connection."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._stop_clock()
        cycle: Any = self.cycle  # of the request before while a head comes in, else of this one
        if cycle is None or (cycle.response_complete if self._in_head else not cycle.response_started):
            self.transport.write(self._gate.answer(code, **facts))
        self.transport.close()


def _nothing() -> None:
    """Nothing was taken."""
