"""The HTTP API of player protection: limits, time-out, self-exclusion, and how long a patron has been playing."""

from typing import Annotated, Any

from litestar import Request, get, post, put
from litestar.di import NamedDependency
from litestar.params import Body, FromPath

from bigroad.app.ports import Guardian
from bigroad.protection.guard import MS_PER_HOUR, Rule
from bigroad.web.http import Door, problems_of, strictly
from bigroad.wire.errors import Fault
from bigroad.wire.protection import ExclusionWish, LimitWish, Protection, Sitting, TimeOutWish

_READ = (Fault.NO_SESSION, Fault.STORE_UNAVAILABLE)
_CHANGED = (Fault.BAD_ORIGIN, Fault.BAD_REQUEST, *_READ)
_WAITED = (*_CHANGED, Fault.NOTHING_PENDING)


async def _asked(request: "Request[Any, Any, Any]", door: Door) -> tuple[Guardian, int]:
    """Whom to ask, and for which patron. No page of another origin may ask for a change."""
    door.check_origin(request)
    return door.floor.guardian, (await door.patron(request)).patron_id


@get("/api/protection", responses=problems_of(*_READ), summary="What the patron has asked to be protected from.")
async def protection(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Protection:
    """Limits with what is left of them, time-out, exclusion, and the latest changes."""
    return await door.floor.guardian.protection((await door.patron(request)).patron_id)


@put(
    "/api/protection/limits/{rule:str}",
    responses=problems_of(*_CHANGED),
    summary="Set a limit, change it, or ask for none.",
)
async def want_limit(
    request: "Request[Any, Any, Any]",
    door: NamedDependency[Door],
    rule: FromPath[Rule],
    data: Annotated[LimitWish, Body()],
) -> Protection:
    """The first one and a lower one hold at once; a bet that is placed stands. A higher one, or none, waits for 24
    hours and is then to be confirmed. The amount that is in force takes back what waits."""
    guardian, patron_id = await _asked(request, door)
    wish = await strictly(request, type(data))
    return await guardian.want_limit(patron_id, rule, wish.amount_minor)


@post(
    "/api/protection/limits/{rule:str}/confirm",
    status_code=200,
    responses=problems_of(*_WAITED, Fault.NOT_YET_READY),
    summary="Confirm the change of a limit that has waited.",
)
async def confirm_limit(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], rule: FromPath[Rule]
) -> Protection:
    """Without it the limit stays as it is."""
    guardian, patron_id = await _asked(request, door)
    return await guardian.confirm_limit(patron_id, rule)


@post(
    "/api/protection/limits/{rule:str}/take-back",
    status_code=200,
    responses=problems_of(*_WAITED),
    summary="Take back the change of a limit that waits.",
)
async def take_back_limit(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], rule: FromPath[Rule]
) -> Protection:
    """The limit stays as it is."""
    guardian, patron_id = await _asked(request, door)
    return await guardian.take_back_limit(patron_id, rule)


@post(
    "/api/protection/time-out",
    status_code=200,
    responses=problems_of(*_CHANGED, Fault.STANDS_ALREADY),
    summary="No bets for some hours from now.",
)
async def time_out(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[TimeOutWish, Body()]
) -> Protection:
    """Nothing shortens it. Bets that are placed are settled and paid."""
    guardian, patron_id = await _asked(request, door)
    wish = await strictly(request, type(data))
    return await guardian.take_time_out(patron_id, wish.hours * MS_PER_HOUR)


@post(
    "/api/protection/exclusion",
    status_code=200,
    responses=problems_of(*_CHANGED, Fault.STANDS_ALREADY),
    summary="No play for months from now, or for good.",
)
async def exclusion(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[ExclusionWish, Body()]
) -> Protection:
    """The patron cannot undo it. Bets that are placed are settled and paid."""
    guardian, patron_id = await _asked(request, door)
    return await guardian.exclude(patron_id, (await strictly(request, type(data))).months)


@post(
    "/api/protection/sitting",
    status_code=200,
    responses=problems_of(Fault.BAD_ORIGIN, *_READ),
    summary="The patron is here: how long already, and what came of it.",
)
async def sitting(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Sitting:
    """Pages ask when they open and every few minutes."""
    guardian, patron_id = await _asked(request, door)
    return await guardian.sit(patron_id)


HANDLERS = (protection, want_limit, confirm_limit, take_back_limit, time_out, exclusion, sitting)
