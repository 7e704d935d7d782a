"""Remember by content what a step was made from, so that it is done again only when its inputs changed."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

LEFT_OUT = {"node_modules", "dist", "coverage", "test-results", ".vite", "__pycache__"}


def digest(files: Iterable[Path], *words: str) -> str:
    """The SHA-256 over words and over names and bytes of files. Folders count with all files in them."""
    total = hashlib.sha256()
    for word in words:
        total.update(f"{word}\0".encode())
    for path in files:
        for file in sorted(_walk(path)) if path.is_dir() else [path]:
            body = file.read_bytes()
            total.update(f"{file.relative_to(path.parent)}\0{len(body)}\0".encode())
            total.update(body)
    return total.hexdigest()


def _walk(folder: Path) -> Iterable[Path]:
    for entry in folder.iterdir():
        if entry.name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from _walk(entry)
        elif entry.is_file():
            yield entry


def is_fresh(stamp: Path, value: str) -> bool:
    """Whether the step that wrote this stamp last was made from the same inputs."""
    return stamp.is_file() and stamp.read_text(encoding="ascii").strip() == value


def write(stamp: Path, value: str) -> None:
    """Say that the step is done."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(f"{value}\n", encoding="ascii")
