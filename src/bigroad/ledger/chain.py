"""The log of rounds: entries that are chained by their hashes and signed one by one.

An entry's hash covers the entry before it, its number and its bytes, so that no entry can be changed, left out, moved
or added without breaking every one after it; the signature says who wrote it. What a chain alone cannot show is that
its end is missing: for that its head is published (`Head`), and a chain must contain every head that ever was.

A key signs until one of its entries hands over to another key, which signs every entry from there on.

    hash_n      = SHA-256( LP("bigroad/log/1") ‖ hash_{n-1} ‖ u64 n ‖ LP(body_n) ),   hash_0 = 32 zero bytes
    signature_n = Ed25519( LP("bigroad/log/1/head") ‖ hash_n )                          LP(x) = u32 length ‖ x
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import ClassVar, Final, NamedTuple, Protocol

from bigroad.ledger.errors import ChainBroken

GENESIS: Final = bytes(32)
_ENTRY: Final = b"bigroad/log/1"
_HEAD: Final = b"bigroad/log/1/head"


class Entry(NamedTuple):
    """One entry as it is kept. entry_no: 1 for the first. body: its bytes, whatever they say."""

    entry_no: int
    body: bytes
    hash: bytes
    signature: bytes


class Head(NamedTuple):
    """Where a chain ended when this was said. entry_no 0: it is empty."""

    entry_no: int
    hash: bytes
    signature: bytes = b""
    public_key: bytes = b""


EMPTY: Final = Head(0, GENESIS)


class Signer(Protocol):
    """Who writes a log."""

    @property
    def public_key(self) -> bytes:
        """32 bytes that everybody may know; empty for a log that is not signed."""

    def sign(self, message: bytes) -> bytes:
        """64 bytes that only the holder of the key can make."""


class Unsigned:
    """Writes a log without signatures, for simulations."""

    public_key: ClassVar[bytes] = b""

    def sign(self, message: bytes) -> bytes:
        """Nothing."""
        return b""


Check = Callable[[bytes, bytes, bytes], bool]
"""(public key, signature, message) → is it that key's signature of that message?"""


def entry_hash(previous: bytes, entry_no: int, body: bytes) -> bytes:
    """The hash of an entry, 32 bytes. previous: the hash of the entry before, GENESIS for the first."""
    return sha256(_lp(_ENTRY) + previous + entry_no.to_bytes(8, "big") + _lp(body)).digest()


def signed_message(hash_: bytes) -> bytes:
    """What an entry's signature signs."""
    return _lp(_HEAD) + hash_


def appended(last: Head | Entry, body: bytes, signer: Signer) -> Entry:
    """The entry that follows `last`."""
    number = last.entry_no + 1
    hash_ = entry_hash(last.hash, number, body)
    return Entry(number, body, hash_, signer.sign(signed_message(hash_)))


def _stays(body: bytes) -> bytes | None:
    """No entry hands over to another key."""
    return None


def verify(
    entries: Iterable[Entry],
    public_key: bytes,
    check: Check,
    published: Iterable[Head] = (),
    handed: Callable[[bytes], bytes | None] = _stays,
    trusted: bytes = b"",
) -> Head:
    """Walk a whole chain in the order it is kept; answers its head.

    public_key: whose signatures are expected at its beginning; empty leaves them unchecked. published: heads that were
    seen elsewhere, each of which the chain must contain. handed: the key that an entry of that body hands over to.
    trusted: a key that is known from elsewhere, which must have signed some of the entries: it vouches for all before
    them, and for the keys that it handed over to. Raises ChainBroken for the first thing that is wrong.
    """
    seen = {head.entry_no: head for head in published}
    last, signs = EMPTY, public_key
    signed: set[bytes] = set()
    for entry in entries:
        number = last.entry_no + 1
        if entry.entry_no != number:
            raise ChainBroken(number, f"entry {entry.entry_no} stands here")
        if entry.hash != entry_hash(last.hash, number, entry.body):
            raise ChainBroken(number, "it is not what was written, or does not follow the entry before")
        if signs and not check(signs, entry.signature, signed_message(entry.hash)):
            raise ChainBroken(number, "it is not signed with the log's key")
        if number in seen and (seen[number].hash != entry.hash or seen[number].public_key not in (b"", signs)):
            raise ChainBroken(number, "another entry was published under this number")
        signed.add(signs)
        last = Head(number, entry.hash, entry.signature, signs)
        if signs:
            signs = handed(entry.body) or signs
    missing = sorted(number for number in seen if number > last.entry_no)
    if missing:
        raise ChainBroken(last.entry_no + 1, f"the log ends before it, and entry {missing[-1]} was published")
    if trusted and last.entry_no and trusted not in signed:
        raise ChainBroken(1, f"it is signed with {public_key.hex()[:16]}…, and {trusted.hex()[:16]}… signs no entry")
    return last


def _lp(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part
