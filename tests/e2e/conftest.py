"""A real Chromium against a real server. Every name used here is the accessible name that a patron's software hears."""

import os
import shutil
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from tests.e2e import evidence
from tests.server import Server

ARGUMENTS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=60_000)
# timeouts only bound a hang: nothing here measures how fast a machine is
PATIENCE_MS = 120_000


def chromium() -> str:
    """The browser of this machine; CHROMIUM names another."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise RuntimeError("no Chromium here: `apt-get install chromium`, or name one in CHROMIUM")
    return found


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
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            is_mobile=touch,
            has_touch=touch,
            **more,  # type: ignore[arg-type]
        )
        context.set_default_timeout(PATIENCE_MS)
        evidence.listen(context)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        await context.close()
