"""The whole floor in virtual time: tables, patrons, processes and what befalls them, from one seed.

A run has two parts. First everything that the seed's weather has goes wrong, until enough rounds have ended. Then it
heals: nothing goes wrong any more, and every round must end within its bound, every request get its answer, every page
be told what is in the store.
"""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import structlog.testing

from bigroad.app.errors import RefillNotYet
from bigroad.app.lobby import TablePlan
from bigroad.app.store import StoreError
from bigroad.ledger import audit
from bigroad.protection.errors import ProtectionError
from bigroad.protection.guard import Rule
from bigroad.rules.paytables import STANDARD
from bigroad.rules.wagers import Area
from bigroad.simulation.faults import Fault, Weather
from bigroad.simulation.log import Log
from bigroad.simulation.pages import Page, Person
from bigroad.simulation.process import ServerProcess
from bigroad.simulation.store import DurableStore, Watching
from bigroad.simulation.told import Told
from bigroad.simulation.truth import ENDED, Truth
from bigroad.simulation.wire import Connection
from bigroad.simulation.world import NS_PER_MS, NS_PER_S, Breach, World, now
from bigroad.table.events import NEVER_NS
from bigroad.table.phases import Phase
from bigroad.table.terms import AreaLimit, ShoeRule, Terms, Timing
from bigroad.table.timing import Reveal
from bigroad.wire.server_events import Patron, TableTerms

BOUND_NS = 10 * NS_PER_S
LONGEST_SHOW_NS = 60 * NS_PER_S
PATIENCE_NS = 3_600 * NS_PER_S
CHIPS_MINOR = (1_000, 5_000, 25_000)


@dataclass(slots=True)
class Outcome:
    """What a seed came to. breach: None where nothing was wrong; trace: the last steps, for a breach."""

    seed: int
    rounds: int = 0
    voided: int = 0
    bets: int = 0
    automatic: int = 0
    steps: int = 0
    told: int = 0
    wishes: int = 0
    guarded_bets: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    digest: str = ""
    breach: str | None = None
    trace: list[str] = field(default_factory=list)


class Floor:
    """One seed's floor. Implements `pages.Door` and `process.Supervisor`."""

    def __init__(self, seed: int, disk: DurableStore | None = None) -> None:
        self.seed = seed
        self.world = World()
        self.weather = Weather(self.world, seed)
        self.log = Log(self.world)
        self.disk = disk or DurableStore()
        self.truth = Truth(self.disk, self.log, self._was_late)
        self.told = Told(self.truth)
        self.disk.witness = Watching(self.world, self.truth)
        self.pages: list[Page] = []
        self._dice = random.Random(f"{seed}:floor")
        self._entropy = random.Random(f"{seed}:entropy")
        self._whims = random.Random(f"{seed}:wishes")
        self._plans = [self._plan(number) for number in range(self._dice.randrange(2, 4))]
        self._private = {plan.looks.table for plan in self._plans if not plan.terms.clock}
        self._wished: tuple[int, Rule] | None = None
        self._start_minor = self._dice.choice((20_000, 200_000, 1_000_000))
        self._processes: list[ServerProcess] = []
        self._front: ServerProcess | None = None
        self._healing = False
        self._ready_ns = 0

    # ---- the run

    def play(self, rounds: int) -> Outcome:
        """Play until so many rounds have ended, then heal. Never raises Breach: it is in the outcome."""
        outcome = Outcome(self.seed)
        try:
            self._play(rounds)
        except Breach as breach:
            outcome.breach, outcome.trace = str(breach), self.log.tail()
        except Exception as problem:  # the simulation or the product threw where nothing may throw
            outcome.breach, outcome.trace = f"unhandled: {problem!r}", self.log.tail()
        finally:
            for process in self._processes:
                process.loop.die()
        truth = self.truth
        outcome.rounds, outcome.voided = truth.ended, truth.voided
        outcome.bets, outcome.automatic = truth.bets, truth.automatic
        outcome.wishes, outcome.guarded_bets = truth.wishes.count, truth.wishes.guarded_bets
        outcome.steps, outcome.told, outcome.digest = self.world.steps, self.told.told, self.log.digest
        outcome.faults = {kind.value: count for kind, count in sorted(self.weather.counts.items())}
        for page in self.pages:
            for code, count in page.answers.items():
                outcome.answers[code] = outcome.answers.get(code, 0) + count
        return outcome

    def _play(self, rounds: int) -> None:
        self._let_patrons_in()
        self._start_process()
        self._schedule_trouble()
        self._schedule_wish()
        if not self.world.run(PATIENCE_NS, lambda: self.truth.ended >= rounds):
            raise Breach("stuck", f"only {self.truth.ended} rounds ended in an hour")
        self._heal()

    # ---- who is here

    def _plan(self, number: int) -> TablePlan:
        """A table; the third one is for one patron at a time."""
        dice, name, clock = self._dice, f"table-{number + 1}", number != 2
        looks = TableTerms(name, name, "multiplayer-deluxe", "emerald", "female", 8, list(CHIPS_MINOR), 0, 0, [])
        looks = msgspec.structs.replace(looks, seats="many" if clock else "one", clock=clock)
        return TablePlan(looks, self._terms(clock=clock), dice.choice((300_000, 10**12)))

    def _terms(self, *, clock: bool) -> Terms:
        dice = self._dice
        least, most = dice.choice(((1_000, 50_000), (1_000, 2_500_000), (5_000, 25_000)))
        betting_ms, closing_ms = dice.choice((1_000, 2_500, 6_000)), dice.choice((100, 500, 2_000))
        timing = Timing(betting_ms, closing_ms, dice.choice((50, 200))) if clock else Timing(0, 0, 50)
        limits = tuple(AreaLimit(area, least, most) for area in Area)
        shoe: ShoeRule = "kept" if clock or dice.random() < 0.5 else "every_round"
        reveal = Reveal.HANDS if clock else Reveal.AS_DEALT
        return Terms(dice.choice((1, 2, 6, 8)), STANDARD, limits, timing, clock, shoe, reveal)

    def _let_patrons_in(self) -> None:
        for number in range(self._dice.randrange(3, 6)):
            made = self.disk.create_guest(f"Patron {number}", number.to_bytes(4, "big"), self._start_minor, 0)
            stored = now(made)
            eagerness = self._dice.choice((0.3, 0.6, 0.9))
            person = Person(
                Patron(stored.patron_id, stored.nickname), random.Random(f"{self.seed}:{number}"), eagerness
            )
            for _ in range(self._dice.choice((1, 1, 2, 3))):
                table = self._dice.choice(self._plans).looks.table
                page = Page(self, person, table, CHIPS_MINOR)
                self.pages.append(page)
                self.world.after(self._dice.randrange(3_000) * NS_PER_MS, page.come)

    # ---- processes

    def _start_process(self) -> ServerProcess:
        process = ServerProcess(
            len(self._processes) + 1,
            self.world,
            self.weather,
            self.disk,
            self.told,
            self,
            lambda: self._entropy.randbytes(32),
            self._start_minor,
            1_000,
        )
        self._processes.append(process)
        process.boot(self._plans)
        self.log.add(f"process {process.number} starts")
        return process

    def ready(self, process: ServerProcess) -> None:
        """See Supervisor."""
        self.log.add(f"process {process.number} is ready")
        self._front, self._ready_ns = process, self.world.now_ns

    def died(self, process: ServerProcess, how: str) -> None:
        """See Supervisor."""
        self.log.add(f"process {process.number} dies: {how}")
        for connection in process.connections:
            self.world.after(self._dice.randrange(200) * NS_PER_MS, connection.lost)
        if not any(other for other in self._processes if not other.is_dead):
            self.world.after(self._dice.choice((50, 800, 3_000)) * NS_PER_MS, self._start_if_none)

    def _start_if_none(self) -> None:
        if all(process.is_dead for process in self._processes):
            self._start_process()

    def _was_late(self, table: str, patron_id: int, request_id: str) -> str | None:
        loop = asyncio.get_running_loop()
        process = next(process for process in self._processes if process.loop is loop)
        return process.was_late(table, patron_id, request_id)

    # ---- the door

    def connect(self, page: Page, epoch: int | None, seq: int | None) -> Connection | None:
        """See pages.Door."""
        process = self._front
        if process is None or process.is_dead or process.is_leaving:
            return None
        desk = process.lobby.desk(page.table)
        if desk is None:
            return None
        channel = desk.channel(page.person.patron.patron_id)
        connection = Connection(self.world, self.weather, page, process, channel, page.person.patron)
        process.connections.append(connection)
        self.world.at(self.world.now_ns + NS_PER_MS, process.loop, connection.open, desk, epoch, seq)
        return connection

    def closes_ns(self, table: str) -> int | None:
        """See pages.Door."""
        process = self._front
        closes_ns = process.closes_ns(table) if process is not None else None
        if process is None or closes_ns is None or closes_ns == NEVER_NS:
            return None
        return closes_ns - process.offset_ns

    def sent(self, request_id: str, text: str) -> None:
        """See pages.Door."""
        self.told.variants.setdefault(request_id, set()).add(text)

    def refill(self, patron_id: int) -> None:
        """See pages.Door."""
        process = self._front
        if process is not None and not process.is_dead:
            self.world.at(self.world.now_ns, process.loop, self._refill, process, patron_id)

    @staticmethod
    def _refill(process: ServerProcess, patron_id: int) -> None:
        async def ask() -> None:
            with contextlib.suppress(RefillNotYet, StoreError):
                await process.lobby.cashier.refill(patron_id)

        process.loop.create_task(ask())

    def _schedule_wish(self) -> None:
        """On two of three floors somebody asks to be protected every few seconds."""
        if self.seed % 3:
            self.world.after(int(self._whims.expovariate(1 / 2.0) * NS_PER_S), self._wish)

    def _wish(self) -> None:
        process, dice = self._front, self._whims
        kind, duration_ms, for_good = dice.randrange(12), dice.choice((1_000, 8_000, 20_000)), dice.random() < 0.02
        amount = dice.choice((None, 8_000, 30_000, 80_000, 500_000))
        if kind > 3 or not self._wished:
            self._wished = (dice.choice(self.pages).person.patron.patron_id, dice.choice(list(Rule)))
        patron_id, rule = self._wished

        async def ask() -> None:
            guardian = process.lobby.guardian  # type: ignore[union-attr]
            with contextlib.suppress(ProtectionError, StoreError):
                if kind == 0:
                    await guardian.take_time_out(patron_id, duration_ms)
                elif kind == 1:
                    await guardian.confirm_limit(patron_id, rule)
                elif kind == 2:
                    await guardian.take_back_limit(patron_id, rule)
                elif kind == 3 and for_good:
                    await guardian.exclude(patron_id, None)
                else:
                    await guardian.want_limit(patron_id, rule, amount)

        if process is not None and not process.is_dead:
            self.world.at(self.world.now_ns, process.loop, lambda: process.loop.create_task(ask()))
        if not self._healing:
            self._schedule_wish()

    # ---- what befalls them

    def _schedule_trouble(self) -> None:
        if self.weather.events:
            self.world.after(int(self.weather.dice.expovariate(1 / 4.0) * NS_PER_S), self._trouble)

    def _trouble(self) -> None:
        if self._healing:
            return
        dice = self.weather.dice
        kind = dice.choice(self.weather.events)
        self._befall(kind)
        self._schedule_trouble()

    def _befall(self, kind: Fault) -> None:
        dice, counts, front = self.weather.dice, self.weather.counts, self._front
        living = [process for process in self._processes if not process.is_dead]
        duration_ns = int(dice.choice((300, 3_000, 12_000)) * dice.random()) * NS_PER_MS
        self.log.add(f"fault {kind}")
        match kind:
            case Fault.KILL if living:
                dice.choice(living).die(kind.value)
            case Fault.RESTART if front is not None and not (front.is_dead or front.is_leaving):
                front.stop()
            case Fault.SUSPEND if living:
                self._suspend(dice.choice(living), duration_ns)
            case Fault.SUSPEND_OVER_LOCK if front is not None and not front.is_dead:
                closes_ns = self.closes_ns(dice.choice(self._plans).looks.table)
                if closes_ns is None or closes_ns <= self.world.now_ns:
                    return
                self.world.at(closes_ns - dice.randrange(20) * NS_PER_MS, None, self._suspend, front, duration_ns)
            case Fault.CLOCK_JUMP:
                self.world.wall_shift_ms += dice.choice((-86_400_000, -3_600_000, -5_000, 5_000, 3_600_000, 86_400_000))
                self.truth.wall_is_steady = False
            case Fault.TWO_OWNERS if len(living) == 1 and living[0].is_ready:
                self._start_process()
            case Fault.CHANGED_TERMS if front is not None and not front.is_dead:
                self._change_terms(front)
            case Fault.DISK_FULL | Fault.BUSY:
                self.weather.begin(kind, duration_ns)
                return
            case Fault.DISCONNECT | Fault.SLOW_CLIENT:
                page = dice.choice(self.pages)
                if page.connection is None:
                    return
                if kind is Fault.DISCONNECT:
                    page.connection.end(1006, "cut")
                else:
                    page.connection.stall(paused=True)
                    self.world.after(duration_ns, _read_on, page.connection)
            case _:
                return
        counts[kind] += 1

    def _suspend(self, process: ServerProcess, duration_ns: int) -> None:
        if not process.is_dead:
            process.loop.suspend()
            self.world.after(duration_ns, process.loop.resume)

    def _change_terms(self, front: ServerProcess) -> None:
        at = self._dice.randrange(len(self._plans))
        plan = self._plans[at]
        changed = TablePlan(plan.looks, self._terms(clock=plan.terms.clock), plan.bankroll_minor)
        self._plans[at] = changed
        desk = front.lobby.desk(plan.looks.table)
        if desk is not None:
            self.world.at(self.world.now_ns, front.loop, desk.change_terms, changed.terms)

    # ---- healing

    def _heal(self) -> None:
        """Nothing goes wrong any more: see the module's words."""
        self._healing = True
        self.log.add("heal")
        self.weather.clear()
        for page in self.pages:
            page.calm_down()
            if page.connection is not None:
                page.connection.stall(paused=False)
        for process in self._processes[:-1]:
            process.die("the operator ends the older ones")
        latest = self._processes[-1]
        latest.loop.resume()
        began_ns = self.world.now_ns
        if not self.world.run(began_ns + BOUND_NS, self._is_served):
            latest = self._processes[-1]
            raise Breach("stuck", f"process {latest.number} does not get ready, or a table has stopped")
        running = {name: table.coup_no for name, table in self.truth.tables.items()}
        bound_ns = (
            self.world.now_ns
            + max(plan.terms.timing.betting_ms + plan.terms.timing.closing_ms for plan in self._all_plans()) * NS_PER_MS
            + LONGEST_SHOW_NS
            + BOUND_NS
        )
        if not self.world.run(bound_ns, lambda: self._ended_after(running, 0)):
            raise Breach("stuck", f"rounds that do not end: {self._phases()}")
        if not self.world.run(2 * bound_ns, lambda: self._ended_after(running, 1) and self._all_answered()):
            raise Breach("stuck", f"requests without an answer: {self._phases()}")
        self._look_at_all()

    def _all_plans(self) -> Sequence[TablePlan]:
        return self._plans

    def _is_served(self) -> bool:
        front = self._processes[-1]
        return front is self._front and front.is_ready and not front.is_dead and not front.is_leaving

    def _ended_after(self, running: dict[str, int], more: int) -> bool:
        for name, coup_no in running.items():
            table = self.truth.tables[name]
            if name.partition("/")[0] in self._private:
                if table.phase in (Phase.LOCKED, Phase.DEALT):
                    return False
                continue
            if table.coup_no < coup_no + more or (table.coup_no == coup_no + more and table.phase not in ENDED):
                return False
        return True

    def _all_answered(self) -> bool:
        return not any(page.unanswered for page in self.pages)

    def _phases(self) -> str:
        waits = {page.person.patron.patron_id: list(page.unanswered) for page in self.pages if page.unanswered}
        return f"{[(table.name, table.coup_no, table.phase.value) for table in self.truth.tables.values()]} {waits}"

    def _look_at_all(self) -> None:
        """The whole book, every coup, and what each page is told when it comes anew."""
        balances, transfers = now(self.disk.book())
        audit.verify_book(balances, transfers)
        for account, balance in balances.items():
            if balance != self.truth.book.balance(account):
                raise Breach("I1", f"{account}: {balance} in the store, {self.truth.book.balance(account)} due")
        for table in self.truth.tables.values():
            coups = now(self.disk.coups(table.table_no))
            if [coup.coup_no for coup in coups] != list(range(1, table.coup_no + 1)):
                raise Breach("I6", f"{table.name}: the numbers of its coups have holes")
            if any(coup.phase not in ENDED for coup in coups[:-1]):
                raise Breach("I6", f"{table.name}: a coup has not ended")
        for page in self.pages:
            page.come(anew=True)
        if not self.world.run(self.world.now_ns + BOUND_NS, lambda: all(page.you for page in self.pages)):
            raise Breach("stuck", "a page is not greeted")


def _read_on(connection: Connection) -> None:
    connection.stall(paused=False)


def play(seed: int, rounds: int, disk: DurableStore | None = None) -> Outcome:
    """Play one seed, silently."""
    with structlog.testing.capture_logs():
        return Floor(seed, disk).play(rounds)
