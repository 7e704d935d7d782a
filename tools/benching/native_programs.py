"""The programs in C beside this: built once in a while, if there is a compiler."""

import functools
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "native"
BUILT = Path(__file__).parents[2] / "build" / "bench"


class NotBuilt(Exception):
    """Why there is no such program here, in words: no compiler, or another system than Linux."""


@functools.cache
def built(name: str) -> Path:
    """The program, built anew where its source is newer. Raises NotBuilt."""
    source, program = SOURCES / f"{name}.c", BUILT / name
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return program
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise NotBuilt("no C compiler here")
    BUILT.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([compiler, "-O2", "-o", str(program), str(source)], capture_output=True, check=False)
    if done.returncode != 0:
        first, *_ = [*done.stderr.decode(errors="replace").splitlines(), f"status {done.returncode}"]
        raise NotBuilt(f"{name}.c does not build: {first}")
    return program
