"""Five roads, right and readable: each board on the screen is that of the rules, for the eye, the ear, hand and keys.

One server has a table per worked sequence. Its betting windows last ten minutes, so nothing moves meanwhile.
"""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from tests.e2e.browsing import new_context
from tests.e2e.roads_page import BOARDS, RoadsPage, double_click, expected, middle, shot, swipe, taps
from tests.server import REPOSITORY, Server
from tests.shoes import prepare_last_coup, prepare_shoe
from tests.vectors import load

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOTS = REPOSITORY / "build" / "screenshots"
CASES = {case["id"]: case for case in load("roads")["cases"]}
WORKED = {
    "road-005": "two leading ties",
    "road-032": "alternating: dragons on the derived roads",
    "road-045": "a dragon of thirty",
    "road-048": "ties inside a dragon",
    "road-055": "a dragon beside its own colour",
    "road-058": "three nested dragons",
    "road-060": "six nested dragons",
    "road-069": "a derived dragon meets a tail",
    "road-072": "a tie between every two",
    "road-078": "a whole shoe",
    "road-098": "a whole shoe in which tails collide",
}
"""Sequences of tests/vectors/roads.json that are looked at in the browser."""
ONLY_TIES = "T" * 12
SHOES = 3
"""At table `emerald`: two whole ones, and the third up to its cut card."""
TEN_MINUTES_MS = 600_000
RANKS = {"A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
RANKS |= {"8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: Any) -> AsyncIterator[Server]:
    """A server with a table for each sequence, and `emerald` with three shoes."""
    names = [*WORKED, "only-ties"]
    table = '[[tables]]\nid = "{0}"\nname = "{0}"\nbetting_ms = {1}\n'
    extra = "".join(table.format(name, TEN_MINUTES_MS) for name in names)
    server = Server(tmp_path_factory.mktemp("roads"), TEN_MINUTES_MS, 1_000, 0.3, extra)
    await prepare_last_coup(server.database, SHOES)
    for name in names:
        await prepare_shoe(server.database, CASES[name]["sequence"] if name in CASES else ONLY_TIES, name)
    server.start()
    yield server
    server.kill()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def walker(house: Server, browser: Any) -> AsyncIterator[RoadsPage]:
    """One tab that goes from table to table."""
    context = await new_context(browser)
    yield await RoadsPage.at(context, house)
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def desk(house: Server, visitor: Any) -> RoadsPage:
    """A fresh visitor with a mouse, scoreboards open at the table with a long history."""
    tab = await RoadsPage.at(await visitor(), house)
    await tab.open_boards()
    return tab


@pytest_asyncio.fixture(loop_scope="session")
async def phone(house: Server, visitor: Any) -> RoadsPage:
    """A fresh visitor with a finger."""
    tab = await RoadsPage.at(await visitor(390, 844, touch=True), house)
    await tab.open_boards()
    return tab


def shoe(server: Server, number: int = SHOES) -> dict[str, Any]:
    """A shoe of `emerald` as the API has it."""
    return dict(json.loads(server.get(f"/api/tables/emerald/shoes/{number}")))


def sequence(record: dict[str, Any]) -> str:
    """Its outcomes in letters."""
    return "".join(coup["outcome"][0].upper() for coup in record["coups"])


async def is_active(tab: RoadsPage, board: str) -> None:
    """One board is the active one, and says so."""
    for title in BOARDS.values():
        await expect(tab.chooser(title)).to_have_attribute("aria-pressed", str(title == board).lower())


# ---- right


@pytest.mark.parametrize("name", WORKED, ids=[f"{name}-{title}" for name, title in WORKED.items()])
async def test_five_boards_of_a_worked_sequence(walker: RoadsPage, name: str) -> None:
    case = CASES[name]
    await walker.go(name)
    await expect(walker.marks("Big Road")).to_have_count(len(case["big_road"]["cells"]))
    await walker.newest_in_view("Big Road")
    await walker.open_boards()
    await walker.verify_boards(case)


async def test_ties_before_the_first_winner_wait_as_a_green_line(walker: RoadsPage) -> None:
    await walker.go("only-ties")
    await walker.open_boards()
    await walker.verify_boards(expected(ONLY_TIES))
    (mark,) = await walker.drawn("Big Road")
    assert (mark["row"], mark["col"], mark["colour"], mark["ties"], mark["kind"]) == (0, 0, None, 12, "line")
    assert await walker.spoken("Big Road") == ["12 ties"]
    await expect(walker.status("Streak")).to_have_text("12 ties")
    count = walker.paper("Big Road").locator("svg.road .ties")
    left, right = await count.evaluate("text => { const box = text.getBBox(); return [box.x, box.x + box.width]; }")
    assert 0 < left < right < 20, "the count stays in its cell, which is 20 wide"


async def test_a_late_joiner_and_a_restart_show_the_same_boards(house: Server, desk: RoadsPage, visitor: Any) -> None:
    wanted = expected(sequence(shoe(house)))
    await desk.verify_boards(wanted)
    late = await RoadsPage.at(await visitor(), house)
    await late.open_boards()
    await late.verify_boards(wanted)
    house.kill()
    house.start()
    await expect(desk.page.locator(".conn")).to_have_class("conn is-online")
    await desk.verify_boards(wanted)
    await late.page.reload()
    await expect(late.status("Phase")).to_have_text("Place your bets")
    await late.open_boards()
    await late.verify_boards(wanted)


async def test_pair_dots_and_totals_are_those_of_the_cards(house: Server, desk: RoadsPage) -> None:
    record = shoe(house)
    coups, counts = record["coups"], record["roads"]["counts"]
    dots = [[side for side in ("banker", "player") if coup[f"{side}_pair"]] for coup in coups]
    assert [mark["pairs"] for mark in await desk.drawn("Bead Plate")] == dots
    heard = await desk.spoken("Bead Plate")
    for side in ("Banker", "Player"):
        assert [f"{side} pair" in words for words in heard] == [side.lower() in dot for dot in dots]
    rows = desk.screen.get_by_role("list", name="Results of this shoe", exact=True).get_by_role("listitem")
    names = {"Banker": "banker", "Player": "player", "Tie": "tie", "Naturals": "natural"}
    names |= {"Banker pairs": "banker_pair", "Player pairs": "player_pair"}
    said = [" ".join(text.split()) for text in await rows.all_inner_texts()]
    for (name, field), words in zip(names.items(), said, strict=True):
        assert words.endswith(f"{name} {counts[field]} {counts[field] / len(coups):.1%}".replace("%", " %")), words
    for side, letter in (("Banker", "B"), ("Player", "P")):
        preview = expected(sequence(record))["next_hand_preview"][letter]
        row = desk.screen.locator(".askrow").filter(has_text=f"If {side} wins next")
        assert [text.strip() for text in await row.get_by_role("listitem").all_text_contents()] == [
            f"{BOARDS[name]}: {(colour or 'nothing').capitalize()}" for name, colour in preview.items()
        ]


async def test_the_streak_is_told_without_being_called_out(house: Server, desk: RoadsPage) -> None:
    outcomes = sequence(shoe(house))
    wins = outcomes.replace("T", "")
    ties = len(outcomes) - len(outcomes.rstrip("T"))
    length = len(wins) - len(wins.rstrip(wins[-1]))
    words = f"{'Banker' if wins[-1] == 'B' else 'Player'}, streak of {length}"
    words += "" if ties == 0 else ", then 1 tie" if ties == 1 else f", then {ties} ties"
    await expect(desk.status("Streak")).to_have_text(words)
    await expect(desk.status("Streak")).to_have_attribute("aria-live", "off")


# ---- by mouse


async def test_mouse_a_click_activates_and_a_double_click_chooses(desk: RoadsPage) -> None:
    await is_active(desk, "Big Road")
    for board in ("Small Road", "Bead Plate"):
        await desk.paper(board).click()
        await is_active(desk, board)
    await desk.chooser("Cockroach Road").click()
    await is_active(desk, "Cockroach Road")
    await desk.button("Go back").click()
    await expect(desk.screen).to_be_hidden()
    await expect(desk.marks("Cockroach Road")).not_to_have_count(0)
    await expect(desk.marks("Big Road")).to_have_count(0)
    await desk.open_boards()
    await double_click(desk.page, desk.paper("Big Eye Boy"))
    await expect(desk.screen).to_be_hidden()
    await expect(desk.marks("Big Eye Boy")).not_to_have_count(0)
    await desk.page.reload()
    await expect(desk.marks("Big Eye Boy")).not_to_have_count(0)
    await desk.open_boards()
    await is_active(desk, "Big Eye Boy")
    assert desk.problems == []


async def test_mouse_a_click_on_a_mark_of_the_active_board_opens_its_coup(house: Server, desk: RoadsPage) -> None:
    coups = shoe(house)["coups"]
    await desk.marks("Bead Plate").last.click()
    await is_active(desk, "Bead Plate")
    await desk.apart()
    await desk.marks("Bead Plate").last.click()
    await verify_coup(desk, coups, len(coups) - 1)
    await desk.button("Close").click()
    await expect(desk.coup).to_have_count(0)
    await expect(desk.screen).to_be_visible()
    await double_click(desk.page, desk.marks("Bead Plate").nth(len(coups) - 3))
    await expect(desk.screen).to_be_hidden()
    await expect(desk.coup).to_have_count(0)
    await desk.open_boards()
    await desk.paper("Big Road").click(position={"x": 5, "y": 5})
    await desk.apart()
    await desk.marks("Big Road").nth(len(await desk.spoken("Big Road")) - 2).click()
    wins = [number for number, coup in enumerate(coups) if coup["outcome"] != "tie"]
    await verify_coup(desk, coups, wins[-2])
    await desk.page.mouse.click(4, 4)
    await expect(desk.coup).to_have_count(0)
    await expect(desk.screen).to_be_visible()


async def test_mouse_scrolls_back_by_drag_and_wheel(desk: RoadsPage) -> None:
    board = "Big Road"
    await desk.newest_in_view(board)
    await expect(desk.button("Show the newest")).to_have_count(0)
    x, y = await middle(desk.paper(board))
    mouse = desk.page.mouse
    await mouse.move(x - 200, y)
    await mouse.down()
    await mouse.move(x - 100, y, steps=2)
    await mouse.move(x + 1_000, y, steps=4)
    await mouse.up()
    await desk.scrolled(board, "left === 0")
    await is_active(desk, board)
    await expect(desk.coup).to_have_count(0)
    await desk.button("Show the newest").first.click()
    await desk.newest_in_view(board)
    await mouse.move(x, y)
    await mouse.wheel(0, -100)
    await desk.scrolled(board, "left < most - 50")
    await mouse.wheel(-2_000, 0)
    await desk.scrolled(board, "left === 0")
    await mouse.wheel(0, 5_000)
    await desk.newest_in_view(board)
    small, height = await middle(desk.paper("Small Road"))
    await mouse.move(small, height)
    await mouse.down()
    await mouse.move(small + 60, height, steps=3)
    await mouse.up()
    await is_active(desk, board)
    await desk.button("Go back").click()
    x, y = await middle(desk.button("Scoreboards"))
    await mouse.move(x, y)
    await mouse.down()
    await mouse.move(x + 90, y, steps=3)
    await mouse.up()
    await desk.scrolled(board, "left < most - 50")
    await expect(desk.screen).to_be_hidden()


async def verify_coup(tab: RoadsPage, coups: list[dict[str, Any]], number: int) -> None:
    """The open coup is this one of the shoe, with its cards, points, outcome, natural and pairs."""
    coup = coups[number]
    await expect(tab.coup).to_have_attribute("aria-label", f"Coup {coup['coup']}")
    await expect(tab.coup).to_contain_text(f"{number + 1} of {len(coups)}")
    result = "Tie" if coup["outcome"] == "tie" else f"{coup['outcome'].capitalize()} wins"
    await expect(tab.coup).to_contain_text(result)
    await expect(tab.coup.get_by_text("Natural", exact=True)).to_have_count(int(coup["natural"]))
    for side in ("Player", "Banker"):
        cards = tab.coup.get_by_role("list", name=f"{side} cards", exact=True).get_by_role("listitem")
        await expect(cards).to_have_text(
            [card_words(code) for code in coup[f"{side.lower()}_cards"]], use_inner_text=False
        )
        points = coup[f"{side.lower()}_points"]
        heading = tab.coup.get_by_role("heading", name=side)
        await expect(heading).to_contain_text("1 point" if points == 1 else f"{points} points")
        pair = tab.coup.get_by_text(f"{side} pair", exact=True)
        await expect(pair).to_have_count(int(coup[f"{side.lower()}_pair"]))


def card_words(code: str) -> re.Pattern[str]:
    """How a card is called; its picture's own letters follow."""
    return re.compile(f"^{RANKS[code[0]]} of {SUITS[code[1]]}")


# ---- by touch


async def test_touch_a_tap_activates_and_two_taps_choose(phone: RoadsPage) -> None:
    await is_active(phone, "Big Road")
    await phone.paper("Small Road").tap()
    await is_active(phone, "Small Road")
    await phone.paper("Bead Plate").scroll_into_view_if_needed()
    point = await middle(phone.paper("Bead Plate"))
    await taps(phone.page, point, point)
    await expect(phone.screen).to_be_hidden()
    await expect(phone.marks("Bead Plate")).not_to_have_count(0)
    await phone.page.reload()
    await expect(phone.marks("Bead Plate")).not_to_have_count(0)
    await phone.button("Scoreboards").tap()
    await is_active(phone, "Bead Plate")
    one, two = await middle(phone.chooser("Big Road")), await middle(phone.chooser("Big Eye Boy"))
    await taps(phone.page, one, two)
    await is_active(phone, "Big Eye Boy")
    await expect(phone.screen).to_be_visible()
    await phone.button("Go back").tap()
    await expect(phone.screen).to_be_hidden()


async def test_touch_opens_a_coup_and_scrolls_with_the_finger(house: Server, phone: RoadsPage) -> None:
    coups = shoe(house)["coups"]
    board = "Big Road"
    await phone.newest_in_view(board)
    await phone.marks(board).last.tap()
    wins = [number for number, coup in enumerate(coups) if coup["outcome"] != "tie"]
    await verify_coup(phone, coups, wins[-1])
    await phone.button("Previous coup").tap()
    await verify_coup(phone, coups, wins[-1] - 1)
    await phone.button("Close").tap()
    await expect(phone.coup).to_have_count(0)
    x, y = await middle(phone.paper(board))
    await swipe(phone.page, x - 60, y, 220)
    await phone.scrolled(board, "left < most - 100")
    await is_active(phone, board)
    await expect(phone.coup).to_have_count(0)
    await phone.button("Show the newest").first.tap()
    await phone.newest_in_view(board)


# ---- by keyboard


async def test_keyboard_moves_between_boards_and_chooses(house: Server, visitor: Any) -> None:
    tab = await RoadsPage.at(await visitor(), house)
    press = tab.page.keyboard.press
    await press("s")
    await expect(tab.chooser("Big Road")).to_be_focused()
    for key, board in (
        ("ArrowDown", "Bead Plate"),
        ("ArrowDown", "Big Eye Boy"),
        ("ArrowUp", "Bead Plate"),
        ("Tab", "Big Eye Boy"),
    ):
        await press(key)
        await expect(tab.chooser(board)).to_be_focused()
    await is_active(tab, "Big Road")
    await press("Space")
    await is_active(tab, "Big Eye Boy")
    await expect(tab.screen).to_be_visible()
    await press("Escape")
    await expect(tab.screen).to_be_hidden()
    await expect(tab.button("Scoreboards")).to_be_focused()
    await press("Enter")
    await expect(tab.chooser("Big Eye Boy")).to_be_focused()
    await press("Tab")
    await expect(tab.chooser("Small Road")).to_be_focused()
    await press("Enter")
    await expect(tab.screen).to_be_hidden()
    await expect(tab.marks("Small Road")).not_to_have_count(0)
    await tab.page.reload()
    await expect(tab.marks("Small Road")).not_to_have_count(0)
    await press("s")
    await is_active(tab, "Small Road")
    for _ in range(12):
        await press("Tab")
        assert await tab.page.evaluate("() => document.activeElement.closest('[role=dialog]') !== null")


async def test_keyboard_scrolls_and_opens_coups(house: Server, desk: RoadsPage) -> None:
    coups = shoe(house)["coups"]
    press, board = desk.page.keyboard.press, "Big Road"
    await desk.newest_in_view(board)
    await expect(desk.chooser(board)).to_be_focused()
    for key, where in (
        ("ArrowLeft", "left > most - 60 && left < most"),
        ("Home", "left === 0"),
        ("PageDown", "left > 200"),
        ("PageUp", "left === 0"),
        ("ArrowRight", "left > 0 && left < 60"),
        ("End", "left > most - 2"),
    ):
        await press(key)
        await desk.scrolled(board, where)
    await expect(desk.chooser(board)).to_be_focused()
    await press("Tab")
    await expect(desk.marks(board).last.get_by_role("button")).to_be_focused()
    await press("Home")
    await expect(desk.marks(board).first.get_by_role("button")).to_be_focused()
    await desk.scrolled(board, "left < 40")
    await press("ArrowRight")
    await press("Enter")
    wins = [number for number, coup in enumerate(coups) if coup["outcome"] != "tie"]
    at = wins[1]
    await verify_coup(desk, coups, at)
    seen: set[str] = set()
    for number in range(at + 1, len(coups)):
        await press("ArrowRight")
        await expect(desk.coup).to_have_attribute("aria-label", f"Coup {coups[number]['coup']}")
        traits = {name for name in ("natural", "player_pair", "banker_pair") if coups[number][name]}
        traits.add(coups[number]["outcome"])
        if traits - seen:
            seen |= traits
            await verify_coup(desk, coups, number)
    assert {"natural", "player_pair", "banker_pair", "player", "banker", "tie"} <= seen
    await press("ArrowLeft")
    await verify_coup(desk, coups, len(coups) - 2)
    await press("Escape")
    await expect(desk.coup).to_have_count(0)
    await expect(desk.screen).to_be_visible()
    await press("Escape")
    await expect(desk.screen).to_be_hidden()


# ---- shoes


async def test_earlier_shoes_are_paged_through(house: Server, visitor: Any) -> None:
    context = await visitor()
    held: list[Route] = []
    tab = await RoadsPage.at(context, house)
    await tab.open_boards()
    await context.route("**/shoes/*", lambda route: held.append(route))
    await expect(tab.screen).to_contain_text(f"Shoe {SHOES} of {SHOES}")
    await tab.button("Previous shoe").click()
    await expect(tab.screen).to_contain_text("Fetching shoe 2")
    await held.pop().abort()
    await expect(tab.screen).to_contain_text("The house does not answer.")
    await tab.button("Try again").click()
    await expect(tab.screen).to_contain_text("Fetching shoe 2")
    await held.pop().continue_()
    second = shoe(house, 2)
    await tab.verify_boards(expected(sequence(second)))
    await expect(tab.screen).to_contain_text(f"Shoe 2 of {SHOES}")
    await expect(tab.screen).to_contain_text("This shoe is over.")
    await tab.marks("Big Road").last.click()
    wins = [number for number, coup in enumerate(second["coups"]) if coup["outcome"] != "tie"]
    await verify_coup(tab, second["coups"], wins[-1])
    await tab.page.keyboard.press("Escape")
    await context.unroute("**/shoes/*")
    await tab.button("Previous shoe").click()
    await tab.verify_boards(expected(sequence(shoe(house, 1))))
    await expect(tab.button("Previous shoe")).to_have_attribute("aria-disabled", "true")
    await tab.button("Next shoe").click()
    await tab.button("Next shoe").click()
    await tab.verify_boards(expected(sequence(shoe(house))))
    await expect(tab.screen).not_to_contain_text("This shoe is over.")


CLEARED = """() => {
    const beads = () => document.querySelectorAll('ol[aria-label="Bead Plate"] li').length;
    const strips = [...document.querySelectorAll('[role=dialog] .strip')];
    const strip = strips.find(one => one.querySelector('ol[aria-label="Big Road"]'));
    const dealer = document.querySelector('[aria-label=Dealer]');
    window.most = beads();
    window.calls = [];
    new MutationObserver(() => {
        if (window.calls.at(-1) !== dealer.textContent) window.calls.push(dealer.textContent);
        window.most = Math.max(window.most, beads());
        if (beads() === 0) window.clearedAt ??= document.querySelector('header .place').textContent;
    }).observe(document.body, {subtree: true, childList: true, characterData: true});
    const before = window.most;
    const looking = setInterval(() => {
        if (window.clearedAt !== undefined) clearInterval(looking);
        if (window.most === before) return;
        const box = strip.getBoundingClientRect();
        const mark = strip.querySelector('g.mark[data-newest] .newest')?.getBoundingClientRect();
        window.newestSeen ||= mark !== undefined && mark.left >= box.left - 1 && mark.right <= box.right + 1;
    }, 20);
}"""
"""Watches in the page what may have passed before a test on a busy machine gets to ask."""


async def test_a_new_shoe_clears_the_boards_of_everybody_at_once(server_at: Any, visitor: Any) -> None:
    server = server_at(betting_ms=30_000, closing_ms=500, pace=1.2)
    await prepare_last_coup(server.database)
    server.start()
    before = shoe(server, 1)
    tabs = [await RoadsPage.at(await visitor(), server) for _ in range(2)]
    for tab in tabs:
        await tab.open_boards()
        await tab.verify_boards(expected(sequence(before)))
        await tab.page.evaluate(CLEARED)
    await tabs[0].page.keyboard.press("Home")
    await tabs[0].scrolled("Big Road", "left === 0 && most > 50")
    cleared = []
    for tab in tabs:
        await tab.page.wait_for_function("() => window.clearedAt !== undefined", polling=50)
        cleared.append(await tab.page.evaluate("() => window.clearedAt"))
        assert await tab.page.evaluate("() => window.most") == len(before["coups"]) + 1
        await expect(tab.screen).to_contain_text("Shoe 2 of 2")
        for board in BOARDS.values():
            await expect(tab.marks(board)).to_have_count(0)
    assert cleared[0] == cleared[1], "in the same coup"
    assert await tabs[0].page.evaluate("() => window.newestSeen") is True
    wins = sequence(shoe(server, 1)).replace("T", "")
    length = len(wins) - len(wins.rstrip(wins[-1]))
    tie = shoe(server, 1)["coups"][-1]["outcome"] == "tie"
    heard = " ".join(await tabs[1].page.evaluate("() => window.calls"))
    assert (f"Streak of {length}." in heard) == (length >= 3 and not tie), heard
    assert heard.count("Streak") <= 1
    await tabs[1].button("Previous shoe").click()
    await tabs[1].verify_boards(expected(sequence(shoe(server, 1))))
    assert len(shoe(server, 1)["coups"]) == len(before["coups"]) + 1


# ---- readable


async def test_shape_marks_tell_blue_from_red_without_colour(desk: RoadsPage) -> None:
    async def looks(board: str) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {"red": set(), "blue": set()}
        for mark in await desk.drawn(board):
            if mark["colour"] in found:
                found[mark["colour"]].add(mark["shapes"] - int(mark["ties"] > 0))
        return found

    derived = [board for board in BOARDS.values() if board != "Bead Plate"]
    for board in derived:
        assert await looks(board) == {"red": {1}, "blue": {1}}
    await desk.button("Shape marks").click()
    await desk.page.reload()
    await expect(desk.status("Phase")).to_have_text("Place your bets")
    await desk.open_boards()
    await expect(desk.button("Shape marks")).to_have_attribute("aria-pressed", "true")
    for board in derived:
        await expect(desk.marks(board)).not_to_have_count(0)
        assert await looks(board) == {"red": {1}, "blue": {2}}
    letters = await desk.paper("Bead Plate").locator("svg text").all_text_contents()
    assert set(letters) == {"B", "P", "T"}


@pytest.mark.parametrize(
    ("width", "height", "touch"),
    [(1280, 720, False), (390, 844, True), (844, 390, True), (667, 375, True)],
)
async def test_a_full_shoe_fits_the_screen(house: Server, visitor: Any, width: int, height: int, touch: bool) -> None:
    tab = await RoadsPage.at(await visitor(width, height, touch=touch), house)
    await tab.open_boards()
    await tab.verify_boards(expected(sequence(shoe(house))))
    assert await tab.page.evaluate("() => document.documentElement.scrollWidth") == width
    for board in BOARDS.values():
        box = await tab.paper(board).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        cell = box["height"] / 6
        assert cell >= (11 if height < 500 else 13), board
        assert cell * await device_pixels(tab.page) % 1 == 0, "cells end on whole pixels"
    for name in ("Go back", "Previous shoe", "Next shoe", "Shape marks"):
        box = await tab.button(name).bounding_box()
        assert box["height"] >= (36 if touch else 32)
    assert await tab.page.locator(".rstats").evaluate(OVERLAPPING) == []
    await tab.page.screenshot(path=shot(SHOTS, f"roads-{width}x{height}"))


OVERLAPPING = """stats => {
    const words = document.createTreeWalker(stats, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
    while (words.nextNode()) {
        if (!words.currentNode.data.trim() || words.currentNode.parentElement.matches('.sr-only')) continue;
        range.selectNodeContents(words.currentNode);
        for (const box of range.getClientRects()) found.push({text: words.currentNode.data, box});
    }
    const all = stats.getBoundingClientRect(), slack = 3;
    const isOut = ({box}) => box.left < all.left || box.right > all.right || box.bottom > all.bottom + slack;
    const apart = (a, b) => a.right <= b.left + slack || b.right <= a.left + slack || a.bottom <= b.top + slack
        || b.bottom <= a.top + slack;
    const over = found.filter((a, i) => found.some((b, j) => j > i && !apart(a.box, b.box)));
    return [...found.filter(isOut), ...over].map(({text}) => text);
}"""
"""Words of the totals that lie on others, or outside."""


async def device_pixels(page: Page) -> float:
    """Pixels of the screen in a CSS pixel."""
    return float(await page.evaluate("() => devicePixelRatio"))
