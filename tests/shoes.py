"""A database in which a table has dealt a shoe with given outcomes, from real seeds."""

import time
from pathlib import Path

from bigroad.app.clock import SimulatedClock
from bigroad.fairness.deal import deal
from bigroad.roads.marks import parse_sequence
from bigroad.rules.coup import Outcome
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from tests.app.floor import Floor
from tests.tables import seed_of

COUP_MS = 80_000


class Fated(Floor):
    """A floor whose seeds are tried until the coup ends as wanted."""

    def __init__(self, store: SqliteStore, outcomes: list[Outcome]) -> None:
        super().__init__(store)
        self.outcomes, self.tried = outcomes, 0
        self.clock = SimulatedClock(int(time.time() * 1000) - (len(outcomes) + 1) * COUP_MS)

    def entropy(self) -> bytes:
        state = self.runner.state
        wanted = self.outcomes[state.coup_no]
        while True:
            self.tried += 1
            seed = seed_of(self.tried)
            if deal(state.shoe, seed, state.coup_no + 1).coup.outcome is wanted:
                return seed


async def prepare_shoe(database: Path, sequence: str) -> None:
    """Deal the sequence (letters B, P, T) at table `emerald` and close its last coup."""
    database.parent.mkdir(parents=True, exist_ok=True)
    floor = Fated(SqliteStore(database), parse_sequence(sequence))
    await floor.start()
    for number in range(1, len(sequence) + 1):
        await floor.until(Phase.OPEN)
        await floor.until(Phase.CLOSED)
        assert floor.runner.state.coup_no == number
    await floor.store.close()
