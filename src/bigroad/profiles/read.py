"""TOML files into frozen values, with errors that say where."""

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bigroad.profiles.errors import SettingsError
from bigroad.profiles.lines import line_of, path_of

Kind = TypeVar("Kind")


class Source:
    """Where a tree of plain values comes from. text: the TOML it was read from, None where there is none."""

    def __init__(self, name: str, text: str | None = None) -> None:
        self.name, self.text = name, text

    def error(self, place: str, words: str) -> SettingsError:
        """What is wrong at a place such as `tables[0].limits.tie`, "" for the whole."""
        parts = [self.name]
        if self.text is not None and place:
            parts.append(f"line {line_of(self.text, path_of(place))}")
        if place:
            parts.append(place)
        return SettingsError(f"{': '.join(parts)}: {words}")


def read_tree(path: Path) -> tuple[dict[str, Any], Source]:
    """The values of a TOML file. Raises SettingsError."""
    try:
        text = path.read_text(encoding="utf-8")
        return msgspec.toml.decode(text, type=dict[str, Any]), Source(str(path), text)
    except OSError as trouble:
        raise SettingsError(f"{path}: {trouble.strerror or trouble}") from trouble
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise SettingsError(f"{path}: not TOML: {trouble}") from trouble


def convert(tree: Any, kind: type[Kind], source: Source) -> Kind:
    """The tree as a value of that kind. Raises SettingsError, which names the source, the line and the key."""
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as trouble:
        words, _, place = str(trouble).partition(" - at `$")
        place = place.rstrip("`").lstrip(".")
        unknown = words.removeprefix("Object contains unknown field `")
        if unknown != words:
            place = ".".join(part for part in (place, unknown.rstrip("`")) if part)
        raise source.error(place, words) from trouble
