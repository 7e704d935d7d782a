"""The crash points of docs/ledger.md, as far as this round's states go: the process is gone, the store stays."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bigroad.app.recovery import recovered
from bigroad.app.store import NEVER_OPENED, Changes, Decide, StoreError
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import settle
from bigroad.storage.memory import MemoryStore
from bigroad.table.commands import Tick
from bigroad.table.machine import step
from bigroad.table.phases import Phase
from bigroad.wire import translate
from bigroad.wire.client_messages import Stage, Submit, TableCommand
from tests.app.floor import START_MINOR, Floor
from tests.tables import BETTING_MS


async def two_patrons() -> tuple[Floor, int, int]:
    """A table in OPEN: the first patron has bet 5,000 on Player, the second has staged 3,000 on Banker."""
    floor = await Floor().start()
    better, stager = await floor.guest(), await floor.guest()
    await floor.runner.pump()
    await floor.bet(better, "player", 5_000)
    await floor.stage(stager, "banker", 3_000)
    return floor, better, stager


async def paid(floor: Floor, patron_id: int, stakes: dict[str, int]) -> int:
    """What the patron should have after the coup, by the rules alone."""
    (coup,) = await floor.store.coups(floor.table_no)
    cards = Coup(tuple(map(parse_card, coup.player_cards)), tuple(map(parse_card, coup.banker_cards)))
    return START_MINOR - sum(stakes.values()) + settle(stakes, cards.outcome, STANDARD).returned_total_minor


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.LOCKED, Phase.DEALT, Phase.SETTLED])
@pytest.mark.parametrize("away_ms", [0, 1_000, 100_000])
async def test_killed_between_two_arrows(phase: Phase, away_ms: int) -> None:
    """Rows 1, 4, 5, 6, 7, 9, 10, 12."""
    floor, better, stager = await two_patrons()
    await floor.until(phase)
    cards = floor.runner.state.dealing.coup if floor.runner.state.dealing else None
    if phase is Phase.OPEN:
        floor.clock.move_to(BETTING_MS * 1_000_000 - 500_000_000)
    floor.sleep(away_ms)
    await floor.start()
    voided = phase is Phase.OPEN and away_ms == 100_000
    if voided:
        await floor.step_once()
        assert floor.runner.state.phase is Phase.VOIDED
        assert [(await floor.store.purse(p)).available_minor for p in (better, stager)] == [START_MINOR, START_MINOR]
    else:
        await floor.until(Phase.CLOSED)
        (coup,) = await floor.store.coups(floor.table_no)
        if cards is not None:
            assert coup.player_cards == tuple(map(str, cards.player_cards))
            assert coup.banker_cards == tuple(map(str, cards.banker_cards))
        assert (await floor.store.purse(better)).available_minor == await paid(floor, better, {"player": 5_000})
        assert (await floor.store.purse(stager)).available_minor == await paid(floor, stager, {"banker": 3_000})
    await floor.verify(1)
    await floor.until(Phase.OPEN)
    assert floor.runner.state.coup_no == 2, "the next coup has the next number"


async def test_the_cards_are_the_same_whether_or_not_the_process_died_before_the_deal() -> None:
    """Row 9: cards computed, DEALT not committed: computed again, identical."""
    dealt = []
    for crash in (False, True):
        floor, _, _ = await two_patrons()
        await floor.until(Phase.LOCKED)
        if crash:
            await floor.start()
        await floor.until(Phase.CLOSED)
        (coup,) = await floor.store.coups(floor.table_no)
        dealt.append((coup.player_cards, coup.banker_cards, coup.burned))
    assert dealt[0] == dealt[1]


async def test_a_retry_after_the_crash_gets_the_answer_it_missed() -> None:
    """Row 3: committed, answer lost. And row 2: not committed, the retry decides."""
    floor = await Floor().start()
    ann = await floor.guest()
    await floor.runner.pump()
    chip, bet = Stage("chip", 1, "player", 5_000), Submit("bet", 1)
    await floor.does(ann, chip)
    await floor.does(ann, bet)
    first = floor.ear.of("receipt", ann)
    await floor.start()
    again_chip, again_bet = await floor.does(ann, chip), await floor.does(ann, bet)
    assert again_chip is not None
    assert again_chip["steps"] == [{"player": 5_000}]
    assert again_bet == first[0]
    conflict = await floor.does(ann, Stage("chip", 1, "player", 6_000))
    assert conflict is not None
    assert conflict["code"] == "CONFLICT"
    assert (await floor.store.purse(ann)).available_minor == START_MINOR - 5_000
    await floor.until(Phase.CLOSED)
    await floor.verify(1)


async def test_a_retry_gets_its_receipt_even_when_the_next_coup_is_open_after_the_restart() -> None:
    floor = await Floor().start()
    ann = await floor.guest()
    await floor.runner.pump()
    chip, bet = Stage("chip", 1, "player", 5_000), Submit("bet", 1)
    await floor.does(ann, chip)
    await floor.does(ann, bet)
    (receipt,) = floor.ear.of("receipt", ann)
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    await floor.start()
    assert await floor.does(ann, bet) == receipt


async def test_a_restart_in_mid_deal_tells_the_opening_as_it_was() -> None:
    floor, better, _ = await two_patrons()
    told = floor.ear.of("coup_opened")[0]
    await floor.until(Phase.SETTLED)
    await floor.start()
    opened = (await floor.greeted(better))[1]["opened"]
    assert {key: opened[key] for key in told if key not in ("seq", "at_utc_ms", "epoch")} == {
        key: told[key] for key in told if key not in ("seq", "at_utc_ms", "epoch")
    }


class Failing(MemoryStore):
    """Fails the n-th commit: before it is kept, or after (the answer is lost)."""

    def __init__(self, number: int, *, kept: bool) -> None:
        super().__init__()
        self.number, self.kept = number, kept

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        self.number -= 1
        if self.number == 0:
            if self.kept:
                await super().commit(table_no, patron_ids, decide, since_day)
                raise Crash
            raise StoreError("disk full")
        return await super().commit(table_no, patron_ids, decide, since_day)


class Crash(BaseException):
    """The process dies here."""


@pytest.mark.parametrize("number", range(1, 10))
async def test_each_commit_failing_once_loses_nothing(number: int) -> None:
    """The store says no once: bets are refused in words, the round waits and goes on by itself."""
    floor = await Floor(Failing(number, kept=False)).start()
    better, stager = await floor.guest(), await floor.guest()
    await floor.runner.pump()
    while floor.runner.state.phase is not Phase.OPEN:
        floor.sleep(300)
        await floor.runner.pump()
    answers = [await floor.bet(better, "player", 5_000), await floor.stage(stager, "banker", 3_000)]
    await floor.until(Phase.CLOSED)
    codes = {answer["code"] for answer in answers if answer and "code" in answer}
    assert codes <= {"STORE_UNAVAILABLE", "NOTHING_STAGED"}
    for patron_id, stakes in ((better, {"player": 5_000}), (stager, {"banker": 3_000})):
        bet = await floor.store.history(patron_id, 5)
        due = await paid(floor, patron_id, stakes) if bet else START_MINOR
        assert (await floor.store.purse(patron_id)).available_minor == due
    await floor.verify(1)


@pytest.mark.parametrize("number", range(1, 9))
async def test_dying_right_after_each_commit_loses_and_doubles_nothing(number: int) -> None:
    floor = await Floor(Failing(number, kept=True)).start()
    better, stager = await floor.guest(), await floor.guest()
    wishes: list[tuple[int, TableCommand]] = [
        (better, Stage("a", 1, "player", 5_000)),
        (better, Submit("b", 1)),
        (stager, Stage("c", 1, "banker", 3_000)),
    ]
    crashed = False
    while True:
        try:
            await floor.until(Phase.OPEN) if floor.runner.state.coup_no == 0 else None
            for patron_id, message in wishes:
                await floor.does(patron_id, message)
            await floor.until(Phase.CLOSED)
            break
        except Crash:
            assert not crashed
            crashed = True
            await floor.start()
            if floor.runner.state.phase is Phase.CLOSED and floor.runner.state.coup_no:
                break
    assert crashed
    assert (await floor.store.purse(better)).available_minor == await paid(floor, better, {"player": 5_000})
    assert (await floor.store.purse(stager)).available_minor == await paid(floor, stager, {"banker": 3_000})
    await floor.verify(1)


async def test_boards_and_shoe_come_back_as_they_were() -> None:
    floor = await Floor().start()
    for coup_no in range(1, 40):
        await floor.until(Phase.OPEN)
        assert floor.runner.state.coup_no == coup_no
        await floor.until(Phase.CLOSED)
    before = floor.runner.state
    record = await floor.runner.shoe(1)
    assert record is not None
    assert record.roads == translate.whole_roads(before.scoreboard)
    assert [coup.coup for coup in record.coups] == list(range(1, 40))
    assert await floor.runner.shoe(0) is None
    assert await floor.runner.shoe(2) is None
    await floor.start()
    after = floor.runner.state
    assert after.scoreboard.whole() == before.scoreboard.whole()
    assert (after.shoe, after.shoe_no, after.seq) == (before.shoe, before.shoe_no, before.seq)
    assert after.dealing == before.dealing


def test_a_table_that_closed_before_its_first_coup_goes_on_counting_its_events() -> None:
    """A seat that was stopped before it opened anything has told one event; the next owner's first is the second."""
    floor = Floor()
    terms, clock = floor.terms, floor.clock
    state = recovered(7, replace(NEVER_OPENED, seq=1), terms, clock)
    assert (state.seq, state.coup_no, state.phase) == (1, 0, Phase.CLOSED)
    opened = step(state, Tick(clock.utc_ms(), bytes(32)), clock.now_ns())
    assert opened.state.seq == 3, "the shoe, then the coup"
