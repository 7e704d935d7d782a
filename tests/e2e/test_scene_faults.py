"""Faults of the 3D table on the real page: the flat table stands in, says why, and the right state comes back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Request, expect

from tests.e2e.browsing import new_context
from tests.e2e.private_page import PrivatePage
from tests.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

FLAT = "main#hud.is-flat"
SCENE = "main#hud:not(.is-flat)"
SIZES = [(390, 844), (844, 390), (1280, 720)]
JAVASCRIPT_MOST, PAGE_MOST = 350_000, 1_600_000
NO_WEBGL = """() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return window.blind && kind.startsWith('webgl') ? null : get.call(this, kind, ...more);
    };
    window.blind = true;
}"""
LOSE = """() => {
    window.card = document.querySelector('canvas#scene').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.card.loseContext();
}"""
LOSE_IN_MID_DEAL_AND_RESTORE = """async () => {
    const until = holds => new Promise(resolve => {
        const look = () => holds() && (watch.disconnect(), resolve());
        const watch = new MutationObserver(look);
        watch.observe(document, {subtree: true, childList: true, characterData: true});
        look();
    });
    const phase = () => document.querySelector('[role=status][aria-label="Phase"]').textContent;
    await until(() => phase() === 'Dealing' && document.querySelector('.hand-player li') !== null);
    (LOSE)();
    await until(() => document.body.textContent.includes('Flat table for a moment'));
    await new Promise(resolve => setTimeout(resolve));
    window.card.restoreContext();
}""".replace("LOSE", LOSE)
"""In the page: what is shown meanwhile stays for some seconds only."""
HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


TABLES = """
[[tables]]
id = "express"
name = "Express"
profile = "three-d"
deal_pace = 0.3
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A table of short rounds for all of these, and one for one patron, where nothing passes by."""
    folder: Path = tmp_path_factory.mktemp("faults")
    server = Server(folder, betting_ms=2_500, closing_ms=500, pace=0.3, extra=TABLES).start()
    yield server
    server.kill()


class FirstVisit:
    """A page that has come to the 3D table, and what it has fetched until then."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.finished: list[Request] = []
        page.on("requestfinished", lambda request: self.finished.append(request))

    async def come(self, house: Server) -> "FirstVisit":
        await self.page.goto(f"{house.url}/?table=emerald&quality=low")
        await self.page.wait_for_selector(SCENE, state="attached")
        return self


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def first_visit(browser: Browser, house: Server) -> AsyncIterator[FirstVisit]:
    """The one page of these tests that draws: in software that is slow, and slows everybody down."""
    context = await new_context(browser)
    visit = FirstVisit(await context.new_page())
    yield await visit.come(house)
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def scene(first_visit: FirstVisit, house: Server) -> Page:
    """That page with its 3D table standing, whatever the test before has done to it."""
    if await first_visit.page.locator(SCENE).count() == 0 or await first_visit.page.evaluate("() => !!window.broken"):
        await first_visit.come(house)
    return first_visit.page


async def test_a_first_visit_fetches_no_more_than_it_may(first_visit: FirstVisit) -> None:
    loaded: dict[str, int] = {}
    for request in tuple(first_visit.finished):
        sizes = await request.sizes()
        kind = request.url.split("?")[0].rsplit(".", 1)[-1]
        loaded[kind] = loaded.get(kind, 0) + sizes["responseBodySize"] + sizes["responseHeadersSize"]
    assert 100_000 < loaded["js"] <= JAVASCRIPT_MOST, loaded
    assert loaded["glb"] > 100_000
    assert sum(loaded.values()) <= PAGE_MOST, loaded


async def test_without_webgl_the_flat_table_is_complete_and_says_why(visitor: Any, house: Server) -> None:
    context = await visitor()
    await context.add_init_script(f"({NO_WEBGL})()")
    tab = PrivatePage(await context.new_page(), house)
    await tab.go("express", quality="low")
    await expect(tab.page.get_by_text("Flat table: this browser shows no 3D.")).to_be_visible()
    await tab.stage(100, "Banker")
    await expect(tab.page.locator(".flat-banker .flat-mine .flat-stack")).to_be_visible()
    await tab.deal()
    coup = await tab.dealt(1)
    await tab.ready()
    cards = len(coup["player_cards"]) + len(coup["banker_cards"])
    await expect(tab.page.locator(".flat-card")).to_have_count(cards)
    await expect(tab.page.locator(".flat-area.won")).to_have_count(1)
    await tab.page.evaluate("() => { window.blind = false; }")
    await tab.button("Try 3D again").click()
    await tab.page.wait_for_selector(SCENE, state="attached")


async def test_a_context_lost_in_mid_deal_and_restored(scene: Page) -> None:
    await scene.evaluate(LOSE_IN_MID_DEAL_AND_RESTORE)
    await scene.wait_for_selector(SCENE, state="attached")
    assert await scene.locator("canvas#scene").count() == 1


async def test_turned_twice_and_zoomed_the_table_fits(scene: Page) -> None:
    page = scene
    line = await page.context.new_cdp_session(page)
    for width, height in (*SIZES, *SIZES[:2]):
        await page.set_viewport_size({"width": width, "height": height})
    fits = """([width, height, most]) => {
        const canvas = document.querySelector('canvas#scene');
        const box = document.querySelector('.target:has([data-area=tie])').getBoundingClientRect();
        return canvas.clientWidth === width && canvas.clientHeight === height
            && canvas.width <= width * most && canvas.width >= width * 0.5
            && Math.abs(canvas.width / canvas.height - width / height) < 0.02
            && box.left > 0 && box.right < width && box.top > 0 && box.bottom < height;
    }"""
    await page.wait_for_function(fits, arg=[844, 390, 2])
    for width, height, ratio in ((640, 400, 2.0), (2560, 1440, 0.5), (1280, 720, 1.0)):
        metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        await line.send("Emulation.setDeviceMetricsOverride", metrics)
        await page.wait_for_function(fits, arg=[width, height, max(1.0, ratio)])
    await line.send("Emulation.clearDeviceMetricsOverride")
    await line.detach()
    await expect(page.locator(SCENE)).to_be_attached()


async def test_a_tab_hidden_for_three_rounds_shows_the_present(scene: Page) -> None:
    page = scene
    three_rounds = """async () => {
        const find = rows => rows.find(row => row.terms.table === 'emerald').coup;
        const coup = () => fetch('/api/tables').then(answer => answer.json()).then(find);
        const first = await coup();
        while (await coup() < first + 3) await new Promise(resolve => setTimeout(resolve, 250));
        return first;
    }"""
    await page.evaluate(HIDE, True)
    first = await page.evaluate(three_rounds)
    await page.evaluate(HIDE, False)
    present = """first => {
        const coup = Number(/Coup (\\d+)/.exec(document.querySelector('header .place').textContent)?.[1] ?? 0);
        return coup >= first + 3;
    }"""
    await page.wait_for_function(present, arg=first)
    await expect(page.locator(SCENE)).to_be_attached()


async def test_a_context_that_never_comes_back_and_a_retry(scene: Page) -> None:
    await scene.evaluate(LOSE)
    await expect(scene.get_by_text("Flat table: the graphics did not come back.")).to_be_visible()
    assert await scene.locator("canvas#scene").count() == 0
    await scene.get_by_role("button", name="Try 3D again").click()
    await scene.wait_for_selector(SCENE, state="attached")


async def test_an_error_while_drawing_leaves_a_table_to_play_on(scene: Page) -> None:
    await scene.evaluate("""() => {
        window.broken = true;
        for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced']) {
            WebGL2RenderingContext.prototype[name] = () => { throw new Error('made to fail'); };
        }
    }""")
    await expect(scene.get_by_text("Flat table: the 3D table could not go on.")).to_be_visible()
    await expect(scene.get_by_role("button", name="Tie", exact=True)).to_be_visible()
