"""The timeline of a deal."""

import pytest

from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.table.timing import Act, Timeline, timeline

FOUR = ("9C TS", "2H 3D")
FIVE = ("2C 3S 4H", "3H 4D")
SIX = ("2C 3S 6H", "AC 2D 9D")


def coup(hands: tuple[str, str]) -> Coup:
    player, banker = (tuple(parse_card(text) for text in hand.split()) for hand in hands)
    return Coup(player, banker)


@pytest.mark.parametrize("hands", [FOUR, FIVE, SIX])
def test_eight_to_sixteen_seconds(hands: tuple[str, str]) -> None:
    assert 8_000 <= timeline(coup(hands)).ends_ms <= 16_000


@pytest.mark.parametrize("hands", [FOUR, FIVE, SIX])
@pytest.mark.parametrize("pace", [50, 250, 1000, 3000])
def test_each_card_is_drawn_before_it_is_turned_and_everything_before_the_result(
    hands: tuple[str, str], pace: int
) -> None:
    plan = timeline(coup(hands), pace)
    drawn = {(g.side, g.index): g for g in plan.gestures if g.act is Act.DRAW}
    turned = {(g.side, g.index): g for g in plan.gestures if g.act is Act.TURN}
    assert drawn.keys() == turned.keys()
    assert len(drawn) == sum(len(hand.split()) for hand in hands)
    for key, gesture in drawn.items():
        assert gesture.at_ms + gesture.dur_ms <= turned[key].at_ms
    (result,) = [g for g in plan.gestures if g.act is Act.RESULT]
    assert all(g.at_ms + g.dur_ms <= result.at_ms for g in turned.values())
    assert all(g.at_ms + g.dur_ms <= plan.ends_ms for g in plan.gestures)
    assert [g.at_ms for g in plan.gestures] == sorted(g.at_ms for g in plan.gestures)


def test_points_are_those_of_the_turned_cards() -> None:
    plan: Timeline = timeline(coup(SIX))
    points = {(g.side, g.index): g.points for g in plan.gestures if g.act is Act.TURN}
    assert points == {
        ("player", 0): 2,
        ("player", 1): 5,
        ("player", 2): 1,
        ("banker", 0): 1,
        ("banker", 1): 3,
        ("banker", 2): 2,
    }
