"""The answer of a commit is lost: the table finds out what was kept, goes on from there, and tells it."""

from collections.abc import Sequence

import pytest

from bigroad.app.store import Changes, Decide, StoreError
from bigroad.storage.memory import MemoryStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage, Submit, TableCommand
from tests.app.floor import START_MINOR, Floor
from tests.app.test_recovery import paid

RETRY_MS = 300


class Lossy(MemoryStore):
    """Keeps the n-th commit and says that it did not."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        changes = await super().commit(table_no, patron_ids, decide, since_day)
        self.number -= 1
        if self.number == 0:
            raise StoreError("the answer was lost")
        return changes


async def until(floor: Floor, coup_no: int, phase: Phase) -> None:
    while (floor.runner.state.coup_no, floor.runner.state.phase) != (coup_no, phase):
        floor.clock.move_to(max(floor.clock.now_ns() + 1, floor.runner.next_ns))
        await floor.runner.pump()


async def test_a_bet_whose_answer_was_lost_is_there_and_can_be_asked_for() -> None:
    floor = await Floor(Lossy(3)).start()
    ann = await floor.guest()
    await floor.runner.pump()
    await floor.does(ann, Stage("chip", 1, "player", 5_000))
    bet = Submit("bet", 1)
    lost = await floor.does(ann, bet)
    assert lost is not None
    assert lost["code"] == "STORE_UNAVAILABLE"
    again = await floor.does(ann, bet)
    assert again is not None
    assert (again["type"], again["stakes"], again["bet_seq"]) == ("receipt", {"player": 5_000}, 1)
    (you,) = floor.ear.of("you", ann)
    assert you["receipt"]["stakes"] == {"player": 5_000}, "the patron is told without asking"
    assert you["balance_minor"] == START_MINOR - 5_000
    assert floor.ear.of("totals")[-1]["totals"] == {"player": 5_000}


@pytest.mark.parametrize("number", range(1, 9))
async def test_each_answer_lost_once_loses_and_doubles_nothing(number: int) -> None:
    floor = await Floor(Lossy(number)).start()
    better, stager = await floor.guest(), await floor.guest()
    wishes: list[tuple[int, TableCommand]] = [
        (better, Stage("a", 1, "player", 5_000)),
        (better, Submit("b", 1)),
        (stager, Stage("c", 1, "banker", 3_000)),
    ]
    await until(floor, 1, Phase.OPEN)
    opening = floor.runner.state.opening
    for patron_id, message in wishes * 2:
        floor.sleep(RETRY_MS)
        await floor.does(patron_id, message)
    await until(floor, 1, Phase.SETTLED)
    assert (await floor.runner.row()).phase == "dealing", "the table goes on"
    assert (await floor.store.purse(better)).available_minor == await paid(floor, better, {"player": 5_000})
    assert (await floor.store.purse(stager)).available_minor == await paid(floor, stager, {"banker": 3_000})
    await floor.verify(1)
    told = [message["seq"] for message in floor.ear.messages() if "seq" in message]
    assert told == list(range(1, len(told) + 1)), "every public event is told once, in order"
    for patron_id in (better, stager):
        ends = floor.ear.of("settled", patron_id) + [you for you in floor.ear.of("you", patron_id) if you["settled"]]
        assert len(ends) == 1, "each patron is told once how the bet ended"
    assert floor.runner.state.opening == opening, "no deadline has moved"
    await until(floor, 2, Phase.OPEN)


async def test_nobody_is_greeted_with_a_past_that_is_in_doubt() -> None:
    floor = await Floor(Lossy(2)).start()
    ann = await floor.guest()
    await floor.runner.pump()
    await floor.does(ann, Stage("chip", 1, "player", 5_000))
    you = (await floor.greeted(ann))[2]
    assert you["staged"]["stakes"] == {"player": 5_000}
