"""The runner: order, greetings, news, coalescing, and what stops a table."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bigroad.app import invariants
from bigroad.ledger.errors import InvariantBroken
from bigroad.table import betting
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Rebet, Stage, Submit
from bigroad.wire.server_events import Patron
from tests.app.floor import START_MINOR, Floor


async def opened() -> tuple[Floor, int]:
    floor = await Floor().start()
    ann = await floor.guest()
    await floor.runner.pump()
    return floor, ann


async def test_a_greeting_has_welcome_snapshot_and_own_side() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    welcome, snapshot, you = await floor.greeted(ann)
    assert (welcome["type"], snapshot["type"], you["type"]) == ("welcome", "snapshot", "you")
    assert [area["area"] for area in welcome["terms"]["areas"]] == ["player", "banker", "tie"]
    assert snapshot["opened"]["coup"] == 1
    assert (snapshot["locked"], snapshot["dealt"]) == (None, None)
    assert you["staged"]["stakes"] == {"player": 5_000}
    assert you["balance_minor"] == START_MINOR


async def test_nothing_told_before_the_deal_gives_the_cards_away() -> None:
    floor, ann = await opened()
    await floor.bet(ann)
    await floor.until(Phase.LOCKED)
    frames = await floor.greeted(ann)
    state = floor.runner.state
    assert state.opening is not None
    told = "".join(map(str, [*frames, *floor.ear.messages(), *floor.ear.messages(ann)]))
    assert state.opening.commitment.hex() in told
    assert state.opening.seed.hex() not in told
    await floor.until(Phase.DEALT)
    assert state.opening.seed.hex() in str(floor.ear.messages())


async def test_a_resumed_page_gets_exactly_the_tail_it_missed() -> None:
    floor, ann = await opened()
    seen = floor.runner.state.seq
    epoch = (await floor.greeted(ann))[1]["epoch"]
    await floor.until(Phase.SETTLED)
    kinds = [frame["type"] for frame in await floor.greeted(ann, epoch, seen)]
    assert kinds == ["welcome", "bets_locked", "coup_dealt", "totals", "you"]
    for bad in ((epoch + 1, seen), (epoch, 0), (epoch, 10**6), (None, seen), (epoch, None)):
        assert (await floor.greeted(ann, *bad))[1]["type"] == "snapshot"


async def test_a_tail_that_is_gone_becomes_a_snapshot() -> None:
    floor, ann = await opened()
    epoch = (await floor.greeted(ann))[1]["epoch"]
    while floor.runner.state.seq < 230:
        await floor.until(Phase.CLOSED)
        await floor.until(Phase.OPEN)
    assert [f["type"] for f in await floor.greeted(ann, epoch, 2)] == ["welcome", "snapshot", "you"]
    assert "snapshot" not in [f["type"] for f in await floor.greeted(ann, epoch, floor.runner.state.seq - 150)]


async def test_numbers_of_public_events_have_no_holes() -> None:
    floor, _ = await opened()
    for _ in range(12):
        await floor.until(Phase.CLOSED)
        await floor.until(Phase.OPEN)
    numbers = [message["seq"] for message in floor.ear.messages() if "seq" in message]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_a_late_joiner_finds_the_deal_and_the_boards_before_it() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "player", 5_000)
    await floor.until(Phase.SETTLED)
    _, snapshot, you = await floor.greeted(ann)
    dealt = floor.ear.of("coup_dealt")[0]
    assert {key: snapshot["dealt"][key] for key in ("player_cards", "banker_cards", "timeline", "deals_utc_ms")} == {
        key: dealt[key] for key in ("player_cards", "banker_cards", "timeline", "deals_utc_ms")
    }
    assert snapshot["roads"]["counts"]["coups"] == 0
    counts_of_the_coup = snapshot["dealt"]["roads"][1]
    assert counts_of_the_coup[0] == 1
    assert you["settled"] == floor.ear.of("settled", ann)[0]
    assert you["receipt"]["balance_minor"] == START_MINOR - 5_000


async def test_gold_totals_are_coalesced_and_the_newest_is_told() -> None:
    floor, _ = await opened()
    patrons = [await floor.guest() for _ in range(30)]
    before = len(floor.ear.of("totals"))
    for patron_id in patrons:
        await floor.bet(patron_id, "tie", 2_000)
        floor.sleep(10)
    floor.sleep(200)
    await floor.runner.pump()
    totals = floor.ear.of("totals")[before:]
    assert 1 < len(totals) <= 3
    assert totals[-1]["totals"] == {"tie": 60_000}
    assert (totals[-1]["bettors"], totals[-1]["bet_seq"]) == (30, 30)


async def test_commands_and_close_are_judged_in_the_order_they_were_taken() -> None:
    """What was taken before the deadline counts though it is judged after it; what came at it is late."""
    floor, ann = await opened()
    bob = await floor.guest()
    await floor.stage(ann, "player", 5_000)
    await floor.stage(bob, "player", 5_000)
    opening = floor.runner.state.opening
    assert opening is not None
    floor.clock.move_to(opening.closes_ns - 1)
    in_time = floor.runner.command(ann, Submit("in time", 1))
    floor.clock.move_to(opening.closes_ns)
    late = floor.runner.command(bob, Stage("late", 1, "player", 5_000))
    floor.clock.move_to(opening.closes_ns + 5_000_000)
    await floor.runner.pump()
    assert await in_time is None
    assert b"BETS_CLOSED" in (await late or b"")
    receipts = floor.ear.of("receipt", ann) + floor.ear.of("receipt", bob)
    assert [(r["automatic"], r["stakes"]) for r in receipts] == [(False, {"player": 5_000}), (True, {"player": 5_000})]


async def test_two_submits_at_once_and_the_close_make_one_bet() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    opening = floor.runner.state.opening
    assert opening is not None
    floor.clock.move_to(opening.closes_ns - 1)
    asks = [floor.runner.command(ann, Submit(f"tab {n}", 1)) for n in range(10)]
    floor.clock.move_to(opening.closes_ns)
    await floor.runner.pump()
    replies = [await ask for ask in asks]
    assert replies.count(None) == 1
    assert all(b'"bet_seq":1' in reply for reply in replies if reply)
    assert (await floor.store.purse(ann)).available_minor == START_MINOR - 5_000


async def test_rebet_remembers_across_a_restart() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "tie", 4_000)
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    await floor.until(Phase.CLOSED)
    await floor.start()
    await floor.until(Phase.OPEN)
    assert (await floor.greeted(ann))[-1]["last_stakes"] == {"tie": 4_000}
    await floor.does(ann, Rebet("again", floor.runner.state.coup_no, 2))
    assert floor.ear.of("staged", ann)[-1]["stakes"] == {"tie": 8_000}


async def test_a_command_that_fails_inside_is_refused_and_the_table_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, ann = await opened()
    bob = await floor.guest()
    real = betting.verify_staging

    def trap(sheet, new, command):  # type: ignore[no-untyped-def]
        if command.patron_id == ann:
            raise MemoryError
        return real(sheet, new, command)

    monkeypatch.setattr(betting, "verify_staging", trap)
    asks = [floor.runner.command(p, Stage(f"x{p}", 1, "player", 5_000)) for p in (ann, bob)]
    await floor.runner.pump()
    assert b"INTERNAL" in (await asks[0] or b"")
    assert await asks[1] is None
    await floor.until(Phase.CLOSED)
    assert [r["stakes"] for r in floor.ear.of("receipt", bob)] == [{"player": 5_000}]
    await floor.verify(1)


async def test_a_broken_invariant_stops_the_table_loudly_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, ann = await opened()
    await floor.bet(ann)
    await floor.until(Phase.LOCKED)
    book = await floor.store.book()

    def trap(*facts):  # type: ignore[no-untyped-def]
        raise InvariantBroken("I9", "planted")

    monkeypatch.setattr("bigroad.app.table_runner.verify", trap)
    floor.clock.move_to(floor.runner.next_ns)
    await floor.runner.pump()
    assert floor.ear.of("table_closed")[-1]["reason"] == "broken"
    assert floor.runner.state.phase is Phase.LOCKED
    assert await floor.store.book() == book
    assert (await floor.stage(ann, "tie", 2_000) or {})["code"] == "TABLE_CLOSED"
    assert (await floor.runner.row()).phase == "closed"
    monkeypatch.setattr("bigroad.app.table_runner.verify", invariants.verify)
    await floor.start()
    await floor.until(Phase.CLOSED)
    await floor.verify(1)


async def test_an_owner_that_lost_the_table_stops() -> None:
    floor, ann = await opened()
    stale = floor.runner
    await floor.start()
    floor.runner = stale
    assert (await floor.stage(ann, "tie", 2_000) or {})["code"] == "TABLE_CLOSED"
    assert (await floor.store.load(floor.table_no)).drafts == {}


async def test_new_limits_apply_from_the_next_coup() -> None:
    floor, ann = await opened()
    runner = floor.runner
    tight = tuple(replace(limit, max_minor=3_000) for limit in floor.terms.limits)
    runner.change_terms(replace(floor.terms, limits=tight))
    await floor.bet(ann, "tie", 5_000)
    assert floor.ear.of("receipt", ann)
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    assert (await floor.stage(ann, "tie", 5_000) or {})["code"] == "ABOVE_MAX"


async def test_stopping_waits_its_turn_in_the_inbox() -> None:
    """A bet under way when Ctrl-C comes is booked and told; what comes after is refused."""
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    bet = floor.runner.command(ann, Submit("bet", 1))
    floor.runner.stop()
    late = floor.runner.command(ann, Stage("late", 1, "tie", 5_000))
    await floor.runner.pump()
    assert await bet is None
    assert b"TABLE_CLOSED" in (await late or b"")
    assert ann in floor.runner.state.bets
    assert floor.ear.of("table_closed")[-1]["reason"] == "stopping"
    assert floor.runner.state.seq == floor.ear.of("table_closed")[-1]["seq"]
    floor.sleep(10 * 60_000)
    await floor.runner.pump()
    assert floor.runner.state.phase is Phase.OPEN


async def test_a_stopped_table_says_so_to_late_joiners_with_a_number_that_pages_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor, ann = await opened()
    seen = floor.runner.state.seq

    def trap(*facts):  # type: ignore[no-untyped-def]
        raise InvariantBroken("I1", "planted")

    monkeypatch.setattr("bigroad.app.table_runner.verify", trap)
    await floor.stage(ann, "player", 5_000)
    assert floor.ear.of("table_closed")[-1]["seq"] == seen + 1
    _, snapshot, _ = await floor.greeted(ann)
    assert snapshot["closed"]["reason"] == "broken"


async def test_a_patron_who_has_left_is_forgotten_and_remembered_again() -> None:
    floor, ann = await opened()
    await floor.greeted(ann)
    await floor.bet(ann, "tie", 4_000)
    floor.runner.leave(ann)
    await floor.runner.pump()
    assert ann not in floor.runner.state.last_stakes
    assert (await floor.greeted(ann))[-1]["last_stakes"] == {"tie": 4_000}


async def test_no_refill_is_offered_while_a_stake_is_under_way() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "player", START_MINOR)
    you = (await floor.greeted(ann))[-1]
    assert (you["balance_minor"], you["can_refill"]) == (0, False)
    assert not await floor.store.refill(ann, 2_000, START_MINOR, 20_000, 1)


async def test_a_socket_that_cannot_join_troubles_nobody_else() -> None:
    floor, ann = await opened()

    def gone(frames: Sequence[bytes]) -> None:
        raise RuntimeError("the transport is closed")

    task = asyncio.create_task(floor.runner.greet(Patron(ann, "Ann"), None, None, gone))
    await asyncio.sleep(0)
    await floor.runner.pump()
    with pytest.raises(RuntimeError):
        await task
    assert (await floor.runner.row()).patrons == 0
    await floor.until(Phase.CLOSED)


async def test_whatever_leaves_the_pump_stops_the_table_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, _ = await opened()

    async def trap() -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(floor.runner, "pump", trap)
    running = asyncio.create_task(floor.runner.run())
    await asyncio.sleep(0)
    assert floor.ear.of("table_closed")[-1]["reason"] == "broken"
    assert (await floor.runner.row()).phase == "closed"
    running.cancel()


async def test_a_new_tab_that_waits_while_the_old_one_goes_can_still_rebet() -> None:
    floor, ann = await opened()
    await floor.greeted(ann)
    await floor.bet(ann, "tie", 4_000)
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    task = asyncio.create_task(floor.runner.greet(Patron(ann, "Ann"), None, None, lambda frames: None))
    await asyncio.sleep(0)
    floor.runner.leave(ann)
    await floor.runner.pump()
    await task
    assert await floor.does(ann, Rebet("again", floor.runner.state.coup_no)) is None


async def test_what_one_patron_asks_in_a_coup_is_bounded_and_so_is_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bigroad.app.table_runner.ASKED_MOST", 5)
    floor, ann = await opened()
    bob = await floor.guest()
    answers = [await floor.stage(ann, "player", 2_000) for _ in range(8)]
    assert [(answer or {}).get("code") for answer in answers] == [None] * 5 + ["RATE_LIMITED"] * 3
    assert len(floor.runner.state.answers) == 5
    assert (await floor.stage(bob, "player", 2_000) or {}).get("code") is None
    assert ((await floor.does(ann, Submit(floor.request(), 1))) or {}).get("code") is None, "BET is heard for longer"
    assert ann in floor.runner.state.bets
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    assert (await floor.stage(ann, "player", 2_000) or {}).get("code") is None, "the next coup begins anew"


async def test_a_crowd_that_waits_to_be_greeted_holds_up_neither_a_bet_nor_the_close() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    bet = floor.runner.command(ann, Submit("bet", 1))
    phases: list[tuple[Phase, int]] = []
    joined = [
        asyncio.create_task(
            floor.runner.greet(
                Patron(ann, "Ann"),
                None,
                None,
                lambda frames: phases.append((floor.runner.state.phase, len(floor.runner.state.bets))),
            )
        )
        for _ in range(100)
    ]
    await asyncio.sleep(0)
    opening = floor.runner.state.opening
    assert opening is not None
    assert opening.closes_utc_ms is not None
    floor.sleep(opening.closes_utc_ms - floor.clock.utc_ms())
    await floor.runner.pump()
    await asyncio.gather(bet, *joined)
    assert phases == [(Phase.LOCKED, 1)] * 100
