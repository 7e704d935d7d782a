"""Tables for one patron: each sentence of what they must do, by mouse and by keyboard, in a real browser.

One server has a table of each game. `express` deals in a hurry, `slow` takes its time, `endless` more than
any test does, `tight` has a low maximum.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import combinations
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.e2e.private_page import PrivatePage
from tests.server import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")

START_MINOR = 1_000_000
TABLES = """
[[tables]]
id = "express"
name = "Express"
profile = "three-d"
deal_pace = 0.15
[[tables]]
id = "slow"
name = "Slow"
profile = "three-d"
deal_pace = 5.0
[[tables]]
id = "endless"
name = "Endless"
profile = "three-d"
deal_pace = 10.0
[[tables]]
id = "tight"
name = "Tight"
profile = "three-d"
deal_pace = 0.15
limits = { player = { max_minor = 100_000 } }
[[tables]]
id = "salon"
name = "Salon"
profile = "deluxe"
deal_pace = 0.15
[[tables]]
id = "tableau"
name = "Tableau"
profile = "tableau"
deal_pace = 0.4
"""
KEYS = {"Chip 20": "1", "Chip 100": "2", "Chip 500": "3", "Chip 1000": "4", "Chip 5000": "5", "Chip 25000": "6"}
KEYS |= {"Player": "p", "Tie": "t", "Banker": "b", "Deal": "Enter", "Bet": "Enter", "Undo": "Backspace", "Clear": "x"}
KEYS |= {"Double": "d", "Rebet x2": "d", "Rebet": "r"}

SIDES = ("player", "banker")

Press = Callable[..., Awaitable[None]]
Sit = Callable[..., Awaitable[tuple[PrivatePage, Press]]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: Any) -> AsyncIterator[Server]:
    server = Server(tmp_path_factory.mktemp("one"), 600_000, 1_000, 0.3, TABLES)
    server.start()
    yield server
    server.kill()


@pytest_asyncio.fixture(loop_scope="session", params=["mouse", "keyboard"])
async def sit(request: Any, house: Server, visitor: Any) -> Sit:
    """`tab, press = await sit("express")`: a new patron at a table, who does everything by one means."""

    async def at(table: str, start: str = "Deal") -> tuple[PrivatePage, Press]:
        tab = await PrivatePage.sit(await visitor(), house, table, start)

        async def press(*names: str) -> None:
            for name in names:
                if request.param == "keyboard":
                    await tab.page.keyboard.press(KEYS[name])
                elif name.startswith("Chip"):
                    await tab.page.get_by_role("radio", name=name, exact=True).click()
                else:  # a button that may not be pressed can be pressed all the same: it says why
                    await tab.button(name).click(force=name == "Rebet x2")

        return tab, press

    return at


async def balance_is_right(tab: PrivatePage, coups: int) -> None:
    """The page shows what the books say, and the books what the coups say."""
    rounds = await tab.rounds()
    assert len(rounds) == coups
    assert await tab.balance_minor() == START_MINOR + sum(coup["net_minor"] for coup in rounds)


async def test_each_click_adds_one_chip_and_deal_places_and_plays(sit: Sit) -> None:
    """G1"""
    tab, press = await sit("express")
    await press("Chip 100", "Player")
    await tab.stake("100")
    await press("Player", "Chip 500", "Tie")
    await tab.stake("700")
    await press("Undo")
    await tab.stake("200")
    await press("Deal")
    coup = await tab.dealt(1)
    assert coup["stakes"] == {"player": 20_000}
    await tab.ready()
    await balance_is_right(tab, 1)


async def test_rebet_repeats_the_last_bet_and_rebet_x2_doubles_it_and_both_deal(sit: Sit) -> None:
    """G1, with Rebet & Deal as it is by default."""
    tab, press = await sit("express")
    await press("Chip 100", "Player", "Chip 20", "Tie", "Deal")
    await tab.dealt(1)
    for number, (name, stakes) in enumerate(
        [
            ("Rebet", {"player": 10_000, "tie": 2_000}),
            ("Rebet x2", {"player": 20_000, "tie": 4_000}),
        ],
        2,
    ):
        await tab.ready()
        await press(name)
        assert (await tab.dealt(number))["stakes"] == stakes
    await tab.ready()
    await balance_is_right(tab, 3)


async def test_without_rebet_and_deal_the_chips_wait_for_deal(sit: Sit) -> None:
    """G1, and the setting is kept."""
    tab, press = await sit("express")
    await press("Chip 100", "Banker", "Deal")
    await tab.dealt(1)
    await tab.button("Settings").click()
    await tab.page.get_by_role("switch", name="Rebet & Deal").click()
    await tab.page.keyboard.press("Escape")
    await tab.page.reload()
    await tab.ready()
    await press("Rebet x2")
    await tab.stake("200")
    assert len(await tab.rounds()) == 1
    await press("Deal")
    assert (await tab.dealt(2))["stakes"] == {"banker": 20_000}


async def test_a_click_on_an_area_after_a_round_clears_the_old_bet_and_starts_a_new_one(sit: Sit) -> None:
    """G1: cards and chips of the round before lie there until then."""
    tab, press = await sit("express")
    await press("Chip 500", "Player", "Deal")
    await tab.dealt(1)
    await tab.ready()
    cards = tab.page.get_by_role("list", name="Player hand", exact=True).get_by_role("listitem")
    await expect(cards.first).to_be_attached()
    await press("Chip 20", "Tie")
    await tab.stake("20")
    await expect(cards).to_have_count(0)
    await press("Deal")
    assert (await tab.dealt(2))["stakes"] == {"tie": 2_000}


async def test_fast_play_skips_the_animations(sit: Sit) -> None:
    """G1: at a table whose deal takes most of a minute."""
    tab, press = await sit("slow")
    await tab.button("Settings").click()
    await tab.page.get_by_role("switch", name="Fast Play").click()
    await tab.page.keyboard.press("Escape")
    await expect(tab.button("Settings")).to_be_focused()
    await tab.page.evaluate("() => document.activeElement.blur()")  # Enter would open the settings again
    await press("Chip 100", "Player", "Deal")
    coup = await tab.dealt(1)
    await expect(tab.page.get_by_label("Dealer", exact=True)).to_contain_text(["wins", "Tie"][coup["outcome"] == "tie"])
    await expect(tab.status("Phase")).to_have_text("Your move")
    assert len((await tab.hands())["Player"]) == len(coup["player_cards"])


@pytest.mark.parametrize(
    ("table", "bets", "why"),
    [
        ("tight", ["Chip 1000", "Player"], "Player: that would pass the maximum of 1,000."),
        ("express", ["Chip 5000", "Player", "Banker"], "does not cover 20,000."),
    ],
    ids=["above the maximum", "above the balance"],
)
async def test_a_rebet_that_cannot_be_is_refused_whole_and_the_button_says_why(
    sit: Sit, table: str, bets: list[str], why: str
) -> None:
    """G1: the button says it before it is pressed, and again when it is."""
    tab, press = await sit(table)
    await press(*bets, "Deal")
    await tab.dealt(1)
    await tab.ready()
    button = tab.button("Rebet x2")
    await expect(button).to_have_attribute("aria-disabled", "true")
    said = await button.evaluate("it => document.getElementById(it.getAttribute('aria-describedby')).textContent")
    assert why in said
    await press("Rebet x2")
    await expect(tab.notice).to_contain_text(why)
    await tab.stake("0")
    await balance_is_right(tab, 1)


async def test_bet_starts_the_game_and_each_card_is_revealed_as_it_is_dealt(sit: Sit) -> None:
    """G2: face down, alternating, turned before the next one comes; several outcomes at once."""
    tab, press = await sit("tableau", "Bet")
    await tab.page.evaluate(
        """() => {
            const cards = side => [...document.querySelectorAll(`[aria-label="${side} hand"] li:not([role])`)];
            const now = () => ['Player', 'Banker'].map(side => cards(side).map(item => item.textContent.trim()));
            window.seen = [];
            const watch = new MutationObserver(() => window.seen.push(now()));
            const all = {childList: true, subtree: true, characterData: true};
            for (const hand of document.querySelectorAll('[aria-label$=" hand"]')) watch.observe(hand, all);
        }"""
    )
    await press("Chip 100", "Player", "Banker", "Chip 20", "Tie", "Bet")
    coup = await tab.dealt(1)
    assert coup["stakes"] == {"player": 10_000, "banker": 10_000, "tie": 2_000}
    await tab.ready()
    seen: list[tuple[list[str], list[str]]] = await tab.page.evaluate("() => window.seen")
    down = "card face down"
    came = []
    for before, after in zip([[[], []], *seen], seen, strict=False):
        for side in (0, 1):
            if len(after[side]) > len(before[side]):
                came.append("PB"[side])
                assert after[side][-1] == down, "a card comes face down"
                assert down not in before[0] + before[1], "and not before the last one was revealed"
    assert "".join(came).startswith("PBPB")
    assert len(came) == len(coup["player_cards"]) + len(coup["banker_cards"])
    assert down not in seen[-1][0] + seen[-1][1]


async def test_a_settings_menu_holds_the_settings_of_the_game(sit: Sit) -> None:
    """G2: those of this game, and no others."""
    tab, _ = await sit("tableau", "Bet")
    await tab.button("Settings").focus()
    await tab.page.keyboard.press("Enter")
    menu = tab.page.get_by_role("dialog", name="Settings", exact=True)
    await expect(menu.get_by_role("switch", name="Fast Play")).not_to_be_checked()
    await expect(menu.get_by_role("switch", name="Rebet & Deal")).to_have_count(0)
    await tab.page.keyboard.press("Escape")
    await expect(menu).to_have_count(0)
    await expect(tab.button("Settings")).to_be_focused()


async def test_the_plain_deluxe_table(sit: Sit) -> None:
    """G3: chips, areas, Deal."""
    tab, press = await sit("salon")
    await press("Chip 100", "Banker", "Double")
    await tab.stake("200")
    await press("Clear")
    await tab.stake("0")
    await press("Tie", "Deal")
    assert (await tab.dealt(1))["stakes"] == {"tie": 10_000}
    await tab.ready()
    await press("Rebet")
    await tab.stake("100")
    await expect(tab.button("Rebet x2")).to_have_count(0)
    await expect(tab.page.get_by_role("timer")).to_have_count(0)
    await expect(tab.others("Tie")).to_have_count(0)


async def test_the_deluxe_table_has_the_3d_dealer(house: Server, visitor: Any) -> None:
    """G3: the same one as everywhere."""
    page = await (await visitor()).new_page()
    async with page.expect_request(lambda request: request.url.endswith(".glb")) as dealer:
        await page.goto(f"{house.url}/?quality=low&table=salon")
    assert (await dealer.value).url.rsplit("/", 1)[1].startswith("luca")
    await page.close()


async def test_a_reload_in_mid_deal_shows_the_same_coup(sit: Sit) -> None:
    """G4: the cards come from the server, and the bet is booked before the first of them is told."""
    tab, press = await sit("slow")
    told: list[dict[str, Any]] = []
    is_dealt = asyncio.Event()

    def hear(frame: str | bytes) -> None:
        told.append(json.loads(frame))
        if told[-1]["type"] == "coup_dealt":
            is_dealt.set()

    tab.page.on("websocket", lambda socket: socket.on("framereceived", hear))
    await tab.go("slow")
    await press("Chip 1000", "Player", "Deal")
    await expect(tab.status("Phase")).to_have_text("Dealing")
    await expect(tab.status("Balance")).to_have_text("9,000")
    await is_dealt.wait()
    kinds = [event["type"] for event in told]
    assert kinds.index("receipt") < kinds.index("coup_dealt")
    dealt = next(event for event in told if event["type"] == "coup_dealt")
    await tab.page.reload()
    await expect(tab.status("Phase")).to_have_text("Dealing")
    await expect(tab.status("Stake")).to_have_text("1,000")
    await tab.page.keyboard.press("Escape")
    coup = await tab.dealt(1)
    assert (coup["player_cards"], coup["banker_cards"]) == (dealt["player_cards"], dealt["banker_cards"])
    shown = await tab.hands()
    assert [len(shown["Player"]), len(shown["Banker"])] == [len(dealt[f"{side}_cards"]) for side in SIDES]
    assert tab.problems == []


async def test_hammering_in_two_tabs_plays_one_round(house: Server, visitor: Any) -> None:
    """Deal, then Rebet, pressed again and again at the same time."""
    context = await visitor()
    one = await PrivatePage.sit(context, house, "express")
    two = await PrivatePage.sit(context, house, "express")
    await one.stage(100, "Player")
    await two.stake("100")
    hammer = "name => { for (let i = 0; i < 8; i++) document.querySelector(`button[aria-label='${name}']`).click(); }"
    for rounds, name in enumerate(("Deal", "Rebet"), 1):
        for tab in (one, two):
            await tab.page.evaluate(hammer, name)
        assert (await one.dealt(rounds))["stakes"] == {"player": 10_000}
        await one.ready()
        await two.ready()
    assert len(await two.rounds()) == 2


REFUSED = """async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
    const close = () => document.querySelector('[aria-label=Notice] button');
    while (close() === null) await new Promise(requestAnimationFrame);
    close().focus();
}"""
"""Bet again in mid-deal; a notice in focus stays."""
COVERED = """async ({wanted, apart, frames}) => {
    const box = selector => document.querySelector(selector).getBoundingClientRect();
    const isOut = ({x, y, right, bottom}) => x < 0 || y < 0 || right > innerWidth || bottom > innerHeight || right <= x;
    const overlap = (one, other) => Math.min(one.right, other.right) > Math.max(one.x, other.x)
        && Math.min(one.bottom, other.bottom) > Math.max(one.y, other.y);
    const look = () => [
        ...wanted.filter(one => isOut(box(one))).map(one => `${one} is cut off`),
        ...apart.filter(([one, other]) => overlap(box(one), box(other))).map(pair => pair.join(' lies on ')),
    ];
    for (; frames > 0 && look().length > 0; frames--) await new Promise(requestAnimationFrame);
    return look();
}"""
"""What of these is not to be seen whole, once the page has settled to its size."""


async def test_a_refusal_in_mid_deal_leaves_skip_and_the_cards_in_view(house: Server, visitor: Any) -> None:
    tab = await PrivatePage.sit(await visitor(390, 844, touch=True), house, "endless")
    await tab.bet(Banker=100)
    await tab.deal()
    await expect(tab.button("Skip")).to_be_visible()
    await tab.page.evaluate(REFUSED)
    shown = [".skip", ".toast", ".phase-title", "[role=status][aria-label=Balance]", "[role=status][aria-label=Stake]"]
    for width, height in ((390, 844), (360, 640), (844, 390), (640, 360), (1280, 720)):
        await tab.page.set_viewport_size({"width": width, "height": height})
        wanted = [*shown, ".hand-player", ".hand-banker"] if height <= 400 else shown
        apart = [*combinations(wanted, 2), (".skip", ".flat-says")]
        facts = {"wanted": wanted, "apart": apart, "frames": 120}
        assert await tab.page.evaluate(COVERED, facts) == [], (width, height)
