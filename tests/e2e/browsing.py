"""Browsers and their windows as the tests have them."""

import os
import shutil

from playwright.async_api import Browser, BrowserContext, expect

from tests.e2e import evidence

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""WebGL is drawn in software; all else is put together without it, which takes a third of the time."""
PATIENCE_MS = 120_000
"""Only bounds a hang: nothing here measures how fast a machine is."""

expect.set_options(timeout=60_000)


def chromium() -> str:
    """The browser of this machine; CHROMIUM names another."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise RuntimeError("no Chromium here: `apt-get install chromium`, or name one in CHROMIUM")
    return found


async def new_context(
    browser: Browser, width: int = 1280, height: int = 720, *, touch: bool = False, **more: object
) -> BrowserContext:
    """A patron's browser: cookies and storage of its own, a mouse or a finger."""
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        is_mobile=touch,
        has_touch=touch,
        **more,  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE_MS)
    evidence.listen(context)
    return context
