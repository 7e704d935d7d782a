"""The API of accounts. Every act is a POST that no page of another origin may make."""

import time
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import Body, FromPath

from bigroad.app.accounts import Accounts, Caller, Entered
from bigroad.app.sessions import Visitor
from bigroad.web import auth
from bigroad.web.devices import device_words
from bigroad.web.http import Door, problems_of, strictly
from bigroad.web.origin import headers_of
from bigroad.web.problems import Refuse
from bigroad.wire.errors import Fault
from bigroad.wire.session import Account, Credentials, PasswordChange, Session

_ANY = (Fault.BAD_ORIGIN, Fault.NO_SESSION, Fault.STORE_UNAVAILABLE)
_TRIED = (Fault.SIGN_IN_REFUSED, Fault.TOO_MANY_TRIES, Fault.SIGN_IN_BUSY)


class Desk:
    """The desk for accounts and whoever stands before it."""

    def __init__(self, door: Door, request: "Request[Any, Any, Any]") -> None:
        if door.floor.accounts is None:
            raise Refuse(Fault.NOT_FOUND)
        self.accounts: Accounts = door.floor.accounts
        self._door, self._request = door, request
        self.headers = headers_of(request.scope)
        server = door.options.server
        agent = self.headers.get("user-agent", [""])[0]
        self.caller = Caller(
            address=door.proxies.address(request.scope, self.headers),
            device_token=auth.token_in(self.headers, server, auth.device_cookie_name(server)),
            device_words=device_words(agent),
        )

    async def visitor(self) -> Visitor:
        """Who asks. Raises Refuse(NO_SESSION)."""
        return await self._door.visitor(self._request)

    async def anybody(self) -> Visitor | None:
        """Who asks, or None."""
        return await self._door.visitor_if_any(self._request)

    async def entered(self, entered: Entered) -> Response[Session]:
        """The session that was begun, with its cookies."""
        visit = await self._door.floor.cashier.visit(entered.token)
        server, seconds = self._door.options.server, self.accounts.options.absolute_s
        cookies = [
            _cookie(auth.cookie_name(server), entered.token, seconds, secure=server.is_https),
            _cookie(auth.device_cookie_name(server), entered.device_token, auth.MAX_AGE_S, secure=server.is_https),
        ]
        return Response(visit.session, cookies=cookies)

    def left(self) -> Response[None]:
        """Nothing to say, and no cookie any more."""
        server = self._door.options.server
        gone = _cookie(auth.cookie_name(server), "", 0, secure=server.is_https)
        return Response(None, status_code=204, cookies=[gone])


def _cookie(name: str, value: str, seconds: int, *, secure: bool) -> Cookie:
    return Cookie(name, value=value, path="/", max_age=seconds, httponly=True, samesite="lax", secure=secure)


@get(
    "/api/account",
    responses=problems_of(Fault.NO_SESSION, Fault.STORE_UNAVAILABLE),
    summary="The caller's account and its sessions.",
)
async def account(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Account:
    """A guest's has no sessions."""
    desk = Desk(door, request)
    return await desk.accounts.account(await desk.visitor())


@post(
    "/api/account/register",
    status_code=200,
    responses=problems_of(
        *_ANY,
        Fault.BAD_REQUEST,
        Fault.NAME_LENGTH,
        Fault.NAME_CHARACTERS,
        Fault.NAME_RESERVED,
        Fault.NAME_TAKEN,
        Fault.PASSWORD_LENGTH,
        Fault.PASSWORD_TOO_EASY,
        Fault.ALREADY_REGISTERED,
        Fault.TOO_MANY_ACCOUNTS,
        Fault.SIGN_IN_BUSY,
    ),
    summary="Make an account of the guest who asks: same patron, same money, under a name and a password.",
)
async def register(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[Credentials, Body()]
) -> Response[Session]:
    """The name is shown as the nickname and is one to sign in with. The cookie is a new one."""
    door.check_origin(request)
    desk = Desk(door, request)

    def allowed() -> bool:
        return door.registrations.take(desk.caller.address, time.monotonic())

    visitor, wish = await desk.visitor(), await strictly(request, type(data))
    return await desk.entered(await desk.accounts.register(visitor, wish.name, wish.password, desk.caller, allowed))


@post(
    "/api/account/sign-in",
    status_code=200,
    responses=problems_of(Fault.BAD_ORIGIN, Fault.BAD_REQUEST, *_TRIED, Fault.STORE_UNAVAILABLE),
    summary="Come back to an account. Whoever the caller was before is left behind.",
)
async def sign_in(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[Credentials, Body()]
) -> Response[Session]:
    """A name that nobody has is answered as a wrong password is. A guest who signs in loses the way to the guest's
    money."""
    door.check_origin(request)
    desk = Desk(door, request)
    visitor, known = await desk.anybody(), await strictly(request, type(data))
    return await desk.entered(await desk.accounts.sign_in(visitor, known.name, known.password, desk.caller))


@post(
    "/api/account/sign-out",
    status_code=204,
    responses=problems_of(*_ANY, Fault.NOT_REGISTERED),
    summary="End the session that asks. Its sockets close.",
)
async def sign_out(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[None]:
    """A guest cannot: nothing would lead back to the guest's money."""
    door.check_origin(request)
    desk = Desk(door, request)
    await desk.accounts.sign_out(await desk.visitor())
    return desk.left()


@post(
    "/api/account/sign-out-everywhere",
    status_code=204,
    responses=problems_of(*_ANY, Fault.NOT_REGISTERED),
    summary="End every session of the account. Their sockets close.",
)
async def sign_out_everywhere(request: "Request[Any, Any, Any]", door: NamedDependency[Door]) -> Response[None]:
    """This one too. Known browsers are forgotten."""
    door.check_origin(request)
    desk = Desk(door, request)
    await desk.accounts.sign_out_everywhere(await desk.visitor())
    return desk.left()


@post(
    "/api/account/password",
    status_code=200,
    responses=problems_of(
        *_ANY, Fault.BAD_REQUEST, Fault.PASSWORD_LENGTH, Fault.PASSWORD_TOO_EASY, Fault.NOT_REGISTERED, *_TRIED
    ),
    summary="Another password. Every other session ends; this one gets a new cookie.",
)
async def change_password(
    request: "Request[Any, Any, Any]", door: NamedDependency[Door], data: Annotated[PasswordChange, Body()]
) -> Response[Session]:
    """The old one is asked for."""
    door.check_origin(request)
    desk = Desk(door, request)
    visitor, wish = await desk.visitor(), await strictly(request, type(data))
    return await desk.entered(await desk.accounts.change_password(visitor, wish.old, wish.new, desk.caller))


@post(
    "/api/account/sessions/{session:str}/end",
    status_code=204,
    responses=problems_of(*_ANY, Fault.NOT_FOUND, Fault.NOT_REGISTERED),
    summary="End one of the own sessions. Its sockets close.",
)
async def end_session(request: "Request[Any, Any, Any]", door: NamedDependency[Door], session: FromPath[str]) -> None:
    """`session`: its `id` in the account."""
    door.check_origin(request)
    desk = Desk(door, request)
    await desk.accounts.end_session(await desk.visitor(), session)


HANDLERS = (account, register, sign_in, sign_out, sign_out_everywhere, change_password, end_session)
