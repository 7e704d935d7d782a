"""Guards and the days that limits count, in every store: kept with the bets, exact whatever happens to them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bigroad.app.store import Store, StoreError
from bigroad.protection.guard import UNGUARDED, Act, Guard, Limit, Rule, exclusion, limit_wanted, time_out
from bigroad.protection.periods import day_of
from bigroad.protection.standing import Spent
from bigroad.storage.memory import MemoryStore
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage, Submit
from tests.app.floor import Floor

MS_PER_HOUR = 3_600_000


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "floor.sqlite3")
    yield made
    await made.close()


async def limit(floor: Floor, patron_id: int, rule: Rule, amount: int | None) -> Guard:
    now = floor.clock.utc_ms()
    return await floor.store.protect(patron_id, now, lambda guard: limit_wanted(guard, rule, amount, now))


async def days(floor: Floor, patron_id: int) -> list[Spent]:
    protected = await floor.store.protected(patron_id, 0)
    assert protected is not None
    return list(protected.days)


async def round_of(floor: Floor, patron_id: int, amount: int = 5_000) -> int:
    """A bet and its coup to the end; answers what came back."""
    await floor.until(Phase.OPEN)
    assert await floor.bet(patron_id, "player", amount) is None
    await floor.until(Phase.CLOSED)
    (row,) = await floor.store.history(patron_id, 1)
    return sum((row.returned or {}).values())


async def test_changes_are_kept_in_order_and_make_the_guard(store: Store) -> None:
    floor = await Floor(store).start()
    ann, bob = await floor.guest(), await floor.guest()
    now = floor.clock.utc_ms()
    assert await store.protected(ann, 0) is None
    assert await store.protect(ann, now, lambda guard: None) == UNGUARDED
    assert await store.protected(ann, 0) is None
    await limit(floor, ann, Rule.LOSS_DAY, 7_000)
    await limit(floor, ann, Rule.LOSS_DAY, 9_000)
    await store.protect(ann, now, lambda guard: time_out(guard, 1 * MS_PER_HOUR, now))
    guard = await store.protect(ann, now, lambda guard: exclusion(guard, None, now))
    protected = await store.protected(ann, 0)
    assert protected is not None
    assert protected.guard == guard
    assert guard.limits[Rule.LOSS_DAY].amount_minor == 7_000
    changes = list(await store.protection_changes(ann, 10))
    assert [change.act for change in changes] == [Act.EXCLUDED, Act.TIME_OUT, Act.ASKED, Act.SET]
    assert (changes[2].old, changes[2].new, changes[2].from_utc_ms) == (7_000, 9_000, now + 24 * MS_PER_HOUR)
    assert list(await store.protection_changes(ann, 2)) == changes[:2]
    assert list(await store.protection_changes(bob, 2)) == []

    def refuse(guard: Guard) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.protect(ann, now, refuse)
    assert list(await store.protection_changes(ann, 10)) == changes


async def test_the_day_is_summed_up_from_its_beginning_and_on(store: Store) -> None:
    """Before the first limit, over it, a coup that is void, a restart: the sums are those of the bets."""
    floor = await Floor(store, pace_permille=1).start()
    ann = await floor.guest()
    today = day_of(floor.clock.utc_ms())
    back = await round_of(floor, ann, 6_000)
    await floor.until(Phase.OPEN)
    await floor.bet(ann, "tie", 2_000)
    await limit(floor, ann, Rule.STAKE_MONTH, 100_000)
    assert await days(floor, ann) == [Spent(today, 8_000, back)]
    await floor.until(Phase.CLOSED)
    back += sum(sum((row.returned or {}).values()) for row in (await store.history(ann, 1)))
    assert await days(floor, ann) == [Spent(today, 8_000, back)]
    back += await round_of(floor, ann, 3_000)
    await floor.start()
    assert await days(floor, ann) == [Spent(today, 11_000, back)]
    await floor.until(Phase.OPEN)
    await floor.bet(ann, "player", 4_000)
    assert await days(floor, ann) == [Spent(today, 15_000, back)]
    floor.sleep(120_000)
    await floor.until(Phase.VOIDED)
    assert await days(floor, ann) == [Spent(today, 11_000, back)]
    assert (await store.protected(ann, today + 1)).days == []  # type: ignore[union-attr]
    await limit(floor, ann, Rule.STAKE_DAY, 11_000)
    await floor.until(Phase.OPEN)
    reply = await floor.bet(ann, "player", 2_000)
    assert reply is not None
    assert (reply["code"], reply["facts"]["left_minor"]) == ("STAKE_LIMIT", 0)


async def test_the_close_refuses_what_would_pass_a_limit(store: Store) -> None:
    floor = await Floor(store).start()
    ann = await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.stage(ann, "player", 5_000)
    await limit(floor, ann, Rule.LOSS_DAY, 4_999)
    await floor.until(Phase.LOCKED)
    (refused,) = floor.ear.of("refused", ann)
    assert (refused["code"], refused["automatic"], refused["facts"]["left_minor"]) == ("LOSS_LIMIT", True, 4_999)
    assert not floor.runner.state.bets
    assert await days(floor, ann) == []


async def tables(store: Store, count: int) -> list[Floor]:
    """Tables of one house, open, with one patron at all of them."""
    floors = [Floor(store) for _ in range(count)]
    for number, floor in enumerate(floors):
        floor.name = f"table{number}"
        await floor.start()
        await floor.until(Phase.OPEN)
    return floors


@pytest.mark.parametrize("measure", [Rule.LOSS_DAY, Rule.STAKE_MONTH])
async def test_two_tables_at_once_never_pass_a_limit(store: Store, measure: Rule) -> None:
    """Both tables hand their bets to the store before it has served either: one group, one limit. Together with bets of
    others, again and again until nothing is left."""
    floors = await tables(store, 4)
    ann = await floors[0].guest()
    others = [await floors[0].guest() for _ in range(6)]
    await limit(floors[0], ann, measure, 11_000)
    for number, floor in enumerate(floors):
        for patron_id in (ann, *others):
            floor.runner.command(patron_id, Stage(f"s{number}", 1, "player", 5_000))
        await floor.runner.pump()
    answers = [floor.runner.command(patron, Submit("b", 1)) for floor in floors for patron in (ann, *others)]
    await asyncio.gather(*(floor.runner.pump() for floor in floors))
    await asyncio.gather(*answers)
    bets = [floor.runner.state.bets for floor in floors]
    assert sum(placed[ann].staked_minor for placed in bets if ann in placed) == 10_000
    assert [len(placed) for placed in bets] == [7, 7, 6, 6] or sorted(map(len, bets)) == [6, 6, 7, 7]
    (spent,) = await days(floors[0], ann)
    assert spent.staked_minor == 10_000


async def test_a_limit_and_a_bet_in_one_group_are_judged_in_their_order(store: Store) -> None:
    (floor,) = await tables(store, 1)
    ann, bob = await floor.guest(), await floor.guest()
    for patron_id in (ann, bob):
        await floor.stage(patron_id, "player", 5_000)
    answers = [floor.runner.command(ann, Submit("a", 1))]
    await asyncio.gather(limit(floor, ann, Rule.LOSS_DAY, 1), limit(floor, bob, Rule.LOSS_DAY, 1), floor.runner.pump())
    answers.append(floor.runner.command(bob, Submit("b", 1)))
    await floor.runner.pump()
    replies = await asyncio.gather(*answers)
    placed = floor.runner.state.bets
    assert bob not in placed
    assert (ann in placed) == (replies[0] is None)
    assert sum(spent.staked_minor for spent in await days(floor, ann)) == (5_000 if ann in placed else 0)


async def test_a_sitting_goes_on_until_nobody_was_there_for_long(store: Store) -> None:
    floor = await Floor(store).start()
    ann = await floor.guest()
    begun = floor.clock.utc_ms()
    gap = MS_PER_HOUR // 2
    assert await store.sit(ann, begun, gap) == (begun, 0, 0)
    await floor.until(Phase.OPEN)
    await floor.bet(ann, "player", 5_000)
    await floor.until(Phase.SETTLED)
    assert await store.sit(ann, floor.clock.utc_ms(), gap) == (begun, 0, 0), "what is not shown yet is not told"
    await floor.until(Phase.CLOSED)
    (row,) = await store.history(ann, 1)
    back = sum((row.returned or {}).values())
    assert await store.sit(ann, floor.clock.utc_ms(), gap) == (begun, 5_000, back)
    later = floor.clock.utc_ms() + gap
    assert (await store.sit(ann, later, gap)).started_utc_ms == begun
    assert await store.sit(ann, later + gap + 1, gap) == (later + gap + 1, 0, 0)


async def test_a_change_is_never_changed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.sqlite3")
    floor = await Floor(store).start()
    await limit(floor, await floor.guest(), Rule.LOSS_DAY, 1)
    for statement in ("UPDATE protection_changes SET new = 2", "DELETE FROM protection_changes"):
        with pytest.raises(StoreError, match="never"):
            await store._writer.run(lambda db, statement=statement: db.execute(statement))  # type: ignore[misc]
    await store.close()


async def test_a_hundred_thousand_bets_are_not_read_again(tmp_path: Path) -> None:
    """What a bet costs is counted in steps of SQLite's machine, which are the same on every machine."""
    store = SqliteStore(tmp_path / "floor.sqlite3")
    floor = await Floor(store).start()
    ann = await floor.guest()
    await limit(floor, ann, Rule.LOSS_MONTH, 10**12)
    now = floor.clock.utc_ms()

    async def steps() -> int:
        counted = 0

        def count() -> int:
            nonlocal counted
            counted += 1
            return 0

        await floor.until(Phase.OPEN)
        await store._writer.run(lambda db: db.set_progress_handler(count, 1))
        assert await floor.bet(ann, "player", 5_000) is None
        await store._writer.run(lambda db: db.set_progress_handler(None, 1))
        await floor.until(Phase.CLOSED)
        return counted

    few = await steps()
    await store._writer.run(
        lambda db: db.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            " INSERT INTO bets (coup_key, bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms)"
            " SELECT i, 1, ?, '{}', 1, 0, ? - i * 20000 FROM n",
            (ann, now),
        )
    )
    many = await steps()
    assert many < few * 1.1
    await store.close()


def test_a_guard_survives_its_text() -> None:
    from bigroad.protection.guard import Pending
    from bigroad.storage.rows import guard_of, guard_text

    guard = Guard({Rule.LOSS_DAY: Limit(5, Pending(None, 7)), Rule.STAKE_MONTH: Limit(9, Pending(10, 8))}, 1, 2)
    assert guard_of(guard_text(guard)) == guard
