"""From a stream of bytes to cards: whole numbers without bias, then a card out of a shoe.

Source: docs/fairness.md, section 3. No float, no modulo bias, no hidden order of the shoe.
"""

from typing import Final

from bigroad.fairness.drbg import HmacDrbg
from bigroad.fairness.errors import BadRange
from bigroad.rules.cards import CARDS, Card
from bigroad.rules.errors import TooFewCards
from bigroad.rules.shoe import Shoe

BLOCK_BYTES: Final = 1024
"""The stream is the concatenation of requests of this size."""

WORDS: Final = 2**16


def reduced(word: int, m: int) -> int | None:
    """What one 16-bit word says about a number below m: the number, or None if the word is to be thrown away.

    word: 0 to 65,535. m: 1 to 65,536. Words from the largest multiple of m on are thrown away, so that each of the m
    numbers is met by the same count of words.
    """
    return word % m if word < WORDS - WORDS % m else None


class CardStream:
    """Draws numbers and cards from one generator. Mutable, and used within one deal only."""

    __slots__ = ("_at", "_block", "_drbg")

    def __init__(self, drbg: HmacDrbg) -> None:
        self._drbg = drbg
        self._block = b""
        self._at = 0

    def uniform(self, m: int) -> int:
        """A number from 0 to m - 1, each equally likely; m is 1 to 65,536. Raises BadRange.

        Reads big-endian 16-bit words until one is not thrown away; m = 1 reads one too.
        """
        if not 1 <= m <= WORDS:
            raise BadRange(f"a range has 1 to {WORDS} numbers", m=m)
        while True:
            number = reduced(self._word(), m)
            if number is not None:
                return number

    def draw(self, shoe: Shoe) -> tuple[Card, Shoe]:
        """One card, each card left being equally likely, and the shoe without it. Raises TooFewCards when it is empty.

        The drawn number counts cards along ascending codes.
        """
        left = shoe.cards_left
        if left == 0:
            raise TooFewCards("the shoe is empty", cards_left=0)
        rest = self.uniform(left)
        for card, count in zip(CARDS, shoe.counts, strict=True):
            if rest < count:
                return card, shoe.remove(card)
            rest -= count
        raise AssertionError("the counts add up to cards_left")

    def _word(self) -> int:
        if self._at == len(self._block):
            self._block = self._drbg.generate(BLOCK_BYTES)
            self._at = 0
        at = self._at
        self._at = at + 2
        return int.from_bytes(self._block[at : at + 2], "big")
