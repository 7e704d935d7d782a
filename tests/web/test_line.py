"""What comes over a line: the short way hears the same as the library, however the bytes are cut."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.utils import apply_mask

from bigroad.web.frames import whole_texts
from bigroad.web.line import Line, LineProtocol, line_of

LARGEST = 300
HANDSHAKE = b"\r\n".join(
    [
        b"GET /ws/emerald HTTP/1.1",
        b"Host: bigroad",
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        b"Sec-WebSocket-Version: 13",
        b"\r\n",
    ]
)
TEXT, BINARY, CLOSE, PING, PONG = 0x81, 0x82, 0x88, 0x89, 0x8A
TEXT_BEGIN, CONTINUED, CONTINUED_END = 0x01, 0x00, 0x80
Hear = Callable[[str], bool]


def frame(head: int, body: bytes = b"", mask: bytes | None = b"\x01\xfe\x35\x80", *, wide: bool = False) -> bytes:
    """A frame of a client. wide: its length in more bytes than it needs."""
    bit = 0 if mask is None else 0x80
    length = bytes([bit | len(body)]) if len(body) < 126 and not wide else bytes([bit | 126, *divmod(len(body), 256)])
    return bytes([head]) + length + (body if mask is None else mask + apply_mask(body, mask))


class Ends(asyncio.Transport):
    """A connection's near end: keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.written: list[bytes] = []
        self.reads, self.closed = True, False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high == 0

    def get_write_buffer_size(self) -> int:
        return 0


class Listener:
    """An app that writes down what it hears; by the short way too where `short` is given the app's own ear."""

    def __init__(self, short: Callable[[Hear], Hear] | None) -> None:
        self.short = short
        self.heard: list[Any] = []
        self.at_once = 0

    def _hear(self, text: str) -> bool:
        self.heard.append(text)
        self.at_once += 1
        return True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line: Line = line_of(scope)
        line.hear = self.short(self._hear) if self.short else None
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message.get("text", message.get("bytes")))
        self.heard.append(message)


async def opened(app: Any) -> tuple[LineProtocol, Ends]:
    """A line after its handshake."""
    config = uvicorn.Config(app, ws_max_size=LARGEST, ws_per_message_deflate=False, log_config=None, interface="asgi3")
    config.loaded, config.loaded_app = True, app
    protocol, ends = LineProtocol([], config=config, server_state=ServerState(), app_state={}), Ends()
    protocol.connection_made(ends)
    protocol.data_received(HANDSHAKE)
    while not ends.written:  # noqa: ASYNC110  (nothing to wait on)
        await asyncio.sleep(0)
    return protocol, ends


async def gone(protocol: LineProtocol) -> None:
    """The connection is lost, and the app has done what it does."""
    protocol.connection_lost(None)
    await asyncio.gather(*protocol.tasks)


async def told(chunks: Sequence[bytes], short: Callable[[Hear], Hear] | None) -> tuple[Listener, bytes]:
    """What the app heard of these bytes, and what went out after the handshake's answer."""
    listener = Listener(short)
    protocol, ends = await opened(listener)
    for chunk in chunks:
        while not (ends.reads or ends.closed):  # noqa: ASYNC110  (nothing to wait on)
            await asyncio.sleep(0)
        if ends.closed:
            break
        protocol.data_received(chunk)
    await gone(protocol)
    return listener, b"".join(ends.written[1:])


def always(hear: Hear) -> Hear:
    return hear


def now_and_then(hear: Hear) -> Hear:
    """Has no room for the second of each three."""
    asked = 0

    def some(text: str) -> bool:
        nonlocal asked
        asked += 1
        return asked % 3 != 2 and hear(text)

    return some


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    return [data[begin:end] for begin, end in pairwise(sorted({0, *(at % len(data) for at in places), len(data)}))]


def agree(chunks: Sequence[bytes]) -> Listener:
    """Both ways hear and answer the same. Answers what the short way heard."""

    async def both() -> Listener:
        plain, plain_out = await told(chunks, None)
        for short in (now_and_then, always):
            quick, out = await told(chunks, short)
            assert (quick.heard, out) == (plain.heard, plain_out)
        return quick

    return asyncio.run(both())


def masked(head: int, bodies: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.builds(frame, st.just(head), bodies, st.binary(min_size=4, max_size=4), wide=st.booleans())


words = st.text(max_size=60).map(str.encode)
plain = masked(TEXT, words)
odd = st.one_of(
    masked(TEXT, st.sampled_from([b"x" * LARGEST, b"x" * (LARGEST + 1), b"\xff", "é".encode()[:1], b"\xed\xa0\x80"])),
    masked(BINARY, words),
    masked(PING, st.binary(max_size=9)),
    masked(PONG, st.binary(max_size=9)),
    masked(CLOSE, st.sampled_from([b"", b"\x03\xe8", b"\x03\xe8bye", b"\x00\x00", b"\x03"])),
    masked(TEXT_BEGIN, words),
    masked(CONTINUED, words),
    masked(CONTINUED_END, words),
    st.builds(lambda body: frame(TEXT, body, None), words),
    st.sampled_from([frame(0xC1, b"a"), frame(0x91, b"a"), frame(0x83, b"a"), frame(TEXT, b"a")[:-3]]),
    st.builds(lambda body: frame(TEXT_BEGIN, body) + frame(PING) + frame(CONTINUED_END, body), words),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.one_of(plain, odd), st.sampled_from([0, 0, 2, 6, -1, None])), min_size=1, max_size=9))
def test_both_ways_hear_the_same_however_the_bytes_are_cut(frames: list[tuple[bytes, int | None]]) -> None:
    together, places = frame(TEXT, b"first"), [11]
    for one, place in frames:
        if place is not None:
            places.append(len(together) + place)
        together += one
    agree(cut(together, places))


def test_a_rest_that_looks_like_a_message_is_not_one() -> None:
    body = b"\xe1" + frame(TEXT, b"inner", bytes(4))  # UTF-8 all the same
    outer = frame(TEXT, body, bytes(4))
    for before in (b"", frame(TEXT, b"b")):
        heard = agree([frame(TEXT, b"a"), before + outer[:7], outer[7:]]).heard
        assert heard[-2] == body.decode()


def test_a_message_in_a_message_is_none() -> None:
    half, whole = frame(TEXT_BEGIN, b"half"), frame(TEXT, b"a")
    heard, end = agree([whole, half, whole]).heard
    assert (heard, end["code"]) == ("a", 1002)


def test_half_frames_half_messages_and_a_ping_at_every_cut() -> None:
    together = b"".join(
        [
            frame(TEXT, b"one"),
            frame(TEXT_BEGIN, "hal\u00e9".encode()[:-1]),
            frame(PING, b"?"),
            frame(CONTINUED_END, "hal\u00e9".encode()[-1:]),
            frame(TEXT, b"two", wide=True),
            frame(TEXT, b""),
            frame(CLOSE, b"\x03\xe8"),
        ]
    )
    for at in range(len(together)):
        *heard, end = agree(cut(frame(TEXT, b"zero") + together, [10, 10 + at, 11 + at])).heard
        assert (heard, end["code"]) == (["zero", "one", "hal\u00e9", "two", ""], 1000)


def test_the_short_way_is_taken_after_the_first_message_and_again_after_odd_ones() -> None:
    whole = frame(TEXT, b"a")
    assert agree([whole, whole, whole + whole]).at_once == 3
    assert agree([whole, whole[:3], whole[3:] + whole[:2], whole[2:], whole]).at_once == 1
    assert agree([frame(PING), whole, frame(TEXT_BEGIN, b"b"), frame(CONTINUED_END), whole]).at_once == 2


@pytest.mark.parametrize(
    ("odd", "code"),
    [
        (frame(TEXT, b"a", None), 1002),
        (frame(0xC1, b"a"), 1002),
        (frame(TEXT, b"x" * (LARGEST + 1)), 1009),
        (frame(TEXT, b"\xff"), 1007),
        (frame(TEXT_BEGIN, b"a") + frame(TEXT, b"b"), 1002),
    ],
    ids=["unmasked", "reserved bit", "too large", "no UTF-8", "a message in a message"],
)
def test_what_the_library_refuses_is_refused(odd: bytes, code: int) -> None:
    chunks = [frame(TEXT, b"a"), frame(TEXT, b"b"), odd, frame(TEXT, b"never")]
    *heard, end = agree(chunks).heard
    assert (heard, end["code"]) == (["a", "b"], code)


async def test_who_is_shown_the_door_by_a_message_is_not_heard_any_more() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line = line_of(scope)

        def hear(text: str) -> bool:
            heard.append(text)
            line.end(1008, "enough")
            return True

        line.hear = hear
        while (message := await receive())["type"] == "websocket.receive":
            heard.append(message["text"])

    heard: list[str] = []
    protocol, _ = await opened(app)
    protocol.data_received(frame(PING))
    protocol.data_received(frame(TEXT, b"last") + frame(TEXT, b"never"))
    protocol.data_received(frame(TEXT, b"never"))
    await gone(protocol)
    assert heard == ["last"]


@pytest.mark.parametrize("data", [frame(PING), frame(TEXT, b"abc")[:-1], frame(TEXT) + b"\x81", frame(TEXT, b"\xc3")])
def test_other_bytes_are_not_whole_texts(data: bytes) -> None:
    assert whole_texts(data, LARGEST) is None
    assert whole_texts(frame(TEXT, b"a" * 9) + frame(TEXT, b"b" * 200), LARGEST) == ["a" * 9, "b" * 200]
    assert whole_texts(frame(TEXT, b"a" * 9), 8) is None
