"""Names: what may stand in one, and which are taken for one another."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.app.errors import Refused
from bigroad.app.names import MOST, chosen_name, is_admitted, looks_of
from bigroad.app.nicknames import nickname
from tests.names import HOSTILE


def refusal(typed: str) -> str | None:
    try:
        chosen_name(typed)
    except Refused as problem:
        return problem.code
    return None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("O’Neil", "O'Neil"),
        ("Ａｎｎ", "Ann"),
        ("e\u0301milie", "émilie"),
        ("ﬁona", "fiona"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("王小明", "王小明"),
        ("Nguyễn Thị", "Nguyễn Thị"),
        ("שָׁלוֹם", unicodedata.normalize("NFKC", "שָׁלוֹם")),
        ("न्यायप्रिय", "न्यायप्रिय"),
        ("น้ำ ใส", unicodedata.normalize("NFKC", "น้ำ ใส")),
        ("x" * MOST, "x" * MOST),
        ("é" * MOST, "é" * MOST),
    ],
)
def test_names_of_people_are_kept_in_one_form(typed: str, kept: str) -> None:
    assert chosen_name(typed) == kept
    assert chosen_name(kept) == kept


SHORT_OR_LONG = ("", " ", "x", "王", "x" * 21, "x" * 100_000, "a\u0301b\u0301" * 11)
ODD = (
    "12", "1234", "-Ann", "'Ann", "\u0301Ann", "Ann!", "Ann\u3164", "♠ace", "a\u0301\u0302\u0303", "a-\u0301b",
)  # fmt: skip
RESERVED = (
    "Bigroad", "B1G R0AD", "Тhe Hоuse", "dea1er", "Amber Finch 123", "Arnber Finch", "AMBER-FINCH", "Velvet Yak I0l",
    "The Dealer", "Admin1", "Dealer 007", "Bigroad Support", "House Bank", "The real Dealer 2", "OfficialBigroad",
    "Casino Staff Team", "thebanker", "Admi̇n", "ADMİN",
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        *((typed, "NAME_LENGTH") for typed in SHORT_OR_LONG),
        *((typed, "NAME_CHARACTERS") for typed in ODD),
        *((typed, "NAME_RESERVED") for typed in RESERVED),
    ],
)
def test_what_cannot_be_a_name(typed: str, code: str) -> None:
    assert refusal(typed) == code


@pytest.mark.parametrize("typed", HOSTILE)
def test_nothing_hostile_is_a_name(typed: str) -> None:
    assert refusal(typed) in ("NAME_CHARACTERS", "NAME_LENGTH")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"), ("Alice", "AIice"), ("Alice", "A1ice"), ("Alice", "Аlісе"), ("Mia", "rnia"), ("Mia", "MlA"),
        ("Bob", "B0b"), ("Willow", "VViIIow"), ("Ann Lee", "Ann-Lee"), ("Ann Lee", "annlee"), ("Straße", "STRASSE"),
        ("Ali̇ce", "Alice"), ("Bij̇ou", "Bijou"), ("İris", "iris"),
        ("ваня", "ВАНЯ"), ("IRIS", "iris"), ("Scope", "Ѕсоре"), ("Ann Lee", "Ann.Lee"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert set(looks_of(one)) & set(looks_of(other))


@pytest.mark.parametrize(
    ("one", "other"), [("Cat", "Oat"), ("Ann", "Anna"), ("Bob", "Rob"), ("José", "Jesé"), ("王明", "王朋")]
)
def test_names_that_do_not_are_two(one: str, other: str) -> None:
    assert not set(looks_of(one)) & set(looks_of(other))


@pytest.mark.parametrize(
    "typed", ["Banks", "Hosta", "Ties", "Housewife", "Theo", "Teamster", "Playerová", "Realm", "Ofelia", "Guestav"]
)
def test_names_that_only_begin_like_the_houses_are_nobodys(typed: str) -> None:
    assert refusal(typed) is None


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_name_or_refused(typed: str) -> None:
    try:
        name = chosen_name(typed)
    except Refused:
        return
    assert unicodedata.normalize("NFKC", name) == name
    assert all(map(is_admitted, name))
    assert not {unicodedata.category(char) for char in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert chosen_name(name) == name
    assert looks_of(name)[0]


@given(st.integers(0), st.sampled_from([str, str.upper, str.lower, str.swapcase]))
def test_no_guest_of_the_house_can_be_imitated(dice: int, written: Callable[[str], str]) -> None:
    assert refusal(written(nickname(lambda below: dice % below))) == "NAME_RESERVED"
