"""Runs one table: feeds its machine commands and time, keeps what it says, then tells.

Everything for the table goes through one ordered inbox. A command is stamped when it is taken; the clock's own
command follows whatever was taken before its deadline, so that what was accepted is exactly what is locked. Commands
that wait together are judged in one transaction. The machine's next state replaces the old one only after the commit.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import structlog

from bigroad.app import crash_points, log_records
from bigroad.app.clock import Clock
from bigroad.app.coalesced import Coalesced
from bigroad.app.doubt import found
from bigroad.app.greeting import Greeting, greeting_frames, own_side, table_row
from bigroad.app.invariants import verify
from bigroad.app.judging import judged
from bigroad.app.past import past_coup, past_shoe
from bigroad.app.ports import Bus, News
from bigroad.app.reception import Guest, Reception
from bigroad.app.recording import Record
from bigroad.app.store import TAIL, Changes, Purse, StaleOwner, Store, StoreError, refill_due
from bigroad.app.texts import terms_text
from bigroad.ledger.errors import InvariantBroken
from bigroad.protection.periods import day_of, oldest_day
from bigroad.table import commands
from bigroad.table.commands import Command, Funds, PatronCommand, Stop, Tick
from bigroad.table.errors import Refusal
from bigroad.table.events import NEVER_NS, Stakes
from bigroad.table.phases import Phase
from bigroad.table.rounds import rules_wait
from bigroad.table.state import TableState
from bigroad.table.terms import Terms
from bigroad.wire import server_events, translate
from bigroad.wire.client_messages import Submit, TableCommand
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Patron, TableTerms
from bigroad.wire.session import CoupRecord, OwnSeat, ShoeRecord, TableRow

log = structlog.get_logger()

BATCH = 2000
SEAT_TAIL = 12
"""Public events that are kept of one patron's own table: a page that missed more gets a snapshot, which is small."""
RETRY_NS = 250_000_000
ASKED_MOST = 2_000
"""So many commands of one patron are heard in one coup."""
BROKEN = "broken"
TAKEN_OVER = "taken_over"
NAP_S = 1.0
"""No longer wait: a machine that was suspended finds out at once that time has passed."""


@dataclass(slots=True)
class _Taken:
    """A command in the inbox, stamped."""

    command: PatronCommand
    at_ns: int
    answer: asyncio.Future[bytes | None]


@dataclass(slots=True)
class _Edit:
    """A change of the state that the machine is not asked about: other terms."""

    edit: Callable[[TableState], TableState]


@dataclass(slots=True)
class _Halt:
    """Something is wrong with what is kept of the table: it is to stop, loudly."""

    problem: Exception


class _Stop:
    """The server goes down in good order."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One patron's own table. channel: what the bus calls its news."""

    patron_id: int
    channel: str


Item = _Taken | _Edit | _Halt | _Stop


class TableRunner:
    """One table under a clock. Implements `bigroad.app.ports.TableDesk`.

    terms: looks and name; rules and limits are the machine's. entropy: answers 32 fresh random bytes. lowest_minor:
    below this much a patron may ask for a refill. closed: why the table does not deal, for one that is only shown.
    seat: set where the table is one patron's own.
    """

    def __init__(
        self,
        state: TableState,
        epoch: int,
        terms: TableTerms,
        tail: Sequence[tuple[int, bytes]],
        store: Store,
        bus: Bus,
        clock: Clock,
        entropy: Callable[[], bytes],
        lowest_minor: int,
        closed: str | None = None,
        seat: Seat | None = None,
    ) -> None:
        self._state, self._epoch, self._terms = state, epoch, terms
        self._lowest_minor, self._seat = lowest_minor, seat
        self._channel = seat.channel if seat else terms.table
        self._kept_events = SEAT_TAIL if seat else TAIL
        self._store, self._bus, self._clock, self._entropy = store, bus, clock, entropy
        self._tail: deque[tuple[int, bytes]] = deque(tail, maxlen=self._kept_events)
        self._inbox: deque[Item] = deque()
        self._reception, self._coalesced = Reception(), Coalesced()
        self._wake = asyncio.Event()
        self._stopping = False
        self._broken = closed
        self._only_shown = closed is not None
        self._retry_ns = 0
        self._in_doubt = False
        self._asked: dict[int, int] = {}
        self._asked_coup = 0

    @property
    def state(self) -> TableState:
        """The table as last committed."""
        return self._state

    @property
    def terms(self) -> TableTerms:
        """See TableDesk."""
        return msgspec.structs.replace(self._terms, areas=translate.areas(self._state.coup_terms))

    def change_terms(self, terms: Terms) -> None:
        """Other rules from the next coup on; the running one keeps its own."""
        self._take(_Edit(lambda state: with_terms(state, terms, self._clock.now_ns())))

    def halt(self, problem: Exception) -> None:
        """Something is wrong with what is kept of it: decide nothing more, after what was taken before."""
        self._take(_Halt(problem))

    @property
    def is_open(self) -> bool:
        """See TableDesk."""
        return not (self._broken or self._stopping)

    @property
    def stopped(self) -> str | None:
        """Why the table does not deal, None while it does."""
        return self._broken

    @property
    def is_idle(self) -> bool:
        """Nobody is here, nothing waits, and nothing will happen until somebody comes."""
        if self._reception.patrons or self._waits or self._in_doubt:
            return False
        waits = not self._broken and self._state.phase is Phase.OPEN and self._state.due_ns >= NEVER_NS
        return waits or self._only_shown

    def channel(self, patron_id: int) -> str:
        """See TableDesk."""
        return self._channel

    async def row(self, patron_id: int | None = None) -> TableRow:
        """See TableDesk."""
        own = None
        if self._seat is not None:
            waits = bool(self._state.bets) and not self._state.ended
            own = OwnSeat("waits" if waits else "free", self._state.coup_no)
        return table_row(self._state, self.terms, self._reception.patrons, not self.is_open, own)

    async def shoe(self, number: int, patron_id: int | None = None) -> ShoeRecord | None:
        """See TableDesk."""
        return await past_shoe(self._store, self._state, self._terms.table, number)

    async def coup(self, number: int, patron_id: int | None) -> CoupRecord | None:
        """See TableDesk."""
        return await past_coup(self._store, self._state, self._terms, number, patron_id)

    async def greet(
        self, patron: Patron, epoch: int | None, seq: int | None, join: Callable[[Sequence[bytes]], None]
    ) -> None:
        """See TableDesk."""
        done = self._reception.queue(Greeting(patron, epoch, seq, join))
        self._wake.set()
        await done

    def leave(self, patron_id: int) -> None:
        """See TableDesk."""
        self._reception.leave(patron_id)
        self._volatile_due()

    def command(self, patron_id: int, message: TableCommand) -> "asyncio.Future[bytes | None]":
        """See TableDesk."""
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        command = PatronCommand(
            patron_id, message.request_id, message.coup, translate.act_of(message), self._clock.utc_ms()
        )
        if self._asks_too_much(patron_id, bets=isinstance(message, Submit)):
            answer.set_result(self._refusal(command, Fault.RATE_LIMITED))
            return answer
        self._take(_Taken(command, self._clock.now_ns(), answer))
        if isinstance(message, Submit):
            crash_points.reached("bet.received")
        return answer

    def _asks_too_much(self, patron_id: int, *, bets: bool) -> bool:
        """Whether the patron has asked for more in this coup than anybody needs; every answer is remembered till the
        coup after it, so that a retry gets the same. BET is heard for longer, since it ends the coup of a patron alone.
        """
        if self._asked_coup != self._state.coup_no:
            self._asked_coup = self._state.coup_no
            self._asked.clear()
        asked = self._asked.get(patron_id, 0)
        self._asked[patron_id] = asked + 1
        return asked >= (2 * ASKED_MOST if bets else ASKED_MOST)

    @property
    def _waits(self) -> bool:
        """Whether anybody has asked for anything."""
        return bool(self._inbox) or self._reception.waits

    def _take(self, item: Item) -> None:
        self._inbox.append(item)
        self._wake.set()

    # ---- time

    @property
    def next_ns(self) -> int:
        """When `pump` has something to do though nobody asks."""
        due = None
        if not (self._broken or self._stopping):
            due = self._retry_ns if self._in_doubt else max(self._state.due_ns, self._retry_ns)
        moments = [moment for moment in (due, self._coalesced.due_ns) if moment is not None]
        return min(moments) if moments else NEVER_NS

    async def run(self) -> None:
        """Serve the table under the real clock until `stop`, or, where it is one patron's own, until it is idle."""
        while not ((self._stopping and not self._waits) or (self._seat is not None and self.is_idle)):
            try:
                await self.pump()
            except MemoryError as problem:
                self._doubt(problem)
            except Exception as problem:  # the last resort: a table never goes silent
                if not self._broken:
                    self._break([], problem)
                await asyncio.sleep(NAP_S)
            if self._waits or self._stopping:
                continue
            self._wake.clear()
            next_ns = self.next_ns
            wait_s = (next_ns - self._clock.now_ns()) / 1e9
            if next_ns >= NEVER_NS and not self._broken:
                if self._seat is None or not self.is_idle:
                    await self._wake.wait()
            elif wait_s > 0:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), min(wait_s, NAP_S))

    def stop(self) -> None:
        """Tell the pages that the server goes down, after what was taken before. Nothing is decided: the coup goes on
        after the restart. `run` ends then."""
        self._take(_Stop())

    async def pump(self) -> None:
        """Do all that is due now: the inbox first, then the arrows of the round, then who waits to be greeted: a crowd
        that comes back at once holds up neither a bet nor the deal."""
        try:
            await self._do_all()
        except MemoryError as problem:  # as a commit that failed: nothing is known to be kept, and time may help
            self._doubt(problem)
        self._tell_volatile()

    async def _do_all(self) -> None:
        while True:
            if self._in_doubt and not self._broken and (self._waits or self._clock.now_ns() >= self._retry_ns):
                await self._resolve_doubt()
            self._state = self._reception.forget_gone(self._state)
            if self._inbox:
                await self._serve_inbox()
            elif self._tick_due():
                await self._commit([(self._tick(), self._clock.now_ns())])
            elif self._reception.waits:
                await self._serve_greetings()
            else:
                break

    def _tick_due(self) -> bool:
        if self._broken or self._stopping:
            return False
        return self._clock.now_ns() >= max(self._state.due_ns, self._retry_ns)

    def _tick(self) -> Tick:
        entropy = self._entropy() if self._state.ended else b""
        return Tick(self._clock.utc_ms(), entropy)

    # ---- the inbox

    async def _serve_inbox(self) -> None:
        match self._inbox[0]:
            case _Taken():
                await self._serve_commands()
            case _Edit(edit):
                self._inbox.popleft()
                self._state = edit(self._state)
            case _Halt(problem):
                self._inbox.popleft()
                if self.is_open:
                    self._break([], problem)
                    await self._keep_break(problem)
            case _Stop():
                self._inbox.popleft()
                if not self._broken and not self._stopping:
                    await self._commit([(Stop(self._clock.utc_ms()), self._clock.now_ns())])
                self._stopping = True

    async def _serve_commands(self) -> None:
        batch: list[_Taken] = []
        while self._inbox and len(batch) < BATCH and isinstance(item := self._inbox[0], _Taken):
            self._inbox.popleft()
            batch.append(item)
        try:
            replies = await self._commit([(taken.command, taken.at_ns) for taken in batch])
        except MemoryError as problem:
            for taken in batch:
                if not taken.answer.done():
                    taken.answer.set_exception(StoreError(f"no memory: {problem}"))
            raise
        for at, taken in enumerate(batch):
            if not taken.answer.done():
                taken.answer.set_result(replies.get(at))
            if isinstance(taken.command.act, commands.Submit):
                crash_points.reached("bet.answered")

    async def _serve_greetings(self) -> None:
        """Greet some of those who wait. Nothing is decided between what is looked up for them and their joining."""
        if self._in_doubt:
            self._reception.turn_away(StoreError("what was kept last is not known yet"))
            return
        for known in await self._reception.next(self._store, self._state):
            self._welcome(*known)

    def _welcome(self, guest: Guest, purse: Purse, last: Stakes | None) -> None:
        patron_id = guest.patron_id
        if last is not None:
            self._state = replace(self._state, last_stakes=self._state.last_stakes.set(patron_id, last))
        self._reception.enter(patron_id)
        try:
            frames = greeting_frames(
                guest.greeting,
                self._state,
                self._epoch,
                self.terms,
                self._tail,
                purse,
                self._reception.patrons,
                self._clock.utc_ms(),
                refill_due(purse, self._lowest_minor, self._clock.utc_ms()),
                self._closed(self._broken) if self._broken else self._closed("stopping") if self._stopping else None,
            )
            guest.greeting.join(frames)
        except Exception as problem:  # one socket's trouble is not the table's
            log.exception("a socket could not join", table=self._terms.table)
            self.leave(patron_id)
            guest.failed(problem)
            return
        self._volatile_due()
        crash_points.reached("seat.joined")
        guest.greeted()

    # ---- keep, then tell

    async def _commit(self, commands: Sequence[tuple[Command, int]]) -> dict[int, bytes]:
        """Judge the commands in one transaction; answers the replies by position."""
        if self._broken or self._stopping:
            return self._refuse_all(commands, Refusal.TABLE_CLOSED)
        if self._in_doubt:
            return self._refuse_all(commands, Fault.STORE_UNAVAILABLE)
        before, patrons = self._state, self._patrons_of(commands)
        kept: list[tuple[TableState, Record]] = []
        rules_before = terms_text(before.coup_terms) if before.opening is not None else None

        def decide(funds: Funds) -> Changes:
            kept.clear()
            changes = Changes(before.table_no, self._epoch, self._clock.utc_ms(), tail=self._kept_events)
            state, record, failed, taken_ns = judged(before, commands, funds, self._terms.table, changes, rules_before)
            record.replies.update(self._refuse_all(commands, Fault.INTERNAL, failed))
            if ahead_ms := self._clock.wall_ahead_ms():
                changes.log = log_records.flagged(changes.log, ahead_ms)
            verify(changes, before, state, funds, taken_ns)
            _reached(changes, "decided")
            kept.append((state, record))
            return changes

        try:
            await self._store.commit(before.table_no, patrons, decide, _since_day(commands))
        except StaleOwner as problem:
            return self._break(commands, problem, TAKEN_OVER)
        except InvariantBroken as problem:
            replies = self._break(commands, problem)
            await self._keep_break(problem)
            return replies
        except (StoreError, MemoryError) as problem:
            self._doubt(problem)
            return self._refuse_all(commands, Fault.STORE_UNAVAILABLE)
        except Exception as problem:
            log.exception("a step failed", table=self._terms.table)
            replies = self._break(commands, problem)
            await self._keep_break(problem)
            return replies
        state, record = kept[-1]
        _reached(record.changes, "kept")
        self._state = state
        try:
            if record.news:
                self._bus.publish(self._channel, record.news)
        except MemoryError:
            self._state = before  # kept and not told: it is found in the rows again, and told then
            raise
        self._tail.extend(record.changes.events)
        _reached(record.changes, "told")
        if record.totals_changed:
            self._volatile_due()
        return record.replies

    def _doubt(self, problem: Exception) -> None:
        """A step was not kept, as far as is known: see what was before anything else is done."""
        log.error("the store did not keep a step", table=self._terms.table, problem=repr(problem))
        self._in_doubt = True
        self._retry_ns = self._clock.now_ns() + RETRY_NS

    async def _resolve_doubt(self) -> None:
        """After a commit that failed: see what was kept of it all the same, go on from there, and tell it."""
        try:
            stored = await self._store.load(self._state.table_no)
            kept = found(self._state, stored, self._clock)
            purses = await self._store.purses(list(kept.patrons)) if kept else {}
        except StoreError as problem:
            log.error("the store does not say what it kept", table=self._terms.table, problem=str(problem))
            self._retry_ns = self._clock.now_ns() + RETRY_NS
            return
        self._in_doubt = False
        if kept is None:
            return
        log.warning("the store had kept a step", table=self._terms.table, coup=kept.state.coup_no)
        self._state = kept.state
        self._tail.extend(kept.events)
        news = [News(body) for _, body in kept.events]
        for patron_id, purse in purses.items():
            can_refill = refill_due(purse, self._lowest_minor, self._clock.utc_ms())
            own = own_side(self._state, patron_id, purse.available_minor, can_refill)
            news.append(News(translate.encode(own), patron_id))
        self._bus.publish(self._channel, news)
        self._volatile_due()

    def _patrons_of(self, commands: Sequence[tuple[Command, int]]) -> list[int]:
        ids: set[int] = set()
        for command, _ in commands:
            if isinstance(command, PatronCommand):
                ids.add(command.patron_id)
            elif isinstance(command, Tick) and self._state.phase is Phase.OPEN:
                ids.update(self._state.drafts.keys())
                ids.update(self._state.bets.keys())
            elif isinstance(command, Tick) and self._state.phase is Phase.DEALT:
                ids.update(self._state.bets.keys())
        return sorted(ids)

    def _refuse_all(
        self, commands: Sequence[tuple[Command, int]], code: str, places: Iterable[int] | None = None
    ) -> dict[int, bytes]:
        """Refuse the commands at these places of the batch; None: all of them."""
        return {
            at: self._refusal(command, code)
            for at in (range(len(commands)) if places is None else places)
            if isinstance(command := commands[at][0], PatronCommand)
        }

    @staticmethod
    def _refusal(command: PatronCommand, code: str) -> bytes:
        return translate.encode(server_events.Refused(command.request_id, command.coup_no, code, {}))

    def _break(
        self, commands: Sequence[tuple[Command, int]], problem: Exception, reason: str = BROKEN
    ) -> dict[int, bytes]:
        """Stop this table, loudly; no other. What was not kept has not happened."""
        self._broken = reason
        log.critical("table stopped", table=self._terms.table, coup=self._state.coup_no, problem=repr(problem))
        self._bus.publish(self._channel, [News(translate.encode(self._closed(reason)))])
        return self._refuse_all(commands, Refusal.TABLE_CLOSED)

    async def _keep_break(self, problem: Exception) -> None:
        """Have the log of rounds say that the table broke off, if it can be had."""
        state = self._state
        record = log_records.stopped(state.table_no, state.coup_no, BROKEN, repr(problem)[:500])
        changes = Changes(state.table_no, self._epoch, self._clock.utc_ms(), log=[record])
        try:
            await self._store.commit(state.table_no, [], lambda funds: changes)
        except Exception:
            log.exception("the log of rounds does not say that the table stopped", table=self._terms.table)

    def _closed(self, reason: str) -> server_events.TableClosed:
        """The number after the last one, never kept: nothing follows in this epoch."""
        return server_events.TableClosed(
            self._terms.table, self._epoch, self._state.seq + 1, self._clock.utc_ms(), reason
        )

    # ---- gold totals and presence: coalesced, the newest always told

    def _volatile_due(self) -> None:
        if self._coalesced.changed(self._clock.now_ns(), self._reception.patrons):
            self._wake.set()

    def _tell_volatile(self) -> None:
        news = self._coalesced.take(self._state, self._clock.now_ns(), self._reception.patrons)
        if news:
            self._bus.publish(self._channel, news)


def _since_day(commands: Sequence[tuple[Command, int]]) -> int:
    """The first UTC day that a limit counts at the earliest of these commands."""
    moments = [command.at_utc_ms if isinstance(command, PatronCommand) else command.utc_ms for command, _ in commands]
    return oldest_day(day_of(min(moments)))


def _reached(changes: Changes, moment: str) -> None:
    if crash_points.armed():
        crash_points.reached(f"{changes.arrow}.{moment}")


def with_terms(state: TableState, terms: Terms, now_ns: int) -> TableState:
    """Other rules from the next coup on; where no clock would ever bring it, the one without a bet makes room."""
    state = replace(state, terms=terms)
    return replace(state, due_ns=now_ns) if rules_wait(state) else state
