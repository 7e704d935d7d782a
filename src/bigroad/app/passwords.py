"""Passwords: which are too easy, and their hashes (argon2id), made a few at a time beside the event loop."""

import asyncio
import contextlib
import os
import sys
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from bigroad.app.errors import Refused
from bigroad.app.names import looks_of
from bigroad.wire.errors import Fault

T = TypeVar("T")

FEWEST, MOST = 8, 128
AT_ONCE = 4
"""Hashes under way: each takes hash_memory_kib."""
WAITING = 32
"""More than so many behind them are refused: whoever waits longer has gone."""
NICE = 10
_RUNS = (
    "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1234567890",
    "abcdefghijklmnopqrstuvwxyz", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "!@#$%^&*()", "qawsedrftgyhujikolp",
    "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
)  # fmt: skip
_SHORTEST_RUN = 4


def prepared(typed: str) -> str:
    """A password as it is hashed: the same one from every keyboard (NFKC), and whole."""
    return unicodedata.normalize("NFKC", typed)


def verify_choice(password: str, name: str) -> None:
    """Any composition is fine that is not tried first. name: the account's.

    Raises Refused(PASSWORD_LENGTH), Refused(PASSWORD_TOO_EASY).
    """
    if not FEWEST <= len(password) <= MOST:
        raise Refused(Fault.PASSWORD_LENGTH, min=FEWEST, max=MOST)
    if is_easy(password, name):
        raise Refused(Fault.PASSWORD_TOO_EASY)


def is_easy(password: str, name: str) -> bool:
    """Is it one of the common ones, the name with hardly anything more, few characters over and over, or keys in a
    row?"""
    plain = password.casefold()
    return plain in _common() or _is_name(plain, name) or _repeats(plain) or _is_run(plain)


def _is_name(plain: str, name: str) -> bool:
    """The name, or the name backwards, whatever digits and signs are around it."""
    own, written = (looks_of("".join(filter(str.isalpha, text)))[0] for text in (name, plain))
    return written in (own, own[::-1])


def _repeats(plain: str) -> bool:
    return len(set(plain)) <= 2 or any(
        plain == (plain[:part] * len(plain))[: len(plain)] for part in range(1, min(4, len(plain) // 2) + 1)
    )


def _is_run(plain: str) -> bool:
    """Made of runs of the keyboard or the alphabet, either way round, and of nothing else."""
    rows = [row + row for row in _RUNS] + [row[::-1] * 2 for row in _RUNS]
    at = 0
    while at < len(plain):
        end = len(plain)
        while end - at >= _SHORTEST_RUN and not any(plain[at:end] in row for row in rows):
            end -= 1
        if end - at < _SHORTEST_RUN:
            return False
        at = end
    return True


@cache
def _common() -> frozenset[str]:
    text = (resources.files("bigroad.app") / "data" / "common_passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("# "))


def _step_back() -> None:
    """Tables come first: where the system knows priorities of threads, hashing has a low one."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            me = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, me, max(NICE, os.getpriority(os.PRIO_PROCESS, me)))


class Hashing:
    """Makes and checks hashes in threads of its own, AT_ONCE at a time, with a waiting line that has an end."""

    def __init__(self, memory_kib: int, passes: int) -> None:
        self._hasher = PasswordHasher(
            time_cost=passes, memory_cost=memory_kib, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="bigroad-hash", initializer=_step_back)
        self._under_way = 0
        self._nobodys = self._hasher.hash("nobody has this password")

    async def hash(self, password: str) -> str:
        """The hash, with its parameters and salt. Raises Refused(SIGN_IN_BUSY)."""
        return await self._run(lambda: self._hasher.hash(password))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Is it the password of that hash? None: there is no such account, which takes as long to find out.

        Raises Refused(SIGN_IN_BUSY).
        """
        found = await self._run(lambda: self._verify(kept or self._nobodys, password))
        return found and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Was the hash made with other parameters than today's?"""
        return self._hasher.check_needs_rehash(kept)

    def stop(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._under_way >= AT_ONCE + WAITING:
            raise Refused(Fault.SIGN_IN_BUSY)
        self._under_way += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._under_way -= 1
