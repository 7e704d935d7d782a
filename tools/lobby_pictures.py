"""Render the pictures of the lobby from the scene: each dealer at a table of each felt, as small WebP files.

Run `npm run dev` in client/, then `python tools/lobby_pictures.py http://localhost:5173`. CHROMIUM names the browser.
"""

import base64
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parents[1] / "client" / "src" / "lobby" / "pictures"
FELTS = ("emerald", "midnight", "burgundy", "onyx", "teal")
DEALERS = ("female", "male")
CROP = {"x": 232, "y": 0, "width": 660, "height": 312}
"""Of 1280x720: her head and hands, left of them room for words."""
WIDTH, QUALITY = 576, 0.8
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization"]

TO_WEBP = """([crop, width, quality]) => {
    const scene = document.querySelector('canvas');
    window.stage.frame(window.labDealMs - 40_000);
    const scale = scene.width / scene.clientWidth;
    const picture = document.createElement('canvas');
    picture.width = width;
    picture.height = Math.round((width * crop.height) / crop.width);
    const brush = picture.getContext('2d');
    brush.imageSmoothingQuality = 'high';
    const part = [crop.x, crop.y, crop.width, crop.height].map(length => length * scale);
    brush.drawImage(scene, ...part, 0, 0, picture.width, picture.height);
    return picture.toDataURL('image/webp', quality).split(',')[1];
}"""
"""Reads the canvas in the task that draws it: afterwards there is nothing on it."""


def main(url: str, dealers: tuple[str, ...] = DEALERS) -> None:
    """Render them all and say how large they are."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(240_000)
        for dealer in dealers:
            for felt in FELTS:
                page.goto(f"{url}/scene-lab.html?felt={felt}&dealer={dealer}&still=1&quality=high")
                page.wait_for_function("() => window.ready === true")
                webp = base64.b64decode(page.evaluate(TO_WEBP, [CROP, WIDTH, QUALITY]))
                (FOLDER / f"{dealer}-{felt}.webp").write_bytes(webp)
                print(f"{dealer}-{felt}.webp {len(webp):,} bytes", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], tuple(sys.argv[2:]) or DEALERS)
