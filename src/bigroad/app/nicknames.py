"""Nicknames for guests: two plain words and a number."""

from collections.abc import Callable, Iterator

_FIRST = (
    "Amber", "Ardent", "Brisk", "Calm", "Candid", "Cheery", "Clever", "Cosy", "Daring", "Dusky", "Eager", "Early",
    "Fabled", "Gentle", "Gilded", "Golden", "Honest", "Jolly", "Keen", "Lively", "Lucid", "Mellow", "Merry", "Nimble",
    "Noble", "Patient", "Quiet", "Rapid", "Silver", "Sunny", "Velvet", "Witty",
)  # fmt: skip
_SECOND = (
    "Badger", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Gecko", "Hare", "Heron", "Ibis", "Jackdaw", "Kestrel",
    "Koi", "Lark", "Lynx", "Magpie", "Marten", "Otter", "Owl", "Panda", "Pelican", "Puffin", "Raven", "Robin",
    "Sable", "Seal", "Sparrow", "Stork", "Swift", "Tern", "Wren", "Yak",
)  # fmt: skip


def nickname(below: Callable[[int], int]) -> str:
    """A nickname. below(n) answers a random whole number from 0 to n - 1."""
    first, second = _FIRST[below(len(_FIRST))], _SECOND[below(len(_SECOND))]
    return f"{first} {second} {below(900) + 100}"


def pairs() -> Iterator[str]:
    """Every nickname without its number."""
    return (f"{first} {second}" for first in _FIRST for second in _SECOND)
