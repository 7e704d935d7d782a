"""What `make` rests on: stamps by content, counts that distrust a crash, locks without addresses."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ALL_WELL = '<testsuites><testsuite tests="5" failures="0" errors="0" skipped="0"/></testsuites>'
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _tools_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def tool(name: str) -> ModuleType:
    return __import__(name)


def test_a_stamp_knows_content_and_names_and_not_times(tmp_path: Path) -> None:
    stamps = tool("stamps")
    folder = tmp_path / "client"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.ts").write_text("1")
    first = stamps.digest([folder], "v20")
    (folder / "src" / "a.ts").touch()
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "x.js").write_text("1")
    assert stamps.digest([folder], "v20") == first
    assert stamps.digest([folder], "v22") != first
    (folder / "src" / "a.ts").rename(folder / "src" / "b.ts")
    assert stamps.digest([folder], "v20") != first
    stamps.write(tmp_path / "stamp", first)
    assert stamps.is_fresh(tmp_path / "stamp", first)
    assert not stamps.is_fresh(tmp_path / "stamp", "other")
    assert not stamps.is_fresh(tmp_path / "none", first)


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        ("v18.20.0", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v20.20.2", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("", False),
        ("node", False),
    ],
)
def test_which_node_builds_the_page(version: str, enough: bool) -> None:
    assert tool("page").is_new_enough(version) is enough


@pytest.mark.parametrize(
    ("report", "status", "line"),
    [
        (
            ALL_WELL,
            0,
            "5 passed, 0 failed",
        ),
        (
            '<testsuites><testsuite tests="5" failures="1" errors="1" skipped="1"/></testsuites>',
            1,
            "2 passed, 2 failed, 1 skipped",
        ),
        (
            ALL_WELL,
            2,
            "5 passed, 1 failed",
        ),
        ("<testsuites>", 1, "0 passed, 1 failed"),
        (None, -9, "0 passed, 1 failed"),
        (None, 0, "0 passed, 1 failed"),
    ],
)
def test_pytest_is_counted_and_a_crash_is_a_failure(tmp_path: Path, report: str | None, status: int, line: str) -> None:
    path = tmp_path / "report.xml"
    if report is not None:
        path.write_text(report)
    assert str(tool("tally").pytest_counts(path, status)) == line


@pytest.mark.parametrize(
    ("report", "status", "line"),
    [
        ({"numPassedTests": 3, "numFailedTests": 0, "numPendingTests": 0}, 0, "3 passed, 0 failed"),
        ({"numPassedTests": 3, "numFailedTests": 0, "numPendingTests": 2}, 1, "3 passed, 1 failed, 2 skipped"),
        ({"numPassedTests": 3, "numFailedTests": 2, "numPendingTests": 0}, 1, "3 passed, 2 failed"),
        ({}, 0, "0 passed, 1 failed"),
        (None, 1, "0 passed, 1 failed"),
    ],
)
def test_vitest_is_counted_and_a_crash_is_a_failure(
    tmp_path: Path, report: dict[str, int] | None, status: int, line: str
) -> None:
    path = tmp_path / "report.json"
    if report is not None:
        path.write_text(json.dumps(report))
    assert str(tool("tally").vitest_counts(path, status)) == line


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-node.lock"])
def test_locks_are_exact_hashed_and_name_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"^[a-z0-9._-]+==[^ ]+", entry), entry
        assert "--hash=sha256:" in entry
    assert "://" not in text
    assert "index-url" not in text


def test_locks_satisfy_the_project_and_agree() -> None:
    locks = tool("locks")
    assert locks.check() == 0
    run, dev = (locks.versions((ROOT / name).read_text()) for name in ("requirements.lock", "requirements-dev.lock"))
    assert run.items() <= dev.items()


def test_npms_lock_names_no_address() -> None:
    text = (ROOT / "client" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text


@pytest.mark.parametrize("goal", ["run", "test", "check", "gen", "bench", "bench-record", "lock", "clean"])
def test_make_knows_its_goals(goal: str) -> None:
    done = subprocess.run(["make", "-n", goal], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"tools/tasks.py {goal}" in done.stdout


def test_an_unknown_task_is_refused() -> None:
    done = subprocess.run([sys.executable, "-B", "tools/tasks.py", "fly"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2


def test_what_only_the_administrator_can_install_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = tool("environment")
    monkeypatch.setattr(environment.os, "geteuid", lambda: 1000)
    with pytest.raises(environment.SetupError, match="python3-venv is missing, needed to create"):
        environment._install_debian("python3-venv", "to create .venv")


def test_a_recorded_run_is_what_the_next_one_is_compared_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, figure = importlib.import_module("benching.report"), importlib.import_module("benching.figure").Figure
    results = tmp_path / "RESULTS.md"
    monkeypatch.setattr(report, "RESULTS", results)
    assert dict(report.last_run(results)) == {}
    report.record([figure("echo", 3.5, "ms", 5), figure("rows", 123_456, "1/s", 100_000, at_least=True)])
    report.record([figure("echo", 7.25, "ms", 5), figure("rows", 99_000, "1/s", 100_000, at_least=True)])
    assert dict(report.last_run(results)) == {"echo": 7.25, "rows": 99_000}
    text = results.read_text(encoding="utf-8")
    assert text.count("\n## ") == 2
    assert text.index("| echo | 7.25 | ms | ≤ 5 | **no** |") < text.index("| echo | 3.50 | ms | ≤ 5 | yes |")


@pytest.mark.parametrize(
    ("value", "at_least", "kept"), [(4.9, False, True), (5, False, True), (5.1, False, False), (5.1, True, True)]
)
def test_a_figure_knows_whether_its_bound_is_kept(value: float, at_least: bool, kept: bool) -> None:
    figure = importlib.import_module("benching.figure").Figure
    assert figure("echo", value, "ms", 5, at_least).kept is kept
