"""A database in which tables have dealt shoes with given outcomes, from real seeds."""

import time
from pathlib import Path

import msgspec

from bigroad.app.clock import SimulatedClock
from bigroad.app.recovery import recovered
from bigroad.app.table_runner import TableRunner
from bigroad.fairness.deal import deal
from bigroad.roads.marks import parse_sequence
from bigroad.rules.coup import Outcome
from bigroad.storage.opening import open_book
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.phases import Phase
from tests.app.floor import BANKROLL_MINOR, LOOKS, Floor
from tests.tables import seed_of

COUP_MS = 80_000
MOST_CARDS = 5


class Fated(Floor):
    """A floor whose seeds are tried until the coup ends as wanted; after `outcomes` any will do."""

    def __init__(self, store: SqliteStore, outcomes: list[Outcome], coups: int, table: str = "emerald") -> None:
        super().__init__(store)
        self.outcomes, self.tried, self.table = outcomes, 0, table
        self.clock = SimulatedClock(int(time.time() * 1000) - (coups + 1) * COUP_MS)

    async def start(self) -> "Fated":
        claim = await self.store.claim(self.table, BANKROLL_MINOR, self.clock.utc_ms())
        stored = await self.store.load(claim.table_no)
        state = recovered(claim.table_no, stored, self.terms, self.clock)
        looks = msgspec.structs.replace(LOOKS, table=self.table)
        self.runner = TableRunner(
            state, claim.epoch, looks, stored.events, self.store, self.ear, self.clock, self.entropy, 2_000
        )
        return self

    def entropy(self) -> bytes:
        """A seed whose coup ends as wanted; one of few cards, so that a long sequence fits into the shoe."""
        state = self.runner.state
        wanted = self.outcomes[state.coup_no] if state.coup_no < len(self.outcomes) else None
        while True:
            self.tried += 1
            seed = seed_of(self.tried)
            if wanted is None:
                return seed
            coup = deal(state.shoe, seed, state.coup_no + 1).coup
            if coup.outcome is wanted and len(coup.player_cards) + len(coup.banker_cards) <= MOST_CARDS:
                return seed

    async def coup(self) -> None:
        """Deal one coup and close it."""
        number = self.runner.state.coup_no + 1
        await self.until(Phase.OPEN)
        await self.until(Phase.CLOSED)
        assert self.runner.state.coup_no == number


async def prepare_shoe(database: Path, sequence: str, table: str = "emerald") -> None:
    """Deal the sequence (letters B, P, T) at a table and close its last coup."""
    database.parent.mkdir(parents=True, exist_ok=True)
    floor = Fated(open_book(database).store, parse_sequence(sequence), len(sequence), table)
    await floor.start()
    for _ in sequence:
        await floor.coup()
    await floor.store.close()


async def prepare_last_coup(database: Path, shoes: int = 1, table: str = "emerald") -> None:
    """Deal so many shoes, the last of them up to its cut card: one more coup is left of it."""
    database.parent.mkdir(parents=True, exist_ok=True)
    floor = Fated(open_book(database).store, [], 100 * shoes, table)
    await floor.start()
    while floor.runner.state.shoe_no < shoes or not floor.runner.state.shoe.last_coup:
        await floor.coup()
    await floor.store.close()
