"""Play limits by keyboard alone, a bet that would pass one, a break, and the reality check, in Chromium."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.e2e.table_page import TablePage
from tests.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")
MakeServer = Callable[..., Server]
Visitor = Callable[..., Awaitable[BrowserContext]]


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if (
            await page.evaluate(
                "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText"
            )
            == name
        ):
            return
    raise AssertionError(f"Tab never comes to {name}")


async def test_a_limit_by_keyboard_refuses_a_bet_in_words_and_a_break_everything(
    server_at: MakeServer, visitor: Visitor
) -> None:
    """The clock is long: nothing here hurries."""
    server = server_at(betting_ms=600_000).start()
    tab = await TablePage.open(await visitor(390, 844, touch=True), server, quality="flat")
    page = tab.page
    await expect(page.get_by_role("status", name="Session")).to_contain_text("0:0")
    await tab.button("Play limits").press("Enter")
    panel = page.get_by_role("dialog", name="Play limits")
    await expect(panel.get_by_role("textbox", name="Loss limit a day")).to_be_visible()
    await tab_to(page, "Loss limit a day")
    await page.keyboard.type("50")
    await page.keyboard.press("Enter")
    await expect(panel).to_contain_text("0 lost or under way, 50 left.")
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("900")
    await page.keyboard.press("Enter")
    await expect(panel.get_by_role("button", name="Keep 50")).to_be_visible()
    await expect(panel.get_by_role("group", name="Waiting change")).to_contain_text("You asked for: 900.")
    await expect(panel.get_by_role("list")).to_contain_text("Loss limit a day: No limit → 50")
    await page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()

    await tab.stage(100, "Player")
    await tab.button("Bet").click()
    await expect(tab.notice).to_contain_text("That could pass your loss limit of 50 a day. Left to bet: 50.")
    await expect(tab.status("Balance")).to_have_text("10,000")
    await tab.button("Clear").click()

    await tab.button("Play limits").click()
    await panel.get_by_role("button", name="Take a break…").click()
    await expect(panel.get_by_role("button", name="No", exact=True)).to_be_focused()
    await panel.get_by_role("button", name="Take a break", exact=True).click()
    await expect(panel).to_contain_text("You are taking a break until")
    await page.keyboard.press("Escape")
    await tab.stage(20, "Player")
    await expect(tab.notice).to_contain_text("You are taking a break until")
    assert tab.problems == []


async def test_a_reality_check_stands_beside_the_table_and_is_answered_once(
    server_at: MakeServer, visitor: Visitor
) -> None:
    server = server_at(betting_ms=600_000).start()
    context = await visitor(844, 390, touch=True)
    tab = await TablePage.open(context, server, quality="flat")
    page = tab.page
    # the house says that this visit has lasted for an hour
    await page.route(
        "**/api/protection/sitting",
        lambda route: route.fulfill(
            json={
                "server_utc_ms": 1_700_003_660_000, "started_utc_ms": 1_700_000_000_000, "staked_minor": 200_000,
                "returned_minor": 75_000, "net_minor": -125_000,
            }
        ),
    )  # fmt: skip
    await page.reload()
    check = page.get_by_role("dialog", name="Reality check")
    await expect(check).to_contain_text("You have been playing for 1:01 hours. Net result: −1,250.")
    seen = await check.bounding_box()
    assert seen is not None
    for other in (page.get_by_role("timer", name="Time left"), tab.button("Bet")):
        box = await other.bounding_box()
        assert box is not None
        apart = (
            box["x"] + box["width"] <= seen["x"] or seen["x"] + seen["width"] <= box["x"]
            or box["y"] + box["height"] <= seen["y"] or seen["y"] + seen["height"] <= box["y"]
        )  # fmt: skip
        assert apart, (box, seen)
    await tab.stage(20, "Player")
    await expect(tab.status("Stake")).to_have_text("20")
    await check.get_by_role("button", name="Go on playing").press("Enter")
    await expect(check).to_be_hidden()
    await page.reload()
    await expect(page.get_by_role("status", name="Session")).to_contain_text("1:01")
    await expect(check).to_be_hidden()
    assert tab.problems == []
