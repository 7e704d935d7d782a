"""The log of rounds: whatever is done to it is found, and the first entry that is wrong is named."""

import random
from functools import lru_cache

import pytest

from bigroad.ledger import chain
from bigroad.ledger.chain import EMPTY, GENESIS, Entry, Head
from bigroad.ledger.errors import ChainBroken
from bigroad.storage.keys import LogKey, is_signature

KEY, OTHER = LogKey(b"k" * 32), LogKey(b"o" * 32)
check = lru_cache(None)(is_signature)


def a_log(length: int = 40, key: LogKey = KEY) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(1, length + 1):
        entries.append(chain.appended(entries[-1] if entries else EMPTY, b'{"coup":%d}' % number, key))
    return entries


LOG = a_log()
LATER = a_log(60)
HEAD = Head(len(LOG), LOG[-1].hash)


def verified(entries: list[Entry]) -> Head:
    return chain.verify(entries, KEY.public_key, check, [HEAD])


def test_a_whole_log_is_whole_and_may_have_grown_since_its_head() -> None:
    assert verified(LOG) == Head(40, LOG[-1].hash, LOG[-1].signature, KEY.public_key)
    assert verified(LATER).entry_no == 60
    assert chain.verify([], KEY.public_key, check) == EMPTY


def test_the_hash_is_the_one_that_is_written_down() -> None:
    """The vector of the module's own formula, made by hand."""
    import hashlib

    body = b"{}"
    raw = b"\x00\x00\x00\x0dbigroad/log/1" + GENESIS + (1).to_bytes(8, "big") + b"\x00\x00\x00\x02" + body
    assert chain.entry_hash(GENESIS, 1, body) == hashlib.sha256(raw).digest()


def edited(dice: random.Random, entries: list[Entry]) -> int:
    """One byte or one number of one entry."""
    at = dice.randrange(len(entries))
    entry = entries[at]
    part = dice.choice(["entry_no", "body", "hash", "signature"])
    if part == "entry_no":
        entries[at] = entry._replace(entry_no=entry.entry_no + dice.choice([-1, 1, 7]))
        return at + 1
    old = getattr(entry, part)
    place = dice.randrange(len(old))
    new = old[:place] + bytes([old[place] ^ (1 << dice.randrange(8))]) + old[place + 1 :]
    entries[at] = entry._replace(**{part: new})
    return at + 1


def deleted(dice: random.Random, entries: list[Entry]) -> int:
    at, count = dice.randrange(len(entries)), dice.randrange(1, 5)
    del entries[at : at + count]
    return at + 1


def deleted_and_numbered_again(dice: random.Random, entries: list[Entry]) -> int:
    at = dice.randrange(len(entries))
    del entries[at]
    entries[at:] = [entry._replace(entry_no=entry.entry_no - 1) for entry in entries[at:]]
    return at + 1


def swapped(dice: random.Random, entries: list[Entry]) -> int:
    one, two = sorted(dice.sample(range(len(entries)), 2))
    entries[one], entries[two] = entries[two], entries[one]
    if dice.random() < 0.5:
        entries[one], entries[two] = (
            entries[one]._replace(entry_no=one + 1),
            entries[two]._replace(entry_no=two + 1),
        )
    return one + 1


def repeated(dice: random.Random, entries: list[Entry]) -> int:
    at = dice.randrange(len(entries))
    entries.insert(at, entries[at])
    return at + 2


def truncated(dice: random.Random, entries: list[Entry]) -> int:
    left = dice.randrange(len(entries))
    del entries[left:]
    return left + 1


def written_again(dice: random.Random, entries: list[Entry], key: LogKey, at: int) -> None:
    """From `at` on the log is made anew, another body first: whole in itself."""
    last: Entry | Head = entries[at - 1] if at else EMPTY
    bodies = [b'{"coup":0}', *(entry.body for entry in entries[at + 1 :])]
    del entries[at:]
    for body in bodies:
        last = chain.appended(last, body, key)
        entries.append(last)


def signed_with_another_key(dice: random.Random, entries: list[Entry]) -> int:
    at = dice.randrange(len(entries))
    written_again(dice, entries, OTHER, at)
    return at + 1


def signed_with_the_stolen_key(dice: random.Random, entries: list[Entry]) -> int:
    """Nothing but the published head shows it."""
    written_again(dice, entries, KEY, dice.randrange(len(entries)))
    return len(LOG)


def signatures_kept(dice: random.Random, entries: list[Entry]) -> int:
    """A new body, all hashes made to fit, the old signatures left."""
    at = dice.randrange(len(entries))
    old = [entry.signature for entry in entries[at:]]
    written_again(dice, entries, OTHER, at)
    entries[at:] = [entry._replace(signature=was) for entry, was in zip(entries[at:], old, strict=True)]
    return at + 1


MUTATIONS = [
    edited,
    deleted,
    deleted_and_numbered_again,
    swapped,
    repeated,
    truncated,
    signed_with_another_key,
    signed_with_the_stolen_key,
    signatures_kept,
]


@pytest.mark.parametrize("mutate", MUTATIONS)
def test_every_mutation_is_found_and_its_first_entry_named(mutate) -> None:  # type: ignore[no-untyped-def]
    """10,000 in all."""
    dice = random.Random(mutate.__name__)
    rounds = 10_000 // len(MUTATIONS) + 1
    for _ in range(rounds):
        entries = list(LOG)
        first = mutate(dice, entries)
        if entries == LOG:
            raise AssertionError("nothing was changed")
        with pytest.raises(ChainBroken) as found:
            verified(entries)
        assert found.value.entry_no == first
