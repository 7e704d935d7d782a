"""What the 3D table may cost, and that nothing of it stays behind: in its lab, without a server."""

import importlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, async_playwright

from tests.e2e.browsing import chromium
from tests.server import REPOSITORY

pytestmark = pytest.mark.asyncio(loop_scope="module")

# calls, triangles, bytes of textures
BUDGETS = {"high": (120, 160_000, 64_000_000), "low": (75, 95_000, 64_000_000)}


@pytest.fixture(scope="module")
def bench() -> Iterator[Any]:
    """tools/bench_scene.py, which is in no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(REPOSITORY / "tools"))
        yield importlib.import_module("bench_scene")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lab(tmp_path_factory: pytest.TempPathFactory, bench: Any) -> AsyncIterator[Any]:
    """Opens the lab: `await lab("quality=low")`. One browser, whose heap can be asked and swept."""
    folder: Path = tmp_path_factory.mktemp("lab")
    bench.build_lab(folder)
    with bench.served(folder) as url:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=bench.FLAGS)

            async def open_lab(query: str, size: dict[str, int] = bench.SIZE) -> Page:
                page: Page = await bench.open_lab(browser, url, query, size)
                return page

            yield open_lab
            await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def low(lab: Any) -> Page:
    """One small page of the low tier for all that does not need one of its own: to build it takes most of the time."""
    page: Page = await lab("quality=low&t=9000", {"width": 192, "height": 108})
    return page


def difference(one: list[float], other: list[float]) -> float:
    """The most by which a field of a coarse picture differs from the other's, of 255."""
    return max(abs(mine - its) for mine, its in zip(one, other, strict=True))


def verify_budget(stats: dict[str, int], quality: str) -> None:
    calls, triangles, textures = BUDGETS[quality]
    assert 20 < stats["calls"] <= calls
    assert 20_000 < stats["triangles"] <= triangles
    assert 1_000_000 < stats["textureBytes"] <= textures


@pytest.mark.parametrize("dealer", ["female", "male"])
async def test_the_high_tier_keeps_its_budget(lab: Any, dealer: str) -> None:
    page = await lab(f"quality=high&dealer={dealer}&t=9000")
    verify_budget(await page.evaluate("() => window.stage.stats()"), "high")
    await page.close()


async def test_the_low_tier_keeps_its_budget_and_its_memory(low: Page) -> None:
    await low.evaluate("() => window.pictureAt(9000)")
    verify_budget(await low.evaluate("() => window.stage.stats()"), "low")
    played = await low.evaluate("() => window.playCoups(500)")
    before, after = played["before"], played["after"]
    assert after["geometries"] <= before["geometries"] + 3  # parts that are hidden at first
    assert after["textures"] <= before["textures"] + 1
    assert after["textureBytes"] == before["textureBytes"]
    assert 0 < after["heapBytes"] < before["heapBytes"] + 2_000_000


async def test_a_context_that_is_lost_in_mid_deal_comes_back_with_the_same_picture(low: Page) -> None:
    await low.evaluate("() => window.stage.show(window.labView)")
    early, late = [await low.evaluate("ms => window.pictureAt(ms)", ms) for ms in (600, 7_000)]
    assert difference(early, late) > 10
    await low.evaluate("""async () => {
        const canvas = document.querySelector('canvas');
        const until = name => new Promise(resolve => canvas.addEventListener(name, resolve, {once: true}));
        const card = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
        const lost = until('webglcontextlost'), back = until('webglcontextrestored');
        card.loseContext();
        await lost;
        await new Promise(resolve => setTimeout(resolve));
        if (window.stage.frame(window.labDealMs + 6000) !== false) throw new Error('drew on nothing');
        card.restoreContext();
        await back;
    }""")
    assert difference(await low.evaluate("() => window.pictureAt(7000)"), late) < 3
    assert difference(await low.evaluate("() => window.pictureAt(600)"), early) < 3


async def test_tables_that_are_left_leave_no_canvas_behind(low: Page) -> None:
    assert await low.evaluate("() => window.openAndLeave(3)") <= 1
    assert await low.evaluate("() => document.querySelectorAll('canvas').length") == 1
