"""A table with a seat for each patron: opened when somebody comes, let go when nobody is there, never shared."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import msgspec
import pytest

from bigroad.app.clock import SystemClock
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.ports import News
from bigroad.app.private_table import PrivateTable
from bigroad.app.store import Claim, StoreError
from bigroad.bus.local import LocalBus
from bigroad.storage.memory import MemoryStore
from bigroad.table.phases import Phase
from bigroad.wire.client_messages import Rebet, Stage, Submit, TableCommand
from bigroad.wire.server_events import Patron, TableTerms
from tests.tables import usual_terms

LOOKS = TableTerms(
    "express", "Express", "three-d", "midnight", "female", 6, [2_000], 0, 0, [], seats="one", clock=False
)
BANKROLL, START = 10**9, 1_000_000


@dataclass(eq=False)
class Tab:
    """One page at the table: what it was told, in order."""

    house: "House"
    patron_id: int
    heard: list[dict] = field(default_factory=list)  # type: ignore[type-arg]
    stop: Callable[[], None] = lambda: None

    def join(self, frames: Sequence[bytes]) -> None:
        self.stop = self.house.bus.subscribe(self.house.table.channel(self.patron_id), self.hear)
        self.heard += map(msgspec.json.decode, frames)

    def hear(self, news: Sequence[News]) -> None:
        for item in news:
            if item.patron_id in (None, self.patron_id):
                self.heard.append(msgspec.json.decode(item.body))

    async def sit(self) -> "Tab":
        await self.house.table.greet(Patron(self.patron_id, "Ann"), None, None, self.join)
        return self

    def leave(self) -> None:
        self.stop()
        self.house.table.leave(self.patron_id)

    @property
    def coup(self) -> int:
        told = [event["coup"] for event in self.heard if event["type"] == "coup_opened"]
        snapshots = [event["opened"]["coup"] for event in self.heard if event["type"] == "snapshot" and event["opened"]]
        return int(max([0, *told, *snapshots]))

    async def does(self, message: TableCommand) -> dict | None:  # type: ignore[type-arg]
        reply = await self.house.table.command(self.patron_id, message)
        return msgspec.json.decode(reply) if reply else None

    async def plays(self) -> None:
        """One fast coup, to its end."""
        coup = self.coup
        if not any(event["type"] == "settled" for event in self.heard):
            await self.does(Stage(f"s{coup}", coup, "player", 2_000))
            await self.does(Submit(f"d{coup}", coup, True))
        else:
            await self.does(Rebet(f"r{coup}", coup, 1, True, True))
        await until(lambda: self.coup == coup + 1)

    def of(self, kind: str) -> list[dict]:  # type: ignore[type-arg]
        return [event for event in self.heard if event["type"] == kind]


class House:
    """A lobby with one private table, in real time; gestures take a twentieth of theirs."""

    def __init__(self, store: MemoryStore | None = None, **terms: int) -> None:
        self.store, self.bus = store or MemoryStore(), LocalBus()
        self.terms = usual_terms(alone=1, decks=6, pace_permille=50, **terms)
        self.lobby: Lobby
        self.table: PrivateTable

    async def open(self) -> "House":
        self.lobby = Lobby(self.store, self.bus, SystemClock(), lambda: secrets.token_bytes(32), START, 2_000)
        table = await self.lobby.open_table(TablePlan(LOOKS, self.terms, BANKROLL))
        assert isinstance(table, PrivateTable)
        self.table = table
        self.lobby.start()
        return self

    async def guest(self) -> int:
        token = secrets.token_bytes(8)
        return (await self.store.create_guest("Ann", token, START, 0)).patron_id

    async def tab(self, patron_id: int | None = None) -> Tab:
        return await Tab(self, patron_id or await self.guest()).sit()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(90):
        while not true():  # noqa: ASYNC110  (the seat's own task moves on while this waits)
            await asyncio.sleep(0.005)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = await House().open()
    yield made
    await made.lobby.stop()


async def test_a_seat_is_opened_for_its_patron_and_let_go_after_the_last_tab(house: House) -> None:
    assert house.table.seats == []
    one = await house.tab()
    two = await house.tab(one.patron_id)
    assert len(house.table.seats) == 1
    await until(lambda: one.coup == 1 and two.coup == 1)
    one.leave()
    await one.does(Stage("s", 1, "tie", 2_000))
    assert len(house.table.seats) == 1
    two.leave()
    await until(lambda: not house.table.seats)
    back = await house.tab(one.patron_id)
    you = back.of("you")[0]
    assert (you["coup"], you["staged"]["stakes"]) == (1, {"tie": 2_000})
    assert back.of("snapshot")[0]["epoch"] == 2
    back.leave()


async def test_a_coup_under_way_is_played_to_its_end_though_nobody_looks(house: House) -> None:
    tab = await house.tab()
    await until(lambda: tab.coup == 1)
    await tab.does(Stage("s", 1, "player", 2_000))
    await tab.does(Submit("d", 1))
    tab.leave()
    await until(lambda: not house.table.seats)
    (row,) = await house.store.history(tab.patron_id, 5)
    assert row.coup.phase is Phase.CLOSED
    assert row.returned is not None


async def test_what_is_wrong_with_a_seat_stops_that_seat_and_with_the_bank_all(house: House) -> None:
    ann, bob = await house.tab(), await house.tab()
    await until(lambda: ann.coup == bob.coup == 1)
    house.lobby.halt(f"express/{ann.patron_id}", ValueError("cooked"))
    await until(lambda: bool(ann.of("table_closed")))
    refused = await ann.does(Stage("s", 1, "player", 2_000))
    assert refused is not None
    assert refused["code"] == "TABLE_CLOSED"
    await bob.plays()
    assert house.table.is_open
    again = await house.tab(ann.patron_id)
    assert again.of("snapshot")[0]["closed"]["reason"] == "broken"
    away = await house.guest()
    house.lobby.halt(f"express/{away}", ValueError("cooked"))  # it is no sounder when somebody sits down
    back = await house.tab(away)
    assert back.of("snapshot")[0]["closed"]["reason"] == "broken"

    house.lobby.halt("express", ValueError("cooked"))
    await until(lambda: bool(bob.of("table_closed")))
    assert not house.table.is_open
    new = await house.tab()
    assert new.of("snapshot")[0]["closed"]["reason"] == "broken"
    for tab in (ann, again, back, bob, new):
        tab.leave()


async def test_nobody_hears_of_anybody_elses_seat(house: House) -> None:
    ann, bob = await house.tab(), await house.tab()
    await until(lambda: ann.coup == bob.coup == 1)
    before = len(bob.heard)
    for _ in range(3):
        await ann.plays()
    assert bob.coup == 1
    assert [event["type"] for event in bob.heard[before:] if event["type"] not in ("totals", "presence")] == []
    cards = [event["player_cards"] for event in ann.of("coup_dealt")]
    assert len(cards) == 3
    assert await house.table.coup(1, bob.patron_id) is None
    assert await house.table.coup(1, None) is None
    assert await house.table.shoe(1, None) is None
    record = await house.table.coup(1, ann.patron_id)
    assert record is not None
    assert (record.dealt.player_cards, record.dealt.table) == (cards[0], "express")
    shoe = await house.table.shoe(1, bob.patron_id)
    assert shoe is not None
    assert shoe.coups == []
    rows = [await house.table.row(patron) for patron in (ann.patron_id, bob.patron_id, None)]
    assert [row.counts.coups for row in rows] == [3, 0, 0]
    assert [row.own.state if row.own else None for row in rows] == ["free", "free", None]
    ann.leave()
    bob.leave()


async def test_no_card_is_told_before_the_bet_is_booked(house: House) -> None:
    tab = await house.tab()
    for _ in range(4):
        await tab.plays()
    kinds = [event["type"] for event in tab.heard if event["type"] in ("receipt", "bets_locked", "coup_dealt")]
    assert kinds == ["receipt", "bets_locked", "coup_dealt"] * 4
    tab.leave()


async def test_two_tabs_hear_the_same(house: House) -> None:
    one = await house.tab()
    two = await house.tab(one.patron_id)
    await until(lambda: one.coup == two.coup == 1)
    await one.does(Stage("s", 1, "player", 2_000))
    assert two.of("staged")[-1]["stakes"] == {"player": 2_000}
    presses = [tab.does(Submit(f"{n}{id(tab)}", 1, True)) for n in range(10) for tab in (one, two)]
    await asyncio.gather(*presses)
    await until(lambda: one.coup == two.coup == 2)
    for kind in ("receipt", "bets_locked", "coup_dealt", "settled", "coup_opened"):
        assert one.of(kind)[-1:] == two.of(kind)[-1:]
    assert len(one.of("receipt")) == len(one.of("coup_dealt")) == 1
    one.leave()
    two.leave()


async def test_the_lobby_shows_a_patron_the_own_seat_open_or_not(house: House) -> None:
    patron = await house.guest()
    never = await house.table.row(patron)
    assert (never.phase, never.coup, never.counts.coups, never.own) == ("betting", 0, 0, never.own)
    tab = await house.tab(patron)
    for _ in range(2):
        await tab.plays()
    sitting = await house.table.row(patron)
    tab.leave()
    await until(lambda: not house.table.seats)
    away = await house.table.row(patron)
    assert (sitting.patrons, away.patrons) == (1, 0)
    assert (away.coup, away.counts, away.big_road) == (3, sitting.counts, sitting.big_road)
    assert away.closes_utc_ms is None
    await house.lobby.stop()
    again = await House(house.store).open()
    assert (await again.table.row(patron)).big_road == sitting.big_road
    await again.lobby.stop()


async def test_after_a_restart_what_was_under_way_is_paid_without_anybody_coming_back() -> None:
    house = await House().open()
    tabs = [await house.tab() for _ in range(3)]
    await until(lambda: all(tab.coup == 1 for tab in tabs))
    for tab in tabs[:2]:
        await tab.does(Stage("s", 1, "player", 2_000))
        await tab.does(Submit("d", 1))
    words = await house.lobby.stop()
    assert len(words) == 1
    assert "under way" in words[0]
    again = await House(house.store).open()
    await again.table.resume()
    await until(lambda: not again.table.seats)
    for tab in tabs[:2]:
        (row,) = await again.store.history(tab.patron_id, 1)
        assert row.returned is not None
    assert list(await again.store.history(tabs[2].patron_id, 1)) == []
    await again.lobby.stop()


async def test_other_rules_reach_the_seats_that_are_open_and_those_that_are_not(house: House) -> None:
    here, away = await house.tab(), await house.tab()
    await until(lambda: here.coup == away.coup == 1)
    away.leave()
    await until(lambda: len(house.table.seats) == 1)
    house.table.change_terms(usual_terms(alone=1, max_minor=3_000, pace_permille=50))
    await until(lambda: here.coup == 2)
    assert here.of("coup_voided")[0]["reason"] == "rules"
    assert here.of("coup_opened")[-1]["areas"][0][2] == 3_000
    back = await house.tab(away.patron_id)
    await until(lambda: back.coup == 2)
    assert (await house.table.row(away.patron_id)).terms.areas[0].max_minor == 3_000
    assert house.table.terms.decks == 8
    here.leave()
    back.leave()


class Broken(MemoryStore):
    """Cannot be asked for a seat, once."""

    broken = True

    async def claim_seat(self, bank_no: int, patron_id: int, at_utc_ms: int) -> Claim:
        if self.broken:
            self.broken = False
            raise StoreError("disk full")
        return await super().claim_seat(bank_no, patron_id, at_utc_ms)


async def test_a_seat_that_could_not_be_opened_can_be_the_next_time() -> None:
    house = await House(Broken()).open()
    patron = await house.guest()
    results = await asyncio.gather(*(Tab(house, patron).sit() for _ in range(3)), return_exceptions=True)
    assert all(isinstance(one, StoreError) for one in results)
    tab = await house.tab(patron)
    await until(lambda: tab.coup == 1)
    tab.leave()
    await house.lobby.stop()


async def test_a_crowd_that_comes_and_goes_leaves_nothing_behind(house: House) -> None:
    """Tabs that open and close at every moment of a seat's life: none waits for ever, none is left over."""
    patrons = [await house.guest() for _ in range(5)]

    async def visit(number: int) -> None:
        for turn in range(12):
            tab = await house.tab(patrons[(number + turn) % 5])
            for _ in range(number % 3):
                await asyncio.sleep(0)
            tab.leave()

    async with asyncio.timeout(90):
        await asyncio.gather(*(visit(number) for number in range(12)))
    await until(lambda: not house.table.seats)
    assert (house.table._running, house.table._opening) == ({}, {})


async def test_a_patron_finds_the_seat_again_each_time_it_was_let_go(house: House) -> None:
    """An open coup without bets is idle: the seat must not be let go before who asked for it gets to it."""
    patron = await house.guest()
    for visit in range(1, 4):
        tab = await house.tab(patron)
        assert tab.of("snapshot")[0]["epoch"] == visit, "claimed once a visit"
        await until(lambda tab=tab: tab.coup == 1)  # type: ignore[misc]
        tab.leave()
        await until(lambda: not house.table.seats)


@pytest.mark.parametrize("shared_first", [True, False])
async def test_a_coup_is_paid_though_the_table_has_become_another_kind_of_game(shared_first: bool) -> None:
    """A table that was shared and is now for one patron, and the other way round: nobody's stake is left behind."""
    store, seeds = MemoryStore(), iter(range(1, 100))
    shared = usual_terms(betting_ms=500, closing_ms=200, pace_permille=50)
    alone = usual_terms(alone=1, pace_permille=50)
    kinds = [(shared, msgspec.structs.replace(LOOKS, seats="many", clock=True)), (alone, LOOKS)]
    patron = (await store.create_guest("Ann", b"ann", START, 0)).patron_id
    lobbies = []
    for terms, looks in kinds if shared_first else kinds[::-1]:
        lobby = Lobby(store, LocalBus(), SystemClock(), lambda: next(seeds).to_bytes(32, "big"), START, 2_000)
        desk = await lobby.open_table(TablePlan(looks, terms, BANKROLL))
        lobby.start()
        lobbies.append(lobby)
        if len(lobbies) == 1:
            await desk.greet(Patron(patron, "Ann"), None, None, lambda frames: None)
            runner = desk.seats[0] if isinstance(desk, PrivateTable) else desk
            await until(lambda runner=runner: runner.state.coup_no == 1)  # type: ignore[misc]
            assert await desk.command(patron, Stage("s", 1, "player", 5_000)) is None
            assert await desk.command(patron, Submit("b", 1)) is None
            await lobby.stop()
    async with asyncio.timeout(90):
        while (await store.history(patron, 1))[0].returned is None:  # noqa: ASYNC110  (as in `until`)
            await asyncio.sleep(0.005)
    (row,) = await store.history(patron, 1)
    assert (await store.purse(patron)).balance_minor == START - 5_000 + sum((row.returned or {}).values())
    await lobbies[1].stop()
