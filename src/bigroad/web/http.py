"""The HTTP API: guests, tables, history, health. OpenAPI is made from the same Structs, at /api/openapi.json."""

import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from litestar import Litestar, Request, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import License
from litestar.params import FromPath, QueryParameter

from bigroad.app.ports import Floor
from bigroad.web import auth
from bigroad.web.limits import Buckets
from bigroad.web.options import WebOptions
from bigroad.web.origin import Proxies, headers_of, is_allowed
from bigroad.web.problems import STATUS, Refuse, code_of, problem
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Patron
from bigroad.wire.session import HistoryCoup, Problem, Session, ShoeRecord, TableRow

HISTORY_MOST = 200
UNREACHED = "/schema"
"""Where Litestar shows the schema and answers unknown paths with HTML; no request is led there."""


@dataclass
class Door:
    """What the handlers share."""

    floor: Floor
    options: WebOptions
    stopping: bool = False
    guests: Buckets = field(init=False)
    proxies: Proxies = field(init=False)

    def __post_init__(self) -> None:
        most = self.options.limits.guests_per_ip_per_minute
        self.guests = Buckets(most / 60, most)
        self.proxies = Proxies(self.options.server.trusted_proxies)

    async def patron(self, request: "Request[Any, Any, Any]") -> Patron:
        """The patron whose cookie this is. Raises Refuse(NO_SESSION)."""
        token = auth.token_in(headers_of(request.scope), self.options.server)
        patron = await self.floor.cashier.patron_of(token) if token else None
        if patron is None:
            raise Refuse(Fault.NO_SESSION)
        return patron

    def check_origin(self, request: "Request[Any, Any, Any]") -> None:
        """A page of another origin may not act for a patron. Programs send no Origin and may."""
        headers = headers_of(request.scope)
        if "origin" in headers and not is_allowed(headers, self.options.server):
            raise Refuse(Fault.BAD_ORIGIN)


def _problems(*codes: Fault) -> dict[int, ResponseSpec]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(STATUS[code], []).append(code.value)
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=" or ".join(names))
        for status, names in by_status.items()
    }


@post(
    "/api/session",
    status_code=200,
    responses=_problems(Fault.BAD_ORIGIN, Fault.TOO_MANY_GUESTS, Fault.STORE_UNAVAILABLE),
    summary="Who am I? Makes a guest with play money where there is no cookie.",
)
async def open_session(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[Session]:
    """Sets the cookie `bigroad`."""
    door.check_origin(request)
    headers, server, cashier = headers_of(request.scope), door.options.server, door.floor.cashier
    token = auth.token_in(headers, server)
    known = await cashier.patron_of(token) if token else None
    address = door.proxies.address(request.scope, headers)
    if known is None and not door.guests.take(address, time.monotonic()):
        raise Refuse(Fault.TOO_MANY_GUESTS)
    visit = await cashier.visit(token if known else None)
    kept = visit.new_token or token or ""
    return Response(visit.session, headers={"Set-Cookie": auth.set_cookie(kept, server)})


@post(
    "/api/refill",
    status_code=200,
    responses=_problems(Fault.BAD_ORIGIN, Fault.NO_SESSION, Fault.REFILL_NOT_YET, Fault.STORE_UNAVAILABLE),
    summary="Get chips: back to the first balance, once a UTC day.",
)
async def refill(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Session:
    """Only when the balance is below the minimum bet."""
    door.check_origin(request)
    patron = await door.patron(request)
    return await door.floor.cashier.refill(patron.patron_id)


@get("/api/tables", summary="All tables, in the order of the settings.")
async def tables(door: NamedDependency[Door]) -> list[TableRow]:
    """The lobby."""
    return [desk.row() for desk in door.floor.desks()]


@get(
    "/api/history",
    responses=_problems(Fault.BAD_REQUEST, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    summary="The patron's latest coups, newest first.",
)
async def history(
    request: "Request[Any, Any, Any]",
    door: NamedDependency[Door],
    limit: Annotated[int, QueryParameter(ge=1, le=HISTORY_MOST)] = 50,
) -> list[HistoryCoup]:
    """Coups that the patron bet on."""
    patron = await door.patron(request)
    return await door.floor.cashier.history(patron.patron_id, limit)


@get(
    "/api/tables/{table:str}/shoes/{number:int}",
    responses=_problems(Fault.UNKNOWN_TABLE, Fault.NOT_FOUND, Fault.STORE_UNAVAILABLE),
    summary="One shoe of a table, present or past: its boards and its coups with their cards.",
)
async def shoe(door: NamedDependency[Door], table: FromPath[str], number: FromPath[int]) -> ShoeRecord:
    """Shoes are numbered from 1; the answer says which one is on the table now."""
    desk = door.floor.desk(table)
    if desk is None:
        raise Refuse(Fault.UNKNOWN_TABLE)
    record = await desk.shoe(number)
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
async def readyz(door: NamedDependency[Door]) -> Response[dict[str, str]]:
    """Whether bets can be made here."""
    dealing = not door.stopping and any(desk.row().phase != "closed" for desk in door.floor.desks())
    ready = dealing and await door.floor.can_write()
    return Response({"status": "ready" if ready else "not ready"}, status_code=200 if ready else 503)


def _answer_trouble(request: "Request[Any, Any, Any]", trouble: Exception) -> Response[Problem]:
    headers: dict[str, str] = {}
    facts: dict[str, int | str] = {}
    if isinstance(trouble, NotFoundException):
        code = str(Fault.NOT_FOUND)
    elif isinstance(trouble, MethodNotAllowedException):
        code, headers = str(Fault.METHOD_NOT_ALLOWED), dict(trouble.headers or {})
    elif isinstance(trouble, HTTPException) and trouble.status_code < 500:
        code = str(Fault.BAD_REQUEST)
    else:
        code, facts = code_of(trouble)
    status = STATUS.get(code, 400)
    return Response(problem(code, facts), status_code=status, headers=headers, media_type="application/json")


def api(door: Door) -> Litestar:
    """The API as an ASGI app."""
    return Litestar(
        route_handlers=[open_session, refill, tables, shoe, history, openapi, healthz, readyz],
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
        request_max_body_size=4096,
    )
