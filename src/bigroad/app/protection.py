"""What patrons ask to be protected from, apart from the tables: read, changed, and how long they have been playing.

The rules are `bigroad.protection`; that no bet passes them is the tables' and the store's part.
"""

from collections.abc import Callable

from bigroad.app.clock import Clock
from bigroad.app.store import Store
from bigroad.protection.guard import (
    FOR_GOOD,
    UNGUARDED,
    Change,
    Guard,
    Rule,
    exclusion,
    limit_wanted,
    still_wanted,
    taken_back,
    time_out,
)
from bigroad.protection.periods import day_of, oldest_day
from bigroad.protection.standing import Protected, is_excluded, is_out, standing
from bigroad.wire.protection import PendingLimit, PlayLimit, Protection, ProtectionChange, Sitting

CHANGES_SHOWN = 50
SITTING_GAP_MS = 30 * 60_000
"""Who was away for longer starts a new sitting."""


class PatronGuardian:
    """Implements `bigroad.app.ports.Guardian`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def protection(self, patron_id: int) -> Protection:
        """See Guardian."""
        now = self._clock.utc_ms()
        protected = await self._store.protected(patron_id, oldest_day(day_of(now)))
        if protected is None:
            return protection_of(Protected(UNGUARDED), [], now)
        changes = await self._store.protection_changes(patron_id, CHANGES_SHOWN)
        return protection_of(protected, [ProtectionChange(*change) for change in changes], now)

    async def want_limit(self, patron_id: int, rule: Rule, amount_minor: int | None) -> Protection:
        """See Guardian."""
        return await self._changed(patron_id, lambda guard, now: limit_wanted(guard, rule, amount_minor, now))

    async def confirm_limit(self, patron_id: int, rule: Rule) -> Protection:
        """See Guardian."""
        return await self._changed(patron_id, lambda guard, now: still_wanted(guard, rule, now))

    async def take_back_limit(self, patron_id: int, rule: Rule) -> Protection:
        """See Guardian."""
        return await self._changed(patron_id, lambda guard, now: taken_back(guard, rule, now))

    async def take_time_out(self, patron_id: int, duration_ms: int) -> Protection:
        """See Guardian."""
        return await self._changed(patron_id, lambda guard, now: time_out(guard, duration_ms, now))

    async def exclude(self, patron_id: int, months: int | None) -> Protection:
        """See Guardian."""
        return await self._changed(patron_id, lambda guard, now: exclusion(guard, months, now))

    async def sit(self, patron_id: int) -> Sitting:
        """See Guardian."""
        now = self._clock.utc_ms()
        started, staked, returned = await self._store.sit(patron_id, now, SITTING_GAP_MS)
        return Sitting(now, started, staked, returned, returned - staked)

    async def _changed(self, patron_id: int, change: Callable[[Guard, int], Change | None]) -> Protection:
        now = self._clock.utc_ms()
        await self._store.protect(patron_id, now, lambda guard: change(guard, now))
        return await self.protection(patron_id)


def protection_of(protected: Protected, changes: list[ProtectionChange], at_utc_ms: int) -> Protection:
    """What protects a patron at that moment, for the patron's page."""
    guard, limits = protected.guard, []
    for rule in Rule:
        limit, now = guard.limits.get(rule), standing(protected, rule, at_utc_ms)
        if limit is None or now is None:
            continue
        pending = limit.pending
        limits.append(
            PlayLimit(
                rule,
                limit.amount_minor,
                now.spent_minor,
                now.left_minor,
                now.until_utc_ms,
                PendingLimit(pending.amount_minor, pending.ready_utc_ms) if pending else None,
            )
        )
    for_good = guard.excluded_until_utc_ms == FOR_GOOD
    return Protection(
        server_utc_ms=at_utc_ms,
        limits=limits,
        time_out_until_utc_ms=guard.time_out_until_utc_ms if is_out(guard, at_utc_ms) else None,
        excluded_until_utc_ms=guard.excluded_until_utc_ms if is_excluded(guard, at_utc_ms) and not for_good else None,
        excluded_for_good=for_good,
        changes=changes,
    )
