"""The audit beside the running server: what it finds stops the table it was found at, and no other."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bigroad.app.lobby import Lobby
from bigroad.bus.local import LocalBus
from bigroad.cli.background_audit import BackgroundAudit
from bigroad.compose import open_floor
from bigroad.settings import Settings
from bigroad.storage.audit import audit_file
from bigroad.storage.errors import AuditFailed
from bigroad.web.metrics import Metrics
from bigroad.web.options import ServerOptions
from tests.storage.test_round_log import played, tamper

PATIENCE_S = 120


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    asyncio.run(played(folder / "bigroad.sqlite3"))
    return folder


@asynccontextmanager
async def audited(books: Path, data: Path, *edits: str) -> AsyncIterator[tuple[Lobby, str]]:
    """A floor that runs on these books after those edits, and its figures, once they have been audited."""
    shutil.copytree(books, data)
    tamper(data / "bigroad.sqlite3", edits)
    settings, metrics = Settings(server=ServerOptions(data=str(data))), Metrics()
    floor = await open_floor(settings, LocalBus(), metrics)
    floor.start()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await BackgroundAudit(settings, None, floor.halt, metrics).once()
            yield floor, metrics.text("")[0].decode()
    finally:
        await floor.stop()


def open_tables(floor: Lobby) -> list[str]:
    return [desk.terms.table for desk in floor.desks() if desk.is_open]


async def test_sound_books_disturb_nobody(books: Path, tmp_path: Path) -> None:
    async with audited(books, tmp_path / "data") as (floor, figures):
        assert "\nbigroad_audit 1.0\n" in figures
        assert len(open_tables(floor)) == 5


async def test_a_table_with_a_cooked_coup_stops_and_no_other(books: Path, tmp_path: Path) -> None:
    cooked = "UPDATE bets SET returned_minor = returned_minor + 100 WHERE coup_key % 4294967296 = 1 AND bet_seq = 1"
    with capture_logs() as said:
        async with audited(books, tmp_path / "data", cooked) as (floor, figures):
            assert "\nbigroad_audit 0.0\n" in figures
            while "emerald" in open_tables(floor):  # noqa: ASYNC110  (the table's own task moves on while this waits)
                await asyncio.sleep(0.01)
            assert open_tables(floor) == ["midnight", "burgundy", "express", "tableau"]
    (loud,) = [line for line in said if line["event"] == "audit_failed"]
    assert (loud["table"], loud["log_level"]) == ("emerald", "critical")
    assert "coup 1" in loud["problem"]
    assert any(line["event"] == "table stopped" for line in said)
    with pytest.raises(AuditFailed):
        audit_file(tmp_path / "data" / "bigroad.sqlite3")


async def test_what_is_no_tables_stops_none_and_is_said_as_loudly(books: Path, tmp_path: Path) -> None:
    with capture_logs() as said:
        async with audited(books, tmp_path / "data", "CREATE TABLE mine (x)") as (floor, figures):
            assert "\nbigroad_audit 0.0\n" in figures
            assert len(open_tables(floor)) == 5
    (loud,) = [line for line in said if line["event"] == "audit_failed"]
    assert (loud["table"], loud["log_level"]) == (None, "critical")


async def test_an_audit_that_says_nothing_is_no_verdict(tmp_path: Path) -> None:
    metrics, halted = Metrics(), []
    settings = Settings(server=ServerOptions(data=str(tmp_path / "nothing here")))
    with capture_logs() as said:
        await BackgroundAudit(settings, None, lambda table, problem: halted.append(table), metrics).once()
    assert [line["event"] for line in said] == ["audit_not_done"]
    assert "\nbigroad_audit -1.0\n" in metrics.text("")[0].decode()
    assert halted == []
