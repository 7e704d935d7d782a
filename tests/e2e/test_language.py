"""The page in another language, in a real browser: changed in the settings, at once, and kept."""

from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_language_is_fetched_when_it_is_chosen_and_stays(server_at: Any, visitor: Any) -> None:
    server = server_at().start()
    page = await (await visitor()).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    await page.goto(f"{server.url}/")
    await page.get_by_role("button", name="Settings", exact=True).click()
    assert not any("/de-" in url for url in fetched), "not before it is wanted"
    await page.get_by_role("combobox", name="Language").select_option("de")
    await expect(page.get_by_role("heading", name="Einstellungen", exact=True)).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await page.reload()
    await expect(page.get_by_role("button", name="Einstellungen", exact=True)).to_be_visible()
    await expect(page.get_by_text("1 Tisch offen", exact=True)).to_be_visible()
    await expect(page.get_by_text("20 – 25.000", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Einstellungen", exact=True).click()
    await page.get_by_role("combobox", name="Sprache").select_option("en")
    await expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    assert problems == []
