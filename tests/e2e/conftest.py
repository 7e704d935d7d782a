"""A real Chromium against a real server. Every name used here is the accessible name that a patron's software hears."""

from collections.abc import AsyncIterator, Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright

from tests.e2e import evidence
from tests.e2e.browsing import ARGUMENTS, chromium, new_context
from tests.server import Server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        evidence.watch_browser(started)
        yield started
        evidence.forget_browser(started)
        await started.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if report.failed and call.when != "teardown":
        report.sections += evidence.gather(item.name)
    return report


@pytest.fixture
def server_at(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Makes servers in folders of this test, and ends them."""
    made: list[Server] = []

    def make(betting_ms: int = 5_000, closing_ms: int = 1_000, pace: float = 0.3, extra: str = "") -> Server:
        made.append(Server(tmp_path / f"server{len(made)}", betting_ms, closing_ms, pace, extra))
        return made[-1]

    yield make
    for server in made:
        server.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(browser: Browser) -> AsyncIterator[Callable[..., object]]:
    """Makes separate browser contexts: `await visitor(width=…, height=…, touch=…)`."""
    contexts: list[BrowserContext] = []

    async def make(width: int = 1280, height: int = 720, *, touch: bool = False, **more: object) -> BrowserContext:
        contexts.append(await new_context(browser, width, height, touch=touch, **more))
        return contexts[-1]

    yield make
    for context in contexts:
        await context.close()
