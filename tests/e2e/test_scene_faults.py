"""Faults of the 3D table on the real page: the flat table stands in, says why, and the right state comes back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.e2e.table_page import TablePage
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
HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """One table of short rounds for all of these."""
    folder: Path = tmp_path_factory.mktemp("faults")
    server = Server(folder, betting_ms=2_500, closing_ms=500, pace=0.5).start()
    yield server
    server.kill()


async def open_scene(visitor: Any, house: Server) -> Page:
    tab = await TablePage.open(await visitor(), house)
    page: Page = tab.page
    await page.wait_for_selector(SCENE, state="attached", timeout=90_000)
    return page


async def test_a_first_visit_fetches_no_more_than_it_may(visitor: Any, house: Server) -> None:
    context = await visitor()
    page = await context.new_page()
    loaded: dict[str, int] = {}
    finished: list[Any] = []
    page.on("requestfinished", lambda request: finished.append(request))
    await page.goto(f"{house.url}/?table=emerald&quality=low")
    await page.wait_for_selector(SCENE, state="attached", timeout=90_000)
    for request in finished:
        sizes = await request.sizes()
        kind = request.url.split("?")[0].rsplit(".", 1)[-1]
        loaded[kind] = loaded.get(kind, 0) + sizes["responseBodySize"] + sizes["responseHeadersSize"]
    assert 100_000 < loaded["js"] <= JAVASCRIPT_MOST, loaded
    assert loaded["glb"] > 100_000
    assert sum(loaded.values()) <= PAGE_MOST, loaded


async def test_without_webgl_the_flat_table_is_complete_and_says_why(visitor: Any, house: Server) -> None:
    context = await visitor()
    await context.add_init_script(f"({NO_WEBGL})()")
    tab = await TablePage.open(context, house)
    await expect(tab.page.get_by_text("Flat table: this browser shows no 3D.")).to_be_visible()
    await tab.betting_opens(least_s=1)
    await tab.stage(100, "Banker")
    await expect(tab.page.locator(".flat-banker .flat-mine .flat-stack")).to_be_visible()
    await expect(tab.page.locator(".flat-card")).not_to_have_count(0, timeout=30_000)
    await expect(tab.page.locator(".flat-area.won")).to_have_count(1, timeout=30_000)
    await tab.page.evaluate("() => { window.blind = false; }")
    await tab.button("Try 3D again").click()
    await tab.page.wait_for_selector(SCENE, state="attached", timeout=90_000)


async def test_a_context_lost_in_mid_deal_and_restored(visitor: Any, house: Server) -> None:
    page = await open_scene(visitor, house)
    await page.wait_for_function("() => document.querySelector('.hand-player li') !== null", timeout=60_000)
    await page.evaluate(LOSE)
    await expect(page.get_by_text("Flat table for a moment")).to_be_visible(timeout=2_000)
    await page.evaluate("() => window.card.restoreContext()")
    await page.wait_for_selector(SCENE, state="attached", timeout=20_000)
    assert await page.locator("canvas#scene").count() == 1


async def test_a_context_that_never_comes_back_and_a_retry(visitor: Any, house: Server) -> None:
    page = await open_scene(visitor, house)
    await page.evaluate(LOSE)
    await expect(page.get_by_text("Flat table: the graphics did not come back.")).to_be_visible(timeout=15_000)
    assert await page.locator("canvas#scene").count() == 0
    await page.get_by_role("button", name="Try 3D again").click()
    await page.wait_for_selector(SCENE, state="attached", timeout=90_000)


async def test_an_error_while_drawing_leaves_a_table_to_play_on(visitor: Any, house: Server) -> None:
    page = await open_scene(visitor, house)
    await page.evaluate("""() => {
        for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced']) {
            WebGL2RenderingContext.prototype[name] = () => { throw new Error('made to fail'); };
        }
    }""")
    await expect(page.get_by_text("Flat table: the 3D table could not go on.")).to_be_visible(timeout=15_000)
    await expect(page.get_by_role("button", name="Tie", exact=True)).to_be_visible()


async def test_turned_twice_and_zoomed_the_table_fits(visitor: Any, house: Server) -> None:
    page = await open_scene(visitor, house)
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
    await page.wait_for_function(fits, arg=[844, 390, 2], timeout=20_000)
    for width, height, ratio in ((640, 400, 2.0), (2560, 1440, 0.5), (1280, 720, 1.0)):
        metrics = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        await line.send("Emulation.setDeviceMetricsOverride", metrics)
        await page.wait_for_function(fits, arg=[width, height, max(1.0, ratio)], timeout=20_000)
    await expect(page.locator(SCENE)).to_be_attached()


async def test_a_tab_hidden_for_three_rounds_shows_the_present(visitor: Any, house: Server) -> None:
    page = await open_scene(visitor, house)
    three_rounds = """async () => {
        const coup = () => fetch('/api/tables').then(answer => answer.json()).then(rows => rows[0].coup);
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
    await page.wait_for_function(present, arg=first, timeout=3_000)
    await expect(page.locator(SCENE)).to_be_attached()
