"""What is kept of a failed browser test, so that it can be understood from its text alone."""

import asyncio
import re
import time
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page
from playwright.async_api import Error as BrowserError

from tests.server import REPOSITORY

FOLDER = REPOSITORY / "build" / "test-results"
LINES = 60
SEEN = """() => {
    const texts = selector => [...document.querySelectorAll(selector)].map(it => {
        const name = it.getAttribute('aria-label') ?? it.textContent.trim().slice(0, 40);
        return it.disabled || it.ariaDisabled === 'true' ? `${name} (disabled)` : name;
    });
    const told = [...document.querySelectorAll('[role=status], [role=timer], [aria-label=Dealer], [aria-label=Notice]')]
        .map(it => `${it.getAttribute('aria-label') ?? it.getAttribute('role')}: ${it.textContent.trim()}`);
    return [...told, `buttons: ${texts('button').join(', ')}`, `dialogs: ${texts('[role=dialog]').join(', ')}`,
        `hud: ${document.querySelector('main#hud')?.className}`,
        `focus: ${document.activeElement?.cloneNode().outerHTML.slice(0, 120)}`];
}"""
"""What a patron's software would read out of the page now."""

_heard: "weakref.WeakKeyDictionary[BrowserContext, deque[str]]" = weakref.WeakKeyDictionary()
_house: list[tuple[asyncio.AbstractEventLoop, Browser]] = []


def watch_browser(browser: Browser) -> None:
    """Its pages will be asked; called in the loop that drives it."""
    _house.append((asyncio.get_running_loop(), browser))


def forget_browser(browser: Browser) -> None:
    """It is closed."""
    _house[:] = [one for one in _house if one[1] is not browser]


def listen(context: BrowserContext) -> None:
    """Write down what its pages say from now on."""
    lines = _heard[context] = deque(maxlen=LINES)
    began = time.monotonic()

    def note(words: str) -> None:
        lines.append(f"{time.monotonic() - began:7.2f} s  {words}"[:400])

    context.on("console", lambda message: note(f"{message.type}: {message.text}"))
    context.on("weberror", lambda error: note(f"page error: {error.error}"))
    context.on("requestfailed", lambda request: note(f"failed: {request.url} {request.failure}"))
    context.on("page", lambda page: page.on("crash", lambda _: note("the page crashed")))


def gather(name: str) -> list[tuple[str, str]]:
    """A picture of every open page, in FOLDER under this name, and what there is to read of each. Called while no loop
    runs, after the test and before anything is closed."""
    found: list[tuple[str, str]] = []
    for loop, browser in _house:
        if not loop.is_closed() and not loop.is_running():
            found += loop.run_until_complete(_gather(browser, re.sub(r"[^\w-]+", "_", name)[:120]))
    return found


async def _gather(browser: Browser, name: str) -> list[tuple[str, str]]:
    found = []
    for number, (context, page) in enumerate(_pages(browser), 1):
        told = [f"at {page.url}"]
        told += await _patiently(page.evaluate(SEEN), "read") or []
        path = FOLDER / f"{name}-{number}.png"
        FOLDER.mkdir(parents=True, exist_ok=True)
        if await _patiently(page.screenshot(path=path), "photographed"):
            told.append(f"picture: {path.relative_to(REPOSITORY)}")
        told += ["", *_heard.get(context, ())]
        found.append((f"page {number}", "\n".join(told)))
    return found


def _pages(browser: Browser) -> Iterator[tuple[BrowserContext, Page]]:
    for context in browser.contexts:
        for page in context.pages:
            yield context, page


async def _patiently(asked: Any, what: str) -> Any:
    """The answer, or None where a page is past answering."""
    try:
        return await asyncio.wait_for(asked, 30)
    except (BrowserError, TimeoutError) as problem:
        print(f"could not be {what}: {problem}")
        return None
