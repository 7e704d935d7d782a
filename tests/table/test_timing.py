"""The timeline of a deal."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.table.timing import Act, Gesture, Reveal, Timeline, timeline

FOUR = ("9C TS", "2H 3D")
FIVE = ("2C 3S 4H", "3H 4D")
FIVE_BANKER = ("3C 3S", "2H 3D 4C")
SIX = ("2C 3S 6H", "AC 2D 9D")
SHAPES = [FOUR, FIVE, FIVE_BANKER, SIX]
GOLDEN = Path(__file__).parents[1] / "golden" / "timelines.json"
MAKE = "PYTHONPATH=src:. python -m tests.table.test_timing"


def coup(hands: tuple[str, str]) -> Coup:
    player, banker = (tuple(parse_card(text) for text in hand.split()) for hand in hands)
    return Coup(player, banker)


@pytest.mark.parametrize("hands", SHAPES)
@pytest.mark.parametrize("reveal", Reveal)
@pytest.mark.parametrize("clears", [True, False])
def test_eight_to_sixteen_seconds(hands: tuple[str, str], reveal: Reveal, clears: bool) -> None:
    assert 8_000 <= timeline(coup(hands), reveal=reveal, clears=clears).ends_ms <= 16_000


@pytest.mark.parametrize("hands", SHAPES)
@pytest.mark.parametrize("reveal", Reveal)
@pytest.mark.parametrize("pace", [50, 1000, 3000])
def test_fast_is_under_a_second_and_a_half(hands: tuple[str, str], reveal: Reveal, pace: int) -> None:
    assert timeline(coup(hands), pace, reveal, fast=True).ends_ms < 1_500


@pytest.mark.parametrize("hands", SHAPES)
@pytest.mark.parametrize("pace", [50, 250, 1000, 3000])
@pytest.mark.parametrize("reveal", Reveal)
@pytest.mark.parametrize("fast", [True, False])
def test_each_card_is_drawn_before_it_is_turned_and_everything_before_the_result(
    hands: tuple[str, str], pace: int, reveal: Reveal, fast: bool
) -> None:
    plan = timeline(coup(hands), pace, reveal, fast)
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


def cards_in_order(plan: Timeline, act: Act) -> list[tuple[str | None, int | None]]:
    return [(g.side, g.index) for g in plan.gestures if g.act is act]


DEALT = [("player", 0), ("banker", 0), ("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]


@pytest.mark.parametrize("reveal", Reveal)
def test_cards_leave_the_shoe_in_the_order_of_the_rules(reveal: Reveal) -> None:
    assert cards_in_order(timeline(coup(SIX), reveal=reveal), Act.DRAW) == DEALT


def test_hands_are_turned_when_all_four_cards_lie_there() -> None:
    plan = timeline(coup(SIX))
    assert [g.act for g in plan.gestures[:8]] == [Act.DRAW] * 4 + [Act.TURN] * 4
    assert cards_in_order(plan, Act.TURN)[:4] == [("player", 0), ("player", 1), ("banker", 0), ("banker", 1)]


@pytest.mark.parametrize("fast", [True, False])
def test_as_dealt_turns_each_card_before_the_next_is_drawn(fast: bool) -> None:
    plan = timeline(coup(SIX), reveal=Reveal.AS_DEALT, fast=fast)
    moves = [g for g in plan.gestures if g.act in (Act.DRAW, Act.TURN)]
    assert [g.act for g in moves] == [Act.DRAW, Act.TURN] * 6
    assert cards_in_order(plan, Act.TURN) == DEALT
    assert all(a.at_ms + a.dur_ms <= b.at_ms for a, b in pairwise(moves))


def acts(plan: Timeline) -> list[Act]:
    return [g.act for g in plan.gestures]


@pytest.mark.parametrize("fast", [True, False])
def test_without_clearing_the_cards_stay_and_the_next_coup_leaves_time_to_sweep_them(fast: bool) -> None:
    kept, swept = timeline(coup(FOUR), fast=fast, clears=False), timeline(coup(FOUR), fast=fast)
    assert Act.CLEAR not in acts(kept)
    assert acts(swept) == [*acts(kept), Act.CLEAR]
    assert fast or kept.gestures[0].at_ms >= 800


def test_a_hand_has_time_to_come_back_for_the_next_card() -> None:
    """The left hand draws every card: it hands a Player card on in the middle, half-way, and carries a Banker card."""
    draws = [g for g in timeline(coup(SIX)).gestures if g.act is Act.DRAW]
    for one, following in pairwise(draws[:4]):
        free_ms = one.at_ms + (one.dur_ms // 2 if one.side == "player" else one.dur_ms)
        assert following.at_ms - free_ms >= 350


def golden_timelines() -> dict[str, list[dict[str, object]]]:
    """By shape, reveal and pace, as the wire writes gestures: the page's tests play these."""
    names = dict(zip(("four", "five_player", "five_banker", "six"), SHAPES, strict=True))
    return {
        f"{name} {reveal}{' fast' if fast else ''}{'' if clears else ' kept'}": [
            as_told(g) for g in timeline(coup(hands), reveal=reveal, fast=fast, clears=clears).gestures
        ]
        for name, hands in names.items()
        for reveal in Reveal
        for fast in (False, True)
        for clears in (True, False)
    }


def as_told(gesture: Gesture) -> dict[str, object]:
    told: dict[str, object] = {"act": gesture.act.value, "at_ms": gesture.at_ms, "dur_ms": gesture.dur_ms}
    which = {"side": gesture.side, "index": gesture.index, "points": gesture.points}
    return told | {key: value for key, value in which.items() if value is not None}


def golden_text() -> str:
    return "\n".join(
        ["{", ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in golden_timelines().items()), "}", ""]
    )


def test_the_golden_timelines_are_up_to_date() -> None:
    assert GOLDEN.read_text(encoding="utf-8") == golden_text(), f"write them again: {MAKE}"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
