"""Accounts in a real browser: keep a guest's balance, come back from elsewhere, be signed out everywhere."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.names import HOSTILE

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSWORD, OTHER = "correct horse battery", "another horse battery"


async def opened(page: Page) -> None:
    await page.get_by_role("button", name="Account", exact=True).click()
    await expect(page.get_by_role("dialog", name="Account")).to_be_visible()


async def filled(page: Page, form: str, name: str, password: str, button: str) -> None:
    entry = page.get_by_role("form", name=form)
    await entry.get_by_label("Name", exact=True).fill(name)
    await entry.get_by_label("Password", exact=True).fill(password)
    await entry.get_by_role("button", name=button, exact=True).click()


async def test_a_guest_keeps_the_balance_and_another_browser_comes_to_it(server_at: Any, visitor: Any) -> None:
    server = server_at().start()
    home = await (await visitor()).new_page()
    problems: list[str] = []
    home.on("pageerror", lambda error: problems.append(str(error)))
    await home.goto(f"{server.url}/")
    await home.get_by_role("button", name="Keep my balance").click()
    form = home.get_by_role("form", name="New account")
    assert await form.get_by_label("Name", exact=True).get_attribute("autocomplete") == "username"
    assert await form.get_by_label("Password", exact=True).get_attribute("autocomplete") == "new-password"

    await filled(home, "New account", "Dealer", PASSWORD, "Make account")
    await expect(home.get_by_role("alert").filter(has_text="the house's own")).to_be_visible()
    await expect(form.get_by_label("Name", exact=True)).to_be_focused()
    await filled(home, "New account", "Annabel", "password1", "Make account")
    await expect(home.get_by_role("alert").filter(has_text="first that are tried")).to_be_visible()
    await expect(form.get_by_label("Password", exact=True)).to_be_focused()
    await filled(home, "New account", "Annabel", PASSWORD, "Make account")
    await expect(home.get_by_text("Signed in as Annabel")).to_be_visible()
    await expect(home.get_by_text("This one", exact=True)).to_be_visible()
    await home.keyboard.press("Escape")
    await expect(home.get_by_role("dialog")).to_have_count(0)
    await expect(home.get_by_role("button", name="Keep my balance")).to_have_count(0)
    await expect(home.locator(".purse")).to_contain_text("Annabel")

    away = await visitor()
    table = await away.new_page()
    await table.goto(f"{server.url}/?table=emerald")
    await opened(table)
    await table.get_by_role("radio", name="Sign in").check()
    known = table.get_by_role("form", name="Sign in")
    assert await known.get_by_label("Password", exact=True).get_attribute("autocomplete") == "current-password"
    await expect(known.get_by_text("You leave this guest and 10,000 behind.")).to_be_visible()
    await filled(table, "Sign in", "annabel", PASSWORD, "Sign in")
    await expect(table.locator(".purse")).to_contain_text("Annabel")
    await table.goto(f"{server.url}/?table=emerald")
    second = await away.new_page()
    await second.goto(f"{server.url}/?table=emerald")
    for page in (table, second):
        await expect(page.get_by_text("10,000").first).to_be_visible()

    await opened(home)
    await home.get_by_role("button", name="Change password").click()
    change = home.get_by_role("form", name="Change password")
    await change.get_by_label("Password until now").fill(PASSWORD)
    await change.get_by_label("New password", exact=True).fill(OTHER)
    await change.get_by_role("button", name="Change password").click()
    await expect(home.get_by_text("Your password is changed.")).to_be_visible()
    for page in (table, second):
        await expect(page.get_by_text("Your session has ended.")).to_be_visible()
        await expect(page).to_have_url(f"{server.url}/")
        await expect(page.get_by_role("button", name="Keep my balance")).to_be_visible()

    await home.get_by_role("button", name="Sign out", exact=True).click()
    await expect(home.get_by_text("You are signed out. You play as a guest now.")).to_be_visible()
    assert problems == []


async def test_whatever_a_name_were_it_is_shown_as_it_is_written(server_at: Any, visitor: Any) -> None:
    """The rule for names lets none of these in. The page does not rely on it: they are put into the file by hand."""
    server = server_at().start()
    page = await (await visitor()).new_page()
    troubles: list[str] = []

    async def dismiss(dialog: Any) -> None:
        troubles.append(dialog.message)
        await dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    await page.goto(f"{server.url}/")
    await expect(page.locator(".purse")).to_contain_text("10,000")
    shown = page.locator(".purse bdi")
    with closing(sqlite3.connect(server.database, isolation_level=None, timeout=10)) as db:
        for name in HOSTILE:
            if "\ud800" in name or "\x00" in name:
                continue  # no text that a database keeps
            db.execute("UPDATE patrons SET nickname = ?", (name,))
            await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            await page.wait_for_function(
                "name => document.querySelector('.purse bdi').textContent === name", arg=name, timeout=20_000
            )
            assert await shown.locator("*").count() == 0
        await expect(page.locator("img[src=x], script:not([src]), svg[onload]")).to_have_count(0)
    for name in HOSTILE[:6]:
        await page.get_by_role("button", name="Account", exact=True).click()
        await filled(page, "New account", name, PASSWORD, "Make account")
        await expect(page.get_by_role("alert").filter(has_text="A name has")).to_be_visible()
        await page.keyboard.press("Escape")
    assert [one for one in troubles if "400 (Bad Request)" not in one] == []
