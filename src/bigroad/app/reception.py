"""Who is here, and who waits to be greeted. Greetings wait in a queue of their own, behind what is due: a crowd that
comes back at once holds up neither a bet nor the deal."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bigroad.app import crash_points
from bigroad.app.greeting import Greeting
from bigroad.app.store import Purse, Store, StoreError
from bigroad.table.events import Stakes
from bigroad.table.state import TableState

GREETED_AT_ONCE = 32


@dataclass(slots=True)
class Guest:
    """A socket that waits to be brought up to date."""

    greeting: Greeting
    done: "asyncio.Future[None]"

    @property
    def patron_id(self) -> int:
        """Whose socket it is."""
        return self.greeting.patron.patron_id

    def greeted(self) -> None:
        """It has been."""
        if not self.done.done():
            self.done.set_result(None)

    def failed(self, problem: Exception) -> None:
        """It could not be."""
        if not self.done.done():
            self.done.set_exception(problem)


class Known(NamedTuple):
    """What is looked up for a guest. last: the stakes of the patron's last bet, None where the table knows them."""

    guest: Guest
    purse: Purse
    last: Stakes | None


class Reception:
    """The sockets at one table, counted by patron, and those that wait."""

    def __init__(self) -> None:
        self._waiting: deque[Guest] = deque()
        self._sockets: dict[int, int] = {}
        self._gone: set[int] = set()

    @property
    def patrons(self) -> int:
        """How many are here."""
        return len(self._sockets)

    @property
    def waits(self) -> bool:
        """Whether anybody is to be greeted."""
        return bool(self._waiting)

    def queue(self, greeting: Greeting) -> "asyncio.Future[None]":
        """Greet this socket when there is time. The answer is done when it was."""
        guest = Guest(greeting, asyncio.get_running_loop().create_future())
        self._waiting.append(guest)
        return guest.done

    def enter(self, patron_id: int) -> None:
        """One more socket of the patron."""
        self._sockets[patron_id] = self._sockets.get(patron_id, 0) + 1

    def leave(self, patron_id: int) -> None:
        """One socket of the patron less."""
        left = self._sockets.get(patron_id, 0) - 1
        if left > 0:
            self._sockets[patron_id] = left
        else:
            self._sockets.pop(patron_id, None)
            self._gone.add(patron_id)

    def forget_gone(self, state: TableState) -> TableState:
        """The state without what it remembers of patrons who have gone."""
        if self._gone:
            state = without_memory(state, self._gone - self._sockets.keys())
            self._gone.clear()
        return state

    async def next(self, store: Store, state: TableState) -> Sequence[Known]:
        """Some of those who wait, with what is to be known of them: one look into the store for all. Where the store
        fails they are told so, and there is nobody."""
        guests = [self._waiting.popleft() for _ in range(min(len(self._waiting), GREETED_AT_ONCE))]
        try:
            ids = [guest.patron_id for guest in guests]
            for _ in guests:
                crash_points.reached("seat.opening")
            unknown = [patron_id for patron_id in ids if patron_id not in state.last_stakes]
            last, purses = await asyncio.gather(store.last_stakes(state.table_no, unknown), store.purses(ids))
        except Exception as problem:
            for guest in guests:
                guest.failed(problem)
            return ()
        return [Known(guest, purses[guest.patron_id], last.get(guest.patron_id)) for guest in guests]

    def turn_away(self, problem: StoreError) -> None:
        """Nobody can be greeted now."""
        while self._waiting:
            self._waiting.popleft().failed(problem)


def without_memory(state: TableState, patron_ids: Iterable[int]) -> TableState:
    """Forget the last bets of patrons who have gone; they are looked up again when the patrons come back."""
    last_stakes = state.last_stakes
    for patron_id in patron_ids:
        if patron_id in last_stakes:
            last_stakes = last_stakes.delete(patron_id)
    return state if last_stakes is state.last_stakes else replace(state, last_stakes=last_stakes)
