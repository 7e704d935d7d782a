"""Days, ISO weeks and months of the UTC calendar, held against Python's own calendar."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.protection.periods import (
    MS_PER_DAY,
    Period,
    day_of,
    first_day,
    months_later,
    next_first_day,
    oldest_day,
)

DAYS = st.integers(0, 60_000)


def the_date(day: int) -> date:
    return date(1970, 1, 1) + timedelta(days=day)


@given(DAYS)
def test_periods_begin_where_the_calendar_says(day: int) -> None:
    today = the_date(day)
    assert first_day(Period.DAY, day) == day
    assert the_date(first_day(Period.WEEK, day)).isocalendar() == (*today.isocalendar()[:2], 1)
    assert the_date(first_day(Period.MONTH, day)) == today.replace(day=1)
    for period in Period:
        first, following = first_day(period, day), next_first_day(period, day)
        assert first <= day < following
        assert first_day(period, following) == following
        assert first_day(period, following - 1) == first
        assert oldest_day(day) <= first


@given(DAYS, st.integers(0, MS_PER_DAY - 1), st.integers(0, 60))
def test_months_later_is_the_same_day_or_the_last_of_a_shorter_month(day: int, rest: int, months: int) -> None:
    later = months_later(day * MS_PER_DAY + rest, months)
    before, after = the_date(day), the_date(day_of(later))
    assert later % MS_PER_DAY == rest
    assert (after.year * 12 + after.month) - (before.year * 12 + before.month) == months
    assert after.day == before.day or (after.day < before.day and (after + timedelta(days=1)).day == 1)


CASES = [
    ("2026-11-30 16:20", Period.DAY, "2026-12-01 00:00"),
    ("2026-11-30 23:59", Period.WEEK, "2026-12-07 00:00"),
    ("2026-11-29 23:59", Period.WEEK, "2026-11-30 00:00"),
    ("2026-11-30 16:20", Period.MONTH, "2026-12-01 00:00"),
    ("2026-12-31 12:00", Period.MONTH, "2027-01-01 00:00"),
    ("2028-02-28 12:00", Period.DAY, "2028-02-29 00:00"),
    ("2028-02-01 00:00", Period.MONTH, "2028-03-01 00:00"),
]


@pytest.mark.parametrize(("now", "period", "ends"), CASES, ids=[f"{row[0]} {row[1]}" for row in CASES])
def test_a_limit_begins_anew(now: str, period: Period, ends: str) -> None:
    at = int(datetime.fromisoformat(now).replace(tzinfo=UTC).timestamp()) // 86_400
    assert str(datetime.fromtimestamp(next_first_day(period, at) * 86_400, UTC))[:16] == ends
