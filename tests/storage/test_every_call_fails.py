"""Every call of the database fails once: the N-th of a scripted round, for N = 1 until the round meets no fault.

Over the real file, through a shim around its connection. Patrons send again with the same ids until they are answered.
Whatever failed: what was acknowledged is there, nothing is there twice, the table goes on without a restart, and
meanwhile bets are refused in the one clear word.
"""

import itertools
import os
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bigroad.app.account_store import Ended, Entry, Login
from bigroad.app.store import StoreError
from bigroad.ledger.chain import Unsigned
from bigroad.protection.guard import Rule, limit_wanted
from bigroad.storage.audit import audit_file
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage, Submit, TableCommand
from tests.app.floor import START_MINOR, Floor

T = TypeVar("T")
FIRST, AGAIN, OTHER = (f"$argon2id${which}" for which in ("first", "first again", "other"))
Script = Callable[[Path, "Plan"], Awaitable[None]]
LIMIT = Rule.LOSS_DAY
WORDS = {
    "error": "disk I/O error",
    "full": "database or disk is full",
    "busy": "database is locked",
    "after commit": "disk I/O error",
    "outage": "unable to open database file",
}


@dataclass
class Plan:
    """Which call fails, and how. after commit: the N-th COMMIT is done, then fails. outage: 20 calls in a row fail."""

    kind: str
    nth: int
    calls: int = 0
    struck: bool = False

    def call(self, statement: str, do: Callable[[], T]) -> T:
        late = self.kind == "after commit"
        if late and statement != "COMMIT":
            return do()
        self.calls += 1
        if not self.nth <= self.calls < self.nth + (20 if self.kind == "outage" else 1):
            return do()
        self.struck = True
        if late:
            do()
        raise sqlite3.OperationalError(WORDS[self.kind])


def faulty(plan: Plan) -> type[sqlite3.Connection]:
    class Faulty(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            return plan.call(sql, lambda: super(Faulty, self).execute(sql, *rest))

        def executemany(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            return plan.call(sql, lambda: super(Faulty, self).executemany(sql, *rest))

        def executescript(self, sql: str) -> sqlite3.Cursor:
            return plan.call(sql, lambda: super(Faulty, self).executescript(sql))

    return Faulty


async def persistent(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask until the store answers; it has at most one outage."""
    for _ in range(30):
        try:
            return await ask()
        except StoreError:
            continue
    raise AssertionError("the store did not come back")


async def play(path: Path, plan: Plan) -> None:
    """One round with a limit, a bet, a draft and the close's own bet, then the next coup's opening."""

    def opened() -> SqliteStore:
        return SqliteStore(path, Unsigned(), connect=lambda *a, **k: sqlite3.connect(*a, factory=faulty(plan), **k))

    async def once() -> Floor:
        store = opened()
        try:
            return await Floor(store).start()
        except StoreError:
            await store.close()
            raise

    floor = await persistent(once)
    ann, bob = await persistent(floor.guest), await persistent(floor.guest)
    refused: set[str] = set()

    async def until_coup(coup_no: int) -> None:
        """An outage over the close voids the first coup, and the second is the one that is open then."""
        for _ in range(60):
            await floor.runner.pump()
            if floor.runner.state.coup_no == coup_no and floor.runner.state.phase is Phase.OPEN:
                return
            floor.sleep(max(1, (floor.runner.next_ns - floor.clock.now_ns()) // 1_000_000))
        raise AssertionError(f"the table did not come to coup {coup_no}")

    async def insist(patron_id: int, message: TableCommand) -> None:
        """As a page does: the same request again until there is an answer that is one."""
        for _ in range(30):
            reply = await floor.does(patron_id, message)
            if reply is None or reply["type"] != "refused":
                return
            refused.add(reply["code"])
        raise AssertionError("no answer")

    now = floor.clock.utc_ms()
    await persistent(lambda: floor.store.protect(ann, now, lambda guard: limit_wanted(guard, LIMIT, 20_000, now)))
    await until_coup(1)
    await insist(ann, Stage("a", 1, "player", 5_000))
    await insist(ann, Submit("b", 1))
    await insist(bob, Stage("c", 1, "banker", 3_000))
    await until_coup(2)
    await persistent(lambda: floor.store.sit(ann, floor.clock.utc_ms(), 1))
    assert refused <= {"STORE_UNAVAILABLE"}
    told = {bet["bet_seq"] for patron_id in (ann, bob) for bet in floor.ear.of("receipt", patron_id)}
    plan.nth = 0
    (coup, _) = await floor.store.coups(floor.table_no)
    voided = coup.phase is Phase.VOIDED
    assert plan.kind == "outage" or not voided
    for patron_id, staked in ((ann, 5_000), (bob, 3_000)):
        rows = await floor.store.history(patron_id, 5)
        if voided and patron_id == bob and not rows:  # chips that were only staged are dropped
            assert (await floor.store.purse(bob)).available_minor == START_MINOR
            continue
        (row,) = rows
        assert row.bet.staked_minor == staked
        assert (await floor.store.purse(patron_id)).available_minor == START_MINOR - staked + sum(
            (row.returned or {}).values()
        )
        told.discard(row.bet.bet_seq)
    assert not told, "a receipt was told of a bet that is not there"
    assert [change.new for change in await floor.store.protection_changes(ann, 5)] == [20_000]
    await floor.store.close()
    counted = audit_file(path)
    assert (counted.coups, counted.bets, counted.patrons) == (2, 1 if voided else 2, 2)


async def keep_accounts(path: Path, plan: Plan) -> None:
    """A guest registers, comes back from another browser, changes the password, ends sessions. What was answered holds,
    what failed has changed nothing or all of it."""

    def opened() -> SqliteStore:
        return SqliteStore(path, Unsigned(), connect=lambda *a, **k: sqlite3.connect(*a, factory=faulty(plan), **k))

    async def once() -> SqliteStore:
        return opened()

    store = await persistent(once)
    accounts = store.accounts
    keys = (b"%d" % number for number in itertools.count())

    async def entry() -> Entry:
        return Entry(next(keys), next(keys), "", 5)

    async def insist(ask: Callable[[Entry], Awaitable[Ended]]) -> tuple[Entry, Ended]:
        """As a patron does: anew, with a new token, until it is answered."""
        for _ in range(30):
            fresh = await entry()
            try:
                return fresh, await ask(fresh)
            except StoreError:
                continue
        raise AssertionError("the store did not come back")

    guest = await persistent(lambda: store.create_guest("Calm Fox 123", next(keys), START_MINOR, 5))
    number = guest.patron_id
    home, made = await insist(lambda fresh: accounts.register(number, "Ann", ("ann", "Ann"), FIRST, fresh))
    assert made.done
    found = await persistent(lambda: accounts.login("ann"))
    assert found is not None
    login: Login = found
    away, entered = await insist(lambda fresh: accounts.enter(login, fresh, None, 20))
    assert entered.done
    await persistent(lambda: accounts.touch([home.key, away.key], 9, 9))
    await persistent(lambda: accounts.rehash(login, AGAIN))
    again = login._replace(password=AGAIN)
    assert await persistent(lambda: accounts.login_of(number)) == again
    turned, changed = await insist(lambda fresh: accounts.change_password(again, OTHER, fresh))
    assert changed.done
    assert {home.key, away.key} <= set(changed.keys)
    third, _ = await insist(lambda fresh: accounts.enter(login._replace(password=OTHER), fresh, None, 20))
    ended = await persistent(lambda: accounts.end(number, [turned.key]))
    plan.nth = 0
    assert ended.done
    for key, there in ((home.key, False), (away.key, False), (turned.key, False), (third.key, True)):
        assert (await store.session(key) is not None) == there
    kept = await accounts.login("Ann")
    assert kept is not None
    assert (kept.patron_id, kept.name, kept.password) == (number, "Ann", OTHER)
    assert (await store.purse(number)).available_minor == START_MINOR
    await store.close()
    audit_file(path)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where the system has such a folder: it is the calls that count, not the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as name:
        yield Path(name)


@pytest.mark.parametrize(
    ("script", "kind"),
    [*((play, kind) for kind in WORDS), *((keep_accounts, kind) for kind in ("error", "after commit", "outage"))],
)
async def test_every_call_fails_once_until_none_is_left(script: Script, kind: str, folder: Path) -> None:
    nth, step = 1, 7 if kind == "outage" else 1
    while True:
        plan = Plan(kind, nth)
        try:
            await script(folder / f"{nth}.sqlite3", plan)
        except BaseException as problem:
            raise AssertionError(f"{kind} at call {nth}: {problem!r}") from problem
        if not plan.struck:
            break
        nth += step
    print(f"\n{kind}: {nth - 1} calls, each failed once")
    assert nth > (10 if kind == "after commit" else 90)
