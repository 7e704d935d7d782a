"""One patron's own seat: killed at each arrow, failing at each commit, hammered, with other rules after a restart."""

from pathlib import Path

import pytest

from bigroad.app.simulation_alone import simulate_alone
from bigroad.ledger import accounts, audit
from bigroad.ledger.accounts import Balance
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import settle
from bigroad.storage.memory import MemoryStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Rebet, Stage, Submit, TableCommand
from tests.app.floor import START_MINOR, Floor
from tests.app.test_recovery import Crash, Failing
from tests.tables import usual_terms

DAY_MS = 86_400_000


async def opened(store: MemoryStore | None = None) -> tuple[Floor, int]:
    """A seat in its first coup."""
    floor = await Floor(store, alone=1, decks=6).start()
    await floor.until(Phase.OPEN)
    return floor, floor.patrons[0]


async def due_minor(floor: Floor, stakes: dict[str, int], coup_no: int = 1) -> int:
    """What the patron should have after that one coup, by the rules alone."""
    coup = await floor.store.coup(floor.table_no, coup_no)
    assert coup is not None
    cards = Coup(tuple(map(parse_card, coup.player_cards)), tuple(map(parse_card, coup.banker_cards)))
    return START_MINOR - sum(stakes.values()) + settle(stakes, cards.outcome, STANDARD).returned_total_minor


async def test_an_open_seat_waits_for_ever_and_asks_for_no_time() -> None:
    floor, ann = await opened()
    assert floor.runner.next_ns >= 2**63
    assert floor.runner.is_idle
    await floor.stage(ann, "player", 5_000)
    floor.sleep(400 * DAY_MS)
    await floor.runner.pump()
    await floor.start()
    assert (floor.runner.state.phase, floor.runner.state.coup_no) == (Phase.OPEN, 1), "no close, so no void"
    assert floor.runner.is_idle
    you = (await floor.greeted(ann))[-1]
    assert you["staged"]["stakes"] == {"player": 5_000}
    assert not floor.runner.is_idle


@pytest.mark.parametrize("phase", [Phase.LOCKED, Phase.DEALT, Phase.SETTLED, Phase.CLOSED])
@pytest.mark.parametrize("away_ms", [0, 1_000, DAY_MS])
async def test_killed_between_two_arrows_the_coup_is_dealt_and_paid_once(phase: Phase, away_ms: int) -> None:
    floor, ann = await opened()
    await floor.bet(ann, "player", 5_000)
    assert floor.runner.state.phase is not Phase.OPEN
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    await press(floor, ann, Submit("bet", 1))
    await floor.until(phase)
    cards = floor.runner.state.dealing.coup if floor.runner.state.dealing else None
    assert await floor.store.seats_under_way(floor.bank_no) == ([] if phase is Phase.CLOSED else [ann])
    floor.sleep(away_ms)
    await floor.start()
    await floor.until(Phase.OPEN)
    coup = await floor.store.coup(floor.table_no, 1)
    assert coup is not None
    assert (coup.phase, floor.runner.state.coup_no) == (Phase.CLOSED, 2)
    if cards is not None:
        assert (coup.player_cards, coup.banker_cards) == (
            tuple(map(str, cards.player_cards)),
            tuple(map(str, cards.banker_cards)),
        )
    assert (await floor.store.purse(ann)).available_minor == await due_minor(floor, {"player": 5_000})
    await floor.verify(1)


async def press(floor: Floor, patron_id: int, message: TableCommand) -> None:
    """A command that is kept, and nothing after it yet."""
    floor.runner.command(patron_id, message)
    await floor.runner._serve_inbox()


async def test_a_reload_in_mid_deal_comes_back_to_the_same_coup() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "tie", 2_000)
    await press(floor, ann, Submit("bet", 1))
    await floor.until(Phase.SETTLED)
    told = floor.ear.of("coup_dealt")[0]
    for restarted in (False, True):
        if restarted:
            await floor.start()
        _, snapshot, you = await floor.greeted(ann)
        same = ("coup", "player_cards", "banker_cards", "outcome", "timeline", "deals_utc_ms", "shown_until_utc_ms")
        assert {key: snapshot["dealt"][key] for key in same} == {key: told[key] for key in same}
        assert (snapshot["opened"]["closes_utc_ms"], snapshot["opened"]["deals_utc_ms"]) == (None, None)
        assert you["receipt"]["stakes"] == {"tie": 2_000}
        assert you["settled"]["coup"] == 1


@pytest.mark.parametrize("fast", [False, True])
async def test_fast_play_outlives_the_process(fast: bool) -> None:
    floor, ann = await opened()
    await floor.stage(ann, "tie", 2_000)
    await press(floor, ann, Submit("bet", 1, fast))
    await floor.start()
    await floor.until(Phase.SETTLED)
    timeline = floor.runner.state.dealing
    assert timeline is not None
    assert (timeline.timeline.ends_ms < 1_500) == fast
    await floor.start()
    assert floor.runner.state.dealing == timeline


async def test_the_bet_is_booked_before_there_is_a_card() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    await press(floor, ann, Submit("bet", 1))
    coup = await floor.store.coup(floor.table_no, 1)
    assert coup is not None
    assert (coup.phase, coup.player_cards, coup.outcome) == (Phase.LOCKED, (), None)
    assert (await floor.store.purse(ann)).available_minor == START_MINOR - 5_000
    told = [message["type"] for message in floor.ear.messages() if message["type"] != "totals"]
    assert told == ["shoe_changed", "coup_opened", "bets_locked"]
    assert not any("cards" in str(message) and message["type"] == "receipt" for message in floor.ear.messages(ann))


async def test_two_tabs_hammering_play_one_round() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 5_000)
    presses: list[TableCommand] = [Submit(f"tab{n % 2}-{n}", 1, n % 3 == 0) for n in range(20)]
    presses += [Rebet(f"again{n}", 1, 1 + n % 2, True) for n in range(10)]
    answers = [floor.runner.command(ann, message) for message in presses]
    await floor.runner.pump()
    replies = [await answer for answer in answers]
    (receipt,) = floor.ear.of("receipt", ann)
    assert replies[0] is None, "the first answer goes to both tabs"
    assert {(r["type"], r["bet_seq"], r["total_minor"]) for r in map(decoded, replies[1:])} == {("receipt", 1, 5_000)}
    assert receipt["stakes"] == {"player": 5_000}
    assert len(floor.ear.of("bets_locked")) == 1
    await floor.until(Phase.OPEN)
    assert floor.runner.state.coup_no == 2
    assert (await floor.store.purse(ann)).available_minor == await due_minor(floor, {"player": 5_000})


def decoded(reply: bytes | None) -> dict:  # type: ignore[type-arg]
    import msgspec

    assert reply is not None
    answer: dict = msgspec.json.decode(reply)  # type: ignore[type-arg]
    return answer


@pytest.mark.parametrize("number", range(1, 9))
async def test_dying_right_after_each_commit_loses_and_doubles_nothing(number: int) -> None:
    floor = await Floor(Failing(number, kept=True), alone=1).start()
    ann = floor.patrons[0]
    wishes: list[TableCommand] = [Stage("a", 1, "player", 5_000), Submit("b", 1), Rebet("c", 2, 2, True)]
    crashes = 0
    for _ in range(100):
        try:
            while floor.runner.state.coup_no == 0 or floor.runner.next_ns < 2**63:
                floor.clock.move_to(max(floor.clock.now_ns(), floor.runner.next_ns))
                await floor.runner.pump()
            for message in wishes:
                if message.coup == floor.runner.state.coup_no:
                    await floor.does(ann, message)
            if floor.runner.state.coup_no == 3 and floor.runner.next_ns >= 2**63:
                break
        except Crash:
            crashes += 1
            await floor.start()
            await floor.greeted(ann)
    assert crashes == 1
    history = await floor.store.history(ann, 10)
    assert [(row.coup.coup_no, dict(row.bet.stakes)) for row in history] == [
        (2, {"player": 10_000}),
        (1, {"player": 5_000}),
    ]
    back = sum(sum((row.returned or {}).values()) for row in history)
    assert (await floor.store.purse(ann)).available_minor == START_MINOR - 15_000 + back
    for coup_no in (1, 2):
        await floor.verify(coup_no)


@pytest.mark.parametrize("number", range(1, 10))
async def test_each_commit_failing_once_loses_nothing(number: int) -> None:
    floor = await Floor(Failing(number, kept=False), alone=1).start()
    ann, codes = floor.patrons[0], set[object]()
    while floor.runner.state.coup_no < 2 or floor.runner.next_ns < 2**63:
        floor.clock.move_to(max(floor.clock.now_ns(), min(floor.runner.next_ns, floor.clock.now_ns() + 10**9)))
        await floor.runner.pump()
        if floor.runner.state.phase is Phase.OPEN and floor.runner.state.coup_no == 1:
            answers = [await floor.stage(ann, "player", 5_000), await floor.does(ann, Submit(floor.request(), 1))]
            codes.update((answer or {}).get("code") for answer in answers)
    assert codes <= {None, "STORE_UNAVAILABLE", "NOTHING_STAGED"}
    (row,) = await floor.store.history(ann, 5)
    assert (await floor.store.purse(ann)).available_minor == await due_minor(floor, dict(row.bet.stakes))
    await floor.verify(1)


async def test_other_limits_after_a_restart_hold_at_once_where_nobody_has_bet() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "player", 50_000)
    await floor.until(Phase.OPEN)
    await floor.stage(ann, "player", 30_000)
    floor.terms = usual_terms(alone=1, decks=6, max_minor=40_000)
    await floor.start()
    await floor.runner.pump()
    assert (floor.runner.state.phase, floor.runner.state.coup_no) == (Phase.OPEN, 3)
    voided = floor.ear.of("coup_voided")[-1]
    assert (voided["coup"], voided["reason"]) == (2, "rules")
    told = [event["areas"] and event["areas"][0][2] for event in floor.ear.of("coup_opened")]
    assert told == [2_500_000, None, 40_000], "limits are told where they are not those of the coup before"
    you = (await floor.greeted(ann))[-1]
    assert (you["staged"]["stakes"], you["last_stakes"]) == ({}, {"player": 50_000})
    reply = await floor.does(ann, Rebet("x", 3, 1, True))
    assert reply is not None
    assert (reply["code"], reply["facts"]) == (
        "ABOVE_MAX",
        {"area": "player", "max_minor": 40_000, "stake_minor": 50_000},
    )


async def test_a_coup_that_was_bet_on_keeps_its_rules_over_a_restart() -> None:
    floor, ann = await opened()
    await floor.stage(ann, "player", 50_000)
    await press(floor, ann, Submit("bet", 1))
    floor.terms = usual_terms(alone=1, decks=8, max_minor=40_000)
    await floor.start()
    await floor.until(Phase.OPEN)
    assert floor.ear.of("coup_voided") == []
    assert (await floor.store.purse(ann)).available_minor == await due_minor(floor, {"player": 50_000})
    assert floor.runner.state.coup_terms.decks == 8


async def test_boards_come_back_as_they_were_beyond_the_last_eighty() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "tie", 2_000)
    for number in range(2, 100):
        await floor.until(Phase.OPEN)
        assert floor.runner.state.coup_no == number
        await floor.does(ann, Rebet(floor.request(), number, 1, True, True))
    await floor.until(Phase.OPEN)
    before = floor.runner.state
    record = await floor.runner.shoe(1)
    assert record is not None
    assert [coup.coup for coup in record.coups] == list(range(20, 100))
    assert record.roads.boards.bead_plate[0].coup == 20
    await floor.start()
    after = floor.runner.state
    assert after.scoreboard.whole() == before.scoreboard.whole()
    assert (after.recent, after.shoe, after.seq) == (before.recent, before.shoe, before.seq)
    row = await floor.runner.row(ann)
    assert row.counts.coups == 80
    assert max(mark.col for mark in row.big_road) < 40


async def test_a_small_tail_and_then_a_snapshot() -> None:
    floor, ann = await opened()
    for number in range(1, 6):
        await floor.until(Phase.OPEN)
        await floor.stage(ann, "tie", 2_000)
        await floor.does(ann, Submit(f"r{number}", number))
        await floor.until(Phase.CLOSED)
    epoch, seq = floor.runner._epoch, floor.runner.state.seq
    assert len((await floor.store.load(floor.table_no)).events) == 12
    assert [frame["type"] for frame in await floor.greeted(ann, epoch, seq - 2)][1:3] == ["bets_locked", "coup_dealt"]
    assert (await floor.greeted(ann, epoch, 1))[1]["type"] == "snapshot"


async def test_thousands_of_rounds_of_a_crowd_keep_every_invariant() -> None:
    """A bank that is now and then too small for everybody, patrons that lose all they have."""
    store = MemoryStore()
    report = await simulate_alone(
        store, usual_terms(alone=1, decks=6, pace_permille=50), 2026, 2_000, 8, 5_000_000, 12_000_000
    )
    audit.verify_book(*await store.book())
    assert report.coups == sum(report.outcomes.values()) >= 2_000
    assert {"accepted", "repeated", "HOUSE_LIMIT", "BALANCE_TOO_LOW"} <= report.answers.keys()
    assert {"STALE_COUP", "ALREADY_SUBMITTED", "NOTHING_STAGED", "NOTHING_TO_REPEAT"} <= report.answers.keys()


async def test_the_same_seed_gives_the_same_log_on_every_store(tmp_path: Path) -> None:
    from tests.app.book_store import SqliteBookStore

    on_file = SqliteBookStore(tmp_path / "floor.sqlite3")
    terms, logs = usual_terms(alone=1, pace_permille=50), []
    for store, seed in ((MemoryStore(), 1), (MemoryStore(), 1), (MemoryStore(), 2), (on_file, 1)):
        logs.append((await simulate_alone(store, terms, seed, 40, 3, 5_000_000, 12_000_000)).log)
    await on_file.close()
    assert logs[0] == logs[1] == logs[3] != logs[2]


async def test_nobody_elses_bank_is_touched() -> None:
    floor, ann = await opened()
    await floor.bet(ann, "player", 5_000)
    await floor.until(Phase.OPEN)
    balances, _ = await floor.store.book()
    assert balances.get(accounts.bank(floor.table_no), Balance()) == Balance()
    assert balances[accounts.bank(floor.bank_no)].balance_minor != 0
