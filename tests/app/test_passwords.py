"""Passwords: which are refused, and how many are hashed at once."""

import asyncio
import os
import sys
import threading

import pytest
from argon2 import PasswordHasher

from bigroad.app import passwords
from bigroad.app.errors import Refused
from bigroad.app.passwords import AT_ONCE, WAITING, Hashing, is_easy, prepared, verify_choice

GOOD = (
    "correct horse battery",
    "tr0mbone!",
    "пароль мой дом",
    "12ab 34cd",
    "        x y z w",
    "zz9plural",
    "😀😁😂🤣😃😄😅😆",
)
EASY = (
    "password", "PASSWORD", "12345678", "iloveyou", "trustno1", "qwertyuiop", "poiuytrewq", "asdfghjkl", "abcdefgh",
    "hgfedcba", "qwer1234", "aaaaaaaa", "abababab", "abcabcabc", "1qaz2wsx", "98765432", "йцукенгш", "annabel1999",
    "Annabel!!!", "lebanna99", "4nnabel4",
)  # fmt: skip


@pytest.mark.parametrize("password", GOOD)
def test_any_composition_is_fine(password: str) -> None:
    verify_choice(password, "Annabel")


@pytest.mark.parametrize("password", EASY[:-1])
def test_what_is_tried_first_is_refused(password: str) -> None:
    with pytest.raises(Refused, match="PASSWORD_TOO_EASY"):
        verify_choice(password, "Annabel")


@pytest.mark.parametrize(("length", "fits"), [(7, False), (8, True), (128, True), (129, False)])
def test_eight_to_a_hundred_and_twenty_eight(length: int, fits: bool) -> None:
    password = "".join(chr(0x4E00 + 7 * number) for number in range(length))
    if fits:
        verify_choice(password, "Annabel")
    else:
        with pytest.raises(Refused, match="PASSWORD_LENGTH"):
            verify_choice(password, "Annabel")


def test_the_list_is_of_thousands() -> None:
    assert len(passwords._common()) > 3_000
    assert all(is_easy(word, "Annabel") for word in passwords._common())


def test_the_same_password_from_every_keyboard() -> None:
    assert prepared("cafe\u0301 ﬁn") == prepared("café fin")


async def test_a_hash_is_argon2id_of_at_least_19_mib_and_never_twice_the_same() -> None:
    hashing = Hashing(19_456, 2)
    one, other = await hashing.hash("correct horse"), await hashing.hash("correct horse")
    assert one.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert one != other
    assert await hashing.matches(one, "correct horse")
    assert not await hashing.matches(one, "correct house")
    assert not await hashing.matches(None, "correct horse")
    assert Hashing(20_000, 2).is_outdated(one)
    assert not hashing.is_outdated(one)
    hashing.stop()


async def test_nobodys_password_is_as_much_work_and_never_right(monkeypatch: pytest.MonkeyPatch) -> None:
    hashing = Hashing(8, 1)
    kept = await hashing.hash("correct horse")
    checked: list[str] = []
    verify = PasswordHasher.verify

    def noted(hasher: PasswordHasher, kept: str, password: str) -> bool:
        checked.append(kept)
        return verify(hasher, kept, password)

    monkeypatch.setattr(PasswordHasher, "verify", noted)
    assert not await hashing.matches(None, "nobody has this password")
    assert not await hashing.matches(kept, "wrong")
    parameters = {one.rsplit("$", 2)[0] for one in checked}
    assert len(checked) == 2
    assert len(parameters) == 1
    hashing.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own elsewhere")
async def test_tables_come_before_hashes() -> None:
    hashing = Hashing(8, 1)
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    theirs = await hashing._run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    assert theirs == max(before, passwords.NICE)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
    hashing.stop()


async def test_few_at_once_and_a_line_with_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    hashing, gate, lock = Hashing(8, 1), threading.Event(), threading.Lock()
    now, most = 0, 0

    def work(_: PasswordHasher, password: str) -> str:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        gate.wait(30)
        with lock:
            now -= 1
        return password

    monkeypatch.setattr(PasswordHasher, "hash", work)
    tasks = [asyncio.create_task(hashing.hash(str(number))) for number in range(AT_ONCE + WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="SIGN_IN_BUSY"):
        await hashing.hash("one too many")
    gate.set()
    assert len(await asyncio.gather(*tasks)) == AT_ONCE + WAITING
    assert most <= AT_ONCE
    assert await hashing.hash("after") == "after"
    hashing.stop()
