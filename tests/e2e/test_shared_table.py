"""The shared table in two real browsers: the same cards, the right money, whatever happens in between."""

import re
from typing import Any

import pytest
from playwright.async_api import BrowserContext, WebSocketRoute, expect

from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import settle
from tests.e2e.table_page import TablePage

pytestmark = pytest.mark.asyncio(loop_scope="session")

START_MINOR = 1_000_000


def due_minor(row: dict[str, Any]) -> int:
    """What a coup of the history should have returned, by the rules alone."""
    cards = [tuple(parse_card(text) for text in row[f"{side}_cards"]) for side in ("player", "banker")]
    return settle(row["stakes"], Coup(cards[0], cards[1]).outcome, STANDARD).returned_total_minor


async def hold_back(context: BrowserContext, kind: str) -> list[str]:
    """The network keeps every message of that kind until the house has said that betting is closed; those are the
    answer's."""
    held: list[str] = []

    async def between(route: WebSocketRoute) -> None:
        upstream = route.connect_to_server()
        waiting: list[str | bytes] = []

        def to_server(message: str | bytes) -> None:
            if f'"type":"{kind}"' in str(message):
                held.append(str(message))
                waiting.append(message)
            else:
                upstream.send(message)

        def to_page(message: str | bytes) -> None:
            route.send(message)
            while waiting and '"type":"bets_locked"' in str(message):
                upstream.send(waiting.pop(0))

        route.on_message(to_server)
        upstream.on_message(to_page)

    await context.route_web_socket(re.compile("/ws/"), between)
    return held


async def test_two_patrons_one_presses_bet_the_other_only_leaves_chips_and_goes(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=45_000, closing_ms=15_000, pace=0.6).start()
    ann_context, bob_context = await visitor(), await visitor()
    ann, bob = await TablePage.open(ann_context, server), await TablePage.open(bob_context, server)
    await bob.betting_opens()
    await ann.betting_opens()
    await ann.stage(100, "Player")
    await bob.stage(500, "Banker")
    await expect(bob.status("Stake")).to_have_text("500")
    await ann.button("Bet").click()
    await expect(ann.status("Balance")).to_have_text("9,900")
    await expect(bob.others("Player")).to_have_text("100")
    await expect(ann.others("Player")).to_have_text("0")
    await expect(ann.others("Banker")).to_have_text("0")
    await bob.page.close()
    await expect(ann.others("Banker")).to_have_text("500")
    bob_again = await TablePage.open(bob_context, server)
    (row,) = await ann.settled()
    seen, seen_again = [await tab.hands_at_the_result(row["coup"]) for tab in (ann, bob_again)]
    assert seen == seen_again
    for side in ("Player", "Banker"):
        assert len(seen[side]) == len(row[f"{side.lower()}_cards"]) + 1, "two or three cards, and the points"
    for tab, area, stake, automatic in ((ann, "player", 10_000, False), (bob_again, "banker", 50_000, True)):
        (row,) = await tab.settled()
        assert (row["stakes"], row["automatic"]) == ({area: stake}, automatic)
        assert row["returned_minor"] == due_minor(row)
        assert await tab.balance_minor() == START_MINOR - stake + due_minor(row)
        assert tab.problems == []


async def test_a_bet_that_comes_after_the_close_is_refused_in_words(server_at: Any, visitor: Any) -> None:
    """The click is in time by the page's clock; the network holds it back over the close."""
    server = server_at(betting_ms=30_000, closing_ms=2_000).start()
    context = await visitor()
    held = await hold_back(context, "submit")
    tab = await TablePage.open(context, server)
    await tab.betting_opens()
    await tab.stage(100, "Tie")
    await expect(tab.status("Stake")).to_have_text("100")
    await tab.button("Undo").click()
    await expect(tab.status("Stake")).to_have_text("0")
    await tab.stage(20, "Tie")
    await tab.button("Clear").click()
    await expect(tab.status("Stake")).to_have_text("0")
    assert await tab.button("Bet").is_disabled()
    # a bet of another tab than this one: staged here, cleared there, submitted late
    await tab.stage(20, "Tie")
    await tab.button("Bet").click()
    # the server submitted the staged chips itself at the close: the late BET gets that receipt, not a second bet
    (row,) = await tab.settled()
    assert len(held) == 1
    await tab.was("Phase", "No more bets")
    assert (row["stakes"], row["automatic"]) == ({"tie": 2_000}, True)
    assert await tab.balance_minor() == START_MINOR - 2_000 + due_minor(row)


async def test_chips_that_come_after_the_close_are_refused_in_words(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=25_000, closing_ms=5_000).start()
    context = await visitor()
    held = await hold_back(context, "stage")
    tab = await TablePage.open(context, server)
    await tab.betting_opens(least_s=10)
    await tab.stage(100, "Tie")
    await tab.was("Notice", "No more bets")
    assert len(held) == 1
    await expect(tab.status("Stake")).to_have_text("0")
    assert await tab.balance_minor() == START_MINOR
    assert await tab.history() == []


IN_MID_DEAL = """() => {
    const items = side => [...document.querySelectorAll(`[aria-label="${side} hand"] li:not([role])`)];
    const cards = side => items(side).map(it => it.innerText.trim());
    const hands = {Player: cards('Player'), Banker: cards('Banker')};
    const coup = /Coup (\\d+)/.exec(document.querySelector('header .place')?.textContent)?.[1];
    return hands.Player[0] && !hands.Player[0].includes('face down') && {coup, hands};
}"""
"""The coup and its cards in words, once the Player's first card is turned; all at one moment."""


async def test_reload_in_mid_deal_shows_the_same_coup(server_at: Any, visitor: Any) -> None:
    """At a table whose deal takes most of a minute."""
    server = server_at(betting_ms=2_000, closing_ms=500, pace=4.0).start()
    tab = await TablePage.open(await visitor(), server)
    seen = []
    for _ in range(2):
        found = await tab.page.wait_for_function(IN_MID_DEAL, polling=100)
        seen.append(await found.json_value())
        await tab.page.reload()
    before, after = seen
    assert before["coup"] == after["coup"]
    for side in ("Player", "Banker"):
        for card, again in zip(before["hands"][side], after["hands"][side], strict=False):
            assert card == again or "card face down" in (card, again)
    assert before["hands"]["Player"][0] == after["hands"]["Player"][0]


async def test_kill_and_restart_finishes_or_refunds_every_coup(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=20_000, closing_ms=6_000, pace=0.3).start()
    tab = await TablePage.open(await visitor(), server)
    for number, phase in enumerate(("Place your bets", "No more bets"), 1):
        await tab.betting_opens(least_s=10)
        await tab.stage(100, "Player")
        await tab.button("Bet").click()
        await tab.booked(number)
        await expect(tab.status("Phase")).to_have_text(phase)
        server.kill()
        server.start()
        rows = await tab.settled(number)
        expected = START_MINOR
        for row in rows:
            back = row["staked_minor"] if row["state"] == "voided" else due_minor(row)
            assert row["returned_minor"] == back
            expected += back - row["staked_minor"]
        assert len(rows) == number
        assert await tab.balance_minor() == expected


async def test_reload_and_a_second_tab_are_the_same_patron(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=120_000).start()
    context = await visitor()
    one = await TablePage.open(context, server)
    two = await TablePage.open(context, server)
    assert (await one.api("/api/session", "POST"))["patron"] == (await two.api("/api/session", "POST"))["patron"]
    await one.betting_opens()
    await one.stage(100, "Player")
    await expect(two.status("Stake")).to_have_text("100")
    await two.stage(20, "Tie")
    await expect(one.status("Stake")).to_have_text("120")
    await one.button("Bet").click()
    for tab in (one, two):
        await expect(tab.status("Balance")).to_have_text("9,880")
        await expect(tab.button("Bet")).to_be_disabled()
        await expect(tab.others("Player")).to_have_text("0")
    await one.page.reload()
    await expect(one.status("Balance")).to_have_text("9,880")


async def test_by_keyboard_alone(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=30_000).start()
    tab = await TablePage.open(await visitor(), server)
    await tab.betting_opens()
    keyboard = tab.page.keyboard
    await keyboard.press("6")
    await keyboard.press("b")
    refusal = "Your balance of 10,000 does not cover 25,000. The chip was not added."
    await tab.was("Notice", refusal)
    for key, stake in (("2", "0"), ("p", "100"), ("t", "200"), ("Backspace", "100"), ("d", "200"), ("x", "0")):
        await keyboard.press(key)
        await expect(tab.status("Stake")).to_have_text(stake)
    notices = await tab.page.evaluate("() => window.past.Notice.filter(text => text)")
    assert notices == [refusal], "a chip that is taken does not have the refusal spoken again"
    await keyboard.press("b")
    await expect(tab.status("Stake")).to_have_text("100")
    await keyboard.press("Enter")
    await expect(tab.status("Balance")).to_have_text("9,900")
    (row,) = await tab.settled()
    assert row["stakes"] == {"banker": 10_000}
    await tab.betting_opens(least_s=10)
    await keyboard.press("r")
    await expect(tab.status("Stake")).to_have_text("100")


async def test_ctrl_c_says_what_becomes_of_the_coup(server_at: Any) -> None:
    server = server_at(betting_ms=60_000).start()
    said = server.stop()
    assert "coup 1 is open with 0 bets" in said
    assert "Traceback" not in said
