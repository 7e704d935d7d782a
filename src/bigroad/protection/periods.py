"""Days, weeks and months that limits are counted by: those of the UTC calendar, weeks from Monday (ISO 8601).

A calendar has a moment at which a limit begins anew, which can be told and shown; and sums of days make every period,
so that no history is read. Around midnight two days' limits lie side by side; the week and the month are there for
that.
"""

from datetime import date
from enum import StrEnum

MS_PER_DAY = 86_400_000
_EPOCH = date(1970, 1, 1).toordinal()


class Period(StrEnum):
    """How long a limit counts before it begins anew."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


def day_of(utc_ms: int) -> int:
    """The UTC day of a moment, counted from 1970-01-01."""
    return utc_ms // MS_PER_DAY


def first_day(period: Period, day: int) -> int:
    """The first day of the period that `day` is in."""
    match period:
        case Period.DAY:
            return day
        case Period.WEEK:
            return day - (day + 3) % 7  # 1970-01-01 was a Thursday
        case Period.MONTH:
            return day - _date(day).day + 1


def next_first_day(period: Period, day: int) -> int:
    """The first day of the period after the one that `day` is in."""
    match period:
        case Period.DAY:
            return day + 1
        case Period.WEEK:
            return first_day(period, day) + 7
        case Period.MONTH:
            return first_day(period, first_day(period, day) + 31)


def oldest_day(day: int) -> int:
    """The first day that any period of `day` counts."""
    return min(first_day(period, day) for period in Period)


def counted_since(utc_ms: int) -> int:
    """From which day on the days of somebody who asks for the first limit now are summed up. The period before the
    running ones is among them: for a bet taken before midnight and booked after it, and for a clock that is set
    back."""
    return oldest_day(oldest_day(day_of(utc_ms)) - 1)


def months_later(utc_ms: int, months: int) -> int:
    """The same time of day so many months later; the last day of a month that has no such day."""
    day, rest = divmod(utc_ms, MS_PER_DAY)
    there = first_day(Period.MONTH, day)
    for _ in range(months):
        there = next_first_day(Period.MONTH, there)
    last = next_first_day(Period.MONTH, there) - 1
    return min(there + _date(day).day - 1, last) * MS_PER_DAY + rest


def _date(day: int) -> date:
    return date.fromordinal(_EPOCH + day)
