"""Pictures of the running table, and that nothing on them overlaps, is cut off or is blank.

They are kept in build/screenshots: look at them. The pixels are drawn by software, so only the layout is judged here.
"""

import base64
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from itertools import combinations
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from tests.e2e.table_page import TablePage
from tests.server import REPOSITORY, Server
from tests.shoes import prepare_shoe

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOTS = REPOSITORY / "build" / "screenshots"
SHOE = "BBBBBPTTBBPPPPTBBPPPBPPPPBPPBBBBTBPBBBBBTPBPBPBPPTBBPPPTPPPTPPBBBBPPBB"
SIZES = [("desktop", 1280, 720, False), ("phone", 390, 844, True), ("lying", 844, 390, True)]
SCENE = "main#hud:not(.is-flat)"
TURNED = """() => [...document.querySelectorAll('[aria-label="Player hand"] li:not([role])')]
    .some(it => !it.innerText.includes('face down'))"""
CALLED = """() => /wins|tie/i.test(document.querySelector('[aria-label=Dealer]').textContent)
    && document.querySelector('[aria-label="Player hand"] li:not([role])') !== null"""
BOXES = """() => [...document.querySelectorAll('button, [role=radio], [role=timer], [role=status]')]
    .filter(element => element.checkVisibility({opacityProperty: true, visibilityProperty: true}))
    .map(element => ({element, box: element.getBoundingClientRect()}))
    .filter(({box}) => box.width > 4 && box.height > 4)
    .map(({element, box}) => ({
        name: element.getAttribute('aria-label') ?? element.textContent.trim(),
        area: ['Player', 'Tie', 'Banker'].includes(element.getAttribute('aria-label')),
        x: box.x, y: box.y, right: box.right, bottom: box.bottom}))"""


CALM = """
[[tables]]
id = "calm"
name = "Calm Room"
betting_ms = 600_000
closing_ms = 2_000
"""
"""A second table, where chips are put down and BET is pressed: nothing passes by, however long that takes. At `emerald`
a coup follows the other, and whoever comes too late for a picture of one gets the next."""
OWN_BETS = """async () => {
    const wishes = [{type: 'stage', area: 'banker', amount_minor: 100000},
        {type: 'stage', area: 'tie', amount_minor: 10000}, {type: 'submit'}];
    const {ticket} = await (await fetch('/api/ticket', {method: 'POST'})).json();
    const words = ['bigroad.v1', `bigroad.ticket.${ticket}`];
    const line = window.line = new WebSocket(`ws://${location.host}/ws/emerald`, words);
    line.onmessage = ({data}) => {
        const told = JSON.parse(data), {coup} = (told.type === 'snapshot' ? told.opened : told) ?? {};
        if (told.type !== 'coup_opened' && (told.type !== 'snapshot' || told.locked)) return;
        for (const [number, wish] of wishes.entries()) {
            line.send(JSON.stringify({...wish, coup, request_id: `own-${coup}-${number}`}));
        }
    };
}"""
"""Another tab of this patron, quicker than fingers, so that each of those coups has a bet of its own to show."""


def bots(server: Server, table: str) -> "subprocess.Popen[bytes]":
    """Six others at the table."""
    command = [sys.executable, "-m", "bigroad", "bots", "--url", server.url, "--table", table]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "src")}
    return subprocess.Popen(
        [*command, "--patrons", "6", "--seconds", "900"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """Two tables with company, each in mid-shoe."""
    server = Server(tmp_path_factory.mktemp("pictures"), betting_ms=4_000, closing_ms=1_000, pace=0.6, extra=CALM)
    for table in ("emerald", "calm"):
        await prepare_shoe(server.database, SHOE, table)
    server.start()
    others = [bots(server, table) for table in ("emerald", "calm")]
    yield server
    for company in others:
        company.kill()
        company.wait()
    server.kill()


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
    house: Server, visitor: Any, name: str, width: int, height: int, touch: bool
) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    context = await visitor(width, height, touch=touch)
    tab = await TablePage.open(context, house, "calm", quality="low")
    await tab.page.wait_for_selector(SCENE, state="attached")
    await tab.stage(1000, "Banker")
    await tab.stage(100, "Tie")
    await expect(tab.status("Stake")).to_have_text("1,100")
    await verify_layout(tab.page, width, height)
    await tab.page.screenshot(path=SHOTS / f"{name}-betting.png")
    await tab.button("Bet").click()
    await expect(tab.status("Balance")).to_have_text("8,900")

    await tab.page.goto(f"{house.url}/?quality=low&table=emerald")
    await tab.page.evaluate(OWN_BETS)
    await tab.page.wait_for_selector(SCENE, state="attached")
    stake = tab.status("Stake")
    await expect(stake).to_have_text("1,100")
    await tab.page.wait_for_function(TURNED, polling=100)
    await verify_layout(tab.page, width, height)
    await tab.page.screenshot(path=SHOTS / f"{name}-dealing.png")
    await tab.page.wait_for_function(CALLED, polling=100)
    await verify_layout(tab.page, width, height)
    picture = await tab.page.screenshot(path=SHOTS / f"{name}-result.png")
    assert await colours(context, picture) > 150
    assert tab.problems == []
