"""The seats of a table for one patron: they are let go when nobody is there, and found by who comes back."""

import asyncio
from dataclasses import replace

from bigroad.app.clock import SystemClock
from bigroad.app.private_table import PrivateTable
from bigroad.bus.local import LocalBus
from bigroad.storage.memory import MemoryStore
from bigroad.table.terms import Timing
from bigroad.wire.server_events import Patron
from tests.app.floor import BANKROLL_MINOR, LOOKS, START_MINOR
from tests.tables import seed_of, usual_terms


async def test_a_patron_finds_the_seat_again_after_it_was_let_go() -> None:
    """An open coup without bets is idle: the seat was let go again before who asked for it could get to it."""
    store = MemoryStore()
    claim = await store.claim("own", BANKROLL_MINOR, 0)
    patron = await store.create_guest("Ann", b"ann", START_MINOR, 0)
    terms = replace(usual_terms(), clock=False, timing=Timing(0, 0))
    seeds = iter(range(1, 100))
    table = PrivateTable(
        claim.table_no,
        LOOKS,
        terms,
        store,
        LocalBus(),
        SystemClock(),
        lambda: seed_of(next(seeds)),
        2_000,
    )
    for visit in range(1, 4):
        frames: list[bytes] = []
        ann = Patron(patron.patron_id, patron.nickname)
        await asyncio.wait_for(table.greet(ann, None, None, frames.extend), 5)
        assert len(frames) == 3
        assert table.seats[0].state.coup_no == 1
        table.leave(patron.patron_id)
        await asyncio.wait_for(asyncio.gather(*table._running.values()), 5)
        assert not table.seats
        assert (await store.claim_seat(claim.table_no, patron.patron_id, 0)).epoch == 2 * visit, "claimed once a visit"
