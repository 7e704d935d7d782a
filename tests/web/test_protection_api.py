"""Protection over HTTP and sockets: real doors, real tables, a real file."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from bigroad.app.clock import SimulatedClock
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.table_runner import TableRunner
from bigroad.bus.local import LocalBus
from bigroad.protection.guard import FOR_GOOD
from bigroad.storage.audit import audit_file
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from bigroad.web.app import create_app
from bigroad.web.serve import Server, listen
from bigroad.wire.version import subprotocols
from tests.app.floor import BANKROLL_MINOR, LOOKS, START_MINOR
from tests.tables import seed_of, usual_terms
from tests.web.rig import Options, hear, open_house
from tests.web.rig import until as true

MS_PER_HOUR = 3_600_000
TABLES = ("emerald", "ruby", "onyx")
SEATS = (*TABLES, "emerald", "ruby")


class Casino:
    """Tables whose betting does not end by itself: their clock stands until it is moved."""

    def __init__(self, path: Path) -> None:
        self.clock, self.bus = SimulatedClock(), LocalBus()
        self.lobby = Lobby(SqliteStore(path), self.bus, self.clock, lambda: seed_of(1), START_MINOR, 2_000)
        self.host = ""
        self.http: httpx.AsyncClient

    async def asks(self, method: str, path: str, cookie: str, body: object = None, **headers: str) -> httpx.Response:
        self.http.cookies.clear()
        return await self.http.request(method, f"/api{path}", json=body, headers={"Cookie": cookie, **headers})

    async def comes_to(self, at_ms: int, phase: Phase) -> None:
        """Move the clock, and have every table look at it."""
        self.clock.move_to(at_ms * 1_000_000)
        for name in TABLES:
            desk = self.lobby.desk(name)
            assert isinstance(desk, TableRunner)
            desk.change_terms(desk.state.terms)
            await true(lambda desk=desk: desk.state.phase is phase)  # type: ignore[misc]

    async def guest(self) -> str:
        self.http.cookies.clear()
        answer = await self.http.post("/api/session")
        return str(answer.headers["set-cookie"]).split(";")[0]

    @contextlib.asynccontextmanager
    async def sit(self, table: str, cookie: str) -> AsyncIterator[ClientConnection]:
        ticket = (await self.http.post("/api/ticket", headers={"Cookie": cookie})).json()["ticket"]
        async with connect(
            f"ws://{self.host}/ws/{table}",
            additional_headers=[("Cookie", cookie)],
            compression=None,
            origin=f"http://{self.host}",  # type: ignore[arg-type]
            subprotocols=subprotocols(ticket),  # type: ignore[arg-type]
        ) as line:
            yield line


@contextlib.asynccontextmanager
async def open_casino(path: Path) -> AsyncIterator[Casino]:
    casino = Casino(path)
    for name in TABLES:
        looks = LOOKS.__class__(name, name, *[getattr(LOOKS, field) for field in LOOKS.__struct_fields__[2:]])
        await casino.lobby.open_table(TablePlan(looks, usual_terms(), BANKROLL_MINOR))
    options = Options()
    app = create_app(casino.lobby, casino.bus, options, None)
    bound = listen(options)
    casino.host = f"127.0.0.1:{bound.getsockname()[1]}"
    up = asyncio.Event()

    async def started() -> None:
        casino.lobby.start()
        up.set()

    server = Server(app, options, started)
    running = asyncio.get_running_loop().create_task(server.serve(sockets=[bound]))
    await up.wait()
    try:
        async with httpx.AsyncClient(base_url=f"http://{casino.host}") as casino.http:
            yield casino
    finally:
        server.should_exit = True
        await running
        await casino.lobby.stop()
    audit_file(path)


async def until(line: ClientConnection, **wanted: object) -> dict[str, Any]:
    """The next event that has these values."""
    while True:
        event = await hear(line)
        if all(event.get(key) == value for key, value in wanted.items()):
            return event


async def say(line: ClientConnection, **message: object) -> None:
    await line.send(httpx.Request("POST", "http://x", json=message).content.decode())


def limits(answer: httpx.Response) -> dict[str, tuple[int, int]]:
    assert answer.status_code == 200, answer.text
    return {row["rule"]: (row["amount_minor"], row["left_minor"]) for row in answer.json()["limits"]}


async def test_a_limit_from_its_wish_to_the_day_it_is_gone(tmp_path: Path) -> None:
    async with open_casino(tmp_path / "floor.sqlite3") as casino:
        ann, bob = await casino.guest(), await casino.guest()
        path = "/protection/limits/loss_day"
        empty = (await casino.asks("GET", "/protection", ann)).json()
        assert (empty["limits"], empty["changes"], empty["excluded_for_good"]) == ([], [], False)
        assert limits(await casino.asks("PUT", path, ann, {"amount_minor": 5_000})) == {"loss_day": (5_000, 5_000)}
        assert limits(await casino.asks("PUT", path, ann, {"amount_minor": 4_000})) == {"loss_day": (4_000, 4_000)}
        raised = await casino.asks("PUT", path, ann, {"amount_minor": 9_000})
        assert limits(raised) == {"loss_day": (4_000, 4_000)}
        ready = raised.json()["limits"][0]["pending"]["ready_utc_ms"]
        assert ready == casino.clock.utc_ms() + 24 * MS_PER_HOUR
        early = await casino.asks("POST", f"{path}/confirm", ann)
        assert (early.status_code, early.json()["code"], early.json()["facts"]) == (
            409, "NOT_YET_READY", {"ready_utc_ms": ready},
        )  # fmt: skip
        assert limits(await casino.asks("POST", f"{path}/take-back", ann)) == {"loss_day": (4_000, 4_000)}
        again = await casino.asks("POST", f"{path}/take-back", ann)
        assert (again.status_code, again.json()["code"]) == (409, "NOTHING_PENDING")
        await casino.asks("PUT", path, ann, {"amount_minor": None})
        casino.clock.move_to(24 * MS_PER_HOUR * 1_000_000)
        assert limits(await casino.asks("GET", "/protection", ann)) == {"loss_day": (4_000, 4_000)}, "not by itself"
        gone = await casino.asks("POST", f"{path}/confirm", ann)
        assert limits(gone) == {}
        acts = [(row["act"], row["old"], row["new"]) for row in gone.json()["changes"]]
        assert acts == [
            ("confirmed", 4_000, None), ("asked", 4_000, None), ("taken_back", 4_000, 4_000), ("asked", 4_000, 9_000),
            ("set", 5_000, 4_000), ("set", None, 5_000),
        ]  # fmt: skip
        assert (await casino.asks("GET", "/protection", bob)).json()["changes"] == []


BAD = [
    ("PUT", "/limits/loss_day", {"amount_minor": 0}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": -1}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": 2**53}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": 10.5}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": "10"}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": True}, 400),
    ("PUT", "/limits/loss_day", {}, 400),
    ("PUT", "/limits/loss_day", {"amount_minor": 5, "patron_id": 2}, 400),
    ("PUT", "/limits/loss_day", None, 400),
    ("PUT", "/limits/loss_year", {"amount_minor": 5}, 400),
    ("PUT", "/limits/..%2f", {"amount_minor": 5}, 400),
    ("POST", "/limits/loss_day/confirm", None, 409),
    ("POST", "/limits/loss_year/confirm", None, 400),
    ("POST", "/time-out", {"hours": 0}, 400),
    ("POST", "/time-out", {"hours": 1_009}, 400),
    ("POST", "/time-out", {"hours": None}, 400),
    ("POST", "/exclusion", {"months": 5, "confirmed": True}, 400),
    ("POST", "/exclusion", {"months": 601, "confirmed": True}, 400),
    ("POST", "/exclusion", {"months": 6, "confirmed": False}, 400),
    ("POST", "/exclusion", {"months": 6}, 400),
    ("POST", "/exclusion", {"confirmed": True}, 400),
    ("DELETE", "/exclusion", None, 405),
]


async def test_what_cannot_be_asked_for_changes_nothing(tmp_path: Path) -> None:
    async with open_casino(tmp_path / "floor.sqlite3") as casino:
        ann = await casino.guest()
        for method, path, body, status in BAD:
            answer = await casino.asks(method, f"/protection{path}", ann, body)
            if path.endswith("%2f"):
                status = answer.status_code if answer.status_code in (400, 404) else 0
            assert (answer.status_code, set(answer.json())) == (status, {"code", "message", "facts"}), (path, body)
        for method, path, body in (
            ("PUT", "/limits/loss_day", {"amount_minor": 5}),
            ("POST", "/limits/loss_day/confirm", None),
            ("POST", "/limits/loss_day/take-back", None),
            ("POST", "/time-out", {"hours": 1}),
            ("POST", "/exclusion", {"months": None, "confirmed": True}),
            ("POST", "/sitting", None),
        ):
            foreign = await casino.asks(method, f"/protection{path}", ann, body, Origin="https://evil.example")
            assert (foreign.status_code, foreign.json()["code"]) == (403, "BAD_ORIGIN")
            nobody = await casino.asks(method, f"/protection{path}", "", body)
            assert (nobody.status_code, nobody.json()["code"]) == (401, "NO_SESSION")
        assert (await casino.asks("GET", "/protection", ann)).json()["changes"] == []
        assert (await casino.asks("GET", "/protection", "")).status_code == 401


async def test_an_excluded_patron_sits_and_reads_but_stages_and_bets_nothing_and_is_paid(tmp_path: Path) -> None:
    async with open_casino(tmp_path / "floor.sqlite3") as casino:
        ann = await casino.guest()
        async with casino.sit("emerald", ann) as line:
            await say(line, type="stage", request_id="a", coup=1, area="player", amount_minor=5_000)
            await say(line, type="submit", request_id="b", coup=1)
            await until(line, type="receipt")
            out = await casino.asks("POST", "/protection/time-out", ann, {"hours": 24})
            assert out.json()["time_out_until_utc_ms"] == casino.clock.utc_ms() + 24 * MS_PER_HOUR
            shorter = await casino.asks("POST", "/protection/time-out", ann, {"hours": 1})
            assert (shorter.status_code, shorter.json()["code"]) == (409, "STANDS_ALREADY")
            async with casino.sit("ruby", ann) as ruby:
                await say(ruby, type="stage", request_id="a", coup=1, area="player", amount_minor=5_000)
                refused = await until(ruby, type="refused")
                assert (refused["code"], refused["facts"]) == (
                    "ON_A_BREAK", {"until_utc_ms": out.json()["time_out_until_utc_ms"]},
                )  # fmt: skip
                gone = await casino.asks("POST", "/protection/exclusion", ann, {"months": None, "confirmed": True})
                assert (gone.json()["excluded_for_good"], gone.json()["excluded_until_utc_ms"]) == (True, None)
                assert gone.json()["changes"][0]["new"] == FOR_GOOD
                await say(ruby, type="stage", request_id="b", coup=1, area="player", amount_minor=5_000)
                assert (await until(ruby, type="refused"))["code"] == "SELF_EXCLUDED_FOR_GOOD"
            for months in (6, None):
                again = await casino.asks("POST", "/protection/exclusion", ann, {"months": months, "confirmed": True})
                assert again.status_code == 409
            for at_ms, phase in ((50_000, Phase.LOCKED), (60_000, Phase.SETTLED)):
                await casino.comes_to(at_ms, phase)
            paid = await until(line, type="settled")
            assert paid["coup"] == 1
        history = (await casino.asks("GET", "/history", ann)).json()["coups"]
        assert [row["state"] for row in history] == ["settled"]


@pytest.mark.parametrize("measure", ["loss_week", "stake_day"])
async def test_two_tabs_at_two_tables_and_a_third_table_never_pass_a_limit(tmp_path: Path, measure: str) -> None:
    """Every tab presses BET at the same moment; more is staked than the limit leaves."""
    async with open_casino(tmp_path / "floor.sqlite3") as casino, contextlib.AsyncExitStack() as stack:
        ann = await casino.guest()
        await casino.asks("PUT", f"/protection/limits/{measure}", ann, {"amount_minor": 11_000})
        tabs = [(table, await stack.enter_async_context(casino.sit(table, ann))) for table in SEATS]
        for number, (_, line) in enumerate(tabs[:3]):
            await say(line, type="stage", request_id=f"s{number}", coup=1, area="player", amount_minor=5_000)
            await until(line, type="staged", request_id=f"s{number}")
        await asyncio.gather(
            *(say(line, type="submit", request_id=f"b{at}", coup=1) for at, (_, line) in enumerate(tabs))
        )

        async def verdict(line: ClientConnection) -> dict[str, Any]:
            while True:
                event = await hear(line)
                if event["type"] in ("receipt", "refused"):
                    return event

        verdicts = [(table, await verdict(line)) for table, line in tabs]
        accepted = {table for table, event in verdicts if event["type"] == "receipt"}
        refused = [event for table, event in verdicts if table not in accepted]
        assert len(accepted) == 2
        code = "LOSS_LIMIT" if measure == "loss_week" else "STAKE_LIMIT"
        assert {event["code"] for event in refused} == {code}
        assert all(event["facts"]["spent_minor"] <= 10_000 for event in refused)
        now = await casino.asks("GET", "/protection", ann)
        assert limits(now) == {measure: (11_000, 1_000)}
        session = (await casino.asks("POST", "/session", ann)).json()
        assert session["balance_minor"] == START_MINOR - 10_000


async def test_the_sitting_starts_with_the_first_question(tmp_path: Path) -> None:
    async with open_casino(tmp_path / "floor.sqlite3") as casino:
        ann = await casino.guest()
        begun = casino.clock.utc_ms()
        for minutes in (0, 20, 45):
            casino.clock.move_to(minutes * 60_000_000_000)
            sitting = (await casino.asks("POST", "/protection/sitting", ann)).json()
            assert sitting == {
                "server_utc_ms": begun + minutes * 60_000, "started_utc_ms": begun, "staked_minor": 0,
                "returned_minor": 0, "net_minor": 0,
            }  # fmt: skip


async def test_the_openapi_describes_protection() -> None:
    async with open_house() as house:
        document = (await house.http.get("/api/openapi.json")).json()
        wish = document["paths"]["/api/protection/limits/{rule}"]["put"]
        assert set(wish["responses"]) == {"200", "400", "401", "403", "429", "503"}
        assert "LimitWish" in str(wish["requestBody"])
        assert "/api/protection/exclusion" in document["paths"]
