"""What `make` does; the Makefile says what there is. Needs Python 3.11 and nothing else to start."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import environment
import gen as generated
import page
import tally
from environment import PYTHON, ROOT, VENV, SetupError
from page import PageError, say

DEV = "requirements-dev.lock"
SOURCES = ["src", "tests", "tools", "hatch_build.py"]
WORKERS = 4
"""Test files that run side by side: most of them wait, for a table's clock or for a browser."""


def prepare(lock: str) -> page.Node:
    """Python packages, Node and the page, each only when something changed."""
    with environment.alone():
        environment.make_venv()
        environment.install(lock)
        node = environment.find_node()
        page.build(ROOT, node)
    return node


def run() -> int:
    """Serve the page and the tables until Ctrl-C."""
    prepare("requirements.lock")
    sys.stdout.flush()
    os.chdir(ROOT)
    os.execv(PYTHON, [str(PYTHON), str(VENV / "bin" / "bigroad"), "serve"])


def test() -> int:
    """All tests of both languages; prints the tally last."""
    if shutil.which("git") is None:
        say("git is not on PATH; tests that ask it will fail")
    node = prepare(DEV)
    if environment.find_chromium() is None:
        say("no Chromium: the browser tests will fail")
    results = ROOT / "build" / "test-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    env = {**os.environ, "PYTHONPATH": "src"}

    junit = results / "pytest.xml"
    side_by_side = ["-n", str(WORKERS), "--dist", "loadscope", "--no-loadscope-reorder"]
    status = _call([str(PYTHON), "-m", "pytest", *side_by_side, f"--junitxml={junit}"], env=env)
    total = tally.pytest_counts(junit, status)

    json = results / "vitest.json"
    vitest = [str(node.binary), "node_modules/vitest/vitest.mjs", "run", "--reporter=default"]
    status = _call([*vitest, "--reporter=json", f"--outputFile.json={json}"], ROOT / "client", node.environment())
    total += tally.vitest_counts(json, status)

    print(f"\n{total}", flush=True)
    return 1 if total.failed or not total.passed else 0


def check() -> int:
    """Everything that can be said about the code without running it."""
    node = prepare(DEV)
    python, client = [str(PYTHON), "-m"], str(ROOT / "client")
    svelte_check = f"{client}/node_modules/svelte-check/bin/svelte-check"
    steps: list[tuple[str, list[str]]] = [
        ("ruff check", [*python, "ruff", "check", *SOURCES]),
        ("ruff format", [*python, "ruff", "format", "--check", *SOURCES]),
        ("mypy", [*python, "mypy"]),
        ("mypy tools", [*python, "mypy", "--config-file=tools/mypy.ini", "tools"]),
        ("imports", [str(VENV / "bin" / "lint-imports"), "--no-cache"]),
        *generated.commands(PYTHON, check=True),
        ("svelte-check", [str(node.binary), svelte_check, "--workspace", client, "--fail-on-warnings"]),
        ("locks", [str(PYTHON), "tools/locks.py", "--check"]),
    ]
    env = {**node.environment(), "PYTHONPATH": "src"}
    failed = [name for name, command in steps if not _passes(name, command, env)]
    say(f"check failed: {', '.join(failed)}" if failed else "check passed")
    return 1 if failed else 0


def _passes(name: str, command: list[str], env: dict[str, str]) -> bool:
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    print(f"  {'ok    ' if done.returncode == 0 else 'FAILED'} {name}", flush=True)
    if done.returncode:
        print(done.stdout.decode(errors="replace"), flush=True)
    return done.returncode == 0


def gen() -> int:
    """Write every generated file again."""
    with environment.alone():
        environment.make_venv()
        environment.install(DEV)
    env = {**os.environ, "PYTHONPATH": "src"}
    return max(_call(command, env=env) for _, command in generated.commands(PYTHON, check=False))


def bench() -> int:
    """Measure the server on this machine, over loopback, in under ten minutes; compare with the last recorded run."""
    return _measure("-m", "benching")


def bench_record() -> int:
    """The same, and keep it in bench/RESULTS.md."""
    return _measure("-m", "benching", "--record")


def bench_table() -> int:
    """Let 500 bots play for five minutes, then 10,000 rounds at seats of their own."""
    return _measure("tools/bench_table.py")


def bench_history() -> int:
    """Rounds on top of ten million settled bets: some minutes and gigabytes."""
    return _measure("-m", "benching", "history_long")


def bench_scene() -> int:
    """Measure the 3D table in a headless Chromium."""
    return _measure("tools/bench_scene.py")


def _measure(*words: str) -> int:
    prepare(DEV)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(("src", "tools"))}
    return _call([str(PYTHON), *words], env=env)


def crash() -> int:
    """Kill a real server at every crash point, 64 times each, and count what was lost."""
    prepare(DEV)
    env = {**os.environ, "PYTHONPATH": f"src{os.pathsep}."}
    return _call([str(PYTHON), "-m", "tests.crash.matrix", "--seeds", "64"], env=env)


def fuzz() -> int:
    """Ask the API and the sockets of a real server at random, for some minutes."""
    prepare(DEV)
    env = {"BIGROAD_FUZZ_EXAMPLES": "600", **os.environ, "PYTHONPATH": f"src{os.pathsep}."}
    return _call([str(PYTHON), "-m", "pytest", "tests/web/test_fuzz.py", "tests/web/test_frames.py"], env=env)


def lock() -> int:
    """Resolve pyproject.toml again into the lock files."""
    with environment.alone():
        environment.make_venv()
        environment.pip_install("uv")
    return _call([str(PYTHON), "tools/locks.py"])


def clean() -> int:
    """Remove .venv, node_modules, the built page and caches. Money and history in data/ stay."""
    made = [".venv", "build", "dist", "client/node_modules", "src/bigroad/web/page"]
    caches = [".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".import_linter_cache"]
    for name in made + caches:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    return 0


def _call(command: list[str], folder: Path = ROOT, env: dict[str, str] | None = None) -> int:
    return subprocess.run(command, cwd=folder, env=env, check=False).returncode


TASKS: dict[str, Callable[[], int]] = {
    task.__name__.replace("_", "-"): task
    for task in (
        run,
        test,
        check,
        gen,
        bench,
        bench_record,
        bench_table,
        bench_scene,
        bench_history,
        crash,
        fuzz,
        lock,
        clean,
    )
}


def main(arguments: list[str]) -> int:
    """Do one task; answers an exit status."""
    if len(arguments) != 1 or arguments[0] not in TASKS:
        print(f"usage: tasks.py {'|'.join(TASKS)}", file=sys.stderr)
        return 2
    try:
        return TASKS[arguments[0]]()
    except (SetupError, PageError) as trouble:
        print(f"bigroad: {trouble}", file=sys.stderr)
        if arguments[0] == "test":
            print(f"\n{tally.Counts(failed=1)}", flush=True)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
