"""A coup from a seed: against golden bytes, against a second implementation, against the law of the shoe."""

from collections import Counter
from hashlib import sha256

import pytest

from bigroad.fairness.deal import Dealt, commitment, deal
from bigroad.fairness.errors import BadSeed
from bigroad.rules.coup import Outcome
from bigroad.rules.errors import ShoeSpent, TooFewCards
from bigroad.rules.shoe import Shoe
from tests.fairness.second_deal import second_deal, words

SEED = bytes(range(32))
GOLDEN = {
    "burned": "3S 3H JH 3S",
    "player": "JS 9C",
    "banker": "5S 7H",
}
GOLDEN_CUT = 15
GOLDEN_WORDS = [33369, 54035, 49600, 45106, 61258, 57200]
GOLDEN_COUNTS = "1e085c201a4f641602723c48b749f6d77d1879873f5f3a24e81af41496d66620"


def seed(number: int) -> bytes:
    """A seed for test number so."""
    return sha256(b"test %d" % number).digest()


def names(dealt: Dealt) -> dict[str, str]:
    """The cards as text."""
    return {
        "burned": " ".join(map(str, dealt.burned)),
        "player": " ".join(map(str, dealt.coup.player_cards)),
        "banker": " ".join(map(str, dealt.coup.banker_cards)),
    }


def test_golden_deal() -> None:
    """Known for good: any change here is a new protocol."""
    first = deal(Shoe.fresh(8), SEED, 1)
    assert names(first) == GOLDEN
    assert first.cut_from_end == GOLDEN_CUT
    assert sha256(bytes(first.shoe.counts)).hexdigest() == GOLDEN_COUNTS


def test_golden_stream() -> None:
    stream = words(SEED, 1)
    assert [next(stream) for _ in range(6)] == GOLDEN_WORDS


def test_the_second_implementation_agrees_over_whole_shoes() -> None:
    """Ten shoes, every burn, cut card and coup."""
    coup_no = 0
    for _ in range(10):
        shoe = Shoe.fresh(8)
        left = [code for code in range(52) for _ in range(8)]
        while not shoe.spent:
            coup_no += 1
            fresh = not shoe.burned
            dealt = deal(shoe, seed(coup_no), coup_no)
            second = second_deal(left, seed(coup_no), coup_no, fresh=fresh)
            assert [card.code for card in dealt.burned] == second["burned"]
            assert [card.code for card in dealt.coup.player_cards] == second["player"]
            assert [card.code for card in dealt.coup.banker_cards] == second["banker"]
            assert not fresh or dealt.cut_from_end == second["cut"]
            shoe = dealt.shoe
            assert [code for code in range(52) for _ in range(shoe.counts[code])] == left
    assert coup_no > 700


def test_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_seed_and_number_both_count() -> None:
    shoe = Shoe.fresh(8)
    assert deal(shoe, SEED, 1) == deal(shoe, SEED, 1)
    assert deal(shoe, SEED, 1) != deal(shoe, SEED, 2)
    assert deal(shoe, SEED, 1) != deal(shoe, seed(1), 1)


@pytest.mark.parametrize("wrong", [b"", b"x" * 31, b"x" * 33, b"x" * 64])
def test_a_seed_is_32_bytes(wrong: bytes) -> None:
    with pytest.raises(BadSeed):
        deal(Shoe.fresh(8), wrong, 1)
    with pytest.raises(BadSeed):
        commitment(wrong)


@pytest.mark.parametrize("coup_no", [-1, 2**64])
def test_a_coup_number_fits_64_bits(coup_no: int) -> None:
    with pytest.raises(BadSeed):
        deal(Shoe.fresh(8), SEED, coup_no)
    deal(Shoe.fresh(8), SEED, 2**64 - 1)


def test_the_life_of_shoes() -> None:
    """B81, R10 over 60 shoes: the burn is whole, one more coup is dealt after the cut card, no card is lost."""
    coup_no, coups_of = 0, []
    for _ in range(60):
        shoe, dealt_cards, coups, after_cut = Shoe.fresh(8), 0, 0, 0
        while not shoe.spent:
            coup_no += 1
            was_last = shoe.last_coup
            dealt = deal(shoe, seed(coup_no), coup_no)
            if coups == 0:
                assert len(dealt.burned) == 1 + (dealt.burned[0].points or 10)
            else:
                assert dealt.burned == ()
            coups += 1
            after_cut += was_last
            dealt_cards += len(dealt.burned) + dealt.coup.cards_used
            shoe = dealt.shoe
            assert shoe.cards_left == 416 - dealt_cards
            assert shoe.last_coup == (was_last or shoe.cards_left < dealt.cut_from_end)
            assert dealt.cut_from_end == shoe.cut_from_end
            assert dealt.cut_from_end in (14, 15, 16)
        assert after_cut == 1
        assert 2 <= shoe.cards_left < 16
        coups_of.append(coups)
        with pytest.raises(ShoeSpent):
            deal(shoe, SEED, 0)
    assert 70 < min(coups_of) <= max(coups_of) < 92


def test_three_cards_are_no_coup() -> None:
    """B80."""
    shoe = Shoe(8, (0,) * 51 + (3,), cut_from_end=14, last_coup=True)
    with pytest.raises(TooFewCards):
        deal(shoe, SEED, 1)


def test_a_shoe_for_one_coup_is_not_burned() -> None:
    dealt = deal(Shoe.for_one_coup(6), SEED, 1)
    assert dealt.burned == ()
    assert dealt.shoe.spent
    assert dealt.shoe.cards_left == 312 - dealt.coup.cards_used


def test_outcomes_come_as_often_as_they_should() -> None:
    """B17: 10,000 coups of full shoes within four standard deviations of the exact chances. The seeds are fixed."""
    found = Counter(deal(Shoe.for_one_coup(8), seed(number), number).coup.outcome for number in range(10_000))
    assert 4385 <= found[Outcome.BANKER] <= 4784
    assert 4263 <= found[Outcome.PLAYER] <= 4660
    assert 839 <= found[Outcome.TIE] <= 1072
