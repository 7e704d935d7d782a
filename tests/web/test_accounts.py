"""Accounts over real HTTP and real sockets, on a real floor."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect

from bigroad.app.account_options import AccountOptions
from bigroad.bus.local import LocalBus
from bigroad.compose import open_floor
from bigroad.settings import Settings
from bigroad.web.app import WebApp, create_app
from bigroad.web.devices import device_words
from bigroad.web.options import LimitOptions, ServerOptions
from bigroad.web.serve import Server, listen
from bigroad.wire.version import subprotocols
from tests.names import HOSTILE
from tests.web.rig import hear, hear_the_end

PASSWORD, OTHER = "correct horse battery", "another horse battery"


@dataclass
class Browser:
    """A cookie jar with an address of its own."""

    http: httpx.AsyncClient
    host: str
    _stack: contextlib.AsyncExitStack

    async def post(self, path: str, body: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        headers = {"Origin": f"http://{self.host}"} | more.pop("headers", {})
        return await self.http.post(path, json=body, headers=headers, **more)

    async def visit(self) -> dict[str, Any]:
        answer = await self.post("/api/session")
        assert answer.status_code == 200
        return dict(answer.json())

    async def account(self) -> dict[str, Any]:
        return dict((await self.http.get("/api/account")).json())

    async def register(self, name: str = "Annabel", password: str = PASSWORD) -> httpx.Response:
        return await self.post("/api/account/register", {"name": name, "password": password})

    async def sign_in(self, name: str = "Annabel", password: str = PASSWORD) -> httpx.Response:
        return await self.post("/api/account/sign-in", {"name": name, "password": password})

    async def ticket(self) -> str:
        return str((await self.post("/api/ticket")).json()["ticket"])

    async def sit(self, table: str = "emerald") -> ClientConnection:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        line = await connect(
            f"ws://{self.host}/ws/{table}",
            additional_headers=[("Cookie", cookie)],
            origin=f"http://{self.host}",  # type: ignore[arg-type]
            subprotocols=subprotocols(await self.ticket()),  # type: ignore[arg-type]
            compression=None,
        )
        assert (await hear(line))["type"] == "welcome"
        return line


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator["Place"]:
    """One server for tables of cases that leave nothing behind."""
    async with open_place(tmp_path_factory.mktemp("shared"), tries_per_address=10_000) as made:
        yield made


@dataclass
class Place:
    app: WebApp
    host: str
    stack: contextlib.AsyncExitStack

    async def browser(self, agent: str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0") -> Browser:
        http = httpx.AsyncClient(base_url=f"http://{self.host}", headers={"User-Agent": agent})
        await self.stack.enter_async_context(http)
        return Browser(http, self.host, self.stack)


@contextlib.asynccontextmanager
async def open_place(folder: Path, **options: Any) -> AsyncIterator[Place]:
    settings = Settings(
        server=ServerOptions(host="127.0.0.1", port=0, data=str(folder)),
        limits=LimitOptions(sockets_per_patron=9, guests_per_ip_per_minute=1_000),
        accounts=AccountOptions(**({"hash_memory_kib": 8, "hash_passes": 1} | options)),
    )
    bus = LocalBus()
    floor = await open_floor(settings, bus)
    app = create_app(floor, bus, settings)
    bound, up = listen(settings), asyncio.Event()

    async def started() -> None:
        floor.start()
        up.set()

    async def stopping() -> None:
        await floor.stop()

    server = Server(app, settings, started, stopping)
    running = asyncio.create_task(server.serve(sockets=[bound]))
    await up.wait()
    try:
        async with contextlib.AsyncExitStack() as stack:
            yield Place(app, f"127.0.0.1:{bound.getsockname()[1]}", stack)
    finally:
        server.should_exit = True
        await running


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with open_place(tmp_path) as made:
        yield made


async def ends(line: ClientConnection) -> None:
    """The socket is told `session_ended` and closed."""
    while (event := await hear(line))["type"] != "session":
        pass
    assert event["reason"] == "session_ended"
    assert await hear_the_end(line) == 1008
    assert line.close_reason == "session_ended"


async def is_open(line: ClientConnection) -> bool:
    await line.send('{"type":"ping","request_id":"p","client_ms":1}')
    while (event := await hear(line))["type"] != "pong":
        if event["type"] == "session":
            return False
    return True


async def test_register_keeps_the_patron_and_the_table_and_turns_the_cookie(place: Place) -> None:
    browser = await place.browser()
    guest, before = await browser.visit(), browser.http.cookies["bigroad"]
    assert guest["registered"] is False
    line = await browser.sit()
    answer = await browser.register()
    assert answer.status_code == 200
    session = answer.json()
    assert session["patron"] == {"patron_id": guest["patron"]["patron_id"], "nickname": "Annabel"}
    assert (session["balance_minor"], session["registered"]) == (guest["balance_minor"], True)
    assert browser.http.cookies["bigroad"] != before
    for cookie in answer.headers.get_list("set-cookie"):
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert await is_open(line)
    assert (await browser.visit())["created"] is False
    async with httpx.AsyncClient(base_url=f"http://{place.host}") as tab:
        late = await tab.post("/api/session", headers={"Cookie": f"bigroad={before}"})
    assert (late.status_code, late.json()["code"]) == (401, "NO_SESSION")
    assert "set-cookie" not in late.headers  # it would take the place of the account's
    await line.close()


async def test_another_browser_comes_to_the_same_money(place: Place) -> None:
    home, away = await place.browser(), await place.browser("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Safari/537")
    mine = await home.visit()
    await home.register()
    guest = await away.visit()
    line = await away.sit()
    answer = await away.sign_in("annabel")
    assert answer.json()["patron"] == {"patron_id": mine["patron"]["patron_id"], "nickname": "Annabel"}
    assert guest["patron"]["patron_id"] != mine["patron"]["patron_id"]
    await ends(line)
    listed = (await away.account())["sessions"]
    assert [(one["device"], one["current"]) for one in listed if one["current"]] == [("Chrome, Android", True)]
    assert {one["device"] for one in listed} == {"Firefox, Linux", "Chrome, Android"}


async def test_sockets_die_with_their_session_in_all_tabs_and_nobody_elses(place: Place) -> None:
    home, away, other = [await place.browser() for _ in range(3)]
    for browser in (home, away, other):
        await browser.visit()
    await home.register()
    await away.sign_in()
    await other.register("Berta")
    tabs = [await away.sit(), await away.sit("midnight"), await away.sit("tableau")]
    mine, theirs = await home.sit(), await other.sit()
    assert (await away.post("/api/account/sign-out")).status_code == 204
    for tab in tabs:
        await ends(tab)
    assert await is_open(mine)
    assert (await away.visit())["created"] is True

    await away.sign_in()
    tab = await away.sit()
    (distant,) = [one["id"] for one in (await home.account())["sessions"] if not one["current"]]
    assert (await home.post(f"/api/account/sessions/{distant}/end")).status_code == 204
    await ends(tab)

    await away.sign_in()
    tab = await away.sit()
    changed = await home.post("/api/account/password", {"old": PASSWORD, "new": OTHER})
    assert changed.status_code == 200
    await ends(tab)
    assert await is_open(mine)

    await away.sign_in(password=OTHER)
    tab = await away.sit()
    assert (await away.post("/api/account/sign-out-everywhere")).status_code == 204
    await ends(tab)
    await ends(mine)
    assert await is_open(theirs)
    await theirs.close()


def let_pass(place: Place, seconds: int) -> None:
    """Have the floor's clock show a later time; its tables' deadlines do not move."""
    place.app._door.floor.cashier._clock._utc_base_ns += seconds * 10**9  # type: ignore[attr-defined]


async def test_two_tabs_whose_session_has_ended_become_one_guest(place: Place) -> None:
    browser = await place.browser()
    await browser.visit()
    await browser.register()
    over = {"Cookie": f"bigroad={browser.http.cookies['bigroad']}"}
    let_pass(place, AccountOptions().absolute_s)
    browser.http.cookies.clear()
    answers = await asyncio.gather(*(browser.http.post("/api/session", headers=over) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    (guest,) = [answer for answer in answers if answer.status_code == 200]
    assert guest.json()["created"] is True
    assert all("set-cookie" not in answer.headers for answer in answers if answer is not guest)
    again = await browser.visit()  # the jar of all tabs has the guest's by now
    assert (again["patron"], again["created"]) == (guest.json()["patron"], False)


async def test_a_session_that_is_over_takes_its_socket_along(place: Place) -> None:
    browser = await place.browser()
    await browser.visit()
    await browser.register()
    line = await browser.sit()
    let_pass(place, AccountOptions().absolute_s - 60)
    assert await is_open(line)
    let_pass(place, 60)
    await ends(line)
    assert (await browser.http.get("/api/account")).status_code == 401


async def test_a_session_ends_half_an_hour_after_its_last_use_and_twelve_hours_after_its_beginning(
    place: Place,
) -> None:
    """As the OWASP verification standard has it. A page that is open, in the lobby too, is use."""
    browser = await place.browser()
    await browser.visit()
    await browser.register()
    for _ in range(24):
        let_pass(place, 29 * 60)
        assert (await browser.visit())["registered"] is True
    let_pass(place, 24 * 60)
    assert (await browser.http.get("/api/account")).status_code == 401
    await browser.sign_in()
    let_pass(place, 30 * 60)
    assert (await browser.http.get("/api/account")).status_code == 401


async def test_a_handshake_that_began_before_its_session_ended_does_not_get_in(place: Place) -> None:
    browser = await place.browser()
    await browser.visit()
    await browser.register()
    cashier = place.app._door.floor.cashier
    visitor, token = await cashier.visitor(browser.http.cookies["bigroad"]), browser.http.cookies["bigroad"]
    assert visitor is not None
    ticket = await browser.ticket()
    assert (await browser.post("/api/account/sign-out")).status_code == 204
    browser.http.cookies.set("bigroad", token)
    slow = type(cashier).visitor

    async def as_it_was(self: Any, asked: str | None) -> Any:
        return visitor if asked == token else await slow(self, asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(cashier), "visitor", as_it_was)
        line = await connect(
            f"ws://{place.host}/ws/emerald",
            additional_headers=[("Cookie", f"bigroad={token}")],
            origin=f"http://{place.host}",  # type: ignore[arg-type]
            subprotocols=subprotocols(ticket),  # type: ignore[arg-type]
        )
        await ends(line)


async def test_a_client_that_does_not_close_hears_nothing_more(place: Place) -> None:
    """Whoever holds a stolen cookie ignores the close; the news stops all the same, and the line is cut."""
    browser = await place.browser()
    await browser.visit()
    await browser.register()
    reader, writer = await asyncio.open_connection(*place.host.split(":"))
    cookie, offered = f"bigroad={browser.http.cookies['bigroad']}", ", ".join(subprotocols(await browser.ticket()))
    writer.write(
        f"GET /ws/emerald HTTP/1.1\r\nHost: {place.host}\r\nOrigin: http://{place.host}\r\nCookie: {cookie}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {offered}\r\n\r\n".encode()
    )
    await asyncio.wait_for(reader.readuntil(b'"type":"you"'), 60)
    assert (await browser.post("/api/account/sign-out")).status_code == 204
    rest = await asyncio.wait_for(reader.read(), 60)
    last_words = rest.rindex(b"session_ended")
    assert rest[last_words:] == b"session_ended"  # the close frame's own reason: nothing came after it
    writer.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("register", {"name": "Annabel", "password": PASSWORD}),
        ("sign-in", {"name": "Annabel", "password": PASSWORD}),
        ("sign-out", None),
        ("sign-out-everywhere", None),
        ("password", {"old": PASSWORD, "new": OTHER}),
        ("sessions/0123456789abcdef/end", None),
    ],
)
async def test_a_foreign_page_can_do_nothing_with_an_account(shared: Place, path: str, body: Any) -> None:
    browser = await shared.browser()
    await browser.visit()
    for origin in ("https://evil.example", "null", f"http://{shared.host}.evil.example"):
        answer = await browser.post(f"/api/account/{path}", body, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "BAD_ORIGIN")
    assert (await browser.account())["registered"] is False


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("path", ["register", "sign-in", "password"])
@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b"{}", b'{"name":1,"password":2}', b'{"name":"Ann","password":null}', b"\xff\xfe",
        b'{"name":"Annabel","password":"correct horse battery","admin":true}', b'{"name":"Ann","password":"\\ud800"',
        b'{"name":"Annabel","name":"Berta","password":"correct horse battery"}',
        b'{"old":"correct horse battery","new":"another horse battery","new":"a third horse battery"}',
        b'{"name":"' + b"x" * 3000 + b'","password":"correct horse battery"}', b"[" * 4000,
        b'{"old":"' + b"x" * 600 + b'","new":"x"}',
    ],
)  # fmt: skip
async def test_what_is_no_request_is_refused(shared: Place, path: str, body: bytes) -> None:
    browser = await shared.browser()
    await browser.visit()
    answer = await browser.http.post(f"/api/account/{path}", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_what_is_refused_has_its_code_and_changes_nothing(place: Place) -> None:
    browser, other = await place.browser(), await place.browser()
    before = await browser.visit()
    await other.visit()
    await other.register("Berta")
    for body, status, code in [
        ({"name": "B", "password": PASSWORD}, 400, "NAME_LENGTH"),
        ({"name": "=cmd", "password": PASSWORD}, 400, "NAME_CHARACTERS"),
        ({"name": "Dealer", "password": PASSWORD}, 400, "NAME_RESERVED"),
        ({"name": "8erta", "password": "seven77"}, 400, "PASSWORD_LENGTH"),
        ({"name": "Annabel", "password": "password1"}, 400, "PASSWORD_TOO_EASY"),
        ({"name": "BERTA", "password": PASSWORD}, 409, "NAME_TAKEN"),
    ]:
        answer = await browser.post("/api/account/register", body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    for path in ("sign-out", "sign-out-everywhere", "sessions/0123456789abcdef/end"):
        answer = await browser.post(f"/api/account/{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "NOT_REGISTERED")
    after = await browser.visit()
    assert {**after, "server_utc_ms": 0} == {**before, "created": False, "server_utc_ms": 0}
    answer = await other.register("Clara")
    assert (answer.status_code, answer.json()["code"]) == (409, "ALREADY_REGISTERED")
    nobody = await place.browser()
    for path in ("register", "password"):
        body = {"name": "Ann", "password": PASSWORD} if path == "register" else {"old": "x", "new": PASSWORD}
        answer = await nobody.post(f"/api/account/{path}", body)
        assert (answer.status_code, answer.json()["code"]) == (401, "NO_SESSION")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", [name for name in HOSTILE if name.isprintable() or "\u202e" in name])
async def test_nothing_hostile_becomes_a_name_or_comes_back_in_an_answer(shared: Place, name: str) -> None:
    browser = await shared.browser()
    await browser.visit()
    answer = await browser.register(name)
    assert answer.status_code == 400
    assert name not in answer.text
    refused = await browser.sign_in(name)
    assert (refused.status_code, refused.json()["code"]) == (403, "SIGN_IN_REFUSED")
    assert name not in refused.text


async def test_accounts_of_one_address_are_bounded(tmp_path: Path) -> None:
    async with open_place(tmp_path, registrations_per_ip_per_hour=2) as place:
        statuses = []
        for name in ("Annabel", "Berta", "Clara"):
            browser = await place.browser()
            await browser.visit()
            statuses.append((await browser.register(name)).status_code)
        assert statuses == [200, 200, 429]


async def test_over_https_both_cookies_are_bound_to_the_host(tmp_path: Path) -> None:
    settings = Settings(
        server=ServerOptions(host="127.0.0.1", port=0, data=str(tmp_path), public_url="https://play.example"),
        accounts=AccountOptions(hash_memory_kib=8, hash_passes=1, absolute_s=3_600),
    )
    floor = await open_floor(settings, LocalBus())
    app = create_app(floor, LocalBus(), settings)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://play.example") as http:
        await http.post("/api/session")
        answer = await http.post("/api/account/register", json={"name": "Annabel", "password": PASSWORD})
        assert answer.status_code == 200
        session, device = answer.headers.get_list("set-cookie")
        assert session.startswith("__Host-bigroad=")
        assert "Max-Age=3600" in session
        assert device.startswith("__Host-bigroad-device=")
        assert all("Secure" in one.split("; ") for one in (session, device))
        again = await http.post("/api/session")
        assert "Max-Age=3599" in again.headers["set-cookie"] or "Max-Age=3600" in again.headers["set-cookie"]
        out = await http.post("/api/account/sign-out")
        assert "Max-Age=0" in out.headers["set-cookie"]
    await floor.stop()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Firefox/140.0", "Firefox, Mac"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)
def test_browsers_are_named_in_two_words_of_ours(agent: str, words: str) -> None:
    assert device_words(agent) == words
