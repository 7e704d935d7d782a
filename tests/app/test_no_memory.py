"""Memory runs out: at the N-th call of our own code while a round is served, for one N after the other.

A MemoryError is raised where a call of a function begins: in the handlers, the machine, the recording, the store's
jobs and their thread.
"""

import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest
import structlog

from bigroad.app.store import StoreError
from bigroad.storage.audit import audit_file
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage, Submit, TableCommand
from tests.app.floor import START_MINOR, Floor

T = TypeVar("T")
OURS = f"{os.sep}src{os.sep}bigroad{os.sep}"
SPARED = ("_work", "_answer", "<listcomp>")
"""Where the two threads hand over to each other: nothing of ours could catch it there."""
SHARE = int(os.environ.get("NO_MEMORY_EVERY", "61"))
"""Every so many calls are tried, in turn; 1 tries every single one."""


class Shortage:
    """Raises at the nth call, once, while it is `on`."""

    def __init__(self, nth: int) -> None:
        self.nth, self.calls, self.on, self.where = nth, 0, False, ""

    def __call__(self, frame: FrameType, event: str, detail: Any) -> None:
        name = frame.f_code.co_filename
        if not self.on or OURS not in name or frame.f_code.co_name in SPARED:
            return
        if frame.f_lineno != frame.f_code.co_firstlineno:
            return  # a coroutine that goes on
        self.calls += 1
        if self.calls == self.nth:
            self.where = f"{name.rpartition(OURS)[2]}:{frame.f_lineno} {frame.f_code.co_name}"
            raise MemoryError(self.where)

    @contextmanager
    def traced(self) -> Iterator[None]:
        """Here and in every thread that is started meanwhile."""
        old = sys.gettrace()
        threading.settrace(self)
        sys.settrace(self)
        try:
            yield
        finally:
            sys.settrace(old)
            threading.settrace(None)

    async def during(self, do: Callable[[], Awaitable[T]]) -> T:
        """Only while the table is at work."""
        self.on, traced = self.calls < self.nth, sys.gettrace()
        if traced is None and self.on:  # a trace that has raised is gone
            sys.settrace(self)
        try:
            return await do()
        finally:
            self.on = False


async def play(path: Path, shortage: Shortage) -> None:
    """A bet, a draft, the close, the deal, and the next coup's opening."""
    floor = await Floor(SqliteStore(path)).start()
    ann, bob = await floor.guest(), await floor.guest()

    async def pump() -> None:
        try:
            await shortage.during(floor.runner.pump)
        except MemoryError as problem:  # as `run` does
            floor.runner._doubt(problem)
            await floor.runner.pump()

    async def until_coup(coup_no: int) -> None:
        for _ in range(60):
            await pump()
            if floor.runner.state.coup_no == coup_no and floor.runner.state.phase is Phase.OPEN:
                return
            floor.sleep(max(1, (floor.runner.next_ns - floor.clock.now_ns()) // 1_000_000))
        raise AssertionError(f"the table did not come to coup {coup_no}")

    async def insist(patron_id: int, message: TableCommand) -> None:
        for _ in range(10):
            answer = floor.runner.command(patron_id, message)
            await pump()
            if not answer.done():  # still in the inbox: `run` goes on with it
                await pump()
            assert answer.done(), "nobody waits in vain"
            try:
                reply = await answer
            except StoreError:
                continue
            if reply is None or b'"refused"' not in reply:
                return
            assert b"STORE_UNAVAILABLE" in reply or b"INTERNAL" in reply, reply
        raise AssertionError("no answer")

    await until_coup(1)
    await insist(ann, Stage("a", 1, "player", 5_000))
    await insist(ann, Submit("b", 1))
    await insist(bob, Stage("c", 1, "banker", 3_000))
    await until_coup(2)
    assert floor.runner.is_open, "the table goes on"
    assert {coup.phase for coup in await floor.store.coups(floor.table_no)} == {Phase.CLOSED, Phase.OPEN}
    for patron_id, staked in ((ann, 5_000), (bob, 3_000)):
        (row,) = await floor.store.history(patron_id, 5)
        assert row.bet.staked_minor == staked
        purse = await floor.store.purse(patron_id)
        assert purse.available_minor == START_MINOR - staked + sum((row.returned or {}).values())
        assert {told["coup"] for told in floor.ear.of("receipt", patron_id)} <= {1}
    told = [message["seq"] for message in floor.ear.messages() if "seq" in message]
    assert sorted(set(told)) == list(range(1, max(told) + 1)), "everything public was told"
    await floor.store.close()
    assert audit_file(path).bets == 2


async def test_a_request_fails_and_the_table_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nth, tried = 1, 0
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    try:
        while True:
            shortage = Shortage(nth)
            with shortage.traced():
                try:
                    await play(tmp_path / f"{nth}.sqlite3", shortage)
                except BaseException as problem:
                    raise AssertionError(f"call {nth}, {shortage.where}: {problem!r}") from problem
            if not shortage.where:
                break
            nth, tried = nth + SHARE, tried + 1
    finally:
        structlog.reset_defaults()
    with capsys.disabled():
        print(f"\nno memory at {tried} of {shortage.calls} calls, one after the other")
    assert tried > 10
