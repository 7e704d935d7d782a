"""What a patron may ask for, when it holds, and that nothing ever protects less before its time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from bigroad.protection.errors import NothingPending, NotYetReady, ProtectionError, StandsAlready
from bigroad.protection.guard import (
    FOR_GOOD,
    MS_PER_HOUR,
    UNGUARDED,
    WAIT_MS,
    Act,
    Change,
    Guard,
    Limit,
    Pending,
    Rule,
    after,
    applied,
    exclusion,
    limit_wanted,
    still_wanted,
    taken_back,
    time_out,
)
from bigroad.protection.periods import MS_PER_DAY, day_of, first_day, next_first_day
from bigroad.protection.standing import Protected, Spent, is_excluded, is_out, passed, standing

NOW = 1_796_056_800_000
DAY = Rule.LOSS_DAY


def with_limit(limit: Limit | None) -> Guard:
    return Guard({DAY: limit}) if limit else UNGUARDED


WAITS = Pending(900, NOW + 5)
WISHES = [
    ("first", None, 500, Act.SET, Limit(500)),
    ("lower, at once", Limit(500), 400, Act.SET, Limit(400)),
    ("higher, later", Limit(500), 600, Act.ASKED, Limit(500, Pending(600, NOW + WAIT_MS))),
    ("none any more, later", Limit(500), None, Act.ASKED, Limit(500, Pending(None, NOW + WAIT_MS))),
    ("the same", Limit(500), 500, None, Limit(500)),
    ("none where there is none", None, None, None, None),
    ("lower while a higher one waits", Limit(500, WAITS), 400, Act.SET, Limit(400)),
    ("the same while a higher one waits", Limit(500, WAITS), 500, Act.TAKEN_BACK, Limit(500)),
    ("what waits already keeps its time", Limit(500, WAITS), 900, None, Limit(500, WAITS)),
    ("another higher one starts to wait", Limit(500, WAITS), 901, Act.ASKED, Limit(500, Pending(901, NOW + WAIT_MS))),
]


@pytest.mark.parametrize(("title", "before", "wish", "act", "then"), WISHES, ids=[row[0] for row in WISHES])
def test_a_wish_for_a_limit(title: str, before: Limit | None, wish: int | None, act: Act | None, then: Limit) -> None:
    guard = with_limit(before)
    change = limit_wanted(guard, DAY, wish, NOW)
    assert (change.act if change else None) == act
    assert (applied(guard, change) if change else guard) == with_limit(then)


def test_what_waited_must_still_be_wanted() -> None:
    guard = with_limit(Limit(500, Pending(900, NOW)))
    with pytest.raises(NotYetReady) as early:
        still_wanted(guard, DAY, NOW - 1)
    assert early.value.facts == {"ready_utc_ms": NOW}
    assert applied(guard, still_wanted(guard, DAY, NOW)) == with_limit(Limit(900))
    assert applied(guard, taken_back(guard, DAY, NOW)) == with_limit(Limit(500))
    gone = with_limit(Limit(500, Pending(None, NOW)))
    assert applied(gone, still_wanted(gone, DAY, NOW)) == UNGUARDED
    for act in (still_wanted, taken_back):
        with pytest.raises(NothingPending):
            act(with_limit(Limit(500)), DAY, NOW)


def test_a_time_out_and_an_exclusion_only_grow() -> None:
    guard = applied(UNGUARDED, time_out(UNGUARDED, 24 * MS_PER_HOUR, NOW))
    ends = NOW + 24 * MS_PER_HOUR
    assert (is_out(guard, ends - 1), is_out(guard, ends), is_excluded(guard, NOW)) == (True, False, False)
    with pytest.raises(StandsAlready) as shorter:
        time_out(guard, 23 * MS_PER_HOUR, NOW + MS_PER_HOUR)
    assert shorter.value.facts == {"until_utc_ms": ends}
    assert time_out(guard, 24 * MS_PER_HOUR, NOW + 1).new == ends + 1
    guard = applied(guard, exclusion(guard, 6, NOW))
    assert is_excluded(guard, NOW + 181 * MS_PER_DAY - 1)  # 30 November to 30 May
    assert not is_excluded(guard, NOW + 181 * MS_PER_DAY)
    with pytest.raises(StandsAlready):
        exclusion(guard, 6, NOW)
    with pytest.raises(StandsAlready):
        time_out(guard, 720 * MS_PER_HOUR, NOW)
    guard = applied(guard, exclusion(guard, None, NOW))
    assert guard.excluded_until_utc_ms == FOR_GOOD
    for months in (6, 1_000, None):
        with pytest.raises(StandsAlready):
            exclusion(guard, months, NOW)


class Wishing(RuleBasedStateMachine):
    """A patron who tries everything, against a second formulation: the loosest that was ever allowed so far."""

    def __init__(self) -> None:
        super().__init__()
        self.guard, self.now, self.changes = UNGUARDED, NOW, list[Change]()
        self.asked: dict[int | None, int] = {}

    def does(self, change: Change | None) -> None:
        if change is not None:
            before, self.guard = self.guard, applied(self.guard, change)
            self.changes.append(change)
            old, new = before.limits.get(DAY), self.guard.limits.get(DAY)
            if old is not None and (new is None or new.amount_minor > old.amount_minor):
                amount = new.amount_minor if new else None
                assert change.act is Act.CONFIRMED
                assert self.now - self.asked[amount] >= WAIT_MS
            assert self.guard.time_out_until_utc_ms >= before.time_out_until_utc_ms
            assert self.guard.excluded_until_utc_ms >= before.excluded_until_utc_ms

    @rule(hours=st.integers(0, 30))
    def time_passes(self, hours: int) -> None:
        self.now += hours * MS_PER_HOUR

    @rule(amount=st.none() | st.integers(1, 4))
    def wants(self, amount: int | None) -> None:
        change = limit_wanted(self.guard, DAY, amount, self.now)
        if change is not None and change.act is Act.ASKED:
            self.asked[amount] = self.now
        self.does(change)

    @rule(act=st.sampled_from([still_wanted, taken_back]))
    def says_so(self, act) -> None:  # type: ignore[no-untyped-def]
        try:
            self.does(act(self.guard, DAY, self.now))
        except ProtectionError:
            limit = self.guard.limits.get(DAY)
            waits = limit is not None and limit.pending is not None
            assert not waits or (act is still_wanted and self.now < limit.pending.ready_utc_ms)  # type: ignore[union-attr]

    @rule(hours=st.integers(1, 720), months=st.none() | st.integers(1, 12), out=st.booleans())
    def goes_away(self, hours: int, months: int | None, out: bool) -> None:
        before = max(self.guard.time_out_until_utc_ms, self.guard.excluded_until_utc_ms)
        try:
            self.does(
                time_out(self.guard, hours * MS_PER_HOUR, self.now) if out else exclusion(self.guard, months, self.now)
            )
        except StandsAlready:
            assert before > self.now

    @invariant()
    def the_guard_is_what_its_changes_add_up_to(self) -> None:
        assert after(self.changes) == self.guard


TestWishing = Wishing.TestCase

SPENDING = st.lists(
    st.builds(Spent, st.integers(day_of(NOW) - 40, day_of(NOW) + 1), st.integers(0, 50), st.integers(0, 90)),
    max_size=8,
    unique_by=lambda spent: spent.day,
)


@given(SPENDING, st.dictionaries(st.sampled_from(Rule), st.builds(Limit, st.integers(1, 200))), st.integers(1, 300))
def test_a_bet_passes_a_limit_exactly_when_the_worst_would(
    days: list[Spent], limits: dict[Rule, Limit], stake: int
) -> None:
    protected = Protected(Guard(limits), days)
    over = []
    for one, limit in limits.items():
        begun, ends = first_day(one.period, day_of(NOW)), next_first_day(one.period, day_of(NOW))
        total = stake
        for day, staked, returned in days:
            if begun <= day < ends:
                total += staked if one.measure == "stake" else staked - returned
        if total > limit.amount_minor:
            over.append(one)
    found = passed(protected, stake, NOW)
    assert (found.rule if found else None) == (min(over, key=list(Rule).index) if over else None)
    for one in limits:
        now = standing(protected, one, NOW)
        assert now is not None
        assert (stake <= now.left_minor) == (one not in over)
        assert now.until_utc_ms == next_first_day(one.period, day_of(NOW)) * MS_PER_DAY
