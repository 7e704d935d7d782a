"""Where a patron stands: who may not play at all, and what is left of each limit.

A bet belongs to the day on which it is placed, with whatever comes of it. Until then nothing has come back: a stake
under way, at whichever table, counts as lost. A voided bet was none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bigroad.protection.guard import Guard, Measure, Rule
from bigroad.protection.periods import MS_PER_DAY, day_of, first_day, next_first_day


class Spent(NamedTuple):
    """What a patron staked on one UTC day, and what came back of those very bets; voided bets left out."""

    day: int
    staked_minor: int
    returned_minor: int


@dataclass(frozen=True, slots=True)
class Protected:
    """A guard with the days that its limits count."""

    guard: Guard
    days: Sequence[Spent] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """One limit now. spent_minor: lost on balance (below 0: won) or staked, stakes under way included. left_minor: what
    may still be staked, at least 0. until_utc_ms: when it begins anew."""

    rule: Rule
    limit_minor: int
    spent_minor: int
    left_minor: int
    until_utc_ms: int


def is_excluded(guard: Guard, at_utc_ms: int) -> bool:
    """Has the patron excluded himself or herself at that moment?"""
    return at_utc_ms < guard.excluded_until_utc_ms


def is_out(guard: Guard, at_utc_ms: int) -> bool:
    """Does the patron take time out at that moment?"""
    return at_utc_ms < guard.time_out_until_utc_ms


def standing(protected: Protected, rule: Rule, at_utc_ms: int) -> Standing | None:
    """Where the patron stands with one limit, None where it is not set."""
    limit = protected.guard.limits.get(rule)
    if limit is None:
        return None
    today = day_of(at_utc_ms)
    begun, ends = first_day(rule.period, today), next_first_day(rule.period, today)
    spent = sum(
        day.staked_minor - (day.returned_minor if rule.measure is Measure.LOSS else 0)
        for day in protected.days
        if begun <= day.day < ends
    )
    left = max(0, limit.amount_minor - spent)
    return Standing(rule, limit.amount_minor, spent, left, ends * MS_PER_DAY)


def passed(protected: Protected, stake_minor: int, at_utc_ms: int) -> Standing | None:
    """The first limit that a bet of this stake would pass, were all of it lost; None where it may be placed."""
    for rule in Rule:
        found = standing(protected, rule, at_utc_ms)
        if found is not None and found.spent_minor + stake_minor > found.limit_minor:
            return found
    return None
