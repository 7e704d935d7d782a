"""What a machine does to a server: its disk fills up, errs or is locked, its clocks jump, it is suspended, it is told
to stop. All of it to real servers, at the same time, for they mostly wait."""

import asyncio
import errno
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bigroad.table.rounds import LATE_NS
from tests.crash.scenario import Zygote
from tests.machine.ordeal import Ordeal, compiled, shimmed_zygote

Begin = Callable[..., Ordeal]


LATE = ("BETS_CLOSED", "STALE_COUP", "NOTHING_STAGED", "ALREADY_SUBMITTED")
"""Words for a patron whose request came through after the close."""


class NotHere(Exception):
    """This machine cannot do that."""


async def _taken_away_and_given_back(ordeal: Ordeal, take: Callable[[], None], give_back: Callable[[], None]) -> None:
    """The disk goes in the moment in which a coup opens, stays away over its close, and comes back."""
    patron = ordeal.patrons[0]
    await ordeal.start()
    while "STORE_UNAVAILABLE" not in patron.codes:  # on a busy machine the coup may be over before the patron asks
        give_back()
        await ordeal.more()
        await ordeal.when_opened(take)
        await ordeal.until(ordeal.ready, wanted=False)
        await ordeal.until(lambda: "STORE_UNAVAILABLE" in patron.codes or patron.is_idle)
    told = len(ordeal.patrons[0].receipts)
    await asyncio.sleep(2)
    assert len(ordeal.patrons[0].receipts) == told, "nothing is acknowledged meanwhile"
    give_back()
    await ordeal.more(2)
    await ordeal.until(ordeal.ready)
    assert ordeal.alive, "without a restart"
    assert ordeal.patrons[0].codes <= {"STORE_UNAVAILABLE", *LATE}
    await ordeal.over()


def _failing(**how: int) -> Callable[[Begin], Awaitable[None]]:
    async def scenario(begin: Begin) -> None:
        ordeal = begin(needs_shim=True)
        await _taken_away_and_given_back(ordeal, lambda: ordeal.order(**how), ordeal.order)

    return scenario


async def full_disk(begin: Begin) -> None:
    """A disk of its own, filled to the last byte."""
    ordeal = begin()
    ordeal.data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(ordeal.data)]
    try:
        done = await asyncio.to_thread(subprocess.run, mount, check=False, capture_output=True)
    except OSError as problem:
        raise NotHere(str(problem)) from problem
    if done.returncode:
        raise NotHere(f"no disk can be mounted: {done.stderr.decode()}")
    ballast = ordeal.data / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file:
            for size in (65536, 512):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    try:
        await _taken_away_and_given_back(ordeal, fill, lambda: ballast.unlink(missing_ok=True))
    finally:
        await ordeal.close()
        await asyncio.to_thread(subprocess.run, ["umount", "-l", str(ordeal.data)], check=True)


LOCK = (
    "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30);"
    "db.execute('PRAGMA wal_autocheckpoint = 0'); db.execute('BEGIN EXCLUSIVE'); print(flush=True);"
    "sys.stdin.read(); db.execute('ROLLBACK'); db.close()"
)


@asynccontextmanager
async def _locked(ordeal: Ordeal) -> AsyncIterator[None]:
    """Another process has the database locked."""
    pipe = asyncio.subprocess.PIPE
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LOCK, str(ordeal.database), stdin=pipe, stdout=pipe
    )
    assert other.stdout is not None
    assert other.stdin is not None
    await other.stdout.readline()
    yield
    other.stdin.close()
    assert await other.wait() == 0


async def locked_by_another(begin: Begin) -> None:
    """For less than the store waits, and for longer."""
    ordeal = begin()
    await ordeal.start()
    await ordeal.more()
    async with _locked(ordeal):
        await asyncio.sleep(1.5)
    await ordeal.more()
    waited = "did not keep" not in ordeal.said()
    async with _locked(ordeal):
        await ordeal.until(lambda: "did not keep" in ordeal.said())
        await ordeal.until(ordeal.ready, wanted=False)
    await ordeal.more(2)
    assert ordeal.alive
    assert waited, "1.5 s are waited for"
    await ordeal.over()


async def wall_clock_set(begin: Begin) -> None:
    """An hour ahead, an hour back, a day ahead: in mid-round it moves nothing; over a restart rounds go on."""
    ordeal, began = begin(needs_shim=True), time.time() * 1000
    await ordeal.start()
    for wall_s in (3_600, -3_600, 86_400):
        await ordeal.more()
        ordeal.order(wall_s=wall_s)
        await ordeal.more()
        flagged = f"SELECT 1 FROM round_log WHERE body LIKE '%\"wall_ahead_ms\":{wall_s * 1000}}}%' LIMIT 1"
        await ordeal.until(lambda query=flagged: ordeal.rows(query))  # type: ignore[misc]
        assert f'"ahead_ms": {wall_s * 1000}' in ordeal.said()
    ended = time.time() * 1000
    moments = "SELECT opened_utc_ms, closes_utc_ms, deals_utc_ms, shown_until_utc_ms FROM coups WHERE phase = 'closed'"
    for columns in ordeal.rows(moments):
        assert began - 1_000 < columns[0] < ended + 1_000
        assert (columns[1] - columns[0], columns[2] - columns[1]) == (900, 200)
        assert columns[3] - columns[2] in range(20_000)
    entries = [json.loads(body) for (body,) in ordeal.rows("SELECT body FROM round_log ORDER BY entry_no")]
    flags = {entry.get("wall_ahead_ms", 0) for entry in entries}
    assert flags == {0, 3_600_000, -3_600_000, 86_400_000}
    booked = [entry["at_utc_ms"] for entry in entries]
    assert booked == sorted(booked)
    assert booked[-1] < ended + 1_000
    for wall_s in (86_400, -3_600):
        ordeal.order(wall_s=wall_s)
        await ordeal.end(signal.SIGKILL)
        await ordeal.start()
        await ordeal.more(2)
    await ordeal.over()


async def suspended_over_the_close(begin: Begin) -> None:
    """The stakes are back, and no round is played for the time that was slept through."""
    ordeal = begin(betting_ms=2_000)
    await ordeal.start()
    receipt = await ordeal.hear("receipt")
    opened = await ordeal.hear("coup_opened", receipt["coup"])
    ordeal.signal(signal.SIGSTOP)
    stopped = time.time() * 1000
    await asyncio.sleep(opened["closes_utc_ms"] / 1000 + 2.5 - time.time())
    woken = time.time() * 1000
    ordeal.signal(signal.SIGCONT)
    await ordeal.more(2)
    coups = ordeal.rows("SELECT coup_no, phase, opened_utc_ms FROM coups ORDER BY coup_no")
    (phase,) = [phase for coup, phase, _ in coups if coup == opened["coup"]]
    if stopped < opened["closes_utc_ms"] - 200:
        assert phase == "voided"
        ((back, staked),) = ordeal.rows(
            f"SELECT returned_minor, staked_minor FROM bets WHERE coup_key % 4294967296 = {opened['coup']}"
            f" AND patron_id = {ordeal.patrons[0].patron_id}"
        )
        assert back == staked
    assert [at for *_, at in coups if stopped + 100 < at < woken - 100] == []
    await ordeal.over()


async def suspended_when_locked(begin: Begin) -> None:
    """What is locked is dealt and paid, however long it took."""
    ordeal = begin(closing_ms=1_500)
    await ordeal.start()
    locked = await ordeal.hear("bets_locked")
    ordeal.signal(signal.SIGSTOP)
    await asyncio.sleep(4)
    ordeal.signal(signal.SIGCONT)
    await ordeal.hear("coup_dealt", locked["coup"])
    await ordeal.more()
    (phase,) = ordeal.rows(f"SELECT phase FROM coups WHERE coup_no = {locked['coup']}")
    assert phase == ("closed",)
    await ordeal.over()


def _told_to_stop(kind: str) -> Callable[[Begin], Awaitable[None]]:
    """SIGTERM right after that message, then a start in another time zone."""

    async def scenario(begin: Begin) -> None:
        ordeal = begin(betting_ms=1_500, closing_ms=1_000, pace=0.3)
        await ordeal.start(TZ="America/New_York")
        coup = (await ordeal.hear(kind))["coup"]
        opened = await ordeal.hear("coup_opened", coup)
        await ordeal.end(signal.SIGTERM)
        closed = await ordeal.hear("table_closed")
        assert closed["reason"] == "stopping"
        assert "Everything is kept" in ordeal.said()
        await ordeal.start(TZ="Asia/Kathmandu")
        await ordeal.more()
        row = f"SELECT phase, closes_utc_ms, deals_utc_ms FROM coups WHERE coup_no = {coup}"
        ((phase, *moments),) = ordeal.rows(row)
        closes_utc_ms, deals_utc_ms = opened["closes_utc_ms"], opened["deals_utc_ms"]
        log = f"SELECT body FROM round_log WHERE coup_no = {coup} ORDER BY entry_no DESC LIMIT 1"
        ended_utc_ms = json.loads(ordeal.rows(log)[0][0])["at_utc_ms"]
        if phase == "voided":  # only where this machine took so long that nobody could have pressed BET
            assert kind == "receipt"
            assert ended_utc_ms >= closes_utc_ms + LATE_NS // 10**6 - 50  # two clocks
        else:
            assert phase == "closed"
            back_utc_ms = ordeal.started_utc_ms[-1]
            assert moments[1] == deals_utc_ms or moments[1] >= max(deals_utc_ms, back_utc_ms)
        assert moments[0] == closes_utc_ms
        assert (await ordeal.over()).ended_ms < 10_000

    return scenario


SCENARIOS: dict[str, Callable[[Begin], Awaitable[None]]] = {
    "no space for a write": _failing(write=errno.ENOSPC),
    "a write fails": _failing(write=errno.EIO),
    "a flush fails": _failing(flush=errno.EIO),
    "a full disk": full_disk,
    "locked by another process": locked_by_another,
    "the wall clock is set": wall_clock_set,
    "suspended over the close": suspended_over_the_close,
    "suspended when locked": suspended_when_locked,
    "told to stop when open": _told_to_stop("receipt"),
    "told to stop when locked": _told_to_stop("bets_locked"),
    "told to stop when dealt": _told_to_stop("coup_dealt"),
}


async def _all(folder: Path) -> dict[str, BaseException | None]:
    library = compiled(folder)

    async def one(start: Zygote, number: int, scenario: Callable[[Begin], Awaitable[None]]) -> None:
        made: list[Ordeal] = []

        def begin(*, needs_shim: bool = False, **table: float) -> Ordeal:
            if needs_shim and library is None:
                raise NotHere("no C compiler")
            made.append(Ordeal(start, folder / str(number), **table))  # type: ignore[arg-type]
            return made[-1]

        try:
            await scenario(begin)
        finally:
            for ordeal in made:
                await ordeal.close()

    async with shimmed_zygote(library) as start:
        results = await asyncio.gather(
            *(one(start, number, scenario) for number, scenario in enumerate(SCENARIOS.values())),
            return_exceptions=True,
        )
    return dict(zip(SCENARIOS, results, strict=True))


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BaseException | None]:
    return asyncio.run(_all(tmp_path_factory.mktemp("machine")))


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP") or sys.platform != "linux", reason="needs Linux, to watch processes")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_is_lost_and_it_goes_on(scenario: str, outcomes: dict[str, BaseException | None]) -> None:
    problem = outcomes[scenario]
    if isinstance(problem, NotHere):
        pytest.skip(str(problem))
    if problem is not None:
        raise problem
