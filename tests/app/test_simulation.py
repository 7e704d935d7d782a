"""Ten thousand coups in simulated time, and the same log from the same seed."""

import time
from pathlib import Path

import pytest

from bigroad.app.simulation import simulate
from bigroad.ledger import audit
from bigroad.storage.memory import MemoryStore
from tests.tables import usual_terms


async def test_ten_thousand_coups_keep_every_invariant(capsys: pytest.CaptureFixture[str]) -> None:
    store = MemoryStore()
    began = time.perf_counter()
    report = await simulate(store, usual_terms(), seed=2026, coups=10_000, patrons=3)
    took_s = time.perf_counter() - began
    with capsys.disabled():
        print(f"\n10,000 coups with three patrons in simulated time: {took_s:.1f} s, {report.bets:,} bets")
    audit.verify_book(*await store.book())
    assert report.coups == 10_000
    assert sum(report.outcomes.values()) == 10_000
    assert report.bets > 15_000
    assert 0 < report.automatic < report.bets
    shares = {name: count / 10_000 for name, count in report.outcomes.items()}
    exact = {"player": 0.446247, "banker": 0.458597, "tie": 0.095156}
    assert all(abs(shares[name] - share) < 0.02 for name, share in exact.items()), shares
    assert {"accepted", "repeated", "NOTHING_STAGED", "ALREADY_SUBMITTED", "BETS_CLOSED"} <= report.answers.keys()


async def test_the_same_seed_gives_the_same_log() -> None:
    logs = [(await simulate(MemoryStore(), usual_terms(), seed, 60, 3)).log for seed in (1, 1, 2)]
    assert logs[0] == logs[1] != logs[2]


async def test_sqlite_and_memory_tell_the_same_story(tmp_path: Path) -> None:
    """The store is no part of the game: on the file the same seed gives the same log too."""
    from tests.app.book_store import SqliteBookStore

    file_store = SqliteBookStore(tmp_path / "floor.sqlite3")
    on_file = await simulate(file_store, usual_terms(), 3, 25, 3)
    in_memory = await simulate(MemoryStore(), usual_terms(), 3, 25, 3)
    assert on_file == in_memory
    audit.verify_book(*await file_store.book())
    await file_store.close()
