"""What a patron has asked for: limits, a time-out, an exclusion; and how it is changed.

Each change is a record of its own, kept for good; a guard is what its changes add up to (`after`). Whatever protects
more holds at once. A limit that is to be higher, or gone, waits for 24 hours, and then only goes up when the patron
says so once more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import NamedTuple

from bigroad.protection.errors import NothingPending, NotYetReady, StandsAlready
from bigroad.protection.periods import Period, months_later

WAIT_MS = 24 * 3_600_000
MS_PER_HOUR = 3_600_000
FOR_GOOD = 2**53 - 1
"""A moment that does not come."""


class Measure(StrEnum):
    """What a limit counts. loss: stakes less what came back. stake: stakes alone."""

    LOSS = "loss"
    STAKE = "stake"


class Rule(StrEnum):
    """The limits that a patron can set."""

    LOSS_DAY = "loss_day"
    LOSS_WEEK = "loss_week"
    LOSS_MONTH = "loss_month"
    STAKE_DAY = "stake_day"
    STAKE_WEEK = "stake_week"
    STAKE_MONTH = "stake_month"

    @property
    def measure(self) -> Measure:
        """What it counts."""
        return Measure(self.value.partition("_")[0])

    @property
    def period(self) -> Period:
        """Over how long."""
        return Period(self.value.partition("_")[2])


@dataclass(frozen=True, slots=True)
class Pending:
    """A change that waits. amount_minor None: no limit any more. ready_utc_ms: from when it can be confirmed."""

    amount_minor: int | None
    ready_utc_ms: int


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in force."""

    amount_minor: int
    pending: Pending | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """Everything that protects one patron. The moments are the ends (exclusive) of the time-out and the exclusion: 0
    for none, FOR_GOOD for one that does not end."""

    limits: Mapping[Rule, Limit] = field(default_factory=dict)
    time_out_until_utc_ms: int = 0
    excluded_until_utc_ms: int = 0


UNGUARDED = Guard()


class Act(StrEnum):
    """Kinds of change."""

    SET = "set"
    ASKED = "asked"
    CONFIRMED = "confirmed"
    TAKEN_BACK = "taken_back"
    TIME_OUT = "time_out"
    EXCLUDED = "excluded"


class Change(NamedTuple):
    """One change, as it is kept. rule: None for time-out and exclusion, whose old and new are their ends in UTC
    milliseconds; else amounts, None for no limit. from_utc_ms: when it holds, or can be confirmed."""

    act: Act
    rule: Rule | None
    old: int | None
    new: int | None
    at_utc_ms: int
    from_utc_ms: int


def limit_wanted(guard: Guard, rule: Rule, amount_minor: int | None, at_utc_ms: int) -> Change | None:
    """The change that a wish for this limit makes (None: for no limit); None where it is as wished already."""
    limit = guard.limits.get(rule)
    if limit is None:
        return None if amount_minor is None else Change(Act.SET, rule, None, amount_minor, at_utc_ms, at_utc_ms)
    old, pending = limit.amount_minor, limit.pending
    if amount_minor == old:
        return Change(Act.TAKEN_BACK, rule, old, old, at_utc_ms, at_utc_ms) if pending else None
    if amount_minor is not None and amount_minor < old:
        return Change(Act.SET, rule, old, amount_minor, at_utc_ms, at_utc_ms)
    if pending is not None and pending.amount_minor == amount_minor:
        return None
    return Change(Act.ASKED, rule, old, amount_minor, at_utc_ms, at_utc_ms + WAIT_MS)


def still_wanted(guard: Guard, rule: Rule, at_utc_ms: int) -> Change:
    """The change that waited long enough and is confirmed. Raises NothingPending, NotYetReady."""
    limit = guard.limits.get(rule)
    if limit is None or limit.pending is None:
        raise NothingPending("no change of that limit waits")
    if at_utc_ms < limit.pending.ready_utc_ms:
        raise NotYetReady("it still has to wait", ready_utc_ms=limit.pending.ready_utc_ms)
    return Change(Act.CONFIRMED, rule, limit.amount_minor, limit.pending.amount_minor, at_utc_ms, at_utc_ms)


def taken_back(guard: Guard, rule: Rule, at_utc_ms: int) -> Change:
    """The change that waited and is not wanted any more. Raises NothingPending."""
    limit = guard.limits.get(rule)
    if limit is None or limit.pending is None:
        raise NothingPending("no change of that limit waits")
    return Change(Act.TAKEN_BACK, rule, limit.amount_minor, limit.amount_minor, at_utc_ms, at_utc_ms)


def time_out(guard: Guard, duration_ms: int, at_utc_ms: int) -> Change:
    """No bets for so long from now. Raises StandsAlready: a time-out is only ever made longer."""
    until = at_utc_ms + duration_ms
    old = max(guard.time_out_until_utc_ms, guard.excluded_until_utc_ms)
    if until <= old:
        raise StandsAlready("what is running lasts at least as long", until_utc_ms=old)
    return Change(Act.TIME_OUT, None, guard.time_out_until_utc_ms, until, at_utc_ms, at_utc_ms)


def exclusion(guard: Guard, months: int | None, at_utc_ms: int) -> Change:
    """No play for so many months from now, None for good. Raises StandsAlready."""
    until = FOR_GOOD if months is None else months_later(at_utc_ms, months)
    old = guard.excluded_until_utc_ms
    if until <= old:
        raise StandsAlready("what is running lasts at least as long", until_utc_ms=old)
    return Change(Act.EXCLUDED, None, old, until, at_utc_ms, at_utc_ms)


def applied(guard: Guard, change: Change) -> Guard:
    """The guard after the change."""
    act, rule, old, new, _, from_utc_ms = change
    if act is Act.TIME_OUT:
        return replace(guard, time_out_until_utc_ms=new or 0)
    if act is Act.EXCLUDED:
        return replace(guard, excluded_until_utc_ms=new or 0)
    if rule is None:
        raise ValueError(f"{act} is about a limit")
    limits = dict(guard.limits)
    if act is Act.ASKED:
        limits[rule] = Limit(old or 0, Pending(new, from_utc_ms))
    elif new is None:
        limits.pop(rule, None)
    else:
        limits[rule] = Limit(new)
    return replace(guard, limits=limits)


def after(changes: Iterable[Change]) -> Guard:
    """What changes add up to, in their order."""
    return reduce(applied, changes, UNGUARDED)
