"""The floor: every table under its runner, and the cashier."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import structlog

from bigroad.app.cashier import GuestCashier
from bigroad.app.clock import Clock
from bigroad.app.ports import Bus, News
from bigroad.app.recovery import recovered
from bigroad.app.store import Store
from bigroad.app.table_runner import TableRunner
from bigroad.table.phases import Phase
from bigroad.table.terms import Terms
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
    """Implements `bigroad.app.ports.Floor` for tables that all run in this process."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        clock: Clock,
        entropy: Callable[[], bytes],
        start_minor: int,
        lowest_minor: int,
    ) -> None:
        self._store, self._bus, self._clock, self._entropy = store, bus, clock, entropy
        self._runners: dict[str, TableRunner] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._lowest_minor = lowest_minor
        self._cashier = GuestCashier(store, clock, start_minor, lowest_minor, self._tell_balance)

    @property
    def cashier(self) -> GuestCashier:
        """See Floor."""
        return self._cashier

    def utc_ms(self) -> int:
        """See Floor."""
        return self._clock.utc_ms()

    def desk(self, table: str) -> TableRunner | None:
        """See Floor."""
        return self._runners.get(table)

    def desks(self) -> Sequence[TableRunner]:
        """See Floor."""
        return list(self._runners.values())

    async def open_table(self, plan: TablePlan) -> TableRunner:
        """Claim the table, recover it from the store, and have it ready to run."""
        name = plan.looks.table
        claim = await self._store.claim(name, plan.bankroll_minor, self._clock.utc_ms())
        stored = await self._store.load(claim.table_no)
        state = recovered(claim.table_no, stored, plan.terms, self._clock)
        looks = msgspec.structs.replace(plan.looks, areas=translate.areas(plan.terms))
        runner = TableRunner(
            state,
            claim.epoch,
            looks,
            stored.events,
            self._store,
            self._bus,
            self._clock,
            self._entropy,
            self._lowest_minor,
        )
        self._runners[name] = runner
        if state.phase not in (Phase.CLOSED, Phase.VOIDED):
            log.info("coup found", table=name, coup=state.coup_no, phase=state.phase.value, bets=len(state.bets))
        return runner

    def start(self) -> None:
        """Let the tables run. Needs a running event loop."""
        self._tasks = [asyncio.create_task(runner.run()) for runner in self._runners.values()]

    async def stop(self) -> list[str]:
        """Stop in good order: pages are told, nothing is decided, what is under way is kept. Answers one sentence a
        table about what happens to its running coup."""
        for runner in self._runners.values():
            runner.stop()
            if not self._tasks:
                await runner.pump()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.close()
        return [farewell(name, runner) for name, runner in self._runners.items()]

    def _tell_balance(self, patron_id: int, balance_minor: int) -> None:
        body = translate.encode(server_events.BalanceChanged(balance_minor, "refill"))
        for table in self._runners:
            self._bus.publish(table, [News(body, patron_id)])


def farewell(name: str, runner: TableRunner) -> str:
    """What becomes of the table's running coup."""
    state = runner.state
    where = f"{name}: coup {state.coup_no}"
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
        case _:
            return f"{where} has ended and is paid."
