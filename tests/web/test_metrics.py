"""The figures: what they count, who may read them, and that two servers of a process keep their own."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from bigroad.bus.local import LocalBus
from bigroad.compose import open_floor
from bigroad.profiles.read import Source
from bigroad.settings import settings_of
from bigroad.web.metrics import Metrics
from bigroad.web.options import ServerOptions
from bigroad.wire.client_messages import Stage, Submit
from bigroad.wire.server_events import Presence
from tests.web.rig import House, Options, hear, open_house, until


def figure(text: str, name: str) -> float:
    """One figure of the answer, named with its labels."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, f"no {name} in\n{text}"
    return float(found[1])


async def read(house: House) -> str:
    answer = await house.http.get("/metrics")
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, "text/plain")
    return answer.text


async def test_sockets_events_refusals_and_answers_are_counted() -> None:
    async with open_house() as house:
        line, other = await house.sit(), await house.sit()
        house.desk.tell(Presence(patrons=2))
        assert (await hear(line))["type"] == (await hear(other))["type"] == "presence"
        await line.send("{")
        await line.send(json.dumps({"type": "submit", "request_id": "r1", "coup": 1}))
        assert {(await hear(line))["code"], (await hear(line))["code"]} == {"NOT_JSON", "NOTHING_STAGED"}
        with pytest.raises(InvalidStatus):
            await house.connect(None)
        await house.http.get("/api/nothing")
        text = await read(house)
        for name, value in (
            ("bigroad_sockets", 2),
            ("bigroad_sockets_behind", 0),
            ("bigroad_send_queue_bytes", 0),
            ("bigroad_sockets_opened_total", 2),
            ('bigroad_sockets_refused_total{code="NO_SESSION"}', 1),
            ('bigroad_refused_total{code="NOT_JSON"}', 1),
            ('bigroad_refused_total{code="NOTHING_STAGED"}', 1),
            ('bigroad_http_requests_total{status="404"}', 1),
            ("bigroad_fan_out_seconds_count", 1),
            ('bigroad_tables{state="open"}', 1),
            ('bigroad_tables{state="closed"}', 0),
        ):
            assert figure(text, name) == value, name
        assert figure(text, "process_resident_memory_bytes") > 1_000_000
        await line.close()
        await until(lambda: house.app.hub.sockets() == 1)
        assert figure(await read(house), "bigroad_sockets") == 1
        await other.close()


async def test_two_servers_in_one_process_keep_their_own_figures() -> None:
    async with open_house() as one, open_house() as other:
        line = await one.sit()
        assert figure(await read(one), "bigroad_sockets") == 1
        assert figure(await read(other), "bigroad_sockets") == 0
        await line.close()


async def test_the_loop_is_watched_while_the_server_runs() -> None:
    async with open_house() as house:
        metrics = house.app.metrics
        await until(lambda: metrics.registry.get_sample_value("bigroad_loop_lag_seconds_count") != 0)


FORWARDED = {"X-Forwarded-For": "203.0.113.7"}


@pytest.mark.parametrize(
    ("server", "cases"),
    [
        (
            {},  # by default this machine, unless a proxy on it that is not trusted hands on who knows whose request
            [({}, 200), (FORWARDED, 404), ({"Forwarded": "for=203.0.113.7"}, 404), ({"Via": "1.1 x"}, 404)],
        ),
        ({"metrics": ()}, [({}, 404)]),
        ({"metrics": ("192.0.2.0/24", "::1")}, [({}, 404)]),
        (
            {"trusted_proxies": ("127.0.0.1",), "metrics": ("203.0.113.0/28",)},
            [({}, 404), (FORWARDED, 200), ({"X-Forwarded-For": "203.0.113.7, 198.51.100.1"}, 404)],
        ),
        (
            {"trusted_proxies": ("127.0.0.1",)},
            [({}, 200), (FORWARDED, 404), ({"X-Forwarded-For": "127.0.0.1, 203.0.113.7"}, 404)],
        ),
    ],
)
async def test_only_who_is_named_may_read(server: dict[str, Any], cases: list[tuple[dict[str, str], int]]) -> None:
    async with open_house(Options(server=ServerOptions(host="127.0.0.1", port=0, **server))) as house:
        for headers, status in cases:
            answer = await house.http.get("/metrics", headers=headers)
            assert answer.status_code == status, headers
            if status == 404:
                assert answer.json()["code"] == "NOT_FOUND"


async def test_a_round_and_its_bets_are_counted(tmp_path: Path) -> None:
    tree: dict[str, Any] = {
        "server": {"data": str(tmp_path)},
        "tables": [{"id": "mine", "name": "Mine", "profile": "three-d"}],
    }
    metrics = Metrics()
    floor = await open_floor(settings_of(tree, Source("test"), tmp_path), LocalBus(), metrics)
    floor.start()
    try:
        patron = (await floor.cashier.visit(None)).session.patron
        desk = floor.desk("mine")
        assert desk is not None
        await desk.greet(patron, None, None, lambda bodies: None)
        await desk.command(patron.patron_id, Stage("r1", 1, "player", 2000))
        await desk.command(patron.patron_id, Submit("r2", 1, fast=True))
        value = metrics.registry.get_sample_value
        await until(lambda: value("bigroad_rounds_total", {"end": "settled"}) == 1)
        assert value("bigroad_bets_total", {"by": "patron"}) == 1
        assert value("bigroad_bet_minor_total") == 2000
        assert value("bigroad_lock_seconds_count") == value("bigroad_settle_seconds_count") == 1
        assert value("bigroad_store_waiting") == 0
        assert (value("bigroad_commit_seconds_count") or 0) >= 3
        assert (value("bigroad_commit_jobs_sum") or 0) >= (value("bigroad_commit_jobs_count") or 0) > 0
    finally:
        await floor.stop()
