"""What happened, as one digest and as the last lines for whoever looks for the cause of a breach."""

import hashlib
from collections import deque

from bigroad.simulation.world import NS_PER_S, World

LAST = 60


class Log:
    """Every step that can be seen from outside, in order."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._hash = hashlib.sha256()
        self._last: deque[tuple[int, str]] = deque(maxlen=LAST)

    def add(self, line: str) -> None:
        """One line, at this moment."""
        now_ns = self._world.now_ns
        self._hash.update(f"{now_ns} {line}\n".encode())
        self._last.append((now_ns, line))

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over all lines."""
        return self._hash.hexdigest()

    def tail(self) -> list[str]:
        """The last lines, each with its moment in seconds."""
        return [f"{now_ns / NS_PER_S:14.6f}  {line}" for now_ns, line in self._last]
