"""The socket of a table: `/ws/{table}`, bare ASGI.

Refused before the upgrade, with a problem as the body: 403 BAD_ORIGIN, 404 UNKNOWN_TABLE, 400 BAD_REQUEST (not our
subprotocol), 401 NO_SESSION, 403 BAD_TICKET (none, used, too old or another session's), 429 TOO_MANY_SOCKETS or
RATE_LIMITED (of one address), 503 HOUSE_FULL. A patron's sixth socket is accepted, told TOO_MANY_SOCKETS and closed
with 1013, since pages cannot read a refused upgrade. After that whatever a client sends is answered with an event, and
the connection stays usable; only who keeps flooding is closed, with 1008.
"""

import asyncio
import re
import time
from typing import Any
from urllib.parse import parse_qs

import msgspec

from bigroad.app.ports import TableDesk
from bigroad.app.sessions import Visitor
from bigroad.web import auth
from bigroad.web.frames import code_in, read, refusal, request_id_in
from bigroad.web.http import Door
from bigroad.web.hub import TRY_AGAIN_LATER, Hub
from bigroad.web.limits import Bucket, Seats
from bigroad.web.line import Line, line_of
from bigroad.web.origin import Headers, headers_of, is_allowed
from bigroad.web.problems import Refuse, code_of, send_problem
from bigroad.web.sessions import SocketSessions
from bigroad.wire.client_messages import Message, Ping, TableCommand
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Patron, Pong, PrivateEvent, Refused
from bigroad.wire.version import SUBPROTOCOL, TICKET_PREFIX

PREFIX = "/ws/"
POLICY_VIOLATION = 1008
INTERNAL_ERROR = 1011
IN_FLIGHT_MOST = 64
_NUMBER = re.compile(r"^[0-9]{1,16}\Z")
_encoder = msgspec.json.Encoder()


class Sockets:
    """The ASGI endpoint of all tables' sockets."""

    def __init__(self, door: Door, hub: Hub, sessions: SocketSessions) -> None:
        self._door, self._hub, self._sessions = door, hub, sessions
        self._all = Seats(door.options.limits.sockets)
        self._of_address = Seats(door.options.limits.sockets_per_ip)
        self._of_patron = Seats(door.options.limits.sockets_per_patron)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket from its handshake to its end."""
        await receive()
        headers = headers_of(scope)
        address = self._door.proxies.address(scope, headers)
        if not self._all.take(None):
            await self._turn_away(send, Fault.HOUSE_FULL)
            return
        try:
            if self._of_address.take(address):
                try:
                    await self._serve(scope, receive, send, headers, address)
                finally:
                    self._of_address.give_back(address)
            else:
                await self._turn_away(send, Fault.TOO_MANY_SOCKETS)
        finally:
            self._all.give_back(None)

    async def _serve(self, scope: Any, receive: Any, send: Any, headers: Headers, address: str) -> None:
        try:
            self._door.verify_pace(address)
            desk = self._admit(scope, headers)
            visitor = await self._visitor(scope, headers)
        except Exception as trouble:
            code, facts = code_of(trouble)
            await self._turn_away(send, code, facts)
            return
        await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
        self._door.metrics.opened()
        await self._seat(scope, receive, desk, visitor)

    async def _turn_away(self, send: Any, code: str, facts: dict[str, int | str] | None = None) -> None:
        self._door.metrics.turned_away(code)
        await send_problem(send, code, facts, prefix="websocket.http")

    def _admit(self, scope: Any, headers: Headers) -> TableDesk:
        if not is_allowed(headers, self._door.options.server):
            raise Refuse(Fault.BAD_ORIGIN)
        desk = self._door.floor.desk(scope["path"].removeprefix(PREFIX)) if scope["path"].startswith(PREFIX) else None
        if desk is None:
            raise Refuse(Fault.UNKNOWN_TABLE)
        if SUBPROTOCOL not in scope["subprotocols"]:
            raise Refuse(Fault.BAD_REQUEST)
        return desk

    async def _visitor(self, scope: Any, headers: Headers) -> Visitor:
        """Whose cookie and ticket these are. The ticket is used up in any case, before anything is waited for."""
        token = auth.token_in(headers, self._door.options.server)
        tickets = [name for name in scope["subprotocols"] if name.startswith(TICKET_PREFIX)]
        now_s, good = time.monotonic(), False
        for shown in tickets:
            good = self._door.tickets.take(shown.removeprefix(TICKET_PREFIX), token or "", now_s)
        visitor = await self._door.floor.cashier.visitor(token) if token else None
        if visitor is None:
            raise Refuse(Fault.NO_SESSION)
        if len(tickets) != 1 or not good:
            raise Refuse(Fault.BAD_TICKET)
        return visitor

    async def _seat(self, scope: Any, receive: Any, desk: TableDesk, visitor: Visitor) -> None:
        line, patron = line_of(scope), visitor.patron
        line.patron_id = patron.patron_id
        if not self._of_patron.take(patron.patron_id):
            self._door.metrics.turned_away(Fault.TOO_MANY_SOCKETS)
            self._tell(line, refusal(Fault.TOO_MANY_SOCKETS))
            line.end(TRY_AGAIN_LATER, Fault.TOO_MANY_SOCKETS)
            await _until_gone(receive)
            return
        try:
            self._sessions.add(line, visitor)
            await _Visit(self._door, self._hub, line, desk, patron).run(scope, receive)
        finally:
            self._sessions.remove(line)
            self._of_patron.give_back(patron.patron_id)

    def _tell(self, line: Line, event: PrivateEvent) -> None:
        self._hub.send(line, _encoder.encode(event))


class _Visit:
    """One socket's stay at a table."""

    def __init__(self, door: Door, hub: Hub, line: Line, desk: TableDesk, patron: Patron) -> None:
        limits = door.options.limits
        now_s = time.monotonic()
        self._hub, self._line, self._desk, self._patron = hub, line, desk, patron
        self._channel, self._floor, self._metrics = desk.channel(patron.patron_id), door.floor, door.metrics
        self._most_bytes = limits.frame_bytes
        self._bucket = Bucket(limits.messages_per_second, limits.message_burst, now_s)
        self._patience = Bucket(limits.messages_per_second, 4 * limits.message_burst, now_s)
        self._joined = self._catching_up = False
        self._asked: dict[asyncio.Future[bytes | None], TableCommand] = {}
        self._room: asyncio.Future[None] | None = None
        self._greeting: asyncio.Task[None] | None = None

    async def run(self, scope: Any, receive: Any) -> None:
        try:
            if await self._greet(scope):
                await self._listen(receive)
            else:
                await _until_gone(receive)
        finally:
            if self._joined:
                self._joined = False
                self._hub.leave(self._channel, self._line)
                self._desk.leave(self._patron.patron_id)

    async def _greet(self, scope: Any) -> bool:
        epoch, seq = resume_point(scope["query_string"])
        try:
            await self._desk.greet(self._patron, epoch, seq, self._join)
        except Exception as trouble:
            code, facts = code_of(trouble)
            self._tell(refusal(code, facts=facts))
            self._line.end(INTERNAL_ERROR, code)
            return False
        return True

    def _join(self, bodies: Any) -> None:
        self._hub.join(self._channel, self._line, bodies)
        self._joined = True
        self._line.drained = self._catch_up

    def _catch_up(self) -> None:
        """News has passed this socket by, and now it takes some again: tell it how things stand."""
        if not (self._catching_up or self._line.closing):
            self._catching_up = True
            self._greeting = asyncio.get_running_loop().create_task(self._greet_again())

    async def _greet_again(self) -> None:
        try:
            await self._desk.greet(self._patron, None, None, self._join_again)
        except Exception as trouble:
            self._tell(refusal(code_of(trouble)[0]))
            self._line.end(INTERNAL_ERROR, code_of(trouble)[0])
        else:
            self._desk.leave(self._patron.patron_id)  # it was counted in twice
        finally:
            self._catching_up = False

    def _join_again(self, bodies: Any) -> None:
        self._catching_up = False  # before the first byte: what it misses from here on is another time
        if self._joined:
            self._hub.join(self._channel, self._line, bodies)

    async def _listen(self, receive: Any) -> None:
        """Take what does not come straight from the line; it comes by the queue, and nothing passes it by."""
        try:
            while True:
                self._line.hear = self._hear
                message = await receive()
                self._line.hear = None
                if message["type"] != "websocket.receive":
                    return
                while len(self._asked) >= IN_FLIGHT_MOST:
                    self._room = asyncio.get_running_loop().create_future()
                    await self._room
                if not self._take(message.get("text")):
                    await _until_gone(receive)
                    return
        finally:
            self._line.hear = None

    def _hear(self, text: str) -> bool:
        """See Line.hear."""
        if len(self._asked) >= IN_FLIGHT_MOST:
            return False
        self._take(text)
        return True

    def _take(self, text: str | None) -> bool:
        """Answer a message, now or later. None: bytes, which are no message. False: it was one too many, the last."""
        now_s = time.monotonic()
        if not self._bucket.take(now_s):
            if not self._patience.take(now_s):
                self._line.end(POLICY_VIOLATION, Fault.RATE_LIMITED)
                return False
            self._tell(refusal(Fault.RATE_LIMITED, request_id_in(text or "")))
        elif text is None:
            self._tell(refusal(Fault.NOT_JSON))
        elif len(text) > self._most_bytes or not (
            text.isascii() or len(text.encode("utf-8", "replace")) <= self._most_bytes
        ):
            self._tell(refusal(Fault.FRAME_TOO_LARGE, request_id_in(text), facts={"max_bytes": self._most_bytes}))
        else:
            self._do(read(text))
        return True

    def _do(self, message: Any) -> None:
        if isinstance(message, Ping):
            now_ms = self._floor.utc_ms()
            self._tell(Pong(request_id=message.request_id, client_ms=message.client_ms, server_utc_ms=now_ms))
        elif isinstance(message, Message):
            self._ask(message)  # type: ignore[arg-type]
        else:
            self._tell(message)

    def _ask(self, message: TableCommand) -> None:
        try:
            answer = self._desk.command(self._patron.patron_id, message)
        except Exception as trouble:
            self._refuse(message, trouble)
        else:
            self._asked[answer] = message
            answer.add_done_callback(self._answered)

    def _answered(self, answer: "asyncio.Future[bytes | None]") -> None:
        message = self._asked.pop(answer)
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        if answer.cancelled():
            return
        trouble = answer.exception()
        if trouble is not None:
            self._refuse(message, trouble)
            return
        body = answer.result()
        if body is not None:
            refused = code_in(body)
            if refused is not None:
                self._metrics.refused(refused)
            if not self._line.closing:
                self._hub.send(self._line, body)

    def _refuse(self, message: TableCommand, trouble: BaseException) -> None:
        code, facts = code_of(trouble)
        self._tell(refusal(code, message.request_id, message.coup, facts))

    def _tell(self, event: PrivateEvent) -> None:
        if isinstance(event, Refused):
            self._metrics.refused(event.code)
        if not self._line.closing:
            self._hub.send(self._line, _encoder.encode(event))


def resume_point(query: bytes) -> tuple[int | None, int | None]:
    """`?epoch=&seq=` of a page that was here before. Anything odd about it: (None, None), which means a snapshot."""
    try:
        fields = parse_qs(query.decode("ascii"), keep_blank_values=True, max_num_fields=10)
    except (UnicodeDecodeError, ValueError):
        return None, None
    epochs, seqs = fields.get("epoch", []), fields.get("seq", [])
    if len(epochs) != 1 or len(seqs) != 1 or not _NUMBER.match(epochs[0]) or not _NUMBER.match(seqs[0]):
        return None, None
    return int(epochs[0]), int(seqs[0])


async def _until_gone(receive: Any) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass
