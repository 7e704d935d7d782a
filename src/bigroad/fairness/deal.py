"""A coup from a seed: protocol `bigroad/0`.

The house publishes `commitment(seed)` before betting opens and the seed with the cards. Everything between is fixed:

    generator   HMAC_DRBG-SHA256, entropy = seed (32 bytes), nonce = u64 coup number ‖ u64 0 (big-endian),
                personalization = "bigroad/0/deal"
    stream      requests of 1,024 bytes, read as big-endian 16-bit words (`bigroad.fairness.draw`)
    fresh shoe  first card burned, then as many more as its points (ten for tens and faces);
                then the cut card: U(3) + 14 cards from the end
    coup        Player, Banker, Player, Banker, Player's third, Banker's third: only the cards it needs

So a seed, the shoe before and the coup number give the cards, and the shoe before follows from the earlier coups.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from bigroad.fairness.draw import CardStream
from bigroad.fairness.drbg import HmacDrbg
from bigroad.fairness.errors import BadSeed
from bigroad.rules.cards import Card
from bigroad.rules.coup import Coup, deal_coup
from bigroad.rules.shoe import CUT_FROM_END, Shoe, burn_after

SEED_BYTES: Final = 32
PERSONALIZATION: Final = b"bigroad/0/deal"


@dataclass(frozen=True, slots=True)
class Dealt:
    """A coup that was dealt.

    shoe: as it is after the coup. burned: the cards burned before this coup, in order; empty but for the first coup of
    a shoe. cut_from_end: where the cut card of this shoe lies, in cards from the end.
    """

    coup: Coup
    shoe: Shoe
    burned: tuple[Card, ...]
    cut_from_end: int


def commitment(seed: bytes) -> bytes:
    """SHA-256 of a seed, 32 bytes: fixes the seed without telling it. Raises BadSeed unless the seed is 32 bytes."""
    return sha256(_verified(seed)).digest()


def deal(shoe: Shoe, seed: bytes, coup_no: int) -> Dealt:
    """Deal coup `coup_no` (0 to 2^64 - 1) of a table from `shoe` with `seed`, burning first if the shoe is fresh.

    Raises BadSeed for a seed that is not 32 bytes or a number out of range, ShoeSpent when the shoe has had its last
    coup, TooFewCards when it could run out: cards of two shoes never meet in one coup.
    """
    if not 0 <= coup_no < 2**64:
        raise BadSeed("a coup number is 0 to 2^64 - 1")
    shoe.verify_can_deal()
    nonce = coup_no.to_bytes(8, "big") + bytes(8)
    stream = CardStream(HmacDrbg(_verified(seed), nonce, PERSONALIZATION))
    burned: tuple[Card, ...] = ()
    if not shoe.burned:
        burned, shoe = _burn(stream, shoe)

    def next_card() -> Card:
        nonlocal shoe
        card, shoe = stream.draw(shoe)
        return card

    coup = deal_coup(next_card)
    shoe = shoe.after_coup()
    if shoe.cut_from_end is None:
        raise AssertionError("a burned shoe has a cut card")
    return Dealt(coup, shoe, burned, shoe.cut_from_end)


def _burn(stream: CardStream, shoe: Shoe) -> tuple[tuple[Card, ...], Shoe]:
    """Burn as R10 says, then place the cut card."""
    first, shoe = stream.draw(shoe)
    burned = [first]
    for _ in range(burn_after(first)):
        card, shoe = stream.draw(shoe)
        burned.append(card)
    cut_from_end = CUT_FROM_END[stream.uniform(len(CUT_FROM_END))]
    return tuple(burned), shoe.with_cut(cut_from_end)


def _verified(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise BadSeed(f"a seed is {SEED_BYTES} bytes", size=len(seed))
    return seed
