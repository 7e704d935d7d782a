"""The files that are written from the source, and how to write or check each."""

from pathlib import Path

GENERATED: list[tuple[str, str]] = [
    ("bigroad.wire.export", "client/src/wire/generated.ts"),
    ("bigroad.wire.document", "docs/protocol.md"),
]


def commands(python: Path, *, check: bool) -> list[tuple[str, list[str]]]:
    """One named command for each generated file; with `check` it fails when the file is stale."""
    flag = ["--check"] if check else []
    return [(f"generated {file}", [str(python), "-m", module, file, *flag]) for module, file in GENERATED]
