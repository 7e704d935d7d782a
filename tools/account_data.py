"""Write src/bigroad/app/data from the two packages that carry what it is made of.

`python tools/account_data.py FOLDER`: the folder holds confusable_homoglyphs 3.3.1 (the Unicode confusables, UTS 39)
and zxcvbn 4.5.0 (passwords of leaked lists by how often they were found), unpacked. Needed only when either is to be
newer.
"""

import importlib.util
import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "src" / "bigroad" / "app" / "data"
SHORTEST = 8

LOOKALIKES_HEAD = """\
# Characters that look alike, reduced to what a name may hold: each is written as the one at the end of its line.
# Made by tools/account_data.py from the Unicode Consortium's confusables.txt (UTS 39), (c) Unicode, Inc., Unicode
# License V3 (https://www.unicode.org/license.txt), as carried by the package confusable_homoglyphs 3.3.1.
"""
PASSWORDS_HEAD = """\
# Passwords of eight characters and more out of the 30,000 most frequent ones of leaked lists, the most frequent first.
# Made by tools/account_data.py from the package zxcvbn 4.5.0, (c) 2012-2016 Dan Wheeler and Dropbox, Inc., MIT License.
"""


def decomposed(text: str) -> str:
    """NFD of NFKC, without the direction marks that the source sets beside letters written from the right."""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return "".join(char for char in folded if unicodedata.category(char) != "Cf")


def before(char: str) -> tuple[bool, ...]:
    """The class is written as its small letter, else its capital, else its digit, else the lowest code point."""
    return (not char.isascii(), not char.islower(), not char.isalpha(), char)  # type: ignore[return-value]


def lookalikes(source: dict[str, list[dict[str, str]]], admitted: Callable[[str], bool]) -> dict[str, str]:
    """Character to what it is written as."""
    parent: dict[str, str] = {}

    def root(one: str) -> str:
        while parent.setdefault(one, one) != one:
            one = parent[one]
        return one

    longer: dict[str, str] = {"w": "vv"}
    for one, others in source.items():
        for other in (entry["c"] for entry in others):
            a, b = unicodedata.normalize("NFD", one), unicodedata.normalize("NFD", other)
            if decomposed(one) != a or decomposed(other) != "".join(c for c in b if unicodedata.category(c) != "Cf"):
                continue  # another character once the name is normalised
            b = decomposed(other)
            if len(a) == 1 and len(b) == 1:
                first, second = sorted((root(a), root(b)), key=before)
                parent[second] = first
            elif len(a) == 1 and 1 < len(b) <= 3 and all(map(admitted, b)):
                longer.setdefault(a, b)
    table: dict[str, str] = {}
    for one in {*parent, *longer}:
        text = root(one)
        for _ in range(4):
            text = "".join(longer.get(root(char), root(char)) for char in text)
        if admitted(one) and one != text:
            table[one] = text
    return dict(sorted(table.items()))


def main(folder: Path) -> None:
    sys.path.insert(0, str(ROOT / "src"))
    from bigroad.app.names import is_admitted

    source = json.loads((folder / "confusable_homoglyphs" / "confusables.json").read_text(encoding="utf-8"))
    table = lookalikes(source, lambda char: is_admitted(char) and decomposed(char) == char)
    lines = "".join(f"{one}\t{text}\n" for one, text in table.items())
    (DATA / "lookalikes.tsv").write_text(LOOKALIKES_HEAD + lines, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("frequency_lists", folder / "zxcvbn" / "frequency_lists.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    words = [word for word in module.FREQUENCY_LISTS["passwords"] if len(word) >= SHORTEST]
    (DATA / "common_passwords.txt").write_text(PASSWORDS_HEAD + "\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(table)} lookalikes, {len(words)} passwords")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
