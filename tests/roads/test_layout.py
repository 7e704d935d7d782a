"""The one routine that places marks, and which columns to show."""

from hypothesis import given
from hypothesis import strategies as st

from bigroad.roads.layout import Layout, window
from tests.roads.second_roads import second_layout


@given(st.lists(st.integers(1, 25), max_size=40))
def test_streaks_of_any_lengths(lengths: list[int]) -> None:
    layout = Layout()
    placed = [layout.place(new_streak=entry == 0) for length in lengths for entry in range(length)]
    entries = [str(streak % 2) for streak, length in enumerate(lengths) for _ in range(length)]
    assert placed == second_layout(entries)
    assert layout.columns == max((col for _, col in placed), default=-1) + 1


def test_a_copy_goes_its_own_way() -> None:
    one = Layout()
    for _ in range(7):
        one.place(new_streak=False)
    other = one.copy()
    assert other.place(new_streak=True) == (0, 1)
    assert one.place(new_streak=False) == (5, 2)
    assert (one.columns, one.head, other.head) == (3, 0, 1)


@given(st.integers(1, 300), st.integers(1, 60), st.data())
def test_the_newest_mark_is_always_shown(columns: int, width: int, data: st.DataObject) -> None:
    newest = data.draw(st.integers(0, columns - 1))
    head = data.draw(st.integers(0, newest))
    shown = window(columns, width, newest, head)
    assert newest in shown
    assert len(shown) == width
    assert shown.start >= 0
    assert shown.start <= max(0, columns - width)
    if newest - head < width:
        assert head in shown


def test_the_end_of_the_board_is_shown_unless_a_long_tail_would_push_the_newest_mark_out() -> None:
    assert window(5, 12, 4, 4) == range(12)
    assert window(20, 12, 19, 19) == range(8, 20)
    assert window(25, 12, 1, 1) == range(1, 13)
    assert window(25, 12, 24, 0) == range(13, 25)
