"""HMAC_DRBG with SHA-256, as NIST SP 800-90A Rev. 1, section 10.1.2 defines it.

Only what a deal needs: instantiate and generate, without reseeding and without additional input. A generator lives for
one coup and produces a few kilobytes at most, far below the limits that the standard sets for both.
"""

from hmac import digest
from typing import Final

from bigroad.fairness.errors import BadRange

MAX_BYTES_PER_REQUEST: Final = 2**16
"""The standard's largest request, 2^19 bits (table 2)."""

_OUT_BYTES: Final = 32


class HmacDrbg:
    """A deterministic stream of bytes from a seed. The one mutable thing of this room: it never leaves a deal."""

    __slots__ = ("_key", "_value")

    def __init__(self, entropy: bytes, nonce: bytes, personalization: bytes = b"") -> None:
        """Instantiate. The three byte strings are joined as they are, so callers keep their lengths fixed."""
        self._key = bytes(_OUT_BYTES)
        self._value = b"\x01" * _OUT_BYTES
        self._update(entropy + nonce + personalization)

    def generate(self, size: int) -> bytes:
        """The next `size` bytes, 1 to 65,536. Raises BadRange.

        Two requests of n bytes are not one of 2n: the state moves on after each. The size is part of any protocol.
        """
        if not 1 <= size <= MAX_BYTES_PER_REQUEST:
            raise BadRange(f"a request is 1 to {MAX_BYTES_PER_REQUEST} bytes", size=size)
        blocks: list[bytes] = []
        for _ in range(-(-size // _OUT_BYTES)):
            self._value = digest(self._key, self._value, "sha256")
            blocks.append(self._value)
        self._update(b"")
        return b"".join(blocks)[:size]

    def _update(self, provided: bytes) -> None:
        for separator in (b"\x00", b"\x01"):
            self._key = digest(self._key, self._value + separator + provided, "sha256")
            self._value = digest(self._key, self._value, "sha256")
            if not provided:
                return
