"""The project's documents, cut into what can be checked: fenced blocks, headings, links, table rows."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [
        *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *ROOT.glob("docs/**/*.md"),
    ]
)
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")
_CODE = re.compile(r"`[^`]*`")


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, its language, its text."""

    document: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def text_of(document: Path) -> str:
    """The whole document."""
    return document.read_text(encoding="utf-8")


def blocks() -> list[Block]:
    """Every fenced block of every document."""
    found = []
    for document in DOCUMENTS:
        text = text_of(document)
        for match in _FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(document, line, match[1], match[2]))
    return found


def prose(document: Path) -> str:
    """The document without its fenced blocks."""
    return _FENCE.sub("", text_of(document))


def links(document: Path) -> list[str]:
    """What its links and pictures point at."""
    return [link or source for link, source in _LINK.findall(_CODE.sub("`", prose(document)))]


def anchors(document: Path) -> set[str]:
    """Where its headings can be pointed at, as GitHub spells them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = sum(1 for known in found if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", known))
        found.add(f"{slug}-{number}" if number else slug)
    return found


def rows(document: str, head: str) -> list[list[str]]:
    """The rows of the table of a document whose first line starts with `head`, cell by cell."""
    lines = iter(text_of(ROOT / document).splitlines())
    for line in lines:
        if line.startswith(head):
            break
    else:
        raise LookupError(f"{document} has no table {head!r}")
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found
