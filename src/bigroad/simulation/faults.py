"""What can go wrong, and how much of it goes wrong in one seed."""

import random
from collections import Counter
from enum import StrEnum

from bigroad.simulation.world import World


class Fault(StrEnum):
    """The kinds of fault. Each seed has some of them and not others, so that rare meetings happen in some seed."""

    KILL = "kill"
    KILL_BEFORE_COMMIT = "kill_before_commit"
    KILL_AFTER_COMMIT = "kill_after_commit"
    KILL_WHILE_TELLING = "kill_while_telling"
    RESTART = "restart"
    SUSPEND = "suspend"
    SUSPEND_OVER_LOCK = "suspend_over_lock"
    CLOCK_JUMP = "clock_jump"
    TWO_OWNERS = "two_owners"
    CHANGED_TERMS = "changed_terms"
    DISK_FULL = "disk_full"
    WRITE_ERROR = "write_error"
    BUSY = "busy"
    ANSWER_LOST = "answer_lost"
    DROP = "drop"
    DUPLICATE = "duplicate"
    DELAY = "delay"
    REORDER = "reorder"
    DISCONNECT = "disconnect"
    SLOW_CLIENT = "slow_client"
    HANDLER_THROWS = "handler_throws"


SEEDED = 0.45
"""The share of the kinds that a seed has."""

RATES = {
    Fault.KILL_BEFORE_COMMIT: 0.01,
    Fault.KILL_AFTER_COMMIT: 0.01,
    Fault.KILL_WHILE_TELLING: 0.002,
    Fault.WRITE_ERROR: 0.03,
    Fault.ANSWER_LOST: 0.02,
    Fault.DROP: 0.01,
    Fault.DUPLICATE: 0.03,
    Fault.DELAY: 0.02,
    Fault.REORDER: 0.03,
    Fault.HANDLER_THROWS: 0.01,
}
"""How likely each is at one of its occasions: a call of the store, a message, a socket."""

EVENTS = (
    Fault.KILL,
    Fault.RESTART,
    Fault.SUSPEND,
    Fault.SUSPEND_OVER_LOCK,
    Fault.CLOCK_JUMP,
    Fault.TWO_OWNERS,
    Fault.CHANGED_TERMS,
    Fault.DISK_FULL,
    Fault.BUSY,
    Fault.DISCONNECT,
    Fault.SLOW_CLIENT,
)
"""Those that happen at a moment of their own."""


class Weather:
    """Which faults a seed has, and its dice for them. counts: how often each struck."""

    def __init__(self, world: World, seed: int) -> None:
        self.dice = random.Random(f"{seed}:weather")
        self.counts: Counter[Fault] = Counter()
        self._world = world
        self._kinds = frozenset(kind for kind in Fault if self.dice.random() < SEEDED)
        self._rates = {kind: rate for kind, rate in RATES.items() if kind in self._kinds}
        self.events = tuple(kind for kind in EVENTS if kind in self._kinds)
        self._full_until_ns = self._busy_until_ns = 0

    def strikes(self, kind: Fault) -> bool:
        """Does this fault strike at this occasion?"""
        rate = self._rates.get(kind)
        if rate is None or self.dice.random() >= rate:
            return False
        self.counts[kind] += 1
        return True

    def begin(self, kind: Fault, duration_ns: int) -> None:
        """The disk is full, or the database is locked by somebody else, for a while."""
        until_ns = self._world.now_ns + duration_ns
        if kind is Fault.DISK_FULL:
            self._full_until_ns = until_ns
        else:
            self._busy_until_ns = until_ns

    @property
    def is_full(self) -> bool:
        """Nothing can be written now."""
        return self._world.now_ns < self._full_until_ns

    @property
    def busy_ns(self) -> int:
        """How long the database stays locked."""
        return max(0, self._busy_until_ns - self._world.now_ns)

    def clear(self) -> None:
        """From now on nothing goes wrong."""
        self._rates, self.events = {}, ()
        self._full_until_ns = self._busy_until_ns = 0
