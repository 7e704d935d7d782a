"""The table page as a patron uses it, by accessible names."""

import json
from typing import Any

from playwright.async_api import BrowserContext, ConsoleMessage, Page, expect

from tests.server import Server

PAST = """() => {
    const past = window.past = {}, results = window.results = {};
    const all = selector => [...document.querySelectorAll(selector)];
    const text = selector => document.querySelector(selector)?.textContent?.trim() ?? '';
    const cards = side => all(`[aria-label="${side} hand"] li`).map(it => it.innerText.trim());
    new MutationObserver(() => {
        for (const it of all('[role=status][aria-label], [aria-label=Dealer], [aria-label=Notice]')) {
            const seen = past[it.getAttribute('aria-label')] ??= [], now = it.textContent.trim();
            if (seen.at(-1) !== now) seen.push(now);
        }
        if (!/wins|tie/i.test(text('[aria-label=Dealer]'))) return;
        const coup = /Coup (\\d+)/.exec(text('header .place'))?.[1];
        const hands = {Player: cards('Player'), Banker: cards('Banker')};
        const count = hands.Player.length + hands.Banker.length;
        if (count >= (results[coup]?.count ?? 6)) results[coup] = {count, hands};
    }).observe(document, {subtree: true, childList: true, characterData: true});
}"""
"""Writes down in the page what a busy machine may come too late to see: every text of the states, and the hands (two or
three cards each, and the points) of every coup whose result was called."""


class TablePage:
    """One tab at the table."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(message.text)

    @classmethod
    async def open(
        cls, context: BrowserContext, server: Server, table: str = "emerald", quality: str = "flat"
    ) -> "TablePage":
        """Sit down. Quality "low" is the 3D table, which is slow here, and changes no rule."""
        tab = cls(await context.new_page(), server)
        await tab.page.add_init_script(f"({PAST})()")
        await tab.page.goto(f"{server.url}/?quality={quality}&table={table}")
        await expect(tab.button("Bet")).to_be_visible()
        await expect(tab.status("Balance")).not_to_be_empty()
        return tab

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def status(self, name: str) -> Any:
        return self.page.get_by_role("status", name=name, exact=True)

    def others(self, area: str) -> Any:
        return self.page.get_by_label(f"Others on {area}", exact=True)

    @property
    def notice(self) -> Any:
        return self.page.get_by_label("Notice", exact=True)

    async def betting_opens(self, least_s: int = 20) -> None:
        """Wait until betting is open with at least so many seconds to come."""
        script = """least => {
            const text = selector => document.querySelector(selector)?.textContent?.trim() ?? '';
            const [minutes, seconds] = text('[role=timer]').split(':').map(Number);
            const phase = text('[role=status][aria-label="Phase"]');
            return phase === 'Place your bets' && minutes * 60 + seconds >= least;
        }"""
        await self.page.wait_for_function(script, arg=least_s, polling=100)

    async def was(self, name: str, words: str) -> None:
        """Wait until this state has shown these words; they may have gone again since."""
        script = "([name, words]) => window.past[name]?.some(text => text.includes(words))"
        await self.page.wait_for_function(script, arg=[name, words], polling=100)

    async def stage(self, chip: int, area: str) -> None:
        await self.page.get_by_role("radio", name=f"Chip {chip}", exact=True).click()
        await self.button(area).click()

    async def hands(self) -> dict[str, list[str]]:
        """The cards in words, as far as they are turned."""
        found = {}
        for side in ("Player", "Banker"):
            items = self.page.get_by_role("list", name=f"{side} hand", exact=True).get_by_role("listitem")
            found[side] = [text.strip() for text in await items.all_inner_texts()]
        return found

    async def hands_at_the_result(self, coup: int) -> dict[str, list[str]]:
        """The cards in words, and the points, as they lay when this page called the result of that coup."""
        script = "coup => window.results[coup]?.hands"
        found = await self.page.wait_for_function(script, arg=coup, polling=100)
        return dict(await found.json_value())

    async def coup(self) -> int:
        """The number of the coup that is on the table."""
        rows = await self.api("/api/tables")
        return int(next(row["coup"] for row in rows if row["terms"]["table"] == "emerald"))

    async def api(self, path: str, method: str = "GET") -> Any:
        """The API as this tab's patron."""
        script = "([path, method]) => fetch(path, {method}).then(r => r.text())"
        return json.loads(await self.page.evaluate(script, [path, method]))

    async def balance_minor(self) -> int:
        return int((await self.api("/api/session", "POST"))["balance_minor"])

    async def history(self) -> list[dict[str, Any]]:
        return list((await self.api("/api/history?limit=20"))["coups"])

    async def booked(self, bets: int) -> None:
        """Wait until the house has so many bets of this patron."""
        await self._rows(bets, ["open", "locked", "dealt", "settled", "closed", "voided"])

    async def settled(self, coups: int = 1) -> list[dict[str, Any]]:
        """The history once so many coups in it have ended."""
        return await self._rows(coups, ["settled", "closed", "voided"])

    async def _rows(self, count: int, states: list[str]) -> list[dict[str, Any]]:
        script = """async ([count, states]) => {
            for (;;) {
                const answer = await fetch('/api/history?limit=20').catch(() => null);
                const rows = answer?.ok ? (await answer.json()).coups : [];
                if (rows.filter(row => states.includes(row.state)).length >= count) return rows;
                await new Promise(resolve => setTimeout(resolve, 100));
            }
        }"""
        return list(await self.page.evaluate(script, [count, states]))
