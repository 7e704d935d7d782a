"""The HTTP API: one shape for every error, never a 5xx for what came in."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from bigroad.web.options import LimitOptions, ServerOptions
from bigroad.web.problems import STATUS, problem
from bigroad.wire.errors import WORDS, Fault
from tests.web.rig import TABLE, House, Options, TalkingDesk, open_house


async def test_a_first_visit_makes_a_guest_and_a_cookie_and_the_next_knows_both() -> None:
    async with open_house() as house:
        first = await house.http.post("/api/session")
        assert first.status_code == 200
        assert first.json()["created"] is True
        words = first.headers["set-cookie"].split("; ")
        assert words[0].startswith("bigroad=")
        assert len(words[0]) >= len("bigroad=") + 22  # 128 bits in base64
        assert set(words[1:]) == {"Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Lax"}
        second = await house.http.post("/api/session")
        assert second.json()["created"] is False
        assert second.json()["patron"] == first.json()["patron"]


async def test_over_https_the_cookie_is_secure_and_bound_to_the_host() -> None:
    server = ServerOptions(host="127.0.0.1", port=0, public_url="https://play.example")
    async with open_house(Options(server=server)) as house:
        answer = await house.http.post("/api/session")
        words = answer.headers["set-cookie"].split("; ")
        assert words[0].startswith("__Host-bigroad=")
        assert "Secure" in words
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_without_https_nothing_asks_for_it() -> None:
    async with open_house() as house:
        answer = await house.http.post("/api/session")
        assert "Secure" not in answer.headers["set-cookie"]
        assert "strict-transport-security" not in answer.headers


async def test_a_cookie_nobody_gave_out_makes_a_new_guest() -> None:
    async with open_house() as house:
        answer = await house.http.post("/api/session", headers={"Cookie": "bigroad=chosen-by-me"})
        assert answer.json()["created"] is True
        assert "chosen-by-me" not in answer.headers["set-cookie"]


async def test_two_cookies_of_the_name_are_none() -> None:
    async with open_house() as house:
        mine, other = await house.guest(), await house.guest()
        answer = await house.http.get("/api/history", headers={"Cookie": f"{mine}; {other}"})
        assert answer.status_code == 401


async def test_guests_of_one_address_come_at_a_bounded_rate_and_known_patrons_still_enter() -> None:
    async with open_house(Options(limits=LimitOptions(guests_per_ip_per_minute=3))) as house:
        cookies = [await house.guest() for _ in range(3)]
        refused = await house.http.post("/api/session")
        assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_GUESTS")
        known = await house.http.post("/api/session", headers={"Cookie": cookies[0]})
        assert known.status_code == 200


async def test_an_address_asks_at_a_bounded_pace_and_the_page_itself_is_still_there() -> None:
    """Two are let through, the third would have to wait for half a minute; other addresses need not."""
    server = ServerOptions(host="127.0.0.1", port=0, trusted_proxies=("127.0.0.1",))
    async with open_house(Options(server=server, limits=LimitOptions(requests_per_ip_per_minute=2))) as house:
        cookie = await house.guest()
        ticket = await house.ticket(cookie)
        for path in ("/api/tables", "/api/history", "/api/nothing", "/readyz"):
            refused = await house.http.get(path, headers={"Cookie": cookie})
            assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
        with pytest.raises(InvalidStatus) as handshake:
            await house.connect(cookie, ticket=ticket)
        assert handshake.value.response.status_code == 429
        assert (await house.http.get("/no-such-page")).status_code == 404
        elsewhere = await house.http.get("/api/tables", headers={"X-Forwarded-For": "203.0.113.9"})
        assert elsewhere.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/api/preferences", '{"changedUtcMs":1,"changedUtcMs":2}'),
        ("PUT", "/api/preferences", '{"changedUtcMs":1,"volumes":{"room":0,"ro\\u006fm":1}}'),
        ("PUT", "/api/protection/limits/loss_day", '{"amount_minor":5,"amount_minor":9000}'),
        ("POST", "/api/protection/time-out", '{"hours":1008,"hours":1}'),
    ],
)
async def test_a_field_that_is_there_twice_is_refused(method: str, path: str, body: str) -> None:
    async with open_house() as house:
        headers = {"Cookie": await house.guest(), "Content-Type": "application/json"}
        answer = await house.http.request(method, path, content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")
        assert house.floor.cashier.kept == {}
        protection = (await house.http.get("/api/protection", headers=headers)).json()
        assert (protection["limits"], protection["time_out_until_utc_ms"]) == ([], None)


@pytest.mark.parametrize("path", ["/api/session", "/api/ticket", "/api/refill"])
async def test_a_foreign_page_cannot_act_for_a_patron(path: str) -> None:
    async with open_house() as house:
        cookie = await house.guest()
        for origin in ("https://evil.example", "null", f"http://{house.host}.evil.example"):
            answer = await house.http.post(path, headers={"Origin": origin, "Cookie": cookie})
            assert (answer.status_code, answer.json()["code"]) == (403, "BAD_ORIGIN")


async def test_a_foreign_page_that_sends_no_origin_is_known_by_its_browser() -> None:
    async with open_house() as house:
        headers = {"Cookie": await house.guest()}
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            answer = await house.http.post("/api/ticket", headers={**headers, "Sec-Fetch-Site": site})
            assert answer.status_code == status


async def test_pages_that_may_open_tables_may_read_what_it_takes() -> None:
    lobby = "https://lobby.example"
    server = ServerOptions(host="127.0.0.1", port=0, allowed_origins=(lobby,))
    async with open_house(Options(server=server)) as house:
        cookie = await house.guest()
        for origin, path, reads in (
            (lobby, "/api/session", True),
            (lobby, "/api/ticket", True),
            (lobby, "/api/tables", True),
            (lobby, "/api/history", False),
            ("https://lobby.example.evil.example", "/api/ticket", False),
            ("https://evil.example", "/api/ticket", False),
            ("null", "/api/ticket", False),
        ):
            method = "GET" if path in ("/api/tables", "/api/history") else "POST"
            answer = await house.http.request(method, path, headers={"Cookie": cookie, "Origin": origin})
            assert answer.headers.get("access-control-allow-origin") == (origin if reads else None)
            assert answer.headers.get("access-control-allow-credentials") == ("true" if reads else None)
            assert ("Origin" in answer.headers.get("vary", "")) == (path != "/api/history")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[House]:
    """One server for a table of many cases."""
    async with open_house() as house:
        yield house


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "NOT_FOUND"),
        ("GET", "/api", 404, "NOT_FOUND"),
        ("GET", "/nothing", 404, "NOT_FOUND"),
        ("GET", "/../../etc/passwd", 404, "NOT_FOUND"),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404, "NOT_FOUND"),
        ("GET", "/assets/..%2f..%2fhttp.py", 404, "NOT_FOUND"),
        ("GET", "/%00", 404, "NOT_FOUND"),
        ("GET", "/%ff%fe", 404, "NOT_FOUND"),
        ("GET", "/api/session", 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/api/tables", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", "/healthz", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/api/refill", 401, "NO_SESSION"),
        ("GET", "/api/history", 401, "NO_SESSION"),
        ("GET", "/api/history?limit=0", 400, "BAD_REQUEST"),
        ("GET", "/api/history?limit=201", 400, "BAD_REQUEST"),
        ("GET", "/api/history?limit=x", 400, "BAD_REQUEST"),
        ("GET", "/api/history?limit=1e3", 400, "BAD_REQUEST"),
        ("GET", "/api/history?limit=99999999999999999999999", 400, "BAD_REQUEST"),
        ("GET", "/ws/emerald", 404, "NOT_FOUND"),
    ],
)
async def test_every_error_has_the_one_shape(shared: House, method: str, path: str, status: int, code: str) -> None:
    answer = await shared.http.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    assert set(answer.json()) == {"code", "message", "facts"}
    assert answer.json()["code"] == code
    assert answer.json()["message"] == WORDS[Fault(code)]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_refill_too_early_says_so() -> None:
    async with open_house() as house:
        answer = await house.http.post("/api/refill", headers={"Cookie": await house.guest()})
        assert (answer.status_code, answer.json()["code"]) == (409, "REFILL_NOT_YET")


async def test_tables_and_history_answer() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        tables = await house.http.get("/api/tables")
        assert [row["terms"]["table"] for row in tables.json()] == ["emerald"]
        assert tables.headers["cache-control"] == "private, no-cache"
        history = await house.http.get("/api/history?limit=200", headers={"Cookie": cookie})
        assert history.json() == {"coups": [], "next": None}


async def test_a_handler_that_breaks_says_nothing_of_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:

        async def broken(*_: Any) -> None:
            raise ValueError("select * from secrets")

        monkeypatch.setattr(house.floor.cashier, "history", broken)
        with capture_logs() as logs:
            answer = await house.http.get("/api/history", headers={"Cookie": await house.guest()})
        assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL")
        assert "secrets" not in answer.text
        assert answer.json()["facts"]["ref"] in [entry.get("ref") for entry in logs]


async def test_health_and_readiness_say_what_is_wrong() -> None:
    async with open_house() as house:
        assert (await house.http.get("/healthz")).status_code == 200

        async def told() -> tuple[int, list[str]]:
            answer = await house.http.get("/readyz")
            body = answer.json()
            assert body["status"] == ("ready" if answer.status_code == 200 else "not ready")
            return answer.status_code, body["not_ready"]

        assert await told() == (200, [])
        house.floor.writes = False
        assert await told() == (503, ["store"])
        house.floor.writes = True
        house.desk.is_open = False
        assert await told() == (503, ["table emerald"])
        house.floor.others.append(TalkingDesk(house.bus))
        assert await told() == (200, ["table emerald"]), "one table of two still deals"
        house.desk.is_open = True
        await house.app.stop()
        assert (await house.http.get("/healthz")).status_code == 200
        assert await told() == (503, ["stopping"])


async def test_head_answers_as_get_without_the_body() -> None:
    async with open_house() as house:
        for path in ("/api/tables", "/healthz", "/"):
            whole, head = await house.http.get(path), await house.http.head(path)
            assert (head.status_code, head.content) == (whole.status_code, b"")
            assert head.headers["content-length"] == whole.headers["content-length"]


async def test_openapi_is_made_from_the_structs() -> None:
    async with open_house() as house:
        document = (await house.http.get("/api/openapi.json")).json()
        assert document["openapi"].startswith("3.1")
        shoes = "/api/tables/{table}/shoes/{number}"
        assert {path for path in document["paths"] if not path.startswith("/api/protection")} == {
            "/api/session",
            "/api/ticket",
            "/api/refill",
            "/api/tables",
            shoes,
            "/api/history",
            "/api/history.csv",
            "/api/coups/{table}/{number}",
            "/api/preferences",
            "/api/account",
            "/api/account/register",
            "/api/account/sign-in",
            "/api/account/sign-out",
            "/api/account/sign-out-everywhere",
            "/api/account/password",
            "/api/account/sessions/{session}/end",
        }
        schemas = json.dumps(document["components"]["schemas"])
        for name in ("Session", "TableRow", "HistoryCoup", "Problem"):
            assert name in schemas
        parameters = document["paths"]["/api/history"]["get"]["parameters"]
        assert {parameter["name"] for parameter in parameters} == {
            "limit",
            "before",
            "table",
            "profile",
            "outcome",
            "result",
            "from_utc_ms",
            "to_utc_ms",
        }


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"/api/tables/{TABLE}/shoes/1", 200, None),
        (f"/api/tables/{TABLE}/shoes/2", 404, "NOT_FOUND"),
        (f"/api/tables/{TABLE}/shoes/-1", 404, "NOT_FOUND"),
        (f"/api/tables/{TABLE}/shoes/9" + "9" * 30, 404, "NOT_FOUND"),
        (f"/api/tables/{TABLE}/shoes/one", 404, "NOT_FOUND"),
        ("/api/tables/nowhere/shoes/1", 404, "UNKNOWN_TABLE"),
    ],
)
async def test_a_shoe_or_a_clear_answer(path: str, status: int, code: str | None) -> None:
    async with open_house() as house:
        answer = await house.http.get(path)
        assert (answer.status_code, answer.json().get("code")) == (status, code)


async def test_whatever_comes_in_no_answer_is_a_5xx() -> None:
    text = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=40)
    async with open_house() as house:
        loop = asyncio.get_running_loop()
        cookie = await house.guest()

        async def ask(method: str, path: str, query: str, body: bytes, header: str) -> None:
            header = header.strip()  # the client itself refuses to send blanks at the ends
            headers = {b"Cookie": f"{cookie}; x={header}".encode("latin-1"), b"X-Odd": header.encode("latin-1")}
            answer = await house.http.request(
                method, f"/api{path}", params={"limit": query}, content=body, headers=headers
            )
            assert answer.status_code < 500, (method, path, query, body)

        @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(
            st.sampled_from(["GET", "POST", "PUT", "OPTIONS", "DELETE", "PATCH"]),
            st.sampled_from(["/session", "/refill", "/tables", "/history", "/{x}", "//", "/é"]),
            text,
            st.binary(max_size=200),
            text.map(lambda words: "".join(sign for sign in words if sign.isprintable() and sign != ";")),
        )
        def fuzz(method: str, path: str, query: str, body: bytes, header: str) -> None:
            asyncio.run_coroutine_threadsafe(ask(method, path, query, body, header), loop).result(30)

        await asyncio.to_thread(fuzz)


def test_every_code_has_words_and_every_status_a_code() -> None:
    assert set(STATUS) <= set(WORDS)
    assert problem("FRAME_TOO_LARGE", {"max_bytes": 5}).message == "A message may have at most 5 bytes."
