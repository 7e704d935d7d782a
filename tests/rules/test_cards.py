"""Names, codes and points of the 52 cards."""

import pytest

from bigroad.rules.cards import CARDS, Card, parse_card, points
from bigroad.rules.errors import UnknownCard


def test_every_card_reads_as_it_prints() -> None:
    assert len(CARDS) == 52
    assert len({str(card) for card in CARDS}) == 52
    for code, card in enumerate(CARDS):
        assert card.code == code == card.rank * 4 + card.suit
        assert parse_card(str(card)) is card


@pytest.mark.parametrize(("name", "code"), [("AC", 0), ("AD", 1), ("AH", 2), ("AS", 3), ("TS", 39), ("KS", 51)])
def test_codes_are_those_of_the_fairness_protocol(name: str, code: int) -> None:
    assert parse_card(name) == Card(code)


def test_points_of_a_rank() -> None:
    assert [parse_card(rank + "H").points for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


def test_points_of_a_hand_are_the_last_digit() -> None:
    assert points([parse_card("9C"), parse_card("8C"), parse_card("5D")]) == 2
    assert points([]) == 0


@pytest.mark.parametrize("text", ["", "T", "10S", "1S", "ts", "TX", "T♠", "TS ", " TS", "ST", "\ud800", "x" * 10_000])
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(UnknownCard) as caught:
        parse_card(text)
    assert caught.value.code == "UNKNOWN_CARD"
    assert len(str(caught.value)) < 200
