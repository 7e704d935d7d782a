"""Measure the 3D table on this machine: `make bench-scene`, or `python tools/bench_scene.py --json`.

What each tier draws and keeps (from three.js and from the textures themselves), the script time of a frame without the
drawing, what a frame leaves on the heap, memory over 500 coups, and what a first visit fetches until the table stands.
Software rendering in a headless Chromium; times are of this machine, counts are not.
"""

import argparse
import asyncio
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benching.ports import free_port
from page import node_in_packages, node_on_path
from playwright.async_api import Browser, CDPSession, async_playwright

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "client"
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",
    "--js-flags=--expose-gc",
    "--enable-precise-memory-info",
]
SIZE = {"width": 320, "height": 180}
TINY = {"width": 96, "height": 54}
MEGABYTE = 1_000_000


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    """Files of one folder, without a line on the terminal for each."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


def build_lab(folder: Path) -> None:
    """Build the page of the scene's lab into a folder. Raises CalledProcessError."""
    node = node_on_path() or node_in_packages(Path(sysconfig.get_path("purelib")))
    if node is None:
        raise SystemExit("no Node here: `make bench-scene` brings one")
    vite = "node_modules/vite/bin/vite.js"
    command = [str(node.binary), vite, "build", "--config", "vite.lab.config.ts", "--logLevel", "error"]
    subprocess.run([*command, "--outDir", str(folder), "--emptyOutDir"], cwd=CLIENT, check=True)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; answers its URL."""
    handler = functools.partial(QuietFiles, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def open_lab(browser: Browser, url: str, query: str, size: dict[str, int]) -> Any:
    """A tab with the scene's lab, once its first frame is drawn."""
    tab = await browser.new_page(viewport={"width": size["width"], "height": size["height"]})
    await tab.goto(f"{url}/scene-lab.html?{query}")
    await tab.wait_for_function("() => window.ready === true", timeout=120_000)
    return tab


async def measure_tier(browser: Browser, url: str, quality: str, dealer: str) -> dict[str, Any]:
    """Counts of one tier in mid-deal, all cards and chips on the table, for one dealer."""
    tab = await open_lab(browser, url, f"quality={quality}&dealer={dealer}&t=9000", SIZE)
    stats: dict[str, Any] = await tab.evaluate("() => window.stage.stats()")
    await tab.close()
    return stats


async def measure_script(browser: Browser, url: str, quality: str = "high") -> dict[str, Any]:
    """Script time of a frame without `renderer.render`, in milliseconds, and bytes that a frame at rest allocates."""
    tab = await open_lab(browser, url, f"quality={quality}", TINY)
    figures: dict[str, Any] = await tab.evaluate("() => window.measureScript()")
    await tab.close()
    return figures


async def measure_memory(browser: Browser, url: str, coups: int) -> dict[str, Any]:
    """What is kept after the 60th and after the last of so many coups."""
    tab = await open_lab(browser, url, "quality=low", TINY)
    figures: dict[str, Any] = await tab.evaluate("coups => window.playCoups(coups)", coups)
    await tab.close()
    return figures


async def measure_visit(browser: Browser, url: str) -> dict[str, Any]:
    """Bytes on the line of a first visit until the 3D table stands, by kind, and how long that took."""
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    tab = await context.new_page()
    line: CDPSession = await context.new_cdp_session(tab)
    kinds: dict[str, str] = {}
    loaded: dict[str, int] = {}

    def answered(event: dict[str, Any]) -> None:
        path = event["response"]["url"].split("?")[0]
        kinds[event["requestId"]] = path.rsplit(".", 1)[-1] if "/assets/" in path else "other"

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "other")
        loaded[kind] = loaded.get(kind, 0) + int(event["encodedDataLength"])

    line.on("Network.responseReceived", answered)
    line.on("Network.loadingFinished", finished)
    await line.send("Network.enable")
    await tab.goto(url)
    stands = "() => document.querySelector('main#hud:not(.is-flat)') !== null"
    await tab.wait_for_function(stands, timeout=120_000)
    ready_ms = await tab.evaluate("() => performance.now()")
    await context.close()
    kinds_of = {"js": "js", "glb": "models", "woff2": "fonts", "css": "css"}
    by_kind: dict[str, int] = {}
    for kind, count in loaded.items():
        name = kinds_of.get(kind, "other")
        by_kind[name] = by_kind.get(name, 0) + count
    return {"bytes": sum(loaded.values()), "by_kind": by_kind, "stands_after_ms": round(ready_ms)}


@contextmanager
def house() -> Iterator[str]:
    """A server with its own data; answers the URL of its table."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "bigroad", "serve", "--data", folder, "--port", str(port)],
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if process.stdout is None or not any("Bigroad is open" in line for line in process.stdout):
                raise SystemExit("the server did not start")
            yield f"http://127.0.0.1:{port}/?table=emerald&quality=low"
        finally:
            process.kill()
            process.wait()


async def measure(coups: int) -> dict[str, Any]:
    """Everything, in one browser."""
    with tempfile.TemporaryDirectory() as folder:
        build_lab(Path(folder))
        with served(Path(folder)) as url, house() as table:
            async with async_playwright() as playwright:
                chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
                browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
                tiers = {
                    f"{quality} {dealer}": await measure_tier(browser, url, quality, dealer)
                    for quality in ("high", "medium", "low")
                    for dealer in ("female", "male")
                }
                report = {
                    "tiers": tiers,
                    "script": await measure_script(browser, url),
                    "memory": await measure_memory(browser, url, coups),
                    "visit": await measure_visit(browser, table),
                }
                await browser.close()
    return report


def table_of(report: dict[str, Any]) -> str:
    """The report as lines for people."""
    lines = ["3D table             calls  triangles  textures MB  geometries"]
    for name, one in report["tiers"].items():
        megabytes = one["textureBytes"] / MEGABYTE
        lines.append(f"  {name:18} {one['calls']:5}  {one['triangles']:9,}  {megabytes:11.1f}  {one['geometries']:10}")
    script, memory, visit = report["script"], report["memory"], report["visit"]
    lines.append(
        f"  script of a frame, without drawing: median {script['medianMs']:.2f} ms, p95 {script['p95Ms']:.2f} ms "
        f"({script['frames']} frames); at rest {script['bytesPerFrame']} bytes on the heap"
    )
    before, after = memory["before"], memory["after"]
    lines.append(
        f"  {memory['coups']} coups: geometries {before['geometries']} → {after['geometries']}, textures "
        f"{before['textures']} → {after['textures']}, heap {before['heapBytes'] / MEGABYTE:.1f} → "
        f"{after['heapBytes'] / MEGABYTE:.1f} MB"
    )
    parts = ", ".join(f"{kind} {count / 1000:.0f} kB" for kind, count in sorted(visit["by_kind"].items()))
    lines.append(f"  first visit until the table stands: {visit['bytes'] / 1000:.0f} kB compressed ({parts})")
    return "\n".join(lines)


def main() -> int:
    """Print the figures, as a table or as one line of JSON."""
    parser = argparse.ArgumentParser(description="Measure the 3D table on this machine.")
    parser.add_argument("--coups", type=int, default=500)
    parser.add_argument("--json", action="store_true")
    wish = parser.parse_args()
    report = asyncio.run(measure(wish.coups))
    print(json.dumps(report) if wish.json else table_of(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
