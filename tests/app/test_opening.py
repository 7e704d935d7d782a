"""How tables are taken over: a damaged one stops alone, a wall clock that went back lengthens nothing, the pulse."""

import asyncio
import sqlite3
from pathlib import Path

import msgspec
import pytest

from bigroad.app import pulse, recovery
from bigroad.app.clock import SimulatedClock
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.pulse import Pulse
from bigroad.app.store import StoreError
from bigroad.app.table_runner import TableRunner
from bigroad.ledger.errors import InvariantBroken
from bigroad.storage.memory import MemoryStore
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from tests.app.floor import LOOKS, Ear, Floor
from tests.tables import BETTING_MS, CLOSING_MS, seed_of, usual_terms


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE accounts SET expected_minor = expected_minor - 1 WHERE kind = 2",
        "UPDATE coups SET shoe = '{}'",
        "UPDATE bets SET stakes = '{\"player\":1}'",
    ],
)
async def test_a_table_whose_rows_are_not_sound_stops_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "b.sqlite3"
    floor = await Floor(SqliteStore(path)).start()
    ann = await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.bet(ann)
    await floor.store.close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(damage)
    db.close()
    store = SqliteStore(path)
    lobby = Lobby(store, Ear(), floor.clock, lambda: seed_of(5), 1_000_000, 2_000)
    looks = [LOOKS, msgspec.structs.replace(LOOKS, table="onyx")]
    runners = [await lobby.open_table(TablePlan(look, usual_terms(), 10**9)) for look in looks]
    for runner in runners:
        assert isinstance(runner, TableRunner)
        await runner.pump()
    assert [(await runner.row(None)).phase for runner in runners] == ["closed", "betting"]
    await store.close()


async def test_a_breach_is_in_the_log_of_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = await Floor().start()
    await floor.until(Phase.OPEN)

    def trap(*facts: object) -> None:
        raise InvariantBroken("I9", "planted")

    monkeypatch.setattr("bigroad.app.table_runner.verify", trap)
    await floor.stage(await floor.guest(), "player", 5_000)
    told = msgspec.json.decode((await floor.store.log())[-1].body)
    assert (told["kind"], told["coup"], told["reason"]) == ("stopped", 1, "broken")
    assert "I9" in told["detail"]


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.LOCKED, Phase.SETTLED])
@pytest.mark.parametrize("back_ms", [0, 3_600_000, 86_400_000])
async def test_a_wall_clock_that_went_back_lengthens_nothing(phase: Phase, back_ms: int) -> None:
    floor = await Floor().start()
    await floor.until(phase)
    was = floor.runner.state
    assert was.opening is not None
    clock = SimulatedClock(floor.clock.utc_ms() - back_ms)
    stored = await floor.store.load(floor.table_no)
    state = recovery.recovered(floor.table_no, stored, floor.terms, clock)
    left_ms, most_ms = (state.due_ns - clock.now_ns()) / 1e6, (was.due_ns - floor.clock.now_ns()) / 1e6
    assert left_ms <= most_ms + 1
    assert left_ms <= BETTING_MS + CLOSING_MS + 30_000
    assert state.opening is not None
    if phase is Phase.OPEN:  # what pages count down to is what the table does
        assert state.opening.closes_utc_ms == clock.utc_ms() + round(left_ms)


class Sick(MemoryStore):
    """Answers a probe as it is told to."""

    trouble: Exception | None = None
    hangs = False
    probes = 0

    async def probe(self) -> None:
        self.probes += 1
        if self.hangs:
            await asyncio.get_running_loop().create_future()
        if self.trouble is not None:
            raise self.trouble


async def test_the_pulse_is_felt_by_writing_and_not_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Sick()
    feels = Pulse(store)
    assert await feels.beats()
    assert await feels.beats()
    assert store.probes == 1
    monkeypatch.setattr(pulse, "FRESH_S", 0.0)
    store.trouble = StoreError("database or disk is full")
    assert not await feels.beats()
    store.trouble = None
    assert await feels.beats()
    store.hangs = True
    monkeypatch.setattr(pulse, "PATIENCE_S", 0.01)
    assert not await feels.beats()


async def test_a_full_a_locked_and_a_dead_store_have_no_pulse(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    store = SqliteStore(path)
    await store.probe()
    await store._writer.run(lambda db: db.execute("VACUUM") if False else None)
    pages = await store._writer.run(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    free = await store._writer.run(lambda db: db.execute("PRAGMA freelist_count").fetchone()[0])
    assert free >= 2, "what a probe wrote is free again"
    await store._writer.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}"))
    await store.probe()  # full, but a bet still fits in what is free
    await store._writer.run(lambda db: db.execute("PRAGMA busy_timeout = 20"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError):
        await store.probe()
    other.execute("ROLLBACK")
    other.close()
    await store.probe()
    await store.close()
    with pytest.raises(StoreError):
        await store.probe()
