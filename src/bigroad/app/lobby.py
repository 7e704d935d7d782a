"""The floor: every table under its runner, those for one patron with their seats, and the cashier."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import msgspec
import structlog

from bigroad.app import crash_points
from bigroad.app.accounts import Accounts
from bigroad.app.cashier import GuestCashier
from bigroad.app.clock import Clock
from bigroad.app.invariants import verify_recovered
from bigroad.app.ports import Bus, News
from bigroad.app.private_table import PrivateTable
from bigroad.app.protection import PatronGuardian
from bigroad.app.pulse import Pulse
from bigroad.app.recovery import recovered
from bigroad.app.store import NEVER_OPENED, Claim, Store, StoredTable
from bigroad.app.table_runner import BROKEN, TableRunner
from bigroad.table.machine import first_state
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from bigroad.table.terms import Terms, Timing
from bigroad.wire import server_events, translate
from bigroad.wire.server_events import TableTerms

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table that is to be open. looks.areas is filled from the terms."""

    looks: TableTerms
    terms: Terms
    bankroll_minor: int


class Lobby:
    """Implements `bigroad.app.ports.Floor` for tables that all run in this process.

    closed: why no table may deal; they are shown then and nothing else. accounts: the desk for accounts, if any.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        entropy: Callable[[], bytes],
        start_minor: int,
        lowest_minor: int,
        closed: str | None = None,
        accounts: Accounts | None = None,
    ) -> None:
        self.accounts = accounts
        self._store, self._bus, self._clock, self._entropy = store, bus, clock, entropy
        self._desks: dict[str, TableRunner | PrivateTable] = {}
        self._left_over: list[TableRunner | PrivateTable] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._watching: asyncio.Task[None] | None = None
        self._lowest_minor = lowest_minor
        self._closed = closed
        self._pulse = Pulse(store)
        self._guardian = PatronGuardian(store, clock)
        told, name_of = self._tell_balance, self._name_of
        keeping = (accounts.options, accounts.used) if accounts is not None else ()
        self._cashier = GuestCashier(store, clock, start_minor, lowest_minor, told, name_of, *keeping)

    @property
    def cashier(self) -> GuestCashier:
        """See Floor."""
        return self._cashier

    @property
    def guardian(self) -> PatronGuardian:
        """See Floor."""
        return self._guardian

    def utc_ms(self) -> int:
        """See Floor."""
        return self._clock.utc_ms()

    async def can_write(self) -> bool:
        """See Floor."""
        return await self._pulse.beats()

    def desk(self, table: str) -> TableRunner | PrivateTable | None:
        """See Floor."""
        return self._desks.get(table)

    def desks(self) -> Sequence[TableRunner | PrivateTable]:
        """See Floor."""
        return list(self._desks.values())

    async def open_table(self, plan: TablePlan) -> TableRunner | PrivateTable:
        """Claim the table, recover it from the store, and have it ready to run."""
        name = plan.looks.table
        if plan.looks.seats == "one":
            return await self._open_private(plan)
        epoch, stored, state, closed = await self._taken_over(plan)
        await self._carry_on_seats(plan, state.table_no)
        runner = self._runner(plan, state, epoch, stored, closed)
        crash_points.reached("table.recovered")
        self._desks[name] = runner
        if state.phase not in (Phase.CLOSED, Phase.VOIDED):
            log.info("coup found", table=name, coup=state.coup_no, phase=state.phase.value, bets=len(state.bets))
        return runner

    async def _open_private(self, plan: TablePlan) -> PrivateTable:
        """The table's bank is claimed; its seats are when their patrons come. A coup of the days when it was shared is
        carried to its end."""
        epoch, stored, state, closed = await self._taken_over(plan)
        if state.bets and not state.ended:
            self._left_over.append(self._runner(plan, state, epoch, stored, closed))
        private = self._private(state.table_no, plan, plan.terms)
        self._desks[plan.looks.table] = private
        return private

    async def _carry_on_seats(self, plan: TablePlan, table_no: int) -> None:
        """Coups of the days when each patron played alone here are carried to their ends."""
        if table_no and await self._store.seats_under_way(table_no):
            alone = replace(plan.terms, clock=False, timing=Timing(0, 0, plan.terms.timing.pace_permille))
            self._left_over.append(self._private(table_no, plan, alone))

    def _private(self, table_no: int, plan: TablePlan, terms: Terms) -> PrivateTable:
        return PrivateTable(
            table_no,
            plan.looks,
            terms,
            self._store,
            self._bus,
            self._clock,
            self._entropy,
            self._lowest_minor,
            self._closed,
        )

    def _runner(
        self, plan: TablePlan, state: TableState, epoch: int, stored: StoredTable, closed: str | None
    ) -> TableRunner:
        return TableRunner(
            state,
            epoch,
            msgspec.structs.replace(plan.looks, areas=translate.areas(plan.terms)),
            stored.events,
            self._store,
            self._bus,
            self._clock,
            self._entropy,
            self._lowest_minor,
            closed,
        )

    async def _taken_over(self, plan: TablePlan) -> tuple[int, StoredTable, TableState, str | None]:
        """Epoch, rows and state of a table, and why it stays closed. One that may not deal is not claimed; one whose
        rows are not sound is stopped, alone."""
        name = plan.looks.table
        if self._closed is None:
            claim = await self._store.claim(name, plan.bankroll_minor, self._clock.utc_ms())
            crash_points.reached("table.claimed")
        else:
            log.critical("table stays closed", table=name, reason=self._closed)
            claim = Claim(await self._store.table_no(name) or 0, 0)
        stored = await self._store.load(claim.table_no) if claim.table_no else NEVER_OPENED
        try:
            state = recovered(claim.table_no, stored, plan.terms, self._clock)
            if stored.last is not None:
                verify_recovered(state, stored)
        except Exception as problem:
            log.critical("table stopped", table=name, problem=repr(problem), exc_info=problem)
            return claim.epoch, NEVER_OPENED, first_state(claim.table_no, plan.terms, self._clock.now_ns()), BROKEN
        return claim.epoch, stored, state, self._closed

    def halt(self, table: str, problem: Exception) -> None:
        """Stop a table, or a seat of a table for one patron, of which something wrong is kept; no other."""
        name, _, patron = table.partition("/")
        desk = self._desks.get(name)
        if isinstance(desk, PrivateTable):
            desk.halt(problem, int(patron) if patron.isdecimal() else None)
        elif desk is not None:
            desk.halt(problem)

    def start(self) -> None:
        """Let the tables run. Needs a running event loop."""
        self._tasks = [
            asyncio.create_task(desk.run() if isinstance(desk, TableRunner) else desk.resume())
            for desk in (*self._desks.values(), *self._left_over)
        ]
        if self.accounts is not None:
            self._watching = asyncio.create_task(self.accounts.watch())

    async def stop(self) -> list[str]:
        """Stop in good order: pages are told, nothing is decided, what is under way is kept. Answers one sentence a
        table about what happens to its running coup."""
        words = []
        for name, desk in self._desks.items():
            if isinstance(desk, PrivateTable):
                words.append(private_farewell(name, desk))
                await desk.stop()
            else:
                desk.stop()
                if not self._tasks:
                    await desk.pump()
        for left in self._left_over:
            if isinstance(left, PrivateTable):
                await left.stop()
            else:
                left.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        if self.accounts is not None:
            self.accounts.stop()
        await self._store.close()
        shared = [farewell(name, desk) for name, desk in self._desks.items() if isinstance(desk, TableRunner)]
        return [*shared, *words]

    def _tell_balance(self, patron_id: int, balance_minor: int) -> None:
        body = translate.encode(server_events.BalanceChanged(balance_minor, "refill"))
        for desk in self._desks.values():
            self._bus.publish(desk.channel(patron_id), [News(body, patron_id)])

    def _name_of(self, table: str) -> str:
        """A table's name; of one that is no longer there, its id."""
        desk = self._desks.get(table)
        return desk.terms.name if desk is not None else table


def private_farewell(name: str, table: PrivateTable) -> str:
    """What becomes of the coups under way at the seats of a table for one patron."""
    running = sum(bool(seat.state.bets) and not seat.state.ended for seat in table.seats)
    if running == 0:
        return f"{name}: no coup is under way. Every seat goes on where it was."
    coups = "1 coup is" if running == 1 else f"{running} coups are"
    return f"{name}: {coups} under way. What is not paid yet is paid at the next start."


def farewell(name: str, runner: TableRunner) -> str:
    """What becomes of the table's running coup."""
    state = runner.state
    where = f"{name}: coup {state.coup_no}"
    match runner.stopped:
        case None:
            pass
        case "taken_over":
            return f"{where} is another server's, which has taken the table over."
        case "restored":
            return f"{name}: it did not deal. `bigroad accept-restore` takes the older database up."
        case _:
            return f"{where} was stopped. `bigroad audit` says more; look at it before the next start."
    match state.phase:
        case Phase.OPEN:
            return (
                f"{where} is open with {len(state.bets)} bets. Started again before its close it goes on; "
                "later it is void and every stake is back."
            )
        case Phase.LOCKED:
            return f"{where} is locked with {len(state.bets)} bets. It is dealt and paid at the next start."
        case Phase.DEALT:
            return f"{where} is dealt. It is paid at the next start."
        case Phase.VOIDED:
            return f"{where} was voided, and every stake is back."
        case _:
            return f"{where} has ended and is paid."
