"""How much one patron, one address and one socket may ask for. Time comes in as seconds of a monotonic clock."""

import ipaddress
from collections import Counter
from collections.abc import Hashable


class Bucket:
    """Lets `burst` through at once, and `per_second` from then on."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, per_second: float, burst: float, now_s: float) -> None:
        self._rate = per_second
        self._burst = self._level = burst
        self._then = now_s

    def take(self, now_s: float) -> bool:
        """Whether one more may pass now."""
        self._level = min(self._burst, self._level + (now_s - self._then) * self._rate)
        self._then = now_s
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def is_full(self, now_s: float) -> bool:
        """Whether nothing is missing: a fresh one would do the same."""
        return self._level + (now_s - self._then) * self._rate >= self._burst


class Buckets:
    """One bucket for each key; full ones are forgotten."""

    SWEEP_AT = 1024

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate, self._burst = per_second, burst
        self._buckets: dict[Hashable, Bucket] = {}
        self._sweep_at = self.SWEEP_AT

    def take(self, key: Hashable, now_s: float) -> bool:
        """Whether one more of this key may pass now."""
        if len(self._buckets) >= self._sweep_at:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now_s)}
            self._sweep_at = max(self.SWEEP_AT, 2 * len(self._buckets))
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, now_s)
        return bucket.take(now_s)


class Seats:
    """Counts what is open by key, up to a limit each."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._taken: Counter[Hashable] = Counter()

    def take(self, key: Hashable) -> bool:
        """Take one. False: all are taken, and nothing was."""
        if self._taken[key] >= self._limit:
            return False
        self._taken[key] += 1
        return True

    def give_back(self, key: Hashable) -> None:
        """Undo one `take`."""
        self._taken[key] -= 1
        if self._taken[key] <= 0:
            del self._taken[key]


def address_key(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 one, which is one customer's."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
