"""A table where each patron plays alone: many seats, one bank.

A seat is a table of its own, with its own coups, numbers, epoch and boards, run by the same runner. It is opened when
its patron comes, and let go when nobody is there and no coup is under way; what it was is in the store. So a thousand
patrons who have left cost nothing.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

import msgspec
import structlog

from bigroad.app.clock import Clock
from bigroad.app.greeting import table_row
from bigroad.app.invariants import verify_recovered
from bigroad.app.ports import Bus
from bigroad.app.recovery import recovered
from bigroad.app.store import NEVER_OPENED, Claim, Store, StoreError
from bigroad.app.table_runner import BROKEN, Seat, TableRunner
from bigroad.table.machine import first_state
from bigroad.table.state import TableState
from bigroad.table.terms import Terms
from bigroad.wire import translate
from bigroad.wire.client_messages import TableCommand
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Patron, Refused, TableTerms
from bigroad.wire.session import CoupRecord, OwnSeat, ShoeRecord, TableRow

log = structlog.get_logger()

ROWS_KEPT = 512
"""So many seats that nobody sits at keep their row of the lobby at hand."""
FREE = OwnSeat("free", 0)
"""The seat of a patron who never sat there."""


class PrivateTable:
    """Implements `bigroad.app.ports.TableDesk`; whatever is asked is asked of the patron's own seat.

    table_no: the table's own number, whose bank pays every seat. entropy, lowest_minor and closed as in TableRunner.
    """

    def __init__(
        self,
        table_no: int,
        looks: TableTerms,
        terms: Terms,
        store: Store,
        bus: Bus,
        clock: Clock,
        entropy: Callable[[], bytes],
        lowest_minor: int,
        closed: str | None = None,
    ) -> None:
        self._table_no, self._terms = table_no, terms
        self._looks = msgspec.structs.replace(looks, areas=translate.areas(terms))
        self._store, self._bus, self._clock, self._entropy = store, bus, clock, entropy
        self._lowest_minor = lowest_minor
        self._seats: dict[int, TableRunner] = {}
        self._opening: dict[int, asyncio.Task[TableRunner]] = {}
        self._running: dict[int, asyncio.Task[None]] = {}
        self._wanted: Counter[int] = Counter()
        self._rows: OrderedDict[int, TableRow] = OrderedDict()
        self._stopping = False
        self._closed = closed
        self._unsound: set[int] = set()

    @property
    def terms(self) -> TableTerms:
        """See TableDesk."""
        return self._looks

    @property
    def is_open(self) -> bool:
        """See TableDesk."""
        return not (self._stopping or self._closed)

    @property
    def seats(self) -> Sequence[TableRunner]:
        """The seats that are open now."""
        return list(self._seats.values())

    def channel(self, patron_id: int) -> str:
        """See TableDesk."""
        return f"{self._looks.table}/{patron_id}"

    def change_terms(self, terms: Terms) -> None:
        """Other rules from the next coup of each seat on; a coup without a bet makes room for them at once."""
        self._terms = terms
        self._looks = msgspec.structs.replace(self._looks, areas=translate.areas(terms), decks=terms.decks)
        self._rows.clear()
        for runner in self._seats.values():
            runner.change_terms(terms)

    def halt(self, problem: Exception, patron_id: int | None) -> None:
        """Something is wrong with what is kept of that patron's seat; None: of the bank, and no seat may go on."""
        if patron_id is None:
            self._closed = BROKEN
        else:
            self._unsound.add(patron_id)
        for number, runner in self._seats.items():
            if patron_id in (None, number):
                runner.halt(problem)

    async def row(self, patron_id: int | None) -> TableRow:
        """See TableDesk."""
        row = self._empty_row(None) if patron_id is None else await self._row_of(patron_id)
        return msgspec.structs.replace(row, patrons=len(self._seats), phase=row.phase if self.is_open else "closed")

    async def _row_of(self, patron_id: int) -> TableRow:
        if patron_id in self._seats:
            return await self._seats[patron_id].row(patron_id)
        known = self._rows.get(patron_id)
        if known is None:
            runner = await self._look_at(patron_id)
            known = await runner.row(patron_id) if runner is not None else self._empty_row(FREE)
            if patron_id in self._seats:  # sat down meanwhile
                return known
            self._rows[patron_id] = known
            if len(self._rows) > ROWS_KEPT:
                self._rows.popitem(last=False)
        self._rows.move_to_end(patron_id)
        return known

    def _empty_row(self, own: OwnSeat | None) -> TableRow:
        row = table_row(first_state(0, self._terms, 0), self._looks, 0, False, own)
        return msgspec.structs.replace(row, phase="betting")

    async def shoe(self, number: int, patron_id: int | None) -> ShoeRecord | None:
        """See TableDesk."""
        runner = await self._look_at(patron_id)
        return None if runner is None else await runner.shoe(number, patron_id)

    async def coup(self, number: int, patron_id: int | None) -> CoupRecord | None:
        """See TableDesk."""
        runner = await self._look_at(patron_id)
        return None if runner is None else await runner.coup(number, patron_id)

    async def _look_at(self, patron_id: int | None) -> TableRunner | None:
        """The patron's seat to be read from, opened or not; None where the patron never sat."""
        if patron_id is None:
            return None
        if patron_id in self._seats:
            return self._seats[patron_id]
        seat_no = await self._store.seat_no(self._table_no, patron_id)
        if seat_no is None:
            return None
        state = recovered(seat_no, await self._store.load(seat_no), self._terms, self._clock, self._table_no)
        return self._runner(state, 0, [], Seat(patron_id, self.channel(patron_id)))

    async def greet(
        self, patron: Patron, epoch: int | None, seq: int | None, join: Callable[[Sequence[bytes]], None]
    ) -> None:
        """See TableDesk."""
        runner = await self.seat(patron.patron_id)
        await runner.greet(patron, epoch, seq, join)

    def leave(self, patron_id: int) -> None:
        """See TableDesk."""
        if patron_id in self._seats:
            self._seats[patron_id].leave(patron_id)

    def command(self, patron_id: int, message: TableCommand) -> "asyncio.Future[bytes | None]":
        """See TableDesk."""
        return asyncio.get_running_loop().create_task(self._command(patron_id, message))

    async def _command(self, patron_id: int, message: TableCommand) -> bytes | None:
        try:
            runner = await self.seat(patron_id)
        except StoreError:
            refused = Refused(message.request_id, message.coup, Fault.STORE_UNAVAILABLE, {})
            return translate.encode(refused)
        return await runner.command(patron_id, message)

    async def seat(self, patron_id: int) -> TableRunner:
        """The patron's seat, running. Raises StoreError when it cannot be had.

        What is asked of it before the next turn of the event loop finds it so: a seat is let go between two turns.
        """
        self._wanted[patron_id] += 1
        try:
            while patron_id not in self._seats:
                if self._stopping:
                    raise StoreError("the server goes down")
                opening = self._opening.get(patron_id)
                if opening is None:
                    opening = self._opening[patron_id] = asyncio.create_task(self._open(patron_id))
                    opening.add_done_callback(lambda _: self._opening.pop(patron_id, None))
                await asyncio.shield(opening)
            return self._seats[patron_id]
        finally:
            self._wanted[patron_id] -= 1
            if not self._wanted[patron_id]:
                del self._wanted[patron_id]

    async def _open(self, patron_id: int) -> TableRunner:
        if self._closed is None:
            claim = await self._store.claim_seat(self._table_no, patron_id, self._clock.utc_ms())
        else:
            claim = Claim(await self._store.seat_no(self._table_no, patron_id) or 0, 0)
        stored = await self._store.load(claim.table_no) if claim.table_no else NEVER_OPENED
        seat, closed = Seat(patron_id, self.channel(patron_id)), BROKEN if patron_id in self._unsound else self._closed
        try:
            state = recovered(claim.table_no, stored, self._terms, self._clock, self._table_no)
            if stored.last is not None:
                verify_recovered(state, stored)
        except Exception as problem:
            log.critical("seat stopped", table=self._looks.table, patron=patron_id, exc_info=problem)
            state, stored, closed = first_state(claim.table_no, self._terms, self._clock.now_ns()), NEVER_OPENED, BROKEN
        runner = self._runner(state, claim.epoch, stored.events, seat, closed)
        self._seats[patron_id] = runner
        self._rows.pop(patron_id, None)
        self._running[patron_id] = asyncio.create_task(self._run(patron_id, runner))
        if self._stopping:
            runner.stop()
        return runner

    def _runner(
        self,
        state: TableState,
        epoch: int,
        tail: Sequence[tuple[int, bytes]],
        seat: Seat,
        closed: str | None = None,
    ) -> TableRunner:
        return TableRunner(
            state,
            epoch,
            self._looks,
            tail,
            self._store,
            self._bus,
            self._clock,
            self._entropy,
            self._lowest_minor,
            closed,
            seat,
        )

    async def _run(self, patron_id: int, runner: TableRunner) -> None:
        """Run the seat until it is idle and nobody waits for it, then let it go: no turn of the event loop lies between
        the two."""
        await runner.run()
        while self._wanted[patron_id] and not self._stopping:  # it was idle before who asked for it could get to it
            await asyncio.sleep(0)
            await runner.run()
        del self._seats[patron_id]
        del self._running[patron_id]

    async def resume(self) -> None:
        """After a start: carry the coups that were under way to their ends, whether or not their patrons come back."""
        for patron_id in await self._store.seats_under_way(self._table_no):
            if self._stopping:
                return
            try:
                await self.seat(patron_id)
            except Exception:  # one seat's trouble is not the others'
                log.exception("a seat was not taken up again", table=self._looks.table, patron=patron_id)

    async def stop(self) -> None:
        """Stop every seat in good order."""
        self._stopping = True
        for runner in self._seats.values():
            runner.stop()
        await asyncio.gather(*self._opening.values(), *self._running.values(), return_exceptions=True)
        await asyncio.gather(*self._running.values(), return_exceptions=True)
