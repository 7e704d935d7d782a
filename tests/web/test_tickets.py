"""Tickets for sockets: once, soon, and only for the session that asked. Here over real sockets, and as values."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from bigroad.web.options import LimitOptions
from bigroad.web.tickets import VALID_S, Tickets
from bigroad.wire.version import SUBPROTOCOL, TICKET_PREFIX, subprotocols
from tests.web.rig import House, Options, hear, open_house


async def test_a_ticket_opens_one_socket_and_the_server_never_says_it() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        ticket = await house.ticket(cookie)
        assert len(ticket) >= 22, "at least 128 bits in base64"
        async with await house.connect(cookie, ticket=ticket) as line:
            assert line.subprotocol == SUBPROTOCOL
            assert (await hear(line))["type"] == "welcome"
            assert line.response is not None
            assert ticket not in repr(line.response.headers)


async def refused(house: House, cookie: str, **words: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as trouble:
        await house.connect(cookie, **words)
    response = trouble.value.response
    return response.status_code, json.loads(response.body)["code"]


async def test_a_ticket_names_the_script_that_the_page_begins_with() -> None:
    async with open_house() as house:
        answer = await house.http.post("/api/ticket", headers={"Cookie": await house.guest()})
        index = (await house.http.get("/")).text
    begins = answer.json()["page"]
    assert begins.startswith("assets/")
    assert index.count(f'<script type="module" crossorigin src="./{begins}">') == 1


async def test_none_used_late_foreign_made_up_and_doubled_tickets_open_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        mine, other = await house.guest(), await house.guest()
        bad = (403, "BAD_TICKET")
        assert await refused(house, mine, subprotocols=[SUBPROTOCOL]) == bad
        assert await refused(house, mine, ticket="made-up") == bad
        used = await house.ticket(mine)
        await (await house.connect(mine, ticket=used)).close()
        assert await refused(house, mine, ticket=used) == bad
        shown = await house.ticket(mine)
        assert await refused(house, other, ticket=shown) == bad
        assert await refused(house, mine, ticket=shown) == bad, "whoever has shown it, it is used up"
        two = [SUBPROTOCOL, *[TICKET_PREFIX + await house.ticket(mine) for _ in range(2)]]
        assert await refused(house, mine, subprotocols=two) == bad
        with monkeypatch.context() as patch:
            patch.setattr("bigroad.web.tickets.VALID_S", 0.0)
            late = await house.ticket(mine)
        assert await refused(house, mine, ticket=late) == bad
        in_the_address = await house.ticket(mine)
        words = {"path": f"/ws/emerald?ticket={in_the_address}", "subprotocols": [SUBPROTOCOL]}
        assert await refused(house, mine, **words) == bad
        assert house.desk.greeted == [(None, None)], "only the one that was good sat down"


async def test_a_ticket_without_its_cookie_or_from_a_foreign_page_opens_nothing() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        ticket = await house.ticket(cookie)
        with pytest.raises(InvalidStatus) as trouble:
            await house.connect(None, subprotocols=subprotocols(ticket))
        assert trouble.value.response.status_code == 401
        foreign = await refused(house, cookie, ticket=await house.ticket(cookie), origin="https://evil.example")
        assert foreign == (403, "BAD_ORIGIN")


async def test_a_ticket_of_a_session_that_has_ended_opens_nothing() -> None:
    async with open_house() as house:
        cookie = await house.guest()
        ticket = await house.ticket(cookie)
        house.floor.cashier.patrons.clear()
        assert await refused(house, cookie, ticket=ticket) == (401, "NO_SESSION")


async def test_only_a_session_gets_one() -> None:
    async with open_house() as house:
        for headers in ({}, {"Cookie": "bigroad=made-up"}):
            answer = await house.http.post("/api/ticket", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "NO_SESSION")


async def test_a_newer_ticket_of_a_session_takes_the_place_of_its_oldest() -> None:
    async with open_house(Options(limits=LimitOptions(sockets_per_patron=2))) as house:
        cookie, other = await house.guest(), await house.guest()
        others = await house.ticket(other)
        tickets = [await house.ticket(cookie) for _ in range(5)]
        assert await refused(house, cookie, ticket=tickets[0]) == (403, "BAD_TICKET")
        for shown, who in ((tickets[1], cookie), (tickets[4], cookie), (others, other)):
            await (await house.connect(who, ticket=shown)).close()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["give", "take", "steal"]), st.integers(0, 20))))
def test_a_ticket_is_good_for_its_session_once_within_its_time(acts: list[tuple[str, str, int]]) -> None:
    tickets, good = Tickets(4), dict[str, tuple[str, float]]()
    now_s = 0.0
    for who, act, passes in acts:
        now_s += passes
        mine = [ticket for ticket, (owner, until_s) in good.items() if owner == who and until_s > now_s]
        others = [ticket for ticket, (owner, _) in good.items() if owner != who]
        if act == "give":
            if len(mine) == 4:
                del good[mine[0]]
            good[tickets.give(who, now_s)] = (who, now_s + VALID_S)
        elif act == "take" and mine:
            assert tickets.take(mine[-1], who, now_s)
            assert not tickets.take(mine[-1], who, now_s)
            del good[mine[-1]]
        elif act == "steal" and others:
            assert not tickets.take(others[0], who, now_s)
            del good[others[0]]
        else:
            assert not tickets.take("never given", who, now_s)
        assert len(tickets) <= len(good)


def test_a_storm_of_tickets_is_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bigroad.web.tickets.MOST", 2_000)
    tickets = Tickets(10)
    tracemalloc.start()
    for number in range(3_000):
        tickets.give(f"session {number}", 0.0)
    assert len(tickets) == 2_000
    tickets.give("one more", VALID_S)
    assert len(tickets) == 1
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 400_000, "nothing is kept of those that are too old"
