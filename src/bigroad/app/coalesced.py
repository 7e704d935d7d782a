"""News that a newer one replaces: gold totals, and how many are here. However often they change, they are told seldom;
the newest are always told."""

from bigroad.app.ports import News
from bigroad.table.state import TableState
from bigroad.wire import server_events, translate

TOTALS_EVERY_NS = 200_000_000
TOTALS_EACH_NS = 50_000
"""Gold totals to ten thousand take as long to send as a thousand bets to answer: for such a crowd they come less often,
by so much a patron."""


class Coalesced:
    """When a table tells its totals next. due_ns: the moment, in monotonic nanoseconds; None while nothing changed."""

    def __init__(self) -> None:
        self.due_ns: int | None = None
        self._told_ns = -TOTALS_EVERY_NS
        self._presence_told = 0

    def changed(self, now_ns: int, patrons: int) -> bool:
        """Something is to be told to so many patrons. Answers whether that is new: `due_ns` is set then."""
        if self.due_ns is not None:
            return False
        every_ns = max(TOTALS_EVERY_NS, patrons * TOTALS_EACH_NS)
        self.due_ns = max(now_ns, self._told_ns + every_ns)
        return True

    def take(self, state: TableState, now_ns: int, patrons: int) -> list[News]:
        """What is due now, as things stand now."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        self.due_ns, self._told_ns = None, now_ns
        news = [News(translate.encode(translate.totals(state)), volatile=True)]
        if patrons != self._presence_told:
            self._presence_told = patrons
            news.append(News(translate.encode(server_events.Presence(patrons)), volatile=True))
        return news
