"""Can the store keep anything? Asked by writing, at most once a second whoever asks."""

import asyncio
import time

from bigroad.app.store import Store, StoreError

FRESH_S = 1.0
PATIENCE_S = 2.0
"""A store that takes longer to write is not ready."""


class Pulse:
    """Feels the store's pulse."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._felt_s = -FRESH_S
        self._beats = False
        self._feeling: asyncio.Task[None] | None = None

    async def beats(self) -> bool:
        """Could a bet be kept now? False after PATIENCE_S without an answer."""
        if time.monotonic() - self._felt_s < FRESH_S:
            return self._beats
        if self._feeling is None:
            self._feeling = asyncio.create_task(self._feel())
        done, _ = await asyncio.wait({self._feeling}, timeout=PATIENCE_S)
        return self._beats if done else False

    async def _feel(self) -> None:
        try:
            await self._store.probe()
            self._beats = True
        except StoreError:
            self._beats = False
        finally:
            self._felt_s = time.monotonic()
            self._feeling = None
