"""Count what the test runners reported, and never trust one that crashed."""

import json
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Counts:
    """How many tests ended how. Reads as the one line that `make test` ends with."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def pytest_counts(report: Path, status: int) -> Counts:
    """What pytest's junit file counts; one more failure when it has none but ended with an error."""
    try:
        suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
        tests, failed, errors, skipped = (
            sum(int(suite.get(name, "0")) for suite in suites) for name in ("tests", "failures", "errors", "skipped")
        )
    except (OSError, ElementTree.ParseError, ValueError):
        return Counts(failed=1)
    bad = failed + errors
    return _distrust(Counts(max(tests - bad - skipped, 0), bad, skipped), status)


def vitest_counts(report: Path, status: int) -> Counts:
    """What vitest's JSON file counts; one more failure when it has none but ended with an error."""
    try:
        body = json.loads(report.read_text(encoding="utf-8"))
        passed, failed = int(body["numPassedTests"]), int(body["numFailedTests"])
        skipped = int(body["numPendingTests"]) + int(body.get("numTodoTests", 0))
    except (OSError, ValueError, KeyError, TypeError):
        return Counts(failed=1)
    return _distrust(Counts(passed, failed, skipped), status)


def _distrust(counts: Counts, status: int) -> Counts:
    return counts + Counts(failed=1) if status and not counts.failed else counts
