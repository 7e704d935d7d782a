"""The page around the table, in a real browser: lobby, settings, help, history and replays. The flat table stands."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.e2e.private_page import PrivatePage
from tests.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLES = """
[[tables]]
id = "jade"
name = "Jade Terrace"
felt = "teal"
betting_ms = 600_000
[[tables]]
id = "express"
name = "Express"
profile = "three-d"
deal_pace = 0.1
[[tables]]
id = "slow"
name = "Slow"
profile = "three-d"
deal_pace = 6.0
[[tables]]
id = "duel"
name = "Duel"
profile = "three-d"
areas = ["player", "banker"]
deal_pace = 0.1
"""
OVERFLOWING = """() => [...document.querySelectorAll('.hrow .mh, .hrow .hs, .pf-hand, .hdetail, .shead .title')]
    .filter(box => box.scrollWidth > box.clientWidth + 1)
    .map(box => `${box.className}: ${box.scrollWidth} > ${box.clientWidth}`)"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: Any) -> AsyncIterator[Server]:
    server = Server(tmp_path_factory.mktemp("screens"), 600_000, 1_000, 0.3, TABLES)
    server.start()
    yield server
    server.kill()


async def test_the_lobby_by_keyboard_alone(house: Server, visitor: Any) -> None:
    """In place of a table that does not exist: tables with their state, filters, one press sits down, back and forward,
    a coup that waits."""
    page = await (await visitor()).new_page()
    await page.goto(f"{house.url}/?quality=flat&table=nowhere")
    tables = page.get_by_role("list", name="Tables", exact=True).get_by_role("listitem")
    await expect(tables).to_have_count(5)
    await expect(page.get_by_text("There is no such table.")).to_be_visible()
    assert page.url.endswith("/?quality=flat")
    await expect(page.get_by_role("status", name="Balance", exact=True)).to_have_text("10,000")
    await expect(tables.first).to_contain_text("Emerald Room")
    await expect(tables.first).to_contain_text("Betting")
    await page.get_by_role("radio", name="All", exact=True).focus()
    await page.keyboard.press("ArrowRight")
    await expect(tables).to_have_count(2)
    await page.keyboard.press("ArrowRight")
    await expect(tables).to_have_count(3)
    await expect(tables.first).to_contain_text("3D Baccarat")
    await tables.nth(1).get_by_role("button", name="Sit down").focus()
    await page.keyboard.press("Enter")
    phase = page.get_by_role("status", name="Phase", exact=True)
    await expect(phase).to_have_text("Your move")
    assert "table=slow" in page.url
    for key in ("2", "p", "Enter"):
        await page.keyboard.press(key)
    await expect(phase).to_have_text("Dealing")
    await page.get_by_role("button", name="Leave table", exact=True).focus()
    await page.keyboard.press("Enter")
    waits = tables.filter(has_text="Slow")
    await expect(waits).to_contain_text("Your coup waits")
    await expect(waits.get_by_role("button")).to_have_text("Resume")
    await page.go_back()
    await expect(phase).not_to_have_text("Your move")
    await page.go_forward()
    await expect(tables.first).to_be_visible()


async def test_a_table_has_the_areas_of_its_profile(house: Server, visitor: Any) -> None:
    """What is not in it is neither on the felt nor in reach of a key."""
    tab = await PrivatePage.sit(await visitor(), house, "duel")
    await expect(tab.button("Tie")).to_have_count(0)
    felt = tab.page.locator(".flat-name")
    await expect(felt).to_have_count(2)
    await expect(felt.last).to_contain_text("Banker")
    await tab.page.keyboard.press("t")
    await expect(tab.notice).to_have_text("There is no area Tie at this table.")
    await tab.bet(Player=100, Banker=20)
    await tab.deal()
    assert (await tab.dealt(1))["stakes"] == {"player": 10_000, "banker": 2_000}


async def test_settings_apply_at_once_and_are_kept_for_the_patron(house: Server, visitor: Any) -> None:
    """In this tab, in another one, after a reload, and in another browser of the same patron."""
    context = await visitor()
    one = await PrivatePage.sit(context, house, "express")
    two = await PrivatePage.sit(context, house, "express")
    await one.button("Settings").click()
    await one.page.get_by_role("radio", name="Teal", exact=True).check(force=True)
    await one.page.get_by_role("switch", name="Captions").click()
    await one.page.get_by_role("slider", name="Room").fill("0")
    for tab in (one, two):
        await expect(tab.page.locator("html")).to_have_attribute("data-felt", "teal")
        await expect(tab.page.locator(".caption")).to_have_count(0)
    kept = "async () => (await (await fetch('/api/preferences')).json()).volumes?.room === 0"
    await one.page.wait_for_function(kept, polling=100)
    elsewhere = await visitor(storage_state={**(await context.storage_state()), "origins": []})
    third = await PrivatePage.sit(elsewhere, house, "express")
    await expect(third.page.locator("html")).to_have_attribute("data-felt", "teal")
    await one.button("Reset to defaults").click()
    await expect(two.page.locator("html")).to_have_attribute("data-felt", "midnight")
    await expect(two.page.locator(".caption")).to_have_count(1)


async def test_help_lights_the_cell_of_the_coup_and_says_why(house: Server, visitor: Any) -> None:
    """The words follow the cards; the calls of the dealer are heard while the help is open."""
    tab = await PrivatePage.sit(await visitor(), house, "express")
    await tab.bet(Player=100)
    await tab.deal()
    coup = await tab.dealt(1)
    await tab.button("Help").click()
    help_ = tab.page.get_by_role("dialog", name="Help", exact=True)
    natural = len(coup["player_cards"]) == len(coup["banker_cards"]) == 2 and (
        max(coup["player_points"], coup["banker_points"]) >= 8
    )
    lit = help_.locator("[aria-current=true]")
    if natural:
        await expect(help_.get_by_text(re.compile(r"natural \d\. Both hands stand\."))).to_be_visible()
        await expect(lit).to_have_count(0)
    else:
        await expect(lit).to_have_count(1)
        drew = len(coup["banker_cards"]) == 3
        await expect(lit).to_contain_text("draws" if drew else "stands")
        await expect(help_.get_by_text(f"So the Banker {'draws' if drew else 'stands'}.")).to_be_visible()
    await expect(help_.get_by_role("row", name="Banker 1 to 1 less 5 %")).to_contain_text("1.06 %")
    dealer = tab.page.get_by_label("Dealer", exact=True)
    await expect(dealer).to_contain_text(["wins", "Tie"][coup["outcome"] == "tie"])
    assert await dealer.evaluate("it => it.closest('[inert], [aria-hidden=true]') === null")


async def test_history_with_filters_csv_and_a_replay(house: Server, visitor: Any) -> None:
    """The coups of the books, opened, shown again on the table, and closed back to the live one. Nothing is cut off."""
    tab = await PrivatePage.sit(await visitor(), house, "express")
    for number in (1, 2, 3):
        await tab.bet(**({"Tie": 20} if number == 2 else {"Player": 100, "Banker": 500}))
        await tab.deal()
        await tab.dealt(number)
        await tab.ready()
    coup = (await tab.rounds())[0]
    await tab.button("History").click()
    rows = tab.page.locator(".hrow")
    await expect(rows).to_have_count(3)
    detail = tab.page.get_by_role("region", name=f"Coup {coup['coup']}", exact=True)
    before, after = (f"{coup[f'balance_{when}_minor'] / 100:,.2f}".removesuffix(".00") for when in ("before", "after"))
    await expect(detail).to_contain_text(before)
    await expect(detail).to_contain_text(after)
    won = [one for one in await tab.rounds() if one["net_minor"] > 0]
    await tab.page.get_by_label("Won or lost").select_option("won")
    await expect(rows).to_have_count(len(won))
    csv = tab.page.get_by_role("link", name="Export CSV")
    text = await tab.page.evaluate("it => fetch(it).then(answer => answer.text())", await csv.get_attribute("href"))
    assert len(text.strip().splitlines()) == len(won) + 1
    await tab.page.get_by_label("Won or lost").select_option("")
    await expect(rows).to_have_count(3)
    for width, height in ((360, 640), (390, 844), (844, 390), (900, 700), (1024, 768), (1280, 720)):
        await tab.page.set_viewport_size({"width": width, "height": height})
        for row in await rows.all() if width < height else []:  # each opens as a sheet of its own
            await row.click()
            assert await tab.page.evaluate(OVERFLOWING) == [], (width, height)
            await tab.page.keyboard.press("Escape")
        assert await tab.page.evaluate(OVERFLOWING) == [], (width, height)
    await rows.nth(1).click()
    await tab.button("Replay").click()
    await expect(tab.page.get_by_role("region", name="Replay", exact=True)).to_contain_text("Coup 2, Express")
    await expect(tab.button("Deal")).to_have_count(0)
    await tab.stake("20")
    await tab.page.keyboard.press("p")
    await tab.button("Back to the table").click()
    await expect(tab.status("Phase")).to_have_text("Your move")
    await tab.stake("0")
    assert len(await tab.rounds()) == 3
    assert tab.problems == []
