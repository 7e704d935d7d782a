"""Pictures of the running table, and that nothing on them overlaps, is cut off or is blank.

They are kept in build/screenshots: look at them. The pixels are drawn by software, so only the layout is judged here.
"""

import base64
import os
import subprocess
import sys
from itertools import combinations
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.e2e.table_page import TablePage
from tests.server import REPOSITORY, Server
from tests.shoes import prepare_shoe

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOTS = REPOSITORY / "build" / "screenshots"
SHOE = "BBBBBPTTBBPPPPTBBPPPBPPPPBPPBBBBTBPBBBBBTPBPBPBPPTBBPPPTPPPTPPBBBBPPBB"
SIZES = [("desktop", 1280, 720, False), ("phone", 390, 844, True), ("lying", 844, 390, True)]
BOXES = """() => [...document.querySelectorAll('button, [role=radio], [role=timer], [role=status]')]
    .filter(element => element.checkVisibility({opacityProperty: true, visibilityProperty: true}))
    .map(element => ({element, box: element.getBoundingClientRect()}))
    .filter(({box}) => box.width > 4 && box.height > 4)
    .map(({element, box}) => ({
        name: element.getAttribute('aria-label') ?? element.textContent.trim(),
        area: ['Player', 'Tie', 'Banker'].includes(element.getAttribute('aria-label')),
        x: box.x, y: box.y, right: box.right, bottom: box.bottom}))"""


def bots(server: Server) -> "subprocess.Popen[bytes]":
    """Six others at the table."""
    command = [sys.executable, "-m", "bigroad", "bots", "--url", server.url, "--patrons", "6", "--seconds", "150"]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "src")}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


async def verify_layout(page: Page, width: int, height: int) -> None:
    """Everything is on the screen, and no two controls lie on each other."""
    assert await page.evaluate("() => document.documentElement.scrollWidth") <= width
    boxes = await page.evaluate(BOXES)
    for box in boxes:
        assert box["x"] >= -1, box
        assert box["y"] >= -1, box
        assert box["right"] <= width + 1, box
        assert box["bottom"] <= height + 1, box
    for one, other in combinations((box for box in boxes if not box["area"]), 2):
        across = min(one["right"], other["right"]) - max(one["x"], other["x"])
        down = min(one["bottom"], other["bottom"]) - max(one["y"], other["y"])
        assert across <= 1 or down <= 1, (one, other)


async def colours(context: BrowserContext, picture: bytes) -> int:
    """How many different colours a coarse grid over a picture shows; a blank table shows a handful."""
    script = """async url => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const paint = new OffscreenCanvas(64, 64).getContext('2d');
        paint.drawImage(image, 0, 0, 64, 64);
        const seen = new Set(), data = paint.getImageData(0, 0, 64, 64).data;
        for (let i = 0; i < data.length; i += 4) seen.add([data[i] >> 3, data[i + 1] >> 3, data[i + 2] >> 3].join());
        return seen.size;
    }"""
    blank = await context.new_page()
    count = await blank.evaluate(script, "data:image/png;base64," + base64.b64encode(picture).decode())
    await blank.close()
    return int(count)


@pytest.mark.parametrize(("name", "width", "height", "touch"), SIZES, ids=[size[0] for size in SIZES])
async def test_the_table_from_chips_to_payment(
    server_at: Any, visitor: Any, name: str, width: int, height: int, touch: bool
) -> None:
    server = server_at(betting_ms=45_000, closing_ms=2_000, pace=1.0)
    await prepare_shoe(server.database, SHOE)
    server.start()
    others = bots(server)
    try:
        SHOTS.mkdir(parents=True, exist_ok=True)
        context = await visitor(width, height, touch=touch)
        tab = await TablePage.open(context, server)
        await expect(tab.page.locator("canvas")).to_be_visible()
        await tab.betting_opens()
        await tab.stage(1000, "Banker")
        await tab.stage(100, "Tie")
        await expect(tab.status("Stake")).to_have_text("1,100")
        await verify_layout(tab.page, width, height)
        await tab.page.screenshot(path=SHOTS / f"{name}-betting.png")
        await tab.button("Bet").click()
        await expect(tab.status("Balance")).to_have_text("8,900")
        hand = tab.page.get_by_role("list", name="Player hand", exact=True).get_by_role("listitem")
        await expect(hand.filter(has_not_text="face down")).not_to_have_count(0, timeout=60_000)
        await verify_layout(tab.page, width, height)
        await tab.page.screenshot(path=SHOTS / f"{name}-dealing.png")
        await tab.hands_at_the_result()
        await verify_layout(tab.page, width, height)
        picture = await tab.page.screenshot(path=SHOTS / f"{name}-result.png")
        assert await colours(context, picture) > 150
        assert tab.problems == []
    finally:
        others.kill()
        others.wait()
