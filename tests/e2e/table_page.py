"""The table page as a patron uses it, by accessible names."""

import json
from typing import Any

from playwright.async_api import BrowserContext, ConsoleMessage, Page, expect

from tests.server import Server


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
        cls, context: BrowserContext, server: Server, table: str = "emerald", quality: str = "low"
    ) -> "TablePage":
        tab = cls(await context.new_page(), server)
        await tab.page.goto(f"{server.url}/?quality={quality}&table={table}")
        await expect(tab.button("Bet")).to_be_visible(timeout=60_000)
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

    async def betting_opens(self, least_s: int = 10) -> None:
        """Wait until betting is open with at least so many seconds to come."""
        script = """least => {
            const text = selector => document.querySelector(selector)?.textContent?.trim() ?? '';
            const [minutes, seconds] = text('[role=timer]').split(':').map(Number);
            const phase = text('[role=status][aria-label="Phase"]');
            return phase === 'Place your bets' && minutes * 60 + seconds >= least;
        }"""
        await self.page.wait_for_function(script, arg=least_s, timeout=90_000, polling=100)

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

    async def hands_at_the_result(self) -> dict[str, list[str]]:
        """The cards in words, and the points, at the moment at which this page calls the result."""
        script = """async () => {
            const words = label => document.querySelector(`[aria-label="${label}"]`);
            const cards = side => [...words(`${side} hand`).querySelectorAll('li')].map(item => item.innerText.trim());
            while (!/wins|tie/i.test(words('Dealer').textContent) || cards('Player').length < 2) {
                await new Promise(resolve => setTimeout(resolve, 30));
            }
            return {Player: cards('Player'), Banker: cards('Banker')};
        }"""
        return dict(await self.page.evaluate(script))

    async def api(self, path: str, method: str = "GET") -> Any:
        """The API as this tab's patron."""
        script = "([path, method]) => fetch(path, {method}).then(r => r.text())"
        return json.loads(await self.page.evaluate(script, [path, method]))

    async def balance_minor(self) -> int:
        return int((await self.api("/api/session", "POST"))["balance_minor"])

    async def history(self) -> list[dict[str, Any]]:
        return list((await self.api("/api/history?limit=20"))["coups"])

    async def settled(self, coups: int = 1) -> list[dict[str, Any]]:
        """The history once so many coups in it have ended."""
        script = """async coups => {
            for (;;) {
                const answer = await fetch('/api/history?limit=20').catch(() => null);
                const rows = answer?.ok ? (await answer.json()).coups : [];
                const ended = rows.filter(row => ['settled', 'closed', 'voided'].includes(row.state));
                if (ended.length >= coups) return rows;
                await new Promise(resolve => setTimeout(resolve, 100));
            }
        }"""
        return list(await self.page.evaluate(script, coups))
