"""The floor's one store, watched, and the way to it that each process has: slow, full, locked, cut off at any point."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, cast

from bigroad.app.store import Changes, Claim, Decide, Store, StoreError, Wish
from bigroad.ledger.transfers import Transfer
from bigroad.protection.guard import Change, Guard
from bigroad.simulation.faults import Fault, Weather
from bigroad.simulation.world import World
from bigroad.storage.memory import MemoryStore

BUSY_TIMEOUT_S = 5.0
WRITES = frozenset({"commit", "claim", "claim_seat", "refill", "create_guest", "protect"})
TRAVEL_S = (0.0, 0.0, 0.001, 0.003, 0.02)


class Witness(Protocol):
    """Who looks at what has become durable, at once."""

    def claimed(self, table: str, claim: Claim, bank_no: int) -> None:
        """A table, or a seat of one, has a new owner. bank_no: the table whose bank pays."""

    def moved(self, rows: Sequence[Transfer]) -> None:
        """Money has moved."""

    def kept(self, changes: Changes) -> None:
        """A table's commit is in the store, its transfers with it."""

    def wished(self, patron_id: int, change: Change) -> None:
        """A change of what protects a patron is in the store."""


class Watching:
    """The witness, with the alarm bell."""

    def __init__(self, world: World, witness: Witness) -> None:
        self._world, self._witness = world, witness

    def claimed(self, table: str, claim: Claim, bank_no: int) -> None:
        """See Witness."""
        with self._world.watching():
            self._witness.claimed(table, claim, bank_no)

    def moved(self, rows: Sequence[Transfer]) -> None:
        """See Witness."""
        with self._world.watching():
            self._witness.moved(rows)

    def kept(self, changes: Changes) -> None:
        """See Witness."""
        with self._world.watching():
            self._witness.kept(changes)

    def wished(self, patron_id: int, change: Change) -> None:
        """See Witness."""
        with self._world.watching():
            self._witness.wished(patron_id, change)


class DurableStore(MemoryStore):
    """The disk: it outlives every process."""

    def __init__(self) -> None:
        super().__init__()
        self.witness: Witness | None = None

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        claim = await super().claim(table, bankroll_minor, at_utc_ms)
        if self.witness is not None:
            self.witness.claimed(table, claim, claim.table_no)
        return claim

    async def claim_seat(self, bank_no: int, patron_id: int, at_utc_ms: int) -> Claim:
        claim = await super().claim_seat(bank_no, patron_id, at_utc_ms)
        if self.witness is not None:
            self.witness.claimed(f"{self._name(bank_no)}/{patron_id}", claim, bank_no)
        return claim

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        changes = await super().commit(table_no, patron_ids, decide, since_day)
        if self.witness is not None and not changes.empty:
            self.witness.kept(changes)
        return changes

    async def protect(self, patron_id: int, at_utc_ms: int, wish: Wish) -> Guard:
        made: list[Change] = []

        def asked(guard: Guard) -> Change | None:
            change = wish(guard)
            made.extend([change] if change else [])
            return change

        guard = await super().protect(patron_id, at_utc_ms, asked)
        for change in made:
            if self.witness is not None:
                self.witness.wished(patron_id, change)
        return guard

    def _move(self, rows: Sequence[Transfer]) -> None:
        super()._move(rows)
        if self.witness is not None:
            self.witness.moved(rows)


class StoreAccess:
    """One process's way to the store. Its methods are those of `Store`; `dies` ends the process."""

    def __init__(self, disk: MemoryStore, weather: Weather, dies: Callable[[Fault], None]) -> None:
        self._disk, self._weather, self._dies = disk, weather, dies

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._disk, name)
        is_write = name in WRITES

        async def call(*args: Any) -> Any:
            return await self._call(method, is_write, args)

        self.__dict__[name] = call
        return call

    async def close(self) -> None:
        """See Store."""

    async def _call(self, method: Callable[..., Awaitable[Any]], is_write: bool, args: tuple[Any, ...]) -> Any:
        weather = self._weather
        await _travel(weather)
        if is_write:
            await self._before_write(weather)
        result = await method(*args)
        if is_write:
            if weather.strikes(Fault.KILL_AFTER_COMMIT):
                await self._die(Fault.KILL_AFTER_COMMIT)
            if weather.strikes(Fault.ANSWER_LOST):
                raise StoreError("the answer was lost")
        await _travel(weather)
        return result

    async def _before_write(self, weather: Weather) -> None:
        busy_s = weather.busy_ns / 1e9
        if busy_s:
            weather.counts[Fault.BUSY] += 1
            await asyncio.sleep(min(busy_s, BUSY_TIMEOUT_S))
            if busy_s >= BUSY_TIMEOUT_S:
                raise StoreError("database is locked")
        if weather.is_full:
            weather.counts[Fault.DISK_FULL] += 1
            raise StoreError("database or disk is full")
        if weather.strikes(Fault.WRITE_ERROR):
            raise StoreError("disk I/O error")
        if weather.strikes(Fault.KILL_BEFORE_COMMIT):
            await self._die(Fault.KILL_BEFORE_COMMIT)

    async def _die(self, how: Fault) -> None:
        self._dies(how)
        await asyncio.get_running_loop().create_future()


def access(disk: MemoryStore, weather: Weather, dies: Callable[[Fault], None]) -> Store:
    """A way to the store for one process."""
    return cast(Store, StoreAccess(disk, weather, dies))


async def _travel(weather: Weather) -> None:
    delay_s = weather.dice.choice(TRAVEL_S)
    if delay_s:
        await asyncio.sleep(delay_s * weather.dice.random())
