"""One patron's socket below ASGI: uvicorn's protocol keeps handshake and parsing, and lets us at its transport.

ASGI's `send` costs a coroutine and a frame for each client. A `Line` takes a frame that was built once. Whatever
uvicorn itself writes (pongs, the closing handshake) is a whole frame on the same transport, so frames never mix.

ASGI's `receive` costs a parser in Python, a queue, a wait, and two calls to the kernel for each message. Bytes that are
nothing but whole text messages, as nearly all are, go straight to who hears the line. Everything else goes the
library's way, and so does whatever comes while something is left there: half a frame, half a message, or a queue.
"""

import socket
from asyncio.transports import BaseTransport
from collections.abc import Callable, Sequence
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from bigroad.web.frames import whole_texts
from bigroad.web.limits import Bucket

EXTENSION = "bigroad.line"
KERNEL_SEND_BYTES = 65_536
"""What a client may be behind before news passes it by; nothing but answers is kept for it in this process."""
ABORT_AFTER_S = 5.0
PARTS_MOST = 64
PINGS_PER_S, PING_BURST = 2, 20
PONG = b"\x8a"


class Line:
    """The sending side of one accepted socket.

    paused: the kernel takes no more, as the client does not read as fast as it is written to. missed_s: since when, by
    the event loop's clock, news has passed it by; None: it has had all. drained: called when it takes more again and
    has missed something. hear: takes a text message at once, or answers False: then this one and all that follow it
    come by ASGI's `receive`, as they do while it is None.
    """

    __slots__ = ("_protocol", "_transport", "drained", "hear", "missed_s", "patron_id", "paused", "since")

    def __init__(self, protocol: "LineProtocol") -> None:
        self._protocol, self._transport = protocol, protocol.transport
        self.paused = False
        self.missed_s: float | None = None
        self.drained: Callable[[], None] = _nobody_waits
        self.hear: Callable[[str], bool] | None = None
        self.patron_id = 0
        self.since = 0

    def write(self, frame: bytes) -> None:
        """Send one whole frame, after all that was sent before; on a line that is closing, nothing.

        uvloop raises there where asyncio is silent, and one who left must not disturb those who stay. Nor does one who
        was told to go hear more.
        """
        if not (self._protocol.close_sent or self._transport.is_closing()):
            self._transport.write(frame)

    def buffered(self) -> int:
        """Bytes that the client has not taken yet, the kernel's share left out."""
        return self._transport.get_write_buffer_size()

    @property
    def closing(self) -> bool:
        """Whether nothing more may be sent."""
        return self._protocol.close_sent or self._transport.is_closing()

    def end(self, code: int, reason: str, within_s: float = ABORT_AFTER_S) -> None:
        """Close after what is buffered; a client that takes none of it is cut off after so long."""
        self._protocol.end(code, reason, within_s)


def _nobody_waits() -> None:
    """Nobody has been greeted on it yet."""


class LineProtocol(WebSocketsSansIOProtocol):
    """Puts its `Line` into the scope of each socket, under `extensions`. headers: of handshakes that are refused.

    ended: called once the connection is gone. A client that splits a message into ever more parts, or asks for one sign
    of life after the other, is bounded here: the library answers and keeps them all.
    """

    line: Line | None = None

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], **words: Any) -> None:
        super().__init__(**words)
        self.ended: Callable[[], None] = _nobody_waits
        self._refusal_headers = headers
        self.conn.parser.close()
        self._library = self.conn = _Library(headers, max_size=self.config.ws_max_size, logger=self.logger)
        self._pings = Bucket(PINGS_PER_S, PING_BURST, self.loop.time())

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.line = Line(self)

    def data_received(self, data: bytes) -> None:
        """Take the short way where nothing of what came before is on the long one."""
        line = self.line
        if (
            line is not None
            and line.hear is not None
            and self._library.is_between
            and not (self.read_paused or self.close_sent)
            and self._library.state is State.OPEN
            and (texts := whole_texts(data, self.config.ws_max_size)) is not None
        ):
            self._heard(line, texts)
            return
        self._library.is_between = False
        super().data_received(data)

    def _heard(self, line: Line, texts: Sequence[str]) -> None:
        for at, text in enumerate(texts):
            if self.close_sent:  # the one before was the last straw
                return
            if line.hear is None or not line.hear(text):
                for waiting in texts[at:]:
                    self.queue.put_nowait({"type": "websocket.receive", "text": waiting})
                self.read_paused = True
                self.transport.pause_reading()
                return

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: Any = self.scope["extensions"]
            extensions[EXTENSION] = {"line": self.line}
            raw = self.transport.get_extra_info("socket")
            self.transport.set_write_buffer_limits(high=0)
            if raw is not None:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_SEND_BYTES)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.line is not None:
            self.line.paused = True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.line is not None:
            self.line.paused = False
            if self.line.missed_s is not None:
                self.line.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.line is not None:
            self.line.drained, self.line.hear = _nobody_waits, None
        self.line = None
        self.ended()
        self.conn.parser.close()  # leads back to itself: freed at once and not when the collector looks

    async def run_asgi(self) -> None:
        """Serve the socket; nobody asks for its line afterwards."""
        try:
            await super().run_asgi()
        finally:
            extensions: Any = self.scope["extensions"]
            extensions.pop(EXTENSION, None)

    async def send(self, message: Any) -> None:
        """A handshake that is refused with an answer is complete; uvicorn would log an error and answer again."""
        if message["type"] == "websocket.http.response.start":
            message = {**message, "headers": [*message["headers"], *self._refusal_headers]}
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def handle_cont(self, event: Frame) -> None:
        """One more part of a message; too many are too much."""
        if len(self.frames) >= PARTS_MOST:
            self.conn.fail(1009, "too many parts")
            self.handle_parser_exception()
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer, unless there are too many or the client takes nothing."""
        for frame in self.conn.data_to_send():  # the answers to all that came at once, and perhaps to a close
            if frame[:1] != PONG or (self._pings.take(self.loop.time()) and not (self.line and self.line.paused)):
                self.transport.write(frame)

    def end(self, code: int, reason: str, within_s: float) -> None:
        """Start the closing handshake without waiting for the client, and do not wait long for its answer."""
        if self.close_sent or self.transport.is_closing() or self.conn.state is not State.OPEN:
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(within_s, self.transport.abort)


class _Library(ServerProtocol):
    """The library's handshake, whose own refusals carry our headers too, and its parser.

    is_between: the last frame ended with the last byte and ended its message; to be unset before each more bytes.
    """

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], **words: Any) -> None:
        super().__init__(**words)
        self._headers = headers
        self.is_between = False

    def recv_frame(self, frame: Frame) -> None:
        """One more frame. Bytes that follow make up the next one, perhaps in part."""
        super().recv_frame(frame)
        self.is_between = not self.reader.buffer and self.current_size is None

    def reject(self, status: StatusLike, text: str) -> Response:
        """An answer that ends the handshake."""
        response = super().reject(status, text)
        for name, value in self._headers:
            response.headers[name.decode()] = value.decode()
        return response


def line_of(scope: Any) -> Line:
    """The line of a socket's scope. Raises KeyError where another protocol than LineProtocol serves."""
    line: Line = scope["extensions"][EXTENSION]["line"]
    return line
