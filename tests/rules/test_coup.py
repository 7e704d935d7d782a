"""Whole coups: the worked hands, and that no card is taken without need."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.rules.cards import CARDS, Card, parse_card
from bigroad.rules.coup import Coup, Outcome, deal_coup
from tests.vectors import load

HANDS = load("hands")["hands"]


def deal_from(names: Sequence[str]) -> tuple[Coup, int]:
    """The coup from these cards, and how many of them were taken."""
    taken = 0

    def next_card() -> Card:
        nonlocal taken
        taken += 1
        return parse_card(names[taken - 1])

    return deal_coup(next_card), taken


def test_all_hands_are_here() -> None:
    assert len(HANDS) == 180
    assert sum(hand["group"] == "tableau" for hand in HANDS) == 56


@pytest.mark.parametrize("hand", HANDS, ids=[hand["id"] for hand in HANDS])
def test_worked_hand(hand: dict[str, Any]) -> None:
    coup, taken = deal_from(hand["shoe_head"])
    want = hand["expected"]
    assert [str(card) for card in coup.player_cards] == want["player_cards"]
    assert [str(card) for card in coup.banker_cards] == want["banker_cards"]
    assert coup.player_points == want["player_total"]
    assert coup.banker_points == want["banker_total"]
    assert sum(card.points for card in coup.player_cards[:2]) % 10 == want["player_two_card_total"]
    assert sum(card.points for card in coup.banker_cards[:2]) % 10 == want["banker_two_card_total"]
    assert coup.natural == want["natural"]
    assert coup.player_natural == want["player_natural"]
    assert coup.banker_natural == want["banker_natural"]
    assert (len(coup.player_cards) == 3) == want["player_draws"]
    assert (len(coup.banker_cards) == 3) == want["banker_draws"]
    assert coup.outcome == want["outcome"]
    assert coup.player_pair == want["player_pair"]
    assert coup.banker_pair == want["banker_pair"]
    assert coup.cards_used == want["cards_used"] == taken


def test_nobody_draws_against_a_natural() -> None:
    """B18: Banker natural 9, Player 0."""
    coup, taken = deal_from(["TC", "9S", "KD", "TD"])
    assert taken == 4
    assert (coup.player_points, coup.banker_points, coup.outcome) == (0, 9, Outcome.BANKER)


def test_king_as_third_card() -> None:
    """B14: Player 2 draws a king, Banker has 3 and draws."""
    coup, taken = deal_from(["2C", "3S", "TD", "TH", "KC", "4D"])
    assert taken == 6
    assert coup.banker_points == 7


def test_pairs_are_of_the_first_two_cards() -> None:
    """A third card makes no pair and hides none; ten and king count the same and are no pair."""
    coup, _ = deal_from(["2C", "TS", "2D", "KH", "2H", "5D"])
    assert len(coup.player_cards) == 3
    assert coup.player_pair
    assert not coup.banker_pair


@given(st.lists(st.sampled_from(CARDS), min_size=6, max_size=6))
def test_laws_of_a_coup(cards: list[Card]) -> None:
    coup, taken = deal_from([str(card) for card in cards])
    assert coup.cards_in_order == tuple(cards[:taken])
    assert coup.cards_used == taken
    assert 4 <= taken <= 6
    if coup.natural:
        assert taken == 4
    player, banker = coup.player_points, coup.banker_points
    assert (player > banker, player < banker, player == banker) == tuple(coup.outcome == one for one in Outcome)


def test_what_the_source_raises_goes_through() -> None:
    with pytest.raises(IndexError):
        deal_from(["2C", "2D"])
