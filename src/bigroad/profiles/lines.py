"""On which line of a TOML text a key stands, so that an error can say where to look."""

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
"""Keys and, in lists, places from 0: ("tables", 1, "limits", "tie")."""

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'""")
_STRINGS = re.compile(r'''"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL)


def line_of(text: str, path: Path) -> int:
    """The line (from 1) that says what stands at the path, or the nearest one around it. text: valid TOML."""
    found = dict(_keys(text))
    for length in range(len(path), 0, -1):
        if path[:length] in found:
            return found[path[:length]]
    return 1


def path_of(place: str) -> Path:
    """ "$.tables[0].limits.tie" or "tables[0].limits.tie" as a path; parts that are not named are left out."""
    parts: list[str | int] = []
    for name, number in re.findall(r"([A-Za-z0-9_-]+)|\[(\d+)\]", place.removeprefix("$")):
        parts.append(name or int(number))
    return tuple(parts)


def _keys(text: str) -> Iterator[tuple[Path, int]]:
    """Every key with its line, the tables around it included; in lists of tables each with its place."""
    counts: dict[Path, int] = {}
    table: Path = ()
    depth = 0
    for number, line in enumerate(_without_strings(text).split("\n"), 1):
        if depth == 0:
            header = _HEADER.match(line)
            key = _KEY.match(line)
            if header:
                table = _table(header.group(1) == "[[", header.group(2), counts)
                yield table, number
                continue
            if key:
                path = table
                for part in _parts(key.group(1)):
                    path = (*path, part)
                    yield path, number
                yield from ((inner, number) for inner in _inline(line[key.end() :], path))
        depth += _opened(line)


def _table(is_list: bool, name: str, counts: dict[Path, int]) -> Path:
    path: Path = ()
    parts = _parts(name)
    for place, part in enumerate(parts):
        path = (*path, part)
        if is_list and place == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _inline(value: str, path: Path) -> Iterator[Path]:
    """The keys of an inline table, one level deep, and of those in it."""
    for inner in re.finditer(r"([A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=", value):
        yield (*path, *_parts(inner.group(1)))


def _parts(name: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(name)]


def _opened(line: str) -> int:
    """How many brackets of lists and inline tables stay open at the end of the line."""
    bare = line.split("#", 1)[0]
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def _without_strings(text: str) -> str:
    """The text with every value in quotes blanked out, lines kept; quoted keys stay, for nothing but a key comes
    before `=` or `]`."""

    def blank(match: re.Match[str]) -> str:
        rest = text[match.end() :].lstrip(" \t")
        if rest.startswith(("=", ".", "]")) and "\n" not in match.group(0):
            return match.group(0)
        return '""' + "\n" * match.group(0).count("\n")

    return _STRINGS.sub(blank, text)
