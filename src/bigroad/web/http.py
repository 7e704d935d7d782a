"""The HTTP API: guests, tables, history, preferences, health. OpenAPI is made from the same Structs, at
/api/openapi.json."""

import hashlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from litestar import Litestar, Request, Response, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import License
from litestar.params import Body, FromPath, QueryParameter
from litestar.response import Stream

from bigroad.app.cashier import cursor_of
from bigroad.app.ports import Floor, Visit
from bigroad.app.sessions import Visitor
from bigroad.app.store import Wanted
from bigroad.web import auth
from bigroad.web.history_csv import csv_head, csv_lines
from bigroad.web.limits import Buckets
from bigroad.web.metrics import Metrics
from bigroad.web.options import WebOptions
from bigroad.web.origin import Networks, Proxies, headers_of, is_allowed
from bigroad.web.problems import STATUS, Refuse, code_of, problem
from bigroad.web.tickets import VALID_S, Tickets
from bigroad.wire.client_messages import MAX_MINOR
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Patron
from bigroad.wire.session import CoupRecord, HistoryPage, Preferences, Problem, Session, ShoeRecord, TableRow, Ticket

T = TypeVar("T")

HISTORY_MOST = 200
MOST_BODY_BYTES = 4096


class Readiness(msgspec.Struct):
    """not_ready names `stopping`, `store`, and each table that does not deal."""

    status: str
    not_ready: list[str]


UNREACHED = "/schema"
"""Where Litestar shows the schema and answers unknown paths with HTML; no request is led there."""


@dataclass
class Door:
    """What the handlers share. entry: the script that the page begins with."""

    floor: Floor
    options: WebOptions
    metrics: Metrics
    entry: str = ""
    stopping: bool = False
    tickets: Tickets = field(init=False)
    requests: Buckets = field(init=False)
    guests: Buckets = field(init=False)
    registrations: Buckets = field(init=False)
    proxies: Proxies = field(init=False)
    observers: Networks = field(init=False)

    def __post_init__(self) -> None:
        limits = self.options.limits
        self.requests = Buckets(limits.requests_per_ip_per_minute / 60, limits.requests_per_ip_per_minute)
        self.guests = Buckets(limits.guests_per_ip_per_minute / 60, limits.guests_per_ip_per_minute)
        self.tickets = Tickets(2 * limits.sockets_per_patron)
        an_hour = self.floor.accounts.options.registrations_per_ip_per_hour if self.floor.accounts else 1
        self.registrations = Buckets(an_hour / 3600, an_hour)
        self.proxies = Proxies(self.options.server.trusted_proxies)
        self.observers = Networks(self.options.server.metrics)

    def verify_pace(self, address: str) -> None:
        """One more request of this address. Raises Refuse(RATE_LIMITED) where it has asked for too much."""
        if not self.requests.take(address, time.monotonic()):
            raise Refuse(Fault.RATE_LIMITED)

    async def visitor_if_any(self, request: "Request[Any, Any, Any]") -> Visitor | None:
        """Who asks and by which session, None for somebody without a visit."""
        token = auth.token_in(headers_of(request.scope), self.options.server)
        return await self.floor.cashier.visitor(token) if token else None

    async def visitor(self, request: "Request[Any, Any, Any]") -> Visitor:
        """Who asks and by which session. Raises Refuse(NO_SESSION)."""
        visitor = await self.visitor_if_any(request)
        if visitor is None:
            raise Refuse(Fault.NO_SESSION)
        return visitor

    async def patron(self, request: "Request[Any, Any, Any]") -> Patron:
        """The patron whose cookie this is. Raises Refuse(NO_SESSION)."""
        return (await self.visitor(request)).patron

    async def patron_id(self, request: "Request[Any, Any, Any]") -> int | None:
        """Who asks, None for somebody without a visit."""
        visitor = await self.visitor_if_any(request)
        return visitor.patron.patron_id if visitor else None

    def check_origin(self, request: "Request[Any, Any, Any]") -> None:
        """A page of another origin may not act for a patron. Programs send no Origin and may; a browser that sends
        none still says where the page is from."""
        headers = headers_of(request.scope)
        if "origin" in headers and not is_allowed(headers, self.options.server):
            raise Refuse(Fault.BAD_ORIGIN)
        if "origin" not in headers and {"cross-site", "same-site"} & {*headers.get("sec-fetch-site", ())}:
            raise Refuse(Fault.BAD_ORIGIN)


def problems_of(*codes: Fault) -> dict[int, ResponseSpec]:
    """What a handler may answer besides, for the OpenAPI; RATE_LIMITED may be the answer to anything."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, Fault.RATE_LIMITED):
        by_status.setdefault(STATUS[code], []).append(code.value)
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=" or ".join(names))
        for status, names in by_status.items()
    }


async def strictly(request: "Request[Any, Any, Any]", kind: type[T]) -> T:
    """The body once more: Litestar takes "5" for a number and "1" for true, and of a field that is there twice the last
    one, where other readers take the first. Raises Refuse(BAD_REQUEST)."""
    body = await request.body()
    try:
        json.loads(body, object_pairs_hook=_each_once)
        return msgspec.json.decode(body, type=kind)
    except ValueError as problem:  # msgspec's and the library's own are such
        raise Refuse(Fault.BAD_REQUEST) from problem


def _each_once(fields: list[tuple[str, object]]) -> None:
    if len(dict(fields)) < len(fields):
        raise ValueError("a field is there twice")


@post(
    "/api/session",
    status_code=200,
    responses=problems_of(Fault.BAD_ORIGIN, Fault.NO_SESSION, Fault.TOO_MANY_GUESTS, Fault.STORE_UNAVAILABLE),
    summary="Who am I? Makes a guest with play money where there is no cookie.",
)
async def open_session(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[Session]:
    """Sets the cookie `bigroad`."""
    door.check_origin(request)
    headers, server, cashier = headers_of(request.scope), door.options.server, door.floor.cashier
    token = auth.token_in(headers, server)
    known = await cashier.visitor(token) if token else None
    if known is None:
        visit = await _new_guest(door, token, door.proxies.address(request.scope, headers))
    else:
        visit = await cashier.visit(token)
    kept = visit.new_token or token or ""
    seconds = auth.MAX_AGE_S
    if known is not None and known.ends_utc_ms is not None:
        seconds = max(1, (known.ends_utc_ms - door.floor.utc_ms()) // 1000)
    return Response(visit.session, headers={"Set-Cookie": auth.set_cookie(kept, server, seconds)})


async def _new_guest(door: Door, token: str | None, address: str) -> Visit:
    """In place of the session that this token was of, if any. Two tabs whose session has ended ask at once: the first
    becomes a guest, the other has that guest's cookie when it asks again."""
    accounts = door.floor.accounts if token else None
    if accounts is not None and not accounts.replace(token or ""):
        raise Refuse(Fault.NO_SESSION)
    try:
        if not door.guests.take(address, time.monotonic()):
            raise Refuse(Fault.TOO_MANY_GUESTS)
        return await door.floor.cashier.visit(None)
    except BaseException:
        if accounts is not None:
            accounts.not_replaced(token or "")
        raise


@post(
    "/api/ticket",
    status_code=200,
    responses=problems_of(Fault.BAD_ORIGIN, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    summary="A ticket to open one socket with, good once and for a moment.",
)
async def ticket(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Ticket:
    """For the session of the cookie alone. Nothing is written for it."""
    door.check_origin(request)
    await door.patron(request)
    token = auth.token_in(headers_of(request.scope), door.options.server) or ""
    return Ticket(door.tickets.give(token, time.monotonic()), round(VALID_S * 1000), door.entry)


@post(
    "/api/refill",
    status_code=200,
    responses=problems_of(Fault.BAD_ORIGIN, Fault.NO_SESSION, Fault.REFILL_NOT_YET, Fault.STORE_UNAVAILABLE),
    summary="Get chips: back to the first balance, once a UTC day.",
)
async def refill(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Session:
    """Only when the balance is below the minimum bet."""
    door.check_origin(request)
    patron = await door.patron(request)
    return await door.floor.cashier.refill(patron.patron_id)


@get(
    "/api/tables",
    responses={200: ResponseSpec(list[TableRow], generate_examples=False), 304: ResponseSpec(None), **problems_of()},
    summary="All tables, in the order of the settings; those for one patron as the caller's own.",
)
async def tables(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[bytes]:
    """The lobby. Carries an ETag: who asks with If-None-Match is told 304 as long as nothing has changed."""
    patron_id = await door.patron_id(request)
    body = msgspec.json.encode([await desk.row(patron_id) for desk in door.floor.desks()])
    tag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Cookie"}
    if tag in headers_of(request.scope).get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def wanted_of(
    table: Annotated[str | None, QueryParameter(max_length=32, description="Only coups of this table.")] = None,
    profile: Annotated[str | None, QueryParameter(max_length=64, description="Only of this kind of game.")] = None,
    outcome: Annotated[Literal["player", "banker", "tie"] | None, QueryParameter()] = None,
    result: Annotated[Literal["won", "lost", "push"] | None, QueryParameter(description="On balance.")] = None,
    from_utc_ms: Annotated[int | None, QueryParameter(ge=0, le=MAX_MINOR, description="Bet then or later.")] = None,
    to_utc_ms: Annotated[int | None, QueryParameter(ge=0, le=MAX_MINOR, description="Bet before then.")] = None,
) -> Wanted:
    """What a request asks for, from its query."""
    return Wanted(table, profile, outcome, result, from_utc_ms, to_utc_ms)


@get(
    "/api/history",
    responses=problems_of(Fault.BAD_REQUEST, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    dependencies={"wanted": Provide(wanted_of, sync_to_thread=False)},
    summary="The patron's coups, newest first, a page at a time.",
)
async def history(
    request: "Request[Any, Any, Any]",
    door: NamedDependency[Door],
    wanted: NamedDependency[Wanted],
    limit: Annotated[int, QueryParameter(ge=1, le=HISTORY_MOST)] = 50,
    before: Annotated[str | None, QueryParameter(max_length=64, description="`next` of the page before.")] = None,
) -> HistoryPage:
    """Coups that the patron bet on."""
    patron = await door.patron(request)
    cursor = None if before is None else cursor_of(before)
    if before is not None and cursor is None:
        raise Refuse(Fault.BAD_REQUEST)
    return await door.floor.cashier.history(patron.patron_id, limit, wanted, cursor)


@get(
    "/api/history.csv",
    responses=problems_of(Fault.BAD_REQUEST, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    dependencies={"wanted": Provide(wanted_of, sync_to_thread=False)},
    media_type="text/csv",
    summary="The same coups, all of them, as a table for other programs.",
)
async def history_csv(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], wanted: NamedDependency[Wanted]
) -> Stream:
    """Times are UTC, amounts in units of the currency."""
    patron = await door.patron(request)
    cashier = door.floor.cashier
    first = await cashier.history(patron.patron_id, HISTORY_MOST, wanted, None)

    async def lines() -> AsyncIterator[bytes]:
        yield csv_head()
        page = first
        while True:
            yield csv_lines(page.coups)
            cursor = cursor_of(page.next or "")
            if cursor is None:
                return
            page = await cashier.history(patron.patron_id, HISTORY_MOST, wanted, cursor)

    return Stream(lines(), headers={"Content-Disposition": 'attachment; filename="bigroad-history.csv"'})


@get(
    "/api/coups/{table:str}/{number:int}",
    responses=problems_of(Fault.UNKNOWN_TABLE, Fault.NOT_FOUND, Fault.STORE_UNAVAILABLE),
    summary="A dealt coup with its cards and gestures, to be shown again.",
)
async def coup(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], table: FromPath[str], number: FromPath[int]
) -> CoupRecord:
    """At a table for one patron only the caller's own coups are there."""
    desk = door.floor.desk(table)
    if desk is None:
        raise Refuse(Fault.UNKNOWN_TABLE)
    record = await desk.coup(number, await door.patron_id(request))
    if record is None:
        raise Refuse(Fault.NOT_FOUND)
    return record


@get(
    "/api/preferences",
    responses=problems_of(Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    summary="What the patron has chosen for the page.",
)
async def preferences(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Preferences:
    """Only what was chosen is there."""
    patron = await door.patron(request)
    return await door.floor.cashier.preferences(patron.patron_id)


@put(
    "/api/preferences",
    responses=problems_of(Fault.BAD_ORIGIN, Fault.BAD_REQUEST, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    summary="Keep what the patron has chosen for the page, in place of what was chosen before.",
)
async def keep_preferences(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[Preferences, Body()]
) -> Preferences:
    """At most 4,096 bytes; unknown keys are refused."""
    door.check_origin(request)
    patron = await door.patron(request)
    wanted = await strictly(request, type(data))
    await door.floor.cashier.keep_preferences(patron.patron_id, wanted)
    return wanted


@get(
    "/api/tables/{table:str}/shoes/{number:int}",
    responses=problems_of(Fault.UNKNOWN_TABLE, Fault.NOT_FOUND, Fault.STORE_UNAVAILABLE),
    summary="One shoe of a table, present or past: its boards and its coups with their cards.",
)
async def shoe(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], table: FromPath[str], number: FromPath[int]
) -> ShoeRecord:
    """Shoes are numbered from 1; the answer says which one is on the table now. At a table for one patron they are the
    caller's own; where every coup has its own shoe, number 1 stands for the coups on the boards."""
    desk = door.floor.desk(table)
    if desk is None:
        raise Refuse(Fault.UNKNOWN_TABLE)
    record = await desk.shoe(number, await door.patron_id(request))
    if record is None:
        raise Refuse(Fault.NOT_FOUND)
    return record


@get("/api/openapi.json", include_in_schema=False, media_type="application/json", sync_to_thread=False)
def openapi(request: "Request[Any, Any, Any]") -> bytes:
    """The API, described for machines."""
    return msgspec.json.encode(request.app.openapi_schema.to_schema())


@get("/healthz", include_in_schema=False)
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(door: NamedDependency[Door]) -> Response[Readiness]:
    """Whether bets can be made here, and what is not as it should be. One stopped table of many does not turn the
    others away."""
    desks = door.floor.desks()
    closed = [f"table {desk.terms.table}" for desk in desks if not desk.is_open]
    writes = door.stopping or await door.floor.can_write()
    ready = not door.stopping and writes and len(closed) < len(desks)
    troubles = ["stopping"] * door.stopping + ["store"] * (not writes) + closed
    return Response(Readiness("ready" if ready else "not ready", troubles), status_code=200 if ready else 503)


@get("/metrics", include_in_schema=False, media_type="text/plain", sync_to_thread=False)
def metrics(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[bytes]:
    """The figures for Prometheus, for those that the settings name; nobody else finds anything here."""
    headers = headers_of(request.scope)
    if door.proxies.is_forwarded(request.scope, headers):
        raise Refuse(Fault.NOT_FOUND)
    if door.proxies.sender(request.scope, headers) not in door.observers:
        raise Refuse(Fault.NOT_FOUND)
    body, kind = door.metrics.text(",".join(headers.get("accept", ())))
    return Response(body, headers={"Content-Type": kind})


def _answer_trouble(request: "Request[Any, Any, Any]", trouble: Exception) -> Response[Problem]:
    headers: dict[str, str] = {}
    facts: dict[str, int | str] = {}
    if isinstance(trouble, NotFoundException):
        code = str(Fault.NOT_FOUND)
    elif isinstance(trouble, MethodNotAllowedException):
        code, headers = str(Fault.METHOD_NOT_ALLOWED), dict(trouble.headers or {})
    elif isinstance(trouble, HTTPException) and trouble.status_code == 413:
        code, facts = str(Fault.FRAME_TOO_LARGE), {"max_bytes": MOST_BODY_BYTES}
    elif isinstance(trouble, RecursionError) or (isinstance(trouble, HTTPException) and trouble.status_code < 500):
        code = str(Fault.BAD_REQUEST)  # brackets in brackets, deeper than can be read
    else:
        code, facts = code_of(trouble)
    status = STATUS.get(code, 400)
    return Response(problem(code, facts), status_code=status, headers=headers, media_type="application/json")


def api(door: Door, more: Sequence[HTTPRouteHandler] = ()) -> Litestar:
    """The API as an ASGI app; more: handlers of other modules."""
    return Litestar(
        route_handlers=[
            open_session,
            ticket,
            refill,
            tables,
            shoe,
            history,
            history_csv,
            coup,
            preferences,
            keep_preferences,
            openapi,
            healthz,
            readyz,
            *more,
            metrics,
        ],
        dependencies={"door": Provide(lambda: door, sync_to_thread=False)},
        exception_handlers={Exception: _answer_trouble},
        openapi_config=OpenAPIConfig(
            title="Bigroad",
            version="1",
            license=License(name="Apache-2.0"),
            path=UNREACHED,
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
        request_max_body_size=MOST_BODY_BYTES,
    )
