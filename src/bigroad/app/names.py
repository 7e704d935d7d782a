"""Names that patrons choose: what may stand in one, what it looks like, and which are the house's own."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from itertools import pairwise

from bigroad.app.errors import Refused
from bigroad.app.nicknames import pairs
from bigroad.wire.errors import Fault

FEWEST, MOST = 2, 20
"""Characters as people count them: a letter with its marks is one."""
MOST_TYPED = 200
SIGNS = " -_.'"
_MARKS_ON_ONE = 2
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo"})
_MARKS = frozenset({"Mn", "Mc"})
_DOT_ON_A_DOT = re.compile("([lj])\u0307")
"""Where an i (an l by then) or a j has a dot above, it is its own."""
_UNSEEN = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0)
) | frozenset((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Letters and marks by name that are not seen: fillers, joiners, selectors (Unicode's Default_Ignorable)."""
_HOUSE = (
    "admin", "administrator", "baccarat", "bank", "banker", "big road", "bigroad", "casino", "croupier", "dealer",
    "guest", "host", "house", "moderator", "operator", "patron", "player", "staff", "support", "system", "the house",
    "tie",
)  # fmt: skip
_BESIDE = ("the", "of", "official", "real", "team")
"""Words that make no other name of one of the house: "The real Dealer 2" is the dealer."""


def is_admitted(char: str) -> bool:
    """Letters, marks and digits of any script, space, and - _ . ' ; nothing that is not seen or that turns the line."""
    return char in SIGNS or (
        unicodedata.category(char) in _LETTERS | _MARKS | {"Nd"} and ord(char) not in _UNSEEN and char != "\ufffd"
    )


def chosen_name(typed: str) -> str:
    """The name as it is kept: NFKC, single spaces. Raises Refused(NAME_LENGTH, NAME_CHARACTERS, NAME_RESERVED)."""
    if len(typed) > MOST_TYPED:
        raise Refused(Fault.NAME_LENGTH, min=FEWEST, max=MOST)
    name = " ".join(unicodedata.normalize("NFKC", typed.replace("\u2019", "'")).split(" ")).strip(" ")
    while "  " in name:
        name = name.replace("  ", " ")
    if not all(map(is_admitted, name)) or not _well_formed(name):
        raise Refused(Fault.NAME_CHARACTERS)
    if not FEWEST <= sum(unicodedata.category(char) not in _MARKS for char in name) <= MOST:
        raise Refused(Fault.NAME_LENGTH, min=FEWEST, max=MOST)
    if _is_the_houses(looks_of(name)):
        raise Refused(Fault.NAME_RESERVED)
    return name


def _well_formed(name: str) -> bool:
    """Begins with a letter or digit, has a letter, and no pile of marks."""
    if not name:
        return True  # too short is what is said of it
    kinds = [unicodedata.category(char) for char in name]
    if kinds[0] not in _LETTERS | {"Nd"} or not _LETTERS & set(kinds):
        return False
    if any(before not in _LETTERS | _MARKS for before, kind in pairwise(kinds) if kind in _MARKS):
        return False
    marks = "".join("^" if unicodedata.category(char) == "Mn" else "." for char in unicodedata.normalize("NFD", name))
    return "^" * (_MARKS_ON_ONE + 1) not in marks


def looks_of(name: str) -> tuple[str, str]:
    """What a name looks like, with its case set aside before and after: "AIice" is taken for "Alice", and "ВАНЯ" is
    "ваня". Names that share a look are one name. Spaces and signs make no difference. The first finds a name again."""
    whole = unicodedata.normalize("NFKC", name)
    return _written(whole.casefold()), _written(whole)


def _written(text: str) -> str:
    table = _lookalikes()
    letters = (char for char in unicodedata.normalize("NFD", text) if char not in SIGNS)
    written = "".join(table.get(char, char) for char in letters).casefold().replace("i", "l")
    written = _DOT_ON_A_DOT.sub(r"\1", written)
    return unicodedata.normalize("NFC", written)


def _is_the_houses(looks: tuple[str, ...]) -> bool:
    """Words of the house, or what the house calls its guests, with a number or without."""
    words, guests, digits = _house_looks()
    return any(words.match(look) or look.rstrip(digits) in guests for look in looks)


@cache
def _house_looks() -> tuple[re.Pattern[str], frozenset[str], str]:
    digits = "".join(look for number in "0123456789" for look in looks_of(number))
    house, beside = (_any_of(look for word in some for look in looks_of(word)) for some in (_HOUSE, _BESIDE))
    words = re.compile(f"{beside}*{house}(?:{house}|{beside})*[{re.escape(digits)}]*\\Z")
    return words, frozenset(looks_of(pair)[0].rstrip(digits) for pair in pairs()), digits


def _any_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, words))})"


@cache
def _lookalikes() -> dict[str, str]:
    text = (resources.files("bigroad.app") / "data" / "lookalikes.tsv").read_text(encoding="utf-8")
    return dict(line.split("\t") for line in text.split("\n") if line and not line.startswith("# "))
