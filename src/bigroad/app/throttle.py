"""How often may be tried: the first tries are free, then each costs a wait twice as long. Time comes in as UTC
milliseconds of the floor's clock; everything is forgotten with the process."""

from collections.abc import Hashable
from dataclasses import dataclass

FORGOTTEN_MS = 24 * 3_600_000
SWEEP_AT = 4_096


@dataclass(slots=True)
class _Tries:
    wrong: int
    last_ms: int


class Waits:
    """Wrong tries by key. free: so many cost no wait. longest_s: no wait is longer."""

    def __init__(self, free: int, longest_s: int) -> None:
        self._free, self._longest_s = free, longest_s
        self._tries: dict[Hashable, _Tries] = {}
        self._sweep_at = SWEEP_AT

    def wait_s(self, key: Hashable, now_ms: int) -> int:
        """How long until the key may try again; 0 for now. A day without a try, and it starts anew."""
        tries = self._tries.get(key)
        if tries is None or tries.wrong < self._free or now_ms - tries.last_ms >= FORGOTTEN_MS:
            return 0
        wait_ms = 1_000 * min(self._longest_s, 1 << min(tries.wrong - self._free, 30))
        return max(0, -(-(tries.last_ms + wait_ms - now_ms) // 1_000))

    def began(self, key: Hashable, now_ms: int) -> None:
        """Somebody tries. It counts as wrong until it is known to be right, so that tries at once do not pass."""
        tries = self._tries.get(key)
        if tries is None or now_ms - tries.last_ms >= FORGOTTEN_MS:
            self._make_room(now_ms)
            self._tries[key] = _Tries(1, now_ms)
        else:
            tries.wrong, tries.last_ms = tries.wrong + 1, now_ms

    def take_back(self, key: Hashable) -> None:
        """The try was right, or was never made."""
        tries = self._tries.get(key)
        if tries is not None:
            tries.wrong -= 1

    def forget(self, key: Hashable) -> None:
        """Everything before counts no more."""
        self._tries.pop(key, None)

    def _make_room(self, now_ms: int) -> None:
        if len(self._tries) < self._sweep_at:
            return
        kept = {key: one for key, one in self._tries.items() if one.wrong > 0 and now_ms - one.last_ms < FORGOTTEN_MS}
        self._tries = kept
        self._sweep_at = max(SWEEP_AT, 2 * len(kept))
