"""The bus of one process: a publisher's call is its listeners' call."""

from collections.abc import Callable, Sequence

import structlog

from bigroad.app.ports import Listener, News

log = structlog.get_logger()


class LocalBus:
    """Hands news to every listener of a table before `publish` returns, in order."""

    def __init__(self) -> None:
        self._listeners: dict[str, tuple[Listener, ...]] = {}

    def publish(self, table: str, news: Sequence[News]) -> None:
        """Hand the news to the table's listeners. One that raises is logged, and the others hear it all the same."""
        if not news:
            return
        for listener in self._listeners.get(table, ()):
            try:
                listener(news)
            except Exception:
                log.exception("listener_failed", table=table)

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Listen from now on. The answer ends it; calling it again does nothing."""
        token: list[Listener] = [listener]
        self._listeners[table] = (*self._listeners.get(table, ()), listener)

        def end() -> None:
            if not token:
                return
            ended, kept = token.pop(), list(self._listeners[table])
            kept.remove(ended)
            if kept:
                self._listeners[table] = tuple(kept)
            else:
                del self._listeners[table]

        return end
