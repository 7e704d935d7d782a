"""Numbers without bias, cards without order."""

from collections import Counter

import pytest

from bigroad.fairness.draw import WORDS, CardStream, reduced
from bigroad.fairness.drbg import HmacDrbg
from bigroad.fairness.errors import BadRange
from bigroad.rules.cards import CARDS, parse_card
from bigroad.rules.errors import TooFewCards
from bigroad.rules.shoe import Shoe


class Script(HmacDrbg):
    """Answers the words it is given, then fails."""

    __slots__ = ("blocks",)

    def __init__(self, *words: int) -> None:
        super().__init__(bytes(32), bytes(16))
        data = b"".join(word.to_bytes(2, "big") for word in words)
        self.blocks = [data[at : at + 1024] for at in range(0, len(data), 1024)]

    def generate(self, size: int) -> bytes:
        assert size == 1024
        return self.blocks.pop(0)


def scripted(*words: int) -> CardStream:
    """A stream of these words, padded with zeros to whole blocks."""
    return CardStream(Script(*words, *([0] * (-len(words) % 512))))


def stream(label: bytes) -> CardStream:
    """A stream of its own for each label."""
    return CardStream(HmacDrbg(label.ljust(32, b"."), bytes(16)))


@pytest.mark.parametrize("sizes", [range(1, 7), range(52, 53), range(255, 258), range(310, 314), range(410, 417)])
def test_exact_over_all_words(sizes: range) -> None:
    """B77: of all 65,536 words each number takes exactly floor(65,536 / m), and the rest is thrown away."""
    for m in sizes:
        found = Counter(reduced(word, m) for word in range(WORDS))
        thrown = found.pop(None, 0)
        assert thrown == WORDS % m < m
        assert len(found) == m
        assert set(found.values()) == {WORDS // m}


def test_exact_for_every_size_of_a_ten_deck_shoe() -> None:
    """The same for every m up to 520, by its ends: kept words are whole rounds of 0 … m - 1 from word 0 on."""
    for m in range(1, 521):
        limit = WORDS // m * m
        assert [reduced(word, m) for word in (0, m - 1, m % WORDS)] == [0, m - 1, 0]
        assert reduced(limit - 1, m) == m - 1
        if limit < WORDS:
            assert reduced(limit, m) is None
            assert reduced(WORDS - 1, m) is None


def test_a_thrown_word_is_followed_by_the_next() -> None:
    last_round = 65_536 - 65_536 % 416
    assert scripted(65_535, last_round, last_round - 1).uniform(416) == 415
    assert scripted(65_535, 417).uniform(416) == 1


def test_words_are_read_across_blocks() -> None:
    words = [7] * 511 + [65_535, 65_535, 3]
    numbers = scripted(*words)
    assert [numbers.uniform(416) for _ in range(511)] == [7] * 511
    assert numbers.uniform(416) == 3


def test_a_range_of_one_reads_a_word() -> None:
    numbers = scripted(9, 5)
    assert numbers.uniform(1) == 0
    assert numbers.uniform(416) == 5


@pytest.mark.parametrize("m", [0, -1, 65_537])
def test_ranges_out_of_range(m: int) -> None:
    with pytest.raises(BadRange):
        stream(b"range").uniform(m)


def test_the_number_counts_cards_along_the_codes() -> None:
    shoe = Shoe.fresh(8)
    assert str(scripted(0).draw(shoe)[0]) == "AC"
    assert str(scripted(7).draw(shoe)[0]) == "AC"
    assert str(scripted(8).draw(shoe)[0]) == "AD"
    assert str(scripted(415).draw(shoe)[0]) == "KS"
    card, after = scripted(0).draw(shoe)
    assert after == shoe.remove(card)
    assert str(scripted(7).draw(after)[0]) == "AD"


def test_every_card_of_a_shoe_comes_exactly_once() -> None:
    """B78: 416 draws, eight of each card, then none."""
    for label in (b"a", b"b", b"c"):
        shoe, cards = Shoe.fresh(8), stream(label)
        seen: Counter[str] = Counter()
        for _ in range(416):
            card, shoe = cards.draw(shoe)
            seen[str(card)] += 1
        assert set(seen.values()) == {8}
        assert len(seen) == 52
        with pytest.raises(TooFewCards):
            cards.draw(shoe)


def test_every_card_is_as_likely_at_every_place() -> None:
    """B74–B76: the first eight places of 4,000 one-deck shoes; chi-square over place and card, 408 degrees of freedom.

    The stream is fixed, so the number is too; 520 is about 3.9 standard deviations above the mean.
    """
    shoes, places = 4_000, 8
    table = [[0] * 52 for _ in range(places)]
    cards = stream(b"chi-square")
    for _ in range(shoes):
        shoe = Shoe.fresh(1)
        for place in range(places):
            card, shoe = cards.draw(shoe)
            table[place][card.code] += 1
    expected = shoes / 52
    chi_square = sum((seen - expected) ** 2 / expected for row in table for seen in row)
    assert 310 < chi_square < 520


def test_draws_leave_the_old_shoe_alone() -> None:
    shoe = Shoe.fresh(1)
    stream(b"old").draw(shoe)
    assert shoe == Shoe.fresh(1)
    assert parse_card("AC") is CARDS[0]
