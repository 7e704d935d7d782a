"""The five boards: worked cases, one case for each known mistake, and laws that hold for every shoe."""

import json
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigroad.roads.errors import EmptySequence, TooManyCoups, UnknownOutcome
from bigroad.roads.export import as_json
from bigroad.roads.marks import BANKER_PAIR, MAX_COUPS, PLAYER_PAIR, Colour, CoupMarks, Mark, parse_sequence
from bigroad.roads.scoreboard import Ask, Boards, Counts, Delta, Scoreboard
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup, Outcome
from tests.roads.second_roads import second_derived, second_layout
from tests.vectors import load

CASES = load("roads")["cases"]
BOARDS = ("bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_road")

shoes = st.text("BPT", max_size=90)
streaky_shoes = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 20)), max_size=12).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)
any_shoes = shoes | streaky_shoes


def board(sequence: str) -> Scoreboard:
    """The scoreboard after these outcomes."""
    return Scoreboard.of(CoupMarks(outcome) for outcome in (parse_sequence(sequence) if sequence else []))


def cells(marks: list[Mark]) -> list[tuple[int, int]]:
    """Where marks stand."""
    return [(mark.row, mark.col) for mark in marks]


def colours(marks: list[Mark]) -> list[str | None]:
    """What colour marks have."""
    return [mark.colour for mark in marks]


def roads(scoreboard: Scoreboard) -> dict[str, list[Mark]]:
    """Marks of each board by its name."""
    return {name: getattr(scoreboard, name).marks for name in BOARDS}


def random_shoe(source: random.Random) -> str:
    """A shoe of up to 94 coups: streaky, choppy or even, some with leading ties."""
    letter, sequence = "B", "T" * (source.random() < 0.2) * source.randint(1, 4)
    repeat, ties = source.choice((0.1, 0.5, 0.5, 0.9, 0.96)), source.choice((0, 0.1, 0.3))
    for _ in range(source.randint(0, 90)):
        if source.random() < ties:
            sequence += "T"
            continue
        if source.random() > repeat:
            letter = "P" if letter == "B" else "B"
        sequence += letter
    return sequence


def test_all_cases_are_here() -> None:
    assert len(CASES) == 60


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    found = json.loads(json.dumps(as_json(board(case["sequence"]))))
    for name in ("counts", *BOARDS, "next_hand_preview"):
        assert found[name] == case[name], f"{name}: {case['title']}"
    assert found.keys() == case.keys() - {"id", "title", "tags", "sequence"}


def test_the_first_mark_of_big_eye_boy() -> None:
    """B02."""
    assert colours(board("BPP").big_eye_boy.marks) == ["blue"]


def test_both_cells_empty_is_no_change() -> None:
    """B09."""
    assert colours(board("BPPP").big_eye_boy.marks) == ["blue", "red"]


def test_derived_roads_come_from_the_whole_shoe() -> None:
    """B03, B13: nothing is forgotten, however long the boards grow."""
    sequence = random_shoe(random.Random(3)) + "BP" * 50
    scoreboard = board(sequence)
    for distance, road in enumerate((scoreboard.big_eye_boy, scoreboard.small_road, scoreboard.cockroach_road), 1):
        assert colours(road.marks) == second_derived(sequence, distance)
    assert len(scoreboard.big_road.marks) == len(sequence.replace("T", ""))


def test_a_streak_does_not_hop_onto_an_older_one_of_its_colour() -> None:
    """B04: blocked by the old tail on row 6, it turns above it, and goes down where that tail has ended."""
    assert cells(board("B" * 8 + "P" + "B" * 7).big_road.marks)[-3:] == [(4, 2), (4, 3), (5, 3)]


@pytest.mark.parametrize(("sequence", "ties"), [("TTB", 2), ("TB", 1), ("TBT", 2), ("B", 0)])
def test_leading_ties_are_taken_over(sequence: str, ties: int) -> None:
    """B05."""
    assert board(sequence).big_road.marks == [Mark(0, 0, Colour.RED, ties, sequence.index("B") + 1)]


def test_leading_ties_wait() -> None:
    """B10."""
    assert board("TTT").big_road.marks == [Mark(0, 0, None, 3, 1)]
    exported: Any = as_json(board("TTT"))
    assert exported["big_road"] == {"columns": [], "cells": [{"row": 0, "col": 0, "colour": None, "ties": 3}]}


def test_a_turned_streak_has_its_whole_length() -> None:
    """B06."""
    assert board("B" * 9 + "P" * 9 + "B").big_eye_boy.marks[-1].colour is Colour.RED


def test_a_blocked_streak_turns_where_it_is() -> None:
    """B07."""
    assert cells(board("B" * 7 + "P" * 6).big_road.marks)[-2:] == [(4, 1), (4, 2)]


def test_the_bead_plate_grows_by_columns() -> None:
    """B11: beads keep their row and are never wiped."""
    plate = board("BPT" * 40).bead_plate.marks
    assert cells(plate) == [(place % 6, place // 6) for place in range(120)]


def test_seven_nested_streaks() -> None:
    """B12: a tail has reached the top row; the next column starts right of it."""
    sequence = "".join(letter * length for letter, length in zip("BPBPBPB", range(18, 11, -1), strict=True)) + "P"
    marks = board(sequence).big_road.marks
    assert len(set(cells(marks))) == len(marks)
    assert marks[-1].row == 0
    assert marks[-1].col > 7


@given(any_shoes)
def test_no_two_marks_share_a_cell_and_none_is_outside(sequence: str) -> None:
    """B08."""
    for marks in roads(board(sequence)).values():
        assert len(set(cells(marks))) == len(marks)
        assert all(0 <= mark.row < 6 and mark.col >= 0 for mark in marks)


@given(any_shoes)
def test_every_win_has_one_circle(sequence: str) -> None:
    circles = board(sequence).big_road.marks
    wins = [(place, letter) for place, letter in enumerate(sequence, 1) if letter != "T"]
    if wins:
        assert [(mark.coup, mark.colour) for mark in circles] == [
            (place, "red" if letter == "B" else "blue") for place, letter in wins
        ]
    assert sum(mark.ties for mark in circles) == sequence.count("T")


@given(any_shoes)
def test_ties_never_change_a_derived_road(sequence: str) -> None:
    with_ties, without = board(sequence), board(sequence.replace("T", ""))
    for name in BOARDS[2:]:
        assert roads(with_ties)[name] == roads(without)[name]
    assert cells(with_ties.big_road.marks) == cells(without.big_road.marks) or not without.big_road.marks


@given(any_shoes)
def test_swapping_sides_swaps_the_big_road_alone(sequence: str) -> None:
    one, other = board(sequence), board(sequence.translate(str.maketrans("BP", "PB")))
    swapped = {Colour.RED: Colour.BLUE, Colour.BLUE: Colour.RED, Colour.GREEN: Colour.GREEN, None: None}
    for name in BOARDS[:2]:
        assert [mark._replace(colour=swapped[mark.colour]) for mark in roads(one)[name]] == roads(other)[name]
    for name in BOARDS[2:]:
        assert roads(one)[name] == roads(other)[name]
    assert one.ask(Outcome.BANKER) == other.ask(Outcome.PLAYER)


@settings(max_examples=30)
@given(any_shoes)
def test_growing_is_the_same_as_building_anew(sequence: str) -> None:
    """After every coup: the deltas add up to the whole, old scoreboards stay, ask tells what then comes."""
    grown = Scoreboard.empty()
    shown: dict[str, dict[tuple[int, int], Mark]] = {name: {} for name in BOARDS}
    for place, outcome in enumerate(parse_sequence(sequence) if sequence else [], 1):
        before, asked = grown.copy(), grown.ask(outcome)
        delta = grown.add(CoupMarks(outcome))
        for name, marks in zip(BOARDS, delta.boards, strict=True):
            assert len(marks) <= 1
            shown[name].update({(mark.row, mark.col): mark for mark in marks})
        added = [marks[0].colour if marks else None for marks in delta.boards[2:]]
        assert added == list(asked)
        assert before == board(sequence[: place - 1])
        assert before.whole() == board(sequence[: place - 1]).whole()
        assert delta.counts.coups == place
    anew = board(sequence)
    assert grown == anew
    assert grown.whole() == anew.whole()
    assert {name: list(marks.values()) for name, marks in shown.items()} == roads(anew)


def test_two_formulations_agree_on_ten_thousand_shoes() -> None:
    """Colours by the seed's two cells on an endless sheet; cells by a plain dictionary."""
    source = random.Random(20)
    longest = leading = 0
    for _ in range(10_000):
        sequence = random_shoe(source)
        scoreboard = board(sequence)
        leading += sequence.startswith("T")
        longest = max([longest, *scoreboard.big_road.lengths])
        for distance, road in enumerate((scoreboard.big_eye_boy, scoreboard.small_road, scoreboard.cockroach_road), 1):
            expected = second_derived(sequence, distance)
            assert colours(road.marks) == expected, sequence
            assert cells(road.marks) == second_layout(expected), sequence
        wins = sequence.replace("T", "")
        if wins:
            assert cells(scoreboard.big_road.marks) == second_layout(list(wins)), sequence
    assert longest > 60
    assert leading > 1_000


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python a piece of work takes."""
    lines = 0

    def trace(_frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def test_a_coup_costs_the_same_late_as_early() -> None:
    """After 20,000 coups each takes as many steps as at first."""
    shoe = [CoupMarks(outcome) for outcome in parse_sequence("BBPTPBPPPB" * 10)]
    scoreboard = Scoreboard.empty()

    def play() -> None:
        for coup in shoe:
            scoreboard.add(coup)

    play()
    early = lines_run(play)
    for _ in range(198):
        play()
    assert early * 0.9 < lines_run(play) < early * 1.1


def test_a_dealt_coup_with_its_number_and_pairs() -> None:
    both = Coup((parse_card("4C"), parse_card("4D")), (parse_card("TC"), parse_card("TH")))
    empty = Scoreboard.empty()
    after, delta = empty.plus(both, coup_no=77)
    assert empty == Scoreboard.empty()
    assert delta == Delta(
        Boards((Mark(0, 0, Colour.BLUE, 0, 77, PLAYER_PAIR + BANKER_PAIR),), (Mark(0, 0, Colour.BLUE, 0, 77),)),
        Counts(1, 0, 1, 0, 1, 1, 1),
        Ask(),
        Ask(),
    )
    assert after.whole() == delta
    assert empty.plus(both)[1].boards.big_road[0].coup == 1


def test_asking_for_a_tie_and_of_an_empty_board() -> None:
    assert board("BPBPBP").ask(Outcome.TIE) == Ask()
    assert Scoreboard.empty().ask(Outcome.BANKER) == Ask()


def test_scoreboards_compare_by_their_coups() -> None:
    assert board("BPT") == board("BPT")
    assert board("BPT") != board("BPB")
    assert board("BPT") != Scoreboard.of([CoupMarks(o, natural=True) for o in parse_sequence("BPT")])
    assert board("B") != "B"


def test_reading_a_sequence() -> None:
    assert parse_sequence("BpT") == [Outcome.BANKER, Outcome.PLAYER, Outcome.TIE]
    with pytest.raises(EmptySequence):
        parse_sequence("")
    with pytest.raises(TooManyCoups):
        parse_sequence("B" * (MAX_COUPS + 1))


@pytest.mark.parametrize(("text", "place"), [("BPX", 3), (" BP", 1), ("B P", 2), ("BPß", 3), ("BP\n", 3), ("ΒP", 1)])
def test_other_letters_are_refused(text: str, place: int) -> None:
    with pytest.raises(UnknownOutcome) as caught:
        parse_sequence(text)
    assert caught.value.facts["place"] == place
