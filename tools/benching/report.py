"""The figures as a table for people, as JSON, and as an entry of `bench/RESULTS.md` to compare the next run with."""

import json
import math
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benching.figure import Figure

ROOT = Path(__file__).parents[2]
JSON_FILE = ROOT / "build" / "bench.json"
RESULTS = ROOT / "bench" / "RESULTS.md"
TITLE = "# Recorded runs of `make bench`"
HEADER = f"""{TITLE}

The newest first; `make bench-record` adds one, `make bench` compares with the newest. Ratios mean something on any
machine; times and rates only beside others of the same one.
"""
COLUMNS = "| figure | value | unit | bound | kept |\n|---|--:|---|--:|---|\n"


def machine() -> str:
    """What this was measured on, in one line."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        named = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = named[0].partition(":")[2].strip() if named else processor
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}, " + (
        f"Python {platform.python_version()}"
    )


def show(figures: Sequence[Figure], failed: Mapping[str, str], console: Console) -> None:
    """Print one table. failed: why a module gave no figures, by its name."""
    before = dict(last_run())
    table = Table(title=f"Bigroad on {machine()}", title_justify="left", header_style="bold")
    table.add_column("figure", overflow="fold")
    for column in ("value", "bound", "last"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("kept")
    table.add_column("how", overflow="fold", style="dim")
    for figure in figures:
        kept = "" if figure.limit is None else "[green]yes[/]" if figure.kept else "[bold red]NO[/]"
        was = before.get(figure.name)
        last = in_words(was) if was is not None else ""
        table.add_row(figure.name, f"{in_words(figure.value)} {figure.unit}", bound(figure), last, kept, figure.note)
    for name, why in failed.items():
        table.add_row(name, "-", "", "", "[bold red]NO[/]", why)
    console.print(table)


def in_words(value: float) -> str:
    """Three digits that count; "not measured" for what could not be."""
    if math.isnan(value):
        return "not measured"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def bound(figure: Figure) -> str:
    """The bound with its direction."""
    if figure.limit is None:
        return ""
    return f"{'≥' if figure.at_least else '≤'} {in_words(figure.limit)}"


def write_json(figures: Sequence[Figure], failed: Mapping[str, str], took_s: float) -> None:
    """Write build/bench.json."""
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "took_s": round(took_s, 1),
        "figures": [{**figure.as_json(), "value": _number(figure.value)} for figure in figures],
        "failed": dict(failed),
    }
    JSON_FILE.parent.mkdir(exist_ok=True)
    JSON_FILE.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def record(figures: Sequence[Figure]) -> None:
    """Put this run on top of bench/RESULTS.md."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    entry = f"## {datetime.now(UTC).date()}, {machine()}" + (f", {commit}" if commit else "") + f"\n\n{COLUMNS}"
    for figure in figures:
        kept = "" if figure.limit is None else "yes" if figure.kept else "**no**"
        entry += f"| {figure.name} | {in_words(figure.value)} | {figure.unit} | {bound(figure)} | {kept} |\n"
    former = RESULTS.read_text(encoding="utf-8").partition("\n## ") if RESULTS.exists() else ("", "", "")
    RESULTS.parent.mkdir(exist_ok=True)
    older = f"\n## {former[2]}" if former[2] else ""
    RESULTS.write_text(f"{HEADER}\n{entry}{older}", encoding="utf-8")


def last_run(results: Path = RESULTS) -> Iterator[tuple[str, float]]:
    """Name and value of each figure of the newest recorded run."""
    if not results.exists():
        return
    newest = results.read_text(encoding="utf-8").partition("\n## ")[2].partition("\n## ")[0]
    for line in newest.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        try:
            yield cells[0], float(cells[1].replace(",", ""))
        except (IndexError, ValueError):
            continue
