"""`make bench`: run every module in a process of its own, show one table, write JSON, compare with the last record.

`python -m benching` with `tools` and `src` on PYTHONPATH. Names run only those modules; `--record` adds the run to
bench/RESULTS.md. Loopback only, every module bounded in time. Exit status 1 when a bound is not kept.
"""

import argparse
import contextlib
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from benching import report
from benching.figure import Figure
from benching.modules import MODULES, Module
from benching.native_programs import NotBuilt


def run_here(name: str, into: Path) -> None:
    """Run one module in this process."""
    try:
        figures: list[Figure] = importlib.import_module(f"benching.{name}").run()
    except NotBuilt as problem:
        figures = [Figure(name, math.nan, "", note=str(problem))]
    into.write_text(json.dumps([figure.as_json() for figure in figures]), encoding="utf-8")


def run_apart(module: Module) -> list[Figure] | str:
    """Run one module in a process of its own; answers its figures, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder, "figures.json")
        command = [sys.executable, "-m", "benching", "--into", str(into), module.name]
        env = {**os.environ, "TMPDIR": folder}
        process = subprocess.Popen(command, env=env, stdout=sys.stderr, start_new_session=True)
        try:
            status = process.wait(timeout=module.most_s)
        except subprocess.TimeoutExpired:
            return f"took longer than {module.most_s} s"
        finally:
            _end_group(process)
        if status != 0:
            return f"ended with status {status}"
        return [figure_of(each) for each in json.loads(into.read_text(encoding="utf-8"))]


def figure_of(each: dict[str, object]) -> Figure:
    """The figure that was written by `Figure.as_json`."""
    known = {key: value for key, value in each.items() if key != "kept"}
    known["samples"] = tuple(known["samples"])  # type: ignore[arg-type]
    return Figure(**known)  # type: ignore[arg-type]


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """The module with all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(prog="benching", description="Measure Bigroad on this machine.")
    names = [module.name for module in MODULES]
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(names)}; without one all but extras")
    parser.add_argument("--record", action="store_true", help="add this run to bench/RESULTS.md")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if unknown := set(wish.names) - set(names):
        parser.error(f"no module {', '.join(sorted(unknown))}")
    if wish.into is not None:
        run_here(wish.names[0], wish.into)
        return 0
    console = Console(width=None if sys.stdout.isatty() else 150)
    began = time.monotonic()
    figures: list[Figure] = []
    failed: dict[str, str] = {}
    for module in MODULES:
        if module.name in wish.names or (not wish.names and not module.extra):
            console.print(f"[dim]{module.name} …[/]")
            done = run_apart(module)
            if isinstance(done, str):
                failed[module.name] = done
            else:
                figures += done
    took_s = time.monotonic() - began
    report.show(figures, failed, console)
    console.print(f"{took_s:.0f} s; written to {report.JSON_FILE.relative_to(report.ROOT)}")
    report.write_json(figures, failed, took_s)
    if wish.record:
        report.record(figures)
        console.print(f"recorded in {report.RESULTS.relative_to(report.ROOT)}")
    return 1 if failed or not all(figure.kept for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
