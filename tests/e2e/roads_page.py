"""The scoreboards as a patron uses them: by name, and as they are painted."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from bigroad.roads.export import as_json
from bigroad.roads.marks import CoupMarks, parse_sequence
from bigroad.roads.scoreboard import Scoreboard
from tests.e2e.table_page import TablePage
from tests.server import Server

BOARDS = {
    "bead_plate": "Bead Plate",
    "big_road": "Big Road",
    "big_eye_boy": "Big Eye Boy",
    "small_road": "Small Road",
    "cockroach_road": "Cockroach Road",
}
KINDS = {
    "bead_plate": "solid",
    "big_road": "outlined",
    "big_eye_boy": "outlined",
    "small_road": "solid",
    "cockroach_road": "slashed",
}
WINNERS = {"red": "Banker", "blue": "Player", "green": "Tie"}

DRAWN = """svg => {
    const colours = {'rgb(195, 20, 31)': 'red', 'rgb(26, 71, 184)': 'blue', 'rgb(10, 107, 63)': 'green'};
    const paper = svg.getBoundingClientRect(), cell = paper.height / 6;
    return [...svg.querySelectorAll('g.mark')].map(mark => {
        const shape = mark.querySelector('.bead, .ring, .slash'), tie = mark.querySelector('.tie');
        const box = (shape ?? tie).getBoundingClientRect();
        const style = shape && getComputedStyle(shape);
        const kind = !shape ? 'line' : shape.matches('.slash') ? 'slashed'
            : style.fill === 'none' ? 'outlined' : 'solid';
        return {
            row: Math.floor((box.y + box.height / 2 - paper.y) / cell),
            col: Math.floor((box.x + box.width / 2 - paper.x) / cell),
            colour: style ? colours[kind === 'solid' ? style.fill : style.stroke] : null,
            ties: tie ? Number(mark.querySelector('.ties')?.textContent ?? 1) : 0,
            green: tie ? colours[getComputedStyle(tie).stroke] : null,
            kind,
            pairs: [...mark.querySelectorAll('.pair')].map(dot => dot.matches('.banker') ? 'banker' : 'player'),
            shapes: mark.querySelectorAll('circle, path').length,
        };
    });
}"""

NEWEST_IN_VIEW = """strip => {
    const mark = strip.querySelector('g.mark[data-newest] .newest').getBoundingClientRect();
    const box = strip.getBoundingClientRect();
    return mark.left >= box.left - 1 && mark.right <= box.right + 1;
}"""


def expected(sequence: str) -> dict[str, Any]:
    """The boards by the rules alone."""
    return as_json(Scoreboard.of(CoupMarks(outcome) for outcome in parse_sequence(sequence)))


def words(name: str, cell: dict[str, Any]) -> str:
    """What a mark is called, without pairs."""
    if name not in ("bead_plate", "big_road"):
        return str(cell["colour"]).capitalize()
    ties = cell.get("ties", 0)
    parts = [WINNERS[cell["colour"]]] if cell["colour"] else []
    parts += [] if ties == 0 else ["1 tie"] if ties == 1 else [f"{ties} ties"]
    return ", ".join(parts)


class RoadsPage(TablePage):
    """A tab whose scoreboards are looked at, over the flat table: 3D is slow here, and changes no board."""

    @classmethod
    async def at(cls, context: Any, server: Server, table: str = "emerald") -> "RoadsPage":
        tab = cls(await context.new_page(), server)
        await tab.go(table)
        return tab

    async def go(self, table: str) -> None:
        """Sit down at a table."""
        await self.page.goto(f"{self.server.url}/?quality=flat&table={table}")
        await expect(self.status("Balance")).not_to_be_empty()
        await expect(self.status("Phase")).to_have_text("Place your bets")

    async def open_boards(self) -> None:
        await self.button("Scoreboards").click()
        await expect(self.screen).to_be_visible()

    @property
    def screen(self) -> Any:
        return self.page.get_by_role("dialog", name="Scoreboards", exact=True)

    @property
    def coup(self) -> Any:
        return self.page.get_by_role("dialog", name=re.compile(r"^Coup \d+$"))

    def chooser(self, board: str) -> Any:
        """The button of a board, by its exact name."""
        return self.screen.get_by_role("button", name=board, exact=True)

    def marks(self, board: str) -> Any:
        """The marks of a board, by its exact name."""
        return self.page.get_by_role("list", name=board, exact=True).get_by_role("listitem")

    def paper(self, board: str) -> Any:
        """The paper that scrolls."""
        return self.page.locator(".strip").filter(has=self.page.get_by_role("list", name=board, exact=True))

    async def spoken(self, board: str) -> list[str]:
        """The marks in words, in the order in which they are heard."""
        return [text.strip() for text in await self.marks(board).all_text_contents()]

    async def drawn(self, board: str) -> list[dict[str, Any]]:
        """The marks as painted: cells measured on the screen, colours as computed."""
        return list(await self.paper(board).locator("svg.road").evaluate(DRAWN))

    async def apart(self) -> None:
        """Wait so long that the next click is not the second of two."""
        due = await self.page.evaluate("() => performance.now() + 400")
        await self.page.wait_for_function("due => performance.now() > due", arg=due, polling=20)

    async def newest_in_view(self, board: str) -> None:
        """Wait until it is."""
        strip = await self.paper(board).element_handle()
        await self.page.wait_for_function(NEWEST_IN_VIEW, arg=strip, polling=50)

    async def scroll_left(self, board: str) -> float:
        return float(await self.paper(board).evaluate("strip => strip.scrollLeft"))

    async def scrolled(self, board: str, where: str) -> None:
        """Wait until a condition on `left` and `most` holds."""
        numbers = "left = strip.scrollLeft, most = strip.scrollWidth - strip.clientWidth"
        script = f"strip => {{ const {numbers}; return {where}; }}"
        await self.page.wait_for_function(script, arg=await self.paper(board).element_handle(), polling=50)

    async def verify_boards(self, wanted: dict[str, Any]) -> None:
        """All five boards, heard and seen, are these (`as_json`)."""
        for name, title in BOARDS.items():
            cells = wanted[name]["cells"]
            await expect(self.marks(title)).to_have_count(len(cells))
            heard = await self.spoken(title)
            assert [text.split(", Player pair")[0].split(", Banker pair")[0] for text in heard] == [
                words(name, cell) for cell in cells
            ], title
            painted = await self.drawn(title)
            assert [(mark["row"], mark["col"], mark["colour"]) for mark in painted] == [
                (cell["row"], cell["col"], cell["colour"]) for cell in cells
            ], title
            assert [mark["ties"] for mark in painted] == [cell.get("ties", 0) for cell in cells], title
            assert {mark["kind"] for mark in painted if mark["colour"]} <= {KINDS[name]}, title
            assert {mark["green"] for mark in painted} <= {None, "green"}, title
            if cells:
                await self.newest_in_view(title)


STEP_S = 0.06
"""Between what quick fingers do. The browser is told when, and is sent all at once: a busy machine would hand the
second click on when the page has long taken the first for one alone."""


async def double_click(page: Page, locator: Any) -> None:
    """Two quick clicks."""
    await locator.hover()
    x, y = await middle(locator)
    session = await page.context.new_cdp_session(page)
    kinds = [(kind, count) for count in (1, 2) for kind in ("mousePressed", "mouseReleased")]
    began_s = time.time()
    events = []
    for number, (kind, count) in enumerate(kinds):
        event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": count}
        events.append(event | {"timestamp": began_s + number * STEP_S})
    await asyncio.gather(*(session.send("Input.dispatchMouseEvent", event) for event in events))
    await session.detach()


async def taps(page: Page, *points: tuple[float, float]) -> None:
    """Quick taps of one finger."""
    session = await page.context.new_cdp_session(page)
    began_s, events = time.time(), []
    for number, (x, y) in enumerate(points):
        for kind, later in (("touchStart", 0), ("touchEnd", 1)):
            event = {"type": kind, "touchPoints": [] if later else [{"x": x, "y": y}]}
            events.append(event | {"timestamp": began_s + (2 * number + later) * STEP_S})
    await asyncio.gather(*(session.send("Input.dispatchTouchEvent", event) for event in events))
    await session.detach()


async def swipe(page: Page, x: float, y: float, dx: float) -> None:
    """A finger drawn sideways, that rests before it is lifted: nothing rolls on, to be stopped by the next touch."""
    session = await page.context.new_cdp_session(page)
    moves = [dx * min(step, 10) / 10 for step in range(1, 16)]
    began_s = time.time()
    for number, (kind, moved) in enumerate([("touchStart", 0.0), *(("touchMove", moved) for moved in moves)]):
        event = {"type": kind, "touchPoints": [{"x": x + moved, "y": y}]}
        await session.send("Input.dispatchTouchEvent", event | {"timestamp": began_s + number * STEP_S})
    end = {"type": "touchEnd", "touchPoints": [], "timestamp": began_s + 30 * STEP_S}
    await session.send("Input.dispatchTouchEvent", end)
    await session.detach()


async def middle(locator: Any) -> tuple[float, float]:
    """The middle of what is seen of an element."""
    box = await locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def shot(folder: Path, name: str) -> Path:
    """Where a picture is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.png"
