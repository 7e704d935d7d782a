"""The programs in C beside this: built once in a while, if there is a compiler."""

import functools
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "native"
BUILT = Path(__file__).parents[2] / "build" / "bench"


@functools.cache
def built(name: str) -> Path | None:
    """The program, built anew where its source is newer; None without a C compiler or where it does not build, as
    anywhere but on Linux."""
    source, program = SOURCES / f"{name}.c", BUILT / name
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return program
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    BUILT.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([compiler, "-O2", "-o", str(program), str(source)], capture_output=True, check=False)
    return program if done.returncode == 0 else None
