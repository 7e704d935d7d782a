"""Draw contact sheets of a whole coup for docs/images: `python tools/contact_sheet.py [mei|luca] [desktop|phone] …`.

The scene's lab draws one deterministic frame for each key moment, and puts them side by side. Without
arguments all four sheets are drawn, one after the other. Needs what `make bench-scene` needs: Node, and a Chromium.
"""

import argparse
import asyncio
import base64
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from bench_scene import FLAGS, ROOT, build_lab, open_lab, served
from playwright.async_api import Browser, async_playwright

IMAGES = ROOT / "docs" / "images"
DEALERS = {"mei": ("female", "banker"), "luca": ("male", "player")}
"""By file name: the dealer's name for the lab, and the coup that is shown; both have six cards."""
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"size": {"width": 1280, "height": 720}, "sheet": {"columns": 5, "width": 400, "keep": 585}},
    "phone": {"size": {"width": 390, "height": 844}, "sheet": {"columns": 7, "width": 320, "keep": 580}},
}
LARGEST_BYTES = 500_000
QUALITIES = (0.86, 0.8, 0.74, 0.68, 0.6, 0.5, 0.4)


async def draw_sheet(browser: Browser, url: str, dealer: str, screen: str, quality: str) -> bytes:
    """One sheet as WebP, in the best quality that stays below LARGEST_BYTES."""
    who, outcome = DEALERS[dealer]
    tab = await open_lab(browser, url, f"t=0&quality={quality}&dealer={who}&outcome={outcome}", SCREENS[screen]["size"])
    count = await tab.evaluate("(options) => (window.sheet = contactSheet(options)).length", SCREENS[screen]["sheet"])
    for index in range(count):
        await tab.evaluate("(index) => sheet.draw(index, labDealMs)", index)
    for webp in QUALITIES:
        address: str = await tab.evaluate("(quality) => sheet.url(quality)", webp)
        picture = base64.b64decode(address.split(",", 1)[1])
        if len(picture) <= LARGEST_BYTES:
            break
    await tab.close()
    return picture


async def draw(dealers: list[str], screens: list[str], quality: str, folder: Path) -> None:
    """Write coup-DEALER-SCREEN.webp into a folder."""
    with tempfile.TemporaryDirectory() as built, served(Path(built)) as url:
        build_lab(Path(built))
        async with async_playwright() as playwright:
            chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
            browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for dealer in dealers:
                for screen in screens:
                    path = folder / f"coup-{dealer}-{screen}.webp"
                    path.write_bytes(await draw_sheet(browser, url, dealer, screen, quality))
                    print(f"{path}: {path.stat().st_size:,} bytes", flush=True)
            await browser.close()


def main() -> None:
    """Draw what the command line names."""
    parser = argparse.ArgumentParser(description="Draw contact sheets of a whole coup.")
    parser.add_argument("what", nargs="*", help="mei, luca, desktop, phone; all without")
    parser.add_argument("--quality", default="medium", choices=["high", "medium", "low"])
    parser.add_argument("--folder", type=Path, default=IMAGES)
    asked = parser.parse_args()
    unknown = set(asked.what) - {*DEALERS, *SCREENS}
    if unknown:
        parser.error(f"no such dealer or screen: {', '.join(sorted(unknown))}")
    dealers = [name for name in DEALERS if name in asked.what] or list(DEALERS)
    screens = [name for name in SCREENS if name in asked.what] or list(SCREENS)
    asyncio.run(draw(dealers, screens, asked.quality, asked.folder))


if __name__ == "__main__":
    main()
