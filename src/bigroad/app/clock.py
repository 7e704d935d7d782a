"""Time, as the app sees it: monotonic nanoseconds to judge by, UTC milliseconds to show and to keep."""

import sys
import time
from typing import Protocol

import structlog

log = structlog.get_logger()


class Clock(Protocol):
    """Both readings belong together: UTC moves exactly as the monotonic clock does."""

    def now_ns(self) -> int:
        """Monotonic nanoseconds; only differences mean something."""

    def utc_ms(self) -> int:
        """UTC milliseconds."""

    def wall_ahead_ms(self) -> int:
        """By how much the machine's wall clock has been set ahead of `utc_ms` since the start, in whole seconds; below
        0: back. Moments are flagged with it where it is not 0."""


class SystemClock:
    """The machine's clocks. UTC is read once and carried on by the monotonic clock, so that a step of the wall clock
    in mid-round moves no deadline and no countdown; a restart reads it anew."""

    def __init__(self) -> None:
        self._utc_base_ns = time.time_ns() - elapsed_ns()
        self._ahead_ms = 0

    def now_ns(self) -> int:
        """See Clock."""
        return elapsed_ns()

    def utc_ms(self) -> int:
        """See Clock."""
        return (self._utc_base_ns + elapsed_ns()) // 1_000_000

    def wall_ahead_ms(self) -> int:
        """See Clock. Said once each time that it changes."""
        ahead_ms = 1_000 * round((time.time_ns() - self._utc_base_ns - elapsed_ns()) / 1e9)
        if ahead_ms != self._ahead_ms:
            self._ahead_ms = ahead_ms
            log.warning("wall_clock_set", ahead_ms=ahead_ms, help="the new time is taken over at the next start")
        return ahead_ms


def elapsed_ns() -> int:
    """Monotonic nanoseconds that go on while the machine is suspended, where the system has such a clock."""
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class SimulatedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, utc_ms: int = 1_700_000_000_000) -> None:
        self._start_utc_ms = utc_ms
        self._now_ns = 0
        self.ahead_ms = 0

    def now_ns(self) -> int:
        """See Clock."""
        return self._now_ns

    def utc_ms(self) -> int:
        """See Clock."""
        return self._start_utc_ms + self._now_ns // 1_000_000

    def wall_ahead_ms(self) -> int:
        """See Clock."""
        return self.ahead_ms

    def move_to(self, now_ns: int) -> None:
        """Let time pass. Going back is refused with ValueError."""
        if now_ns < self._now_ns:
            raise ValueError("time does not go back")
        self._now_ns = now_ns
