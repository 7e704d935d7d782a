"""Pictures of the dealers from the dealer lab: `.venv/bin/python tools/dealer/stills.py OUT.webp SHOT[,SHOT]`.

Names of shots are in client/src/scene/lab/dealer_shots.ts. Starts the development server and a Chromium by itself;
wants the development packages of the page and of Python (`make test` sets both up).
"""

import argparse
import base64
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "client"
#: Software rendering: the same picture on every machine.
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",
    "--no-first-run",
    "--disable-background-networking",
]
PATIENCE_MS = 240_000


def main(words: list[str]) -> int:
    options = parse(words)
    with development_server(options.port) as address:
        picture = shoot(address, options)
    options.out.write_bytes(picture)
    print(f"{options.out}: {len(picture)} bytes")
    return 0


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Pictures of the dealers, close up, in the light of the room.")
    parser.add_argument("out", type=Path, help="a .png or .webp file")
    parser.add_argument("shots", help="names, separated by commas")
    parser.add_argument("--who", default="female,male")
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--tile", default="400x420", help="pixels, WIDTHxHEIGHT")
    parser.add_argument("--quality", type=float, default=0.9, help="of a WebP file, 0 to 1")
    parser.add_argument("--tier", default="high", choices=["high", "medium", "low"])
    parser.add_argument("--glb", help="address of another model; * stands for female or male")
    parser.add_argument("--port", type=int, default=0, help="of the development server; 0: a free one")
    return parser.parse_args(words)


@contextmanager
def development_server(port: int) -> Iterator[str]:
    """Vite for the client folder; ends with the block."""
    if port == 0:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
    vite = ["node", str(CLIENT / "node_modules/vite/bin/vite.js"), "--port", str(port), "--strictPort"]
    with subprocess.Popen(
        [*vite, "--host", "127.0.0.1"], cwd=CLIENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            assert server.stdout is not None
            said = []
            for line in server.stdout:
                said.append(line)
                if "ready in" in line:
                    break
            else:
                raise SystemExit("the development server did not start:\n" + "".join(said))
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def shoot(address: str, options: argparse.Namespace) -> bytes:
    """The sheet as bytes of a picture file."""
    width, height = (int(part) for part in options.tile.split("x"))
    count = len(options.shots.split(",")) * len(options.who.split(","))
    rows = -(-count // options.columns)
    asked = {
        "who": options.who,
        "shots": options.shots,
        "tile": options.tile,
        "columns": options.columns,
        "quality": options.tier,
        "type": f"image/{options.out.suffix[1:]}",
        "quality_of_file": options.quality,
    }
    if options.glb is not None:
        asked["glb"] = options.glb
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": width * options.columns, "height": height * rows})
        page.on("pageerror", lambda error: print(error, file=sys.stderr))
        page.goto(f"{address}/dealer-lab.html?{urlencode(asked)}")
        page.wait_for_function("() => window.sheet !== undefined", timeout=PATIENCE_MS)
        sheet = str(page.evaluate("() => window.sheet"))
        browser.close()
    return base64.b64decode(sheet.partition(",")[2])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
