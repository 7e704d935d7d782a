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
    async def open(cls, context: BrowserContext, server: Server, query: str = "quality=low") -> "TablePage":
        tab = cls(await context.new_page(), server)
        await tab.page.goto(f"{server.url}/?{query}")
        await expect(tab.button("Bet")).to_be_visible(timeout=20_000)
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

    async def betting_opens(self, *, timeout_ms: int = 30_000) -> None:
        """Wait for the start of a betting window (with most of it to come)."""
        phase = self.status("Phase")
        await expect(phase).not_to_have_text("Place your bets", timeout=timeout_ms)
        await expect(phase).to_have_text("Place your bets", timeout=timeout_ms)

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

    async def api(self, path: str, method: str = "GET") -> Any:
        """The API as this tab's patron."""
        script = "([path, method]) => fetch(path, {method}).then(r => r.text())"
        return json.loads(await self.page.evaluate(script, [path, method]))

    async def balance_minor(self) -> int:
        return int((await self.api("/api/session", "POST"))["balance_minor"])

    async def history(self) -> list[dict[str, Any]]:
        return list(await self.api("/api/history?limit=20"))
