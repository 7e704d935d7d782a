"""A table for one patron as the patron uses it. The flat table stands: 3D is slow here, and changes no rule."""

from typing import Any

from playwright.async_api import BrowserContext, expect

from tests.e2e.table_page import TablePage
from tests.server import Server


class PrivatePage(TablePage):
    """One tab at a table for one patron. Its `start` is the word on the button that bets: Deal or Bet."""

    start = "Deal"

    @classmethod
    async def sit(cls, context: BrowserContext, server: Server, table: str, start: str = "Deal") -> "PrivatePage":
        tab = cls(await context.new_page(), server)
        tab.start = start
        await tab.go(table)
        return tab

    async def go(self, table: str, quality: str = "flat") -> None:
        """Sit down and wait until it is the patron's move."""
        await self.page.goto(f"{self.server.url}/?quality={quality}&table={table}")
        await expect(self.status("Balance")).not_to_be_empty()
        await self.ready()

    async def ready(self) -> None:
        """Wait for the patron's move."""
        await expect(self.status("Phase")).to_have_text("Your move")

    async def bet(self, **chips: int) -> None:
        """Put one chip on each area, as by the mouse."""
        for area, chip in chips.items():
            await self.stage(chip, area)

    async def deal(self) -> None:
        """Press Deal, or Bet."""
        await self.button(self.start).click()

    async def skip(self) -> None:
        """On to the result, then wait for the patron's move."""
        await self.button("Skip").click()
        await self.ready()

    async def stake(self, amount: str) -> None:
        await expect(self.status("Stake")).to_have_text(amount)

    async def rounds(self) -> list[dict[str, Any]]:
        """The patron's coups from the server, newest first."""
        return list((await self.api("/api/history?limit=50"))["coups"])

    async def dealt(self, rounds: int) -> dict[str, Any]:
        """Wait until so many coups have been settled, exactly; answers the newest."""
        script = """async rounds => {
            for (;;) {
                const {coups} = await (await fetch('/api/history?limit=50')).json();
                if (coups.filter(coup => coup.outcome !== null).length >= rounds) return coups;
                await new Promise(resolve => setTimeout(resolve, 60));
            }
        }"""
        coups = list(await self.page.evaluate(script, rounds))
        assert len(coups) == rounds
        return dict(coups[0])
