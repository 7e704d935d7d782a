"""A table under a runner, a store and a clock that a test moves by hand."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from bigroad.app.clock import SimulatedClock
from bigroad.app.ports import Listener, News
from bigroad.app.recovery import recovered
from bigroad.app.store import Store
from bigroad.app.table_runner import Seat, TableRunner
from bigroad.ledger import accounts, audit
from bigroad.ledger.accounts import Balance
from bigroad.storage.memory import MemoryStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Stage, Submit, TableCommand
from bigroad.wire.server_events import Patron, TableTerms
from tests.tables import seed_of, usual_terms

BANKROLL_MINOR = 10**9
START_MINOR = 1_000_000
LOOKS = TableTerms("emerald", "Emerald Room", "multiplayer-deluxe", "emerald", "female", 8, [2_000], 0, 0, [])


class Ear:
    """A bus that remembers."""

    def __init__(self) -> None:
        self.news: list[News] = []

    def publish(self, table: str, news: Sequence[News]) -> None:
        self.news.extend(news)

    def subscribe(self, table: str, listener: Listener) -> Callable[[], None]:
        raise NotImplementedError

    def messages(self, patron_id: int | None = None) -> list[dict]:  # type: ignore[type-arg]
        return [msgspec.json.decode(item.body) for item in self.news if item.patron_id == patron_id]

    def of(self, kind: str, patron_id: int | None = None) -> list[dict]:  # type: ignore[type-arg]
        return [message for message in self.messages(patron_id) if message["type"] == kind]


class Floor:
    """One table; with `alone` in its terms the seat of the first guest. `start` again is a restart: the runner is
    forgotten, and what the store has is recovered."""

    name = "emerald"

    def __init__(self, store: Store | None = None, **terms: int) -> None:
        self.store: Store = store or MemoryStore()
        self.terms = usual_terms(**terms)
        self.clock, self.ear = SimulatedClock(), Ear()
        self.patrons: list[int] = []
        self._seeds = 0
        self._requests = 0
        self.runner: TableRunner

    def entropy(self) -> bytes:
        self._seeds += 1
        return seed_of(self._seeds)

    async def start(self) -> "Floor":
        claim = await self.store.claim(self.name, BANKROLL_MINOR, self.clock.utc_ms())
        seat, bank_no = None, None
        if not self.terms.clock:
            bank_no = self.bank_no = claim.table_no
            sitter = self.patrons[0] if self.patrons else await self.guest()
            claim = await self.store.claim_seat(bank_no, sitter, self.clock.utc_ms())
            seat = Seat(sitter, f"emerald/{sitter}")
        self.table_no = claim.table_no
        stored = await self.store.load(claim.table_no)
        state = recovered(claim.table_no, stored, self.terms, self.clock, bank_no)
        self.runner = TableRunner(
            state, claim.epoch, LOOKS, stored.events, self.store, self.ear, self.clock, self.entropy, 2_000, None, seat
        )
        return self

    async def guest(self) -> int:
        token = b"%d" % len(self.patrons)
        stored = await self.store.create_guest("Ann", token, START_MINOR, self.clock.utc_ms())
        self.patrons.append(stored.patron_id)
        return stored.patron_id

    async def until(self, phase: Phase) -> None:
        """Let time pass, arrow by arrow, until the table is in that phase."""
        while self.runner.state.phase is not phase:
            assert self.runner.is_open, f"the table has stopped: {self.runner.stopped or 'in good order'}"
            self.clock.move_to(max(self.clock.now_ns(), self.runner.next_ns))
            await self.step_once()

    async def step_once(self) -> None:
        """One arrow."""
        if self.runner._in_doubt:
            await self.runner._resolve_doubt()
        if self.runner._tick_due():
            await self.runner._commit([(self.runner._tick(), self.clock.now_ns())])
        self.runner._tell_volatile()

    def sleep(self, ms: int) -> None:
        self.clock.move_to(self.clock.now_ns() + ms * 1_000_000)

    async def does(self, patron_id: int, message: TableCommand) -> dict | None:  # type: ignore[type-arg]
        """A command; answers the reply to the asking socket, or None."""
        answer = self.runner.command(patron_id, message)
        await self.runner.pump()
        reply = await answer
        return msgspec.json.decode(reply) if reply else None

    async def stage(self, patron_id: int, area: str, amount: int) -> dict | None:  # type: ignore[type-arg]
        return await self.does(patron_id, Stage(self.request(), self.runner.state.coup_no, area, amount))

    async def bet(self, patron_id: int, area: str = "player", amount: int = 5_000) -> dict | None:  # type: ignore[type-arg]
        await self.stage(patron_id, area, amount)
        return await self.does(patron_id, Submit(self.request(), self.runner.state.coup_no))

    def request(self) -> str:
        self._requests += 1
        return f"q{self._requests}"

    async def greeted(self, patron_id: int, epoch: int | None = None, seq: int | None = None) -> list[dict]:  # type: ignore[type-arg]
        frames: list[bytes] = []
        task = asyncio.create_task(self.runner.greet(Patron(patron_id, "Ann"), epoch, seq, frames.extend))
        await asyncio.sleep(0)
        await self.runner.pump()
        await task
        return [msgspec.json.decode(frame) for frame in frames]

    async def verify(self, coup_no: int) -> None:
        """The whole book, and that the coup's money has found its end."""
        balances, transfers = await self.store.book()
        audit.verify_book(balances, transfers)
        assert balances.get(accounts.escrow(accounts.coup_key(self.table_no, coup_no)), Balance()) == Balance()
