"""A round's transitions with 1,000 bets, in a database without history and in one with a million settled bets.

The history is made by set SQL, the same rows as rounds leave. The rounds are those of the server: its runner, its
machine, its store, in simulated time, so that nothing but the work is measured.
"""

import asyncio
import gc
import hashlib
import math
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from benching import rows
from benching.figure import Figure
from bigroad.app.clock import SimulatedClock
from bigroad.app.ports import Listener, News
from bigroad.app.recovery import recovered
from bigroad.app.table_runner import TableRunner
from bigroad.app.texts import shoe_text, terms_text
from bigroad.compose import table_plan
from bigroad.ledger.accounts import coup_key
from bigroad.rules.shoe import Shoe
from bigroad.settings import Settings
from bigroad.storage.eras import ERA_BETS
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage

BETS = 1_000_000
PATRONS, BETS_A_ROUND, ROUNDS = 10_000, 1_000, 100
ARROWS = (Phase.OPEN, Phase.LOCKED, Phase.DEALT, Phase.SETTLED, Phase.CLOSED)
WAITS, WAIT_S = (Phase.OPEN, Phase.LOCKED, Phase.SETTLED), 0.15
"""After these a table waits for seconds, and the store has time to tidy up; here for a moment."""
PLAN = table_plan(Settings().tables[0])


class Nobody:
    """A bus without listeners."""

    def publish(self, table: str, news: Sequence[News]) -> None:
        """Nobody hears it."""

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        """Nobody does."""
        raise NotImplementedError


def run() -> list[Figure]:
    """With a million bets."""
    return measure(BETS)


def measure(bets: int) -> list[Figure]:
    """Rounds in turn in the empty and in the full database."""
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty.sqlite3"), Path(folder, "full.sqlite3")
        begun = time.perf_counter()
        make(empty, 0)
        make(full, bets)
        made_s = time.perf_counter() - begun
        without, with_history = asyncio.run(_play(empty, full))
    shares = [_p99(with_history[phase]) / _p99(without[phase]) for phase in ARROWS]
    rounds = [
        [sum(took) for took in zip(*(times[phase] for phase in ARROWS), strict=True)]
        for times in (without, with_history)
    ]
    names = ", ".join(f"{phase.value} {share:.2f}" for phase, share in zip(ARROWS, shares, strict=True))
    note = f"{bets:,} settled bets, made in {made_s:.0f} s; {ROUNDS} rounds of {BETS_A_ROUND:,} bets each; {names}"
    return [
        Figure("round with history, p99, × empty", _p99(rounds[1]) / _p99(rounds[0]), "×", 1.2, note=note),
        Figure("round with history, median", statistics.median(rounds[1]) * 1e3, "ms", note="its five transitions"),
        Figure("round without history, median", statistics.median(rounds[0]) * 1e3, "ms", note="its five transitions"),
    ]


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[math.ceil(len(times) * 0.99) - 1]


def make(path: Path, bets: int) -> None:
    """A database with 10,000 patrons, and so many settled bets of theirs in rounds of 1,000."""
    asyncio.run(_claim(path))
    with closing(sqlite3.connect(path)) as db:
        rows.add_patrons(db, PATRONS)
        db.execute("PRAGMA cache_size = -262144")
        if bets:
            _fill(db, bets // BETS_A_ROUND)
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _claim(path: Path) -> None:
    store = SqliteStore(path)
    await store.claim("bench", 10**13, rows.UTC_MS)
    await store.close()


def _fill(db: sqlite3.Connection, rounds: int) -> None:
    """Every coup a Player win that 1,000 patrons bet on, a tenth of all, by turns."""
    first = rows.UTC_MS - rounds * 60_000
    terms = terms_text(PLAN.terms)
    counted = "WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < {most})"
    db.execute(
        f"{counted.format(most=rounds)} INSERT INTO coups (table_no, coup_no, phase, epoch, shoe_no, seed,"
        " opened_utc_ms, closes_utc_ms, deals_utc_ms, shown_until_utc_ms, last_of_shoe, cards_left, terms, shoe,"
        " player_cards, banker_cards, burned, outcome)"
        " SELECT 1, n, 'closed', 1, 1 + n / 70, zeroblob(32), ?1 + n * 60000, ?1 + n * 60000 + 50000,"
        " ?1 + n * 60000 + 60000, ?1 + n * 60000 + 70000, 0, 300, ?2, ?3, '9S KH', '2C 3D', '', 'player' FROM counted",
        (first, terms, shoe_text(Shoe.fresh(8))),
    )
    db.execute(
        f"{counted.format(most=BETS_A_ROUND)} INSERT INTO bets (coup_key, bet_seq, patron_id, stakes, staked_minor,"
        " automatic, at_utc_ms, returned, returned_minor, balance_before_minor, balance_after_minor, era_no)"
        " SELECT ?1 + coup_no, n, 1 + (coup_no * 7 + n * 10) % ?2, '{\"player\":2000}', 2000, 1,"
        " closes_utc_ms, '{\"player\":4000}', 4000, 1000000, 1002000, coup_no * ?3 / ?4"
        " FROM coups CROSS JOIN counted ORDER BY 1, 2",
        (coup_key(1, 0), PATRONS, BETS_A_ROUND, ERA_BETS),
    )
    db.execute("INSERT INTO eras SELECT era_no, count(*), max(at_utc_ms) FROM bets GROUP BY era_no")
    for kind, sides in (
        (10, "1, patron_id, 2, coup_key"),
        (11, "1, patron_id, 2, coup_key"),
        (13, "2, coup_key, 1, patron_id"),
    ):
        minor = "staked_minor" if kind < 13 else "returned_minor"
        db.execute(f"INSERT INTO transfers SELECT coup_key, bet_seq, {kind}, {sides}, {minor}, 1, at_utc_ms FROM bets")


class _Floor:
    """One table on a database, moved by hand."""

    def __init__(self, path: Path) -> None:
        self.store, self.clock = SqliteStore(path), SimulatedClock(rows.UTC_MS)
        self.took: dict[Phase, list[float]] = {phase: [] for phase in ARROWS}
        self.seeds = 0

    def entropy(self) -> bytes:
        """The same cards on both."""
        self.seeds += 1
        return hashlib.sha256(b"%d" % self.seeds).digest()

    async def open(self) -> None:
        """Take the table over and find it as it is."""
        claim = await self.store.claim("bench", 0, self.clock.utc_ms())
        state = recovered(claim.table_no, await self.store.load(claim.table_no), PLAN.terms, self.clock)
        self.runner = TableRunner(
            state, claim.epoch, PLAN.looks, [], self.store, Nobody(), self.clock, self.entropy, 2_000
        )

    async def round(self, number: int) -> None:
        """One coup, each of its transitions timed."""
        for phase in ARROWS:
            runner = self.runner
            self.clock.move_to(max(self.clock.now_ns(), runner.state.due_ns))
            gc.collect()
            begun = time.perf_counter()
            await runner._commit([(runner._tick(), self.clock.now_ns())])
            self.took[phase].append(time.perf_counter() - begun)
            if runner.state.phase is not phase:
                raise SystemExit(f"the table is {runner.state.phase}, not {phase}")
            if phase is Phase.OPEN:
                await self._stage(number)
            if phase in WAITS:
                await asyncio.sleep(WAIT_S)

    async def _stage(self, number: int) -> None:
        coup = self.runner.state.coup_no
        chips = [
            self.runner.command(1 + (number * 7 + n * 10) % PATRONS, Stage(f"s{coup}", coup, "player", 2_000))
            for n in range(BETS_A_ROUND)
        ]
        await self.runner.pump()
        await asyncio.gather(*chips)


async def _play(empty: Path, full: Path) -> tuple[dict[Phase, list[float]], dict[Phase, list[float]]]:
    floors = [_Floor(empty), _Floor(full)]
    for floor in floors:
        await floor.open()
    gc.collect()
    gc.freeze()
    for number in range(ROUNDS + 2):
        for floor in floors if number % 2 else floors[::-1]:
            await floor.round(number)
    for floor in floors:
        await floor.store.close()
    return tuple({phase: took[2:] for phase, took in floor.took.items()} for floor in floors)  # type: ignore[return-value]
