"""The socket: handshake, frames, limits, and what goes on when something breaks."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bigroad.web.options import LimitOptions, ServerOptions
from bigroad.web.socket import IN_FLIGHT_MOST, resume_point
from bigroad.wire.server_events import Presence
from tests.web.rig import FLOOR_UTC_MS, House, Options, hear, hear_the_end, open_house, until

PUBLIC = ServerOptions(
    host="127.0.0.1", port=0, public_url="https://play.example", allowed_origins=("https://a.example",)
)
OPEN = ServerOptions(host="127.0.0.1", port=0)


def stage(area: str = "player", amount: object = 2000, request_id: str = "r1") -> dict[str, Any]:
    return {"type": "stage", "request_id": request_id, "coup": 1, "area": area, "amount_minor": amount}


@pytest.mark.parametrize(
    ("server", "origin", "allowed"),
    [
        (OPEN, "http://{host}", True),
        (OPEN, "https://{host}", True),
        (OPEN, None, False),
        (OPEN, "null", False),
        (OPEN, "http://evil.example", False),
        (OPEN, "http://{host}.evil.example", False),
        (OPEN, "http://evil.example/{host}", False),
        (OPEN, "http://evil.example?http://{host}", False),
        (OPEN, "http://user@{host}", False),
        (OPEN, "http://{host}/", False),
        (OPEN, "http://127.0.0.1", False),
        (OPEN, "http://{host}, http://{host}", False),
        (OPEN, "ws://{host}", False),
        (PUBLIC, "https://play.example", True),
        (PUBLIC, "https://a.example", True),
        (PUBLIC, "http://play.example", False),
        (PUBLIC, "http://{host}", False),
        (PUBLIC, "https://play.example.evil.example", False),
        (PUBLIC, "https://evil-play.example", False),
        (PUBLIC, "https://sub.play.example", False),
        (PUBLIC, "https://PLAY.example", False),
        (PUBLIC, "https://play.example:444", False),
    ],
)
async def test_only_pages_of_allowed_origins_get_a_socket(
    server: ServerOptions, origin: str | None, allowed: bool
) -> None:
    async with open_house(Options(server=server)) as house:
        cookie = await house.guest()
        full = origin.format(host=house.host) if origin is not None else None
        if allowed:
            async with await house.connect(cookie, origin=full) as line:
                assert (await hear(line))["type"] == "welcome"
        else:
            with pytest.raises(InvalidStatus) as refused:
                await house.connect(cookie, origin=full)
            assert refused.value.response.status_code == 403
            assert json.loads(refused.value.response.body)["code"] == "BAD_ORIGIN"
            assert house.desk.greeted == []


async def test_two_origins_are_none() -> None:
    async with open_house() as house:
        same = f"http://{house.host}"
        with pytest.raises(InvalidStatus) as refused:
            await house.connect(await house.guest(), origin=same, headers=[("Origin", same)])
        assert refused.value.response.status_code == 400
        assert house.desk.greeted == []


@pytest.mark.parametrize(
    ("path", "cookie", "words", "status", "code"),
    [
        ("/ws/nowhere", "guest", {}, 404, "UNKNOWN_TABLE"),
        ("/ws/", "guest", {}, 404, "UNKNOWN_TABLE"),
        ("/emerald", "guest", {}, 404, "UNKNOWN_TABLE"),
        ("/ws/emerald/x", "guest", {}, 404, "UNKNOWN_TABLE"),
        ("/ws/emerald", None, {}, 401, "NO_SESSION"),
        ("/ws/emerald", "bigroad=made-up", {}, 401, "NO_SESSION"),
        ("/ws/emerald", "guest", {"subprotocols": None}, 400, "BAD_REQUEST"),
        ("/ws/emerald", "guest", {"subprotocols": ["bigroad.v9"]}, 400, "BAD_REQUEST"),
    ],
)
async def test_refused_before_the_upgrade(
    path: str, cookie: str | None, words: dict[str, Any], status: int, code: str
) -> None:
    async with open_house() as house:
        cookie = await house.guest() if cookie == "guest" else cookie
        with pytest.raises(InvalidStatus) as refused:
            await house.connect(cookie, path=path, **words)
        assert refused.value.response.status_code == status
        assert json.loads(refused.value.response.body)["code"] == code


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[House]:
    """One server for a table of many cases."""
    async with open_house(Options(limits=LimitOptions(guests_per_ip_per_minute=10_000))) as house:
        yield house


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("frame", "code", "request_id"),
    [
        ("", "NOT_JSON", None),
        ("{", "NOT_JSON", None),
        ("\ufeff{}", "NOT_JSON", None),
        ('{"type":"stage","request_id":"\\ud800"}', "NOT_JSON", None),
        (b"{}", "NOT_JSON", None),
        ("[" * 4000, "BAD_MESSAGE", None),
        ("[]", "BAD_MESSAGE", None),
        ("5", "BAD_MESSAGE", None),
        ('"x"', "BAD_MESSAGE", None),
        ('{"request_id":"r1"}', "BAD_MESSAGE", "r1"),
        ('{"type":7,"request_id":"r1"}', "BAD_MESSAGE", "r1"),
        ('{"type":"stage","request_id":"r1"}', "BAD_MESSAGE", "r1"),
        ('{"type":"unstage","request_id":"r1","coup":1,"more":1}', "BAD_MESSAGE", "r1"),
        ('{"type":"unstage","request_id":"r1","coup":1,"more":' + "[" * 3000 + "}", "BAD_MESSAGE", None),
        ('{"type":"unstage","request_id":"r1","coup":0}', "BAD_MESSAGE", "r1"),
        ('{"type":"unstage","request_id":"r1","coup":"1"}', "BAD_MESSAGE", "r1"),
        ('{"type":"unstage","request_id":"","coup":1}', "BAD_MESSAGE", None),
        ('{"type":"unstage","request_id":"a b","coup":1}', "BAD_MESSAGE", None),
        ('{"type":"unstage","request_id":5,"coup":1}', "BAD_MESSAGE", None),
        ('{"type":"unstage","request_id":"' + "r" * 65 + '","coup":1}', "BAD_MESSAGE", None),
        ('{"type":"rebet","request_id":"r1","coup":1,"times":3}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":1e400}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":1.5}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":1.0}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":-1}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":9007199254740992}', "BAD_MESSAGE", "r1"),
        ('{"type":"ping","request_id":"r1","client_ms":"1"}', "BAD_MESSAGE", "r1"),
        ('{"type":"steal","request_id":"r1"}', "UNKNOWN_MESSAGE", "r1"),
        ('{"type":"steal","request_id":"<script>"}', "UNKNOWN_MESSAGE", "<script>"),
        *[
            (json.dumps(stage(amount=0)).replace(": 0", f": {amount}"), "BAD_AMOUNT", "r1")
            for amount in ("-1", "0", "0.1", "1e3", "1.0", '"5"', "true", "null", "[]", "{}", str(2**53), str(2**63))
        ],
        (json.dumps(stage(amount=0)).replace(": 0", f": 1{'0' * 400}"), "BAD_AMOUNT", "r1"),
        (json.dumps(stage(amount=0)).replace(": 0", ": NaN"), "NOT_JSON", None),
        (json.dumps(stage(amount=0)).replace(": 0", ": Infinity"), "NOT_JSON", None),
        (json.dumps(stage(area="a" * 5000)), "FRAME_TOO_LARGE", "r1"),
        ("é" * 2500, "FRAME_TOO_LARGE", None),
    ],
)
async def test_a_bad_frame_is_refused_and_the_socket_lives_on(
    shared: House, frame: str | bytes, code: str, request_id: str | None
) -> None:
    line = await shared.sit()
    await line.send(frame)
    event = await hear(line)
    assert (event["type"], event["code"], event["request_id"]) == ("refused", code, request_id)
    assert shared.desk.commands == []
    await line.send(json.dumps({"type": "ping", "request_id": "p", "client_ms": 1}))
    assert (await hear(line))["type"] == "pong"
    await line.close()


async def test_a_frame_that_is_far_too_large_is_not_read() -> None:
    async with open_house() as house:
        line = await house.sit()
        await line.send("x" * 200_000)
        assert await hear_the_end(line) == 1009


async def test_many_small_fragments_are_one_message_and_too_many_are_too_large() -> None:
    async with open_house() as house:
        line = await house.sit()
        text = json.dumps({"type": "ping", "request_id": "p", "client_ms": 1})
        await line.send([text[:5], text[5:20], text[20:]])
        assert (await hear(line))["type"] == "pong"
        with contextlib.suppress(ConnectionClosed):
            await line.send(["x" * 1000 for _ in range(100)])
        assert await hear_the_end(line) == 1009


async def test_bytes_that_are_no_text_close_with_1007() -> None:
    async with open_house() as house:
        line = await house.sit()
        await line.send(b"\xff\xfe", text=True)
        assert await hear_the_end(line) == 1007


async def test_a_ping_comes_back_untouched_with_the_servers_time() -> None:
    async with open_house() as house:
        line = await house.sit()
        await line.send(json.dumps({"type": "ping", "request_id": "p", "client_ms": 12}))
        event = await hear(line)
        assert (event["type"], event["request_id"], event["client_ms"]) == ("pong", "p", 12)
        assert event["server_utc_ms"] == FLOOR_UTC_MS, "the clock of the table's moments, not the wall's"
        await line.close()


async def test_a_command_is_answered_in_all_of_the_patrons_tabs_and_nowhere_else() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        first, second, other = await house.sit(cookie), await house.sit(cookie), await house.sit()
        await first.send(json.dumps(stage()))
        for tab in (first, second):
            event = await hear(tab)
            assert (event["type"], event["request_id"]) == ("staged", "r1")
        house.desk.tell(Presence(patrons=2))
        assert (await hear(other))["type"] == "presence"
        for line in (first, second, other):
            await line.close()


async def test_a_repeated_answer_goes_to_the_asking_socket_alone() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        first, second = await house.sit(cookie), await house.sit(cookie)
        await first.send(json.dumps({"type": "submit", "request_id": "r1", "coup": 1}))
        assert (await hear(first))["code"] == "NOTHING_STAGED"
        house.desk.tell(Presence(patrons=1))
        assert (await hear(second))["type"] == "presence"
        for line in (first, second):
            await line.close()


async def test_a_command_that_throws_is_refused_and_logged_and_everything_goes_on() -> None:
    async with open_house() as house:
        line = await house.sit()
        with capture_logs() as logs:
            await line.send(json.dumps(stage("boom")))
            event = await hear(line)
        assert (event["type"], event["code"], event["request_id"], event["coup"]) == ("refused", "INTERNAL", "r1", 1)
        assert [entry["ref"] for entry in logs if entry["event"] == "internal_error"] == [event["facts"]["ref"]]
        assert "desk broke" not in json.dumps(event)
        await line.send(json.dumps(stage("player", request_id="r2")))
        assert (await hear(line))["type"] == "staged"
        await line.close()


async def test_a_store_that_is_away_is_said_by_its_own_code() -> None:
    async with open_house() as house:
        line = await house.sit()
        await line.send(json.dumps(stage("away")))
        assert (await hear(line))["code"] == "STORE_UNAVAILABLE"
        await line.close()


async def test_a_greeting_that_throws_closes_with_words() -> None:
    async with open_house() as house:
        house.desk.greet_trouble = ValueError("no table")
        with capture_logs():
            line = await house.connect(await house.guest())
            assert (await hear(line))["code"] == "INTERNAL"
            assert await hear_the_end(line) == 1011
        assert house.desk.left == []


async def test_leaving_is_told_to_the_desk_once_for_each_socket() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        first, second = await house.sit(cookie), await house.sit(cookie)
        await first.close()
        await until(lambda: house.desk.left == [1])
        second.transport.abort()
        await until(lambda: house.desk.left == [1, 1])
        assert house.app.hub.sockets() == 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", (None, None)),
        ("?epoch=3&seq=17", (3, 17)),
        ("?epoch=3", (None, None)),
        ("?epoch=3&seq=-1", (None, None)),
        ("?epoch=3&seq=1e3", (None, None)),
        ("?epoch=3&epoch=4&seq=1", (None, None)),
        ("?epoch=%00&seq=%ff", (None, None)),
        ("?epoch=" + "9" * 40 + "&seq=1", (None, None)),
        ("?seq=٣&epoch=1".encode().decode("latin-1").encode("ascii", "ignore").decode(), (None, None)),
        ("?" + "&".join("a=1" for _ in range(50)), (None, None)),
    ],
)
async def test_where_to_resume_is_taken_only_when_it_is_plain(
    query: str, expected: tuple[int | None, int | None]
) -> None:
    async with open_house() as house:
        line = await house.sit(path=f"/ws/emerald{query}")
        assert house.desk.greeted == [expected]
        await line.close()


def test_a_query_of_odd_bytes_is_no_resume_point() -> None:
    assert resume_point(b"epoch=\xff&seq=1") == (None, None)


async def test_a_burst_passes_then_messages_are_refused_and_a_flood_is_closed() -> None:
    limits = LimitOptions(messages_per_second=1, message_burst=5)
    async with open_house(Options(limits=limits)) as house:
        line = await house.sit()
        for number in range(5):
            await line.send(json.dumps({"type": "ping", "request_id": f"p{number}", "client_ms": 1}))
            assert (await hear(line))["type"] == "pong"
        await line.send(json.dumps(stage(request_id="over")))
        event = await hear(line)
        assert (event["code"], event["request_id"]) == ("RATE_LIMITED", "over")
        with contextlib.suppress(ConnectionClosed):
            for _ in range(100):
                await line.send("{}")
        assert await hear_the_end(line) == 1008
        assert house.desk.commands == []


async def test_a_patrons_sockets_are_counted_and_given_back() -> None:
    async with open_house(Options(limits=LimitOptions(sockets_per_patron=2))) as house:
        cookie = await house.guest()
        first, second = await house.sit(cookie), await house.sit(cookie)
        third = await house.connect(cookie)
        assert (await hear(third))["code"] == "TOO_MANY_SOCKETS"
        assert await hear_the_end(third) == 1013
        await first.close()
        await until(lambda: house.desk.left == [1])
        again = await house.sit(cookie)
        for line in (second, again):
            await line.close()


async def test_an_addresss_sockets_are_counted_and_given_back() -> None:
    async with open_house(Options(limits=LimitOptions(sockets_per_ip=2))) as house:
        first, second = await house.sit(), await house.sit()
        with pytest.raises(InvalidStatus) as refused:
            await house.connect(await house.guest())
        assert refused.value.response.status_code == 429
        await first.close()
        await until(lambda: house.desk.left != [])
        again = await house.sit()
        elsewhere = await house.sit(local_addr=("127.0.0.9", 0))
        for line in (second, again, elsewhere):
            await line.close()


async def test_refused_handshakes_take_no_place() -> None:
    async with open_house(Options(limits=LimitOptions(sockets_per_ip=1))) as house:
        for _ in range(3):
            with pytest.raises(InvalidStatus):
                await house.connect(None)
        line = await house.sit()
        await line.close()


async def test_when_the_server_stops_sockets_hear_it() -> None:
    async with open_house() as house:
        line = await house.sit()
        house.server.should_exit = True
        event = await hear(line)
        assert (event["type"], event["reason"]) == ("session", "stopping")
        assert await hear_the_end(line) == 1012


async def test_commands_of_one_socket_reach_the_desk_in_order() -> None:
    async with open_house() as house:
        line = await house.sit()
        for number in range(30):
            await line.send(json.dumps(stage(request_id=f"r{number}")))
        heard = [(await hear(line))["request_id"] for _ in range(30)]
        assert heard == [f"r{number}" for number in range(30)]
        await line.close()


async def test_so_many_commands_of_one_socket_wait_for_their_answers_and_the_rest_behind_them() -> None:
    limits = LimitOptions(messages_per_second=1000, message_burst=1000)
    async with open_house(Options(limits=limits)) as house:
        line, other = await house.sit(), await house.sit()
        house.desk.judges.clear()
        for number in range(IN_FLIGHT_MOST + 40):
            await line.send(json.dumps(stage(request_id=f"r{number}")))
        await line.send(json.dumps({"type": "ping", "request_id": "after", "client_ms": 1}))
        await until(lambda: len(house.desk.commands) >= IN_FLIGHT_MOST)
        for number in range(20):
            await other.send(json.dumps({"type": "ping", "request_id": f"p{number}", "client_ms": 1}))
            await hear(other)
        assert len(house.desk.commands) == IN_FLIGHT_MOST
        house.desk.judges.set()
        heard = [(await hear(line))["request_id"] for _ in range(IN_FLIGHT_MOST + 41)]
        heard.remove("after")  # not a command's answer, and so not in their row
        assert heard == [f"r{number}" for number in range(IN_FLIGHT_MOST + 40)]
        await line.close()
        await other.close()
