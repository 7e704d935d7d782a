"""Which sockets belong to which session, so that they die with it."""

import time
from collections.abc import Collection, Mapping

from bigroad.app.sessions import Visitor
from bigroad.web import hub
from bigroad.web.line import Line

SESSION_ENDED = "session_ended"
POLICY_VIOLATION = 1008
CUT_OFF_S = 0.5
"""A client that does not close is cut off after so long."""
REMEMBERED_S = 60.0
"""A handshake that began before its session ended is found out for so long."""


class SocketSessions:
    """Implements `bigroad.app.sessions.OpenSessions` for the sockets of this process."""

    def __init__(self) -> None:
        self._lines: dict[bytes, dict[Line, None]] = {}
        self._of_line: dict[Line, bytes] = {}
        self._ends: dict[bytes, int] = {}
        self._gone: dict[bytes, float] = {}
        self._moved: dict[bytes, tuple[bytes, float]] = {}

    def add(self, line: Line, visitor: Visitor) -> None:
        """The line lives with the visitor's session; if that has ended meanwhile, it dies at once."""
        key = visitor.session
        while key in self._moved:
            key = self._moved[key][0]
        self._lines.setdefault(key, {})[line] = None
        self._of_line[line] = key
        if visitor.ends_utc_ms is not None:
            self._ends.setdefault(key, visitor.ends_utc_ms)
        if key in self._gone:
            _end(line)

    def remove(self, line: Line) -> None:
        """The line is gone."""
        key = self._of_line.pop(line, None)
        if key is None:
            return
        lines = self._lines[key]
        del lines[line]
        if not lines:
            del self._lines[key]
            self._ends.pop(key, None)

    def accounts(self) -> Mapping[bytes, int]:
        """See OpenSessions."""
        return self._ends

    def ended(self, keys: Collection[bytes]) -> None:
        """See OpenSessions."""
        now = time.monotonic()
        self._forget(now)
        for key in keys:
            self._gone[key] = now
            for line in list(self._lines.get(key, ())):
                _end(line)

    def moved(self, old: bytes, new: bytes, ends_utc_ms: int) -> None:
        """See OpenSessions."""
        now = time.monotonic()
        self._forget(now)
        self._moved[old] = new, now
        lines = self._lines.pop(old, {})
        self._ends.pop(old, None)
        if not lines:
            return
        self._lines.setdefault(new, {}).update(lines)
        self._ends[new] = ends_utc_ms
        for line in lines:
            self._of_line[line] = new

    def _forget(self, now_s: float) -> None:
        """Insertion order is that of time."""
        for ended in [key for key, at in self._gone.items() if now_s - at > REMEMBERED_S]:
            del self._gone[ended]
        for old in [key for key, (_, at) in self._moved.items() if now_s - at > REMEMBERED_S]:
            del self._moved[old]


def _end(line: Line) -> None:
    hub.end(line, POLICY_VIOLATION, SESSION_ENDED, within_s=CUT_OFF_S)
