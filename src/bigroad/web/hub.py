"""Fan the news of tables out to their sockets.

A body is framed once and the same bytes go to every transport, a slice of the sockets at a time with a turn of the
event loop in between, so that a crowd does not keep commands waiting. A socket that reads slowly holds nobody up and
costs no memory: once the kernel takes no more for it, news passes it by; when it has taken what it was sent, it is
greeted anew with the table as it stands then, and when it does not, it is closed with 1013, to come back by itself.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence

import msgspec
import structlog

from bigroad.app import crash_points
from bigroad.app.ports import Bus, News
from bigroad.web.frames import text_frame
from bigroad.web.line import Line
from bigroad.wire.server_events import SessionEnded

SLICE = 64
"""Sockets between two turns of the event loop: well under a millisecond, of which an echo waits for about three."""
PATIENCE_S = 30.0
"""So long a socket may take nothing while news passes it by."""
TRY_AGAIN_LATER = 1013
SERVICE_RESTART = 1012

log = structlog.get_logger()


def _last_words(reason: str) -> bytes:
    return text_frame(msgspec.json.encode(SessionEnded(reason=reason)))


class Hub:
    """The sockets of this process, by table. told: is called with the seconds that each event took to all of them."""

    def __init__(self, bus: Bus, send_queue_bytes: int, told: Callable[[float], None] = lambda seconds: None) -> None:
        self._bus = bus
        self._limit = send_queue_bytes
        self._told = told
        self._rooms: dict[str, Room] = {}

    def join(self, table: str, line: Line, bodies: Sequence[bytes]) -> None:
        """Send these bodies, and from now on every news of the table. Called between two batches of its news, and once
        more when the line has missed some. A line that cannot be sent them has not joined; what it raised is raised."""
        room = self._rooms.get(table)
        if room is None:
            room = self._rooms[table] = Room(table, self._limit, self._told)
            room.unsubscribe = self._bus.subscribe(table, room.hear)
        room.add(line)
        try:
            for body in bodies:
                self.send(line, body)
        except Exception:
            self.leave(table, line)
            raise

    def send(self, line: Line, body: bytes) -> None:
        """Send one body to one socket."""
        write(line, text_frame(body), self._limit)

    def leave(self, table: str, line: Line) -> None:
        """The socket is gone."""
        room = self._rooms.get(table)
        if room is None:
            return
        room.remove(line)
        if not room.lines:
            room.unsubscribe()
            del self._rooms[table]

    async def stop(self) -> None:
        """Close every socket, in slices: the server goes down."""
        lines = [line for room in self._rooms.values() for line in room.lines]
        for start in range(0, len(lines), SLICE):
            for line in lines[start : start + SLICE]:
                end(line, SERVICE_RESTART, "stopping")
            await asyncio.sleep(0)

    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(room.lines) for room in self._rooms.values())

    def behind(self) -> int:
        """How many of them do not read as fast as they are written to."""
        return len(self._behind())

    def buffered(self) -> int:
        """Bytes that those have not taken yet."""
        return sum(line.buffered() for line in self._behind())

    def _behind(self) -> list[Line]:
        return [
            line for room in self._rooms.values() for line in room.lines if line.paused or line.missed_s is not None
        ]


class Room:
    """The sockets at one table, in the order they joined, and the news they have yet to get.

    News is numbered as it is heard. A socket starts with the number after the last one heard when it joined: the
    frames that it was greeted with contain what came before, even if others are still being told.
    """

    def __init__(self, table: str, limit: int, told: Callable[[float], None]) -> None:
        self.lines: dict[Line, None] = {}
        self.unsubscribe: Callable[[], None] = _nothing
        self._table = table
        self._limit, self._told = limit, told
        self._by_patron: dict[int, list[Line]] = {}
        self._heard = 0
        self._waiting: deque[tuple[int, News]] = deque()
        self._telling: asyncio.Task[None] | None = None

    def add(self, line: Line) -> None:
        """Tell this socket everything from now on."""
        line.since, line.missed_s = self._heard, None
        if line not in self.lines:
            self.lines[line] = None
            self._by_patron.setdefault(line.patron_id, []).append(line)

    def remove(self, line: Line) -> None:
        """Tell it no more."""
        if line not in self.lines:
            return
        del self.lines[line]
        mine = self._by_patron[line.patron_id]
        mine.remove(line)
        if not mine:
            del self._by_patron[line.patron_id]

    def of_patron(self, patron_id: int) -> Sequence[Line]:
        """The sockets of one patron here."""
        return self._by_patron.get(patron_id, ())

    def hear(self, news: Sequence[News]) -> None:
        """Take news from the bus. Sends nothing yet, and never raises."""
        for item in news:
            self._heard += 1
            self._waiting.append((self._heard, item))
        if self._telling is None:
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        private = 0
        try:
            while self._waiting:
                number, item = self._waiting.popleft()
                try:
                    if item.patron_id is not None:
                        private += 1
                        self._tell_patron(number, item.patron_id, text_frame(item.body))
                    else:
                        await self._tell_all(number, item)
                except Exception:
                    log.exception("news_not_told", table=self._table)
                if private == SLICE:  # ten thousand receipts at once are a broadcast too
                    private = 0
                    await asyncio.sleep(0)
        finally:
            self._telling = None

    async def _tell_all(self, number: int, item: News) -> None:
        frame = text_frame(item.body)
        lines = list(self.lines)
        begun = time.perf_counter()
        for start in range(0, len(lines), SLICE):
            self._tell_lines(lines[start : start + SLICE], number, frame)
            crash_points.reached("hub.telling")
            await asyncio.sleep(0)
            if item.volatile:
                self._let_private_pass()
        self._told(time.perf_counter() - begun)

    def _tell_lines(self, lines: Sequence[Line], number: int, frame: bytes) -> None:
        """One frame to some lines; one that breaks keeps nothing from the others."""
        for line in lines:
            if line.since >= number:
                continue
            if line.paused or line.missed_s is not None:
                _pass_by(line)
                continue
            try:
                line.write(frame)
            except Exception:
                log.exception("line_broken", table=self._table, patron=line.patron_id)

    def _let_private_pass(self) -> None:
        """A receipt need not wait for the rest of a volatile broadcast; it never passes a public event."""
        for _ in range(SLICE):
            if not self._waiting or self._waiting[0][1].patron_id is None:
                return
            number, item = self._waiting.popleft()
            assert item.patron_id is not None
            self._tell_patron(number, item.patron_id, text_frame(item.body))

    def _tell_patron(self, number: int, patron_id: int, frame: bytes) -> None:
        self._tell_lines(list(self._by_patron.get(patron_id, ())), number, frame)


def _pass_by(line: Line) -> None:
    """News that this line does not get. It will be told how things stand when it takes more; one that does not for too
    long is let go."""
    now_s = asyncio.get_running_loop().time()
    if line.missed_s is None:
        line.missed_s = now_s
    elif line.paused and now_s - line.missed_s > PATIENCE_S:
        end(line, TRY_AGAIN_LATER, "too_slow")


def write(line: Line, frame: bytes, limit: int) -> None:
    """Send a frame that is for this socket alone; give up one that has too many bytes waiting."""
    if line.paused:
        if line.closing:
            return
        if line.buffered() + len(frame) > limit:
            end(line, TRY_AGAIN_LATER, "too_slow")
            return
    line.write(frame)


def end(line: Line, code: int, reason: str, **within: float) -> None:
    """Say why, then close, even if it cannot be said any more. within_s: as of `Line.end`."""
    if line.closing:
        return
    try:
        line.write(_last_words(reason))
    except Exception:
        log.exception("line_broken", patron=line.patron_id)
    line.end(code, reason, **within)


def _nothing() -> None:
    """No subscription yet."""
