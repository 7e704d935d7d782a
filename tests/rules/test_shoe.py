"""The shoe: what is left, burn, cut card, the last coup."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.rules.cards import CARDS, Card, parse_card
from bigroad.rules.errors import BadShoe, ShoeSpent, TooFewCards, TooManyCopies
from bigroad.rules.shoe import CUT_FROM_END, Shoe, burn_after


def shoe_of(cards_left: int, cut_from_end: int | None = 14, *, last_coup: bool = False) -> Shoe:
    """A shoe of eight decks with so many cards left, low codes gone first."""
    counts = [0] * 52
    for place in range(cards_left):
        counts[51 - place // 8] += 1
    return Shoe(8, tuple(counts), cut_from_end, last_coup)


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_fresh_shoe(decks: int) -> None:
    shoe = Shoe.fresh(decks)
    assert shoe.cards_left == 52 * decks
    assert (shoe.burned, shoe.last_coup, shoe.spent) == (False, False, False)


@given(st.lists(st.sampled_from(CARDS), max_size=60))
def test_removing_takes_exactly_that_card(cards: list[Card]) -> None:
    shoe = Shoe.fresh(8)
    removed = 0
    for card in cards:
        if shoe.counts[card.code] == 0:
            with pytest.raises(TooManyCopies):
                shoe.remove(card)
            continue
        after = shoe.remove(card)
        assert after.counts[card.code] == shoe.counts[card.code] - 1
        assert sum(a != b for a, b in zip(after.counts, shoe.counts, strict=True)) == 1
        shoe, removed = after, removed + 1
    assert shoe.cards_left == 416 - removed


def test_the_ninth_copy_is_refused() -> None:
    shoe = Shoe.fresh(8)
    card = parse_card("TS")
    for _ in range(8):
        shoe = shoe.remove(card)
    with pytest.raises(TooManyCopies) as caught:
        shoe.remove(card)
    assert caught.value.facts == {"card": "TS", "decks": 8}


@pytest.mark.parametrize(
    ("name", "more"), [("AC", 1), ("2C", 2), ("9D", 9), ("TH", 10), ("JS", 10), ("QS", 10), ("KC", 10)]
)
def test_burn(name: str, more: int) -> None:
    assert burn_after(parse_card(name)) == more


@pytest.mark.parametrize("cut", CUT_FROM_END)
def test_the_cut_card_lets_one_more_coup_be_dealt(cut: int) -> None:
    """The coup that leaves fewer cards than lay behind the cut card has passed it; the next coup is the last."""
    assert not shoe_of(cut, cut).after_coup().last_coup
    passed = shoe_of(cut - 1, cut).after_coup()
    assert passed.last_coup
    assert not passed.spent
    passed.verify_can_deal()
    assert passed.after_coup().spent


def test_two_coups_of_six_cards_always_fit() -> None:
    """The worst case: exactly the cut card's cards are left, then a coup of six, then the last coup of six."""
    assert min(CUT_FROM_END) >= 2 * 6
    shoe = shoe_of(min(CUT_FROM_END) - 6, min(CUT_FROM_END)).after_coup()
    assert shoe.last_coup
    shoe.verify_can_deal()


def test_a_spent_shoe_deals_no_more() -> None:
    with pytest.raises(ShoeSpent):
        shoe_of(100, last_coup=True).after_coup().verify_can_deal()


@pytest.mark.parametrize("left", [0, 3, 5])
def test_a_shoe_that_could_run_out_is_refused(left: int) -> None:
    """B80: nothing is ever dealt that would need a second shoe."""
    with pytest.raises(TooFewCards):
        shoe_of(left).verify_can_deal()


def test_a_shoe_for_one_coup() -> None:
    shoe = Shoe.for_one_coup(6)
    assert shoe.burned
    assert shoe.last_coup
    assert shoe.cards_left == 312
    assert shoe.after_coup().spent


@pytest.mark.parametrize(
    "make",
    [
        lambda: Shoe.fresh(0),
        lambda: Shoe.fresh(256),
        lambda: Shoe(8, (8,) * 51),
        lambda: Shoe(8, (9,) + (8,) * 51),
        lambda: Shoe(8, (-1,) + (8,) * 51),
        lambda: Shoe(8, (8,) * 52, 417),
        lambda: Shoe(8, (8,) * 52, -1),
        lambda: Shoe(8, (8,) * 52, None, last_coup=True),
        lambda: Shoe(8, (8,) * 52, 14, spent=True),
        lambda: Shoe.fresh(8).with_cut(14).with_cut(15),
        lambda: Shoe.fresh(8).after_coup(),
    ],
)
def test_what_no_shoe_can_be(make: Callable[[], Shoe]) -> None:
    with pytest.raises(BadShoe):
        make()
