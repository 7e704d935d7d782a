"""Make .venv and what belongs in it: Python packages from the lock files, and Node where the machine has none.

Only the standard library, since this runs before anything is installed.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import page
import stamps
from page import Node, say

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / "made-from"
LAUNCHER = """#!{python}
import sys
from bigroad.cli import main
sys.exit(main())
"""


class SetupError(Exception):
    """Something is missing that make cannot bring; the message says what to do."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keep a second `make` in this folder from setting up at the same time."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_venv() -> None:
    """Create .venv with this Python, unless it is there and works."""
    if PYTHON.exists() and _answers([PYTHON, "-c", "import sys, pip; sys.exit(sys.version_info < (3, 11))"]):
        return
    say("creating .venv")
    if not _answers([sys.executable, "-c", "import ensurepip, venv"]):
        _install_debian("python3-venv", "to create .venv")
    if VENV.exists():
        shutil.rmtree(VENV)
    _call([sys.executable, "-m", "venv", VENV], "creating .venv failed")


def install(lock: str) -> None:
    """Bring .venv to the exact versions of a lock file, and make `bigroad` importable from src/."""
    value = stamps.digest([ROOT / lock, ROOT / "requirements.lock"])
    stamp = STAMPS / lock
    if not stamps.is_fresh(stamp, value):
        say(f"installing Python packages ({lock})")
        pip_install("--require-hashes", "-r", str(ROOT / lock))
        stamps.write(stamp, value)
    _link_source()


def pip_install(*words: str) -> None:
    """`pip install` into .venv."""
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    _call([*pip, *words], "installing Python packages failed; is the network there?")


def _link_source() -> None:
    line = f"{ROOT / 'src'}\n"
    pth = site_packages() / "bigroad-source.pth"
    if not pth.is_file() or pth.read_text(encoding="utf-8") != line:
        pth.write_text(line, encoding="utf-8")
    launcher, text = VENV / "bin" / "bigroad", LAUNCHER.format(python=PYTHON)
    if not launcher.is_file() or launcher.read_text(encoding="utf-8") != text:
        launcher.write_text(text, encoding="utf-8")
        launcher.chmod(0o755)


def site_packages() -> Path:
    """Where the packages of .venv lie."""
    return next((VENV / "lib").glob("python3.*")) / "site-packages"


def find_node() -> Node:
    """Node from PATH, else from .venv, where it is installed when missing."""
    found = page.node_on_path() or page.node_in_packages(site_packages())
    if found is None:
        say("no Node 20.19 or newer on PATH: installing one into .venv")
        pip_install("--require-hashes", "--no-deps", "-r", str(ROOT / "requirements-node.lock"))
        found = page.node_in_packages(site_packages())
    if found is None:
        raise SetupError("no usable Node: install Node 20.19 or newer, with npm, and put it on PATH")
    return found


def find_chromium() -> str | None:
    """The browser of the browser tests. Debian's is installed when there is none and we may; else None, with a word."""
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        try:
            _install_debian("chromium", "for the browser tests")
        except SetupError as missing:
            say(str(missing))
        found = shutil.which("chromium")
    return found


def _install_debian(package: str, why: str) -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise SetupError(f"{package} is missing, needed {why}: install it (Debian, Ubuntu: apt-get install {package})")
    say(f"installing {package} with apt-get, {why}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", package]):
        if subprocess.run([apt, *words], env=env, stdout=subprocess.DEVNULL, check=False).returncode:
            raise SetupError(f"apt-get could not install {package}, needed {why}")


def _answers(command: Sequence[str | Path]) -> bool:
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    return done.returncode == 0


def _call(command: Sequence[str | Path], trouble: str) -> None:
    if subprocess.run([str(word) for word in command], cwd=ROOT, check=False).returncode:
        raise SetupError(trouble)
