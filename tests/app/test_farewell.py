"""What is said of a table's running coup when the server goes down."""

from dataclasses import replace

import pytest

from bigroad.app.lobby import farewell
from bigroad.table.phases import Phase
from tests.app.floor import Floor


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (Phase.OPEN, "coup 1 is open with 1 bets. Started again before its close it goes on"),
        (Phase.LOCKED, "coup 1 is locked with 1 bets. It is dealt and paid at the next start."),
        (Phase.CLOSED, "coup 1 has ended and is paid."),
    ],
)
async def test_a_coup_under_way_goes_on(phase: Phase, said: str) -> None:
    floor = await Floor().start()
    ann = await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.bet(ann)
    await floor.until(phase)
    assert said in farewell("Emerald", floor.runner)


async def test_a_coup_that_was_voided_is_not_called_paid() -> None:
    floor = await Floor().start()
    await floor.until(Phase.OPEN)
    floor.runner._state = replace(floor.runner.state, phase=Phase.VOIDED)
    assert farewell("Emerald", floor.runner) == "Emerald: coup 1 was voided, and every stake is back."


async def test_a_table_that_another_server_runs_is_its() -> None:
    floor = await Floor().start()
    await floor.until(Phase.OPEN)
    await Floor(floor.store).start()
    floor.clock.move_to(floor.runner.next_ns)
    await floor.runner.pump()
    assert floor.ear.of("table_closed")[-1]["reason"] == "taken_over"
    assert farewell("Emerald", floor.runner) == "Emerald: coup 1 is another server's, which has taken the table over."
