"""One contract for every store."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bigroad.app.store import (
    EVERYTHING,
    Advanced,
    BetResult,
    Changes,
    Claim,
    Cursor,
    KeptAnswer,
    Opened,
    Purse,
    StaleOwner,
    Store,
    StoreError,
    Wanted,
)
from bigroad.app.texts import shoe_of, shoe_text, terms_of, terms_text
from bigroad.ledger import accounts, audit, book
from bigroad.ledger.accounts import Balance
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import TransferKind
from bigroad.storage.memory import MemoryStore
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.commands import Funds
from bigroad.table.events import Bet, CoupDealt, Opening
from bigroad.table.phases import Phase
from tests.tables import BETTING_MS, CLOSING_MS, UTC_MS, open_table, ticked, usual_terms

BANKROLL = 1_000_000
GRANT = 50_000


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "floor.sqlite3")
    yield made
    await made.close()


def opening(coup_no: int = 1) -> Opening:
    state = open_table()
    assert state.opening is not None
    return replace(state.opening, coup_no=coup_no)


def opened(claim: Claim, coup_no: int = 1) -> Changes:
    kept = Opened(opening(coup_no), terms_text(usual_terms()), shoe_text(open_table().shoe), "multiplayer-deluxe")
    return Changes(claim.table_no, claim.epoch, UTC_MS, opened=kept, drop_drafts=True, events=[(coup_no, b"opened")])


def bet_changes(claim: Claim, bet: Bet, coup_no: int = 1) -> Changes:
    changes = Changes(claim.table_no, claim.epoch, UTC_MS, open_coup_no=coup_no)
    changes.bets.append(bet)
    changes.transfers.append(book.stake(claim.table_no, coup_no, bet.bet_seq, bet.patron_id, bet.staked_minor))
    return changes


async def open_coup(store: Store) -> tuple[Claim, int]:
    """A claimed table with coup 1 open, and a guest with GRANT."""
    claim = await store.claim("emerald", BANKROLL, UTC_MS)
    guest = await store.create_guest("Ann", b"token", GRANT, UTC_MS)
    await store.commit(claim.table_no, [], lambda funds: opened(claim))
    return claim, guest.patron_id


async def test_a_table_is_claimed_with_a_growing_epoch_and_one_bankroll(store: Store) -> None:
    first, second = await store.claim("emerald", BANKROLL, 1), await store.claim("emerald", BANKROLL, 2)
    other = await store.claim("ruby", BANKROLL, 3)
    assert (second.table_no, second.epoch) == (first.table_no, first.epoch + 1)
    assert other.table_no != first.table_no
    balances, transfers = await store.book()
    assert balances[accounts.bank(first.table_no)].balance_minor == BANKROLL
    audit.verify_book(balances, transfers)


async def test_decide_sees_the_money_and_its_changes_are_kept(store: Store) -> None:
    claim, patron_id = await open_coup(store)
    seen: list[Funds] = []

    def decide(funds: Funds) -> Changes:
        seen.append(funds)
        return bet_changes(claim, Bet(1, patron_id, {"player": 20_000}, 20_000, False, UTC_MS))

    await store.commit(claim.table_no, [patron_id, 999], decide)
    assert seen == [Funds({patron_id: GRANT} | ({999: 0} if 999 in seen[0].available_minor else {}), BANKROLL)]
    assert (await store.purse(patron_id)).available_minor == GRANT - 20_000
    balances, transfers = await store.book()
    key = accounts.coup_key(claim.table_no, 1)
    assert balances[accounts.escrow(key)] == Balance(0, 0, 20_000)
    assert balances[accounts.patron(patron_id)] == Balance(GRANT, 20_000, 0)
    audit.verify_book(balances, transfers)


async def test_a_decision_that_raises_keeps_nothing(store: Store) -> None:
    claim, patron_id = await open_coup(store)

    def decide(funds: Funds) -> Changes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.commit(claim.table_no, [patron_id], decide)
    assert (await store.load(claim.table_no)).bets == []


OVERDRAWN = [("one minor unit too much", GRANT + 1), ("far too much", 10**15)]


@pytest.mark.parametrize(("title", "amount"), OVERDRAWN, ids=[row[0] for row in OVERDRAWN])
async def test_the_store_itself_refuses_an_overdraft_whole(store: Store, title: str, amount: int) -> None:
    claim, patron_id = await open_coup(store)
    changes = bet_changes(claim, Bet(1, patron_id, {"player": amount}, amount, False, UTC_MS))
    changes.events.append((2, b"told"))
    with pytest.raises((StoreError, InvariantBroken)):
        await store.commit(claim.table_no, [], lambda funds: changes)
    stored = await store.load(claim.table_no)
    assert (stored.bets, stored.seq) == ([], 1)
    assert (await store.purse(patron_id)).available_minor == GRANT


async def test_the_same_stake_cannot_be_booked_twice(store: Store) -> None:
    claim, patron_id = await open_coup(store)
    bet = Bet(1, patron_id, {"player": 1_000}, 1_000, False, UTC_MS)
    await store.commit(claim.table_no, [], lambda funds: bet_changes(claim, bet))
    with pytest.raises(StoreError):
        await store.commit(claim.table_no, [], lambda funds: bet_changes(claim, bet))
    assert (await store.purse(patron_id)).available_minor == GRANT - 1_000


def stale(claim: Claim) -> list[Changes]:
    old = Changes(claim.table_no, claim.epoch - 1, UTC_MS, events=[(9, b"x")])
    wrong_phase = Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(1, Phase.LOCKED, Phase.DEALT))
    wrong_coup = bet_changes(claim, Bet(1, 1, {"player": 1}, 1, False, UTC_MS), coup_no=2)
    return [old, wrong_phase, wrong_coup, opened(claim, 1), opened(claim, 3)]


@pytest.mark.parametrize("row", range(5), ids=["old epoch", "phase", "coup not open", "coup again", "coup skipped"])
async def test_a_stale_writer_keeps_nothing(store: Store, row: int) -> None:
    claim, _ = await open_coup(store)
    before = await store.book()
    with pytest.raises(StaleOwner):
        await store.commit(claim.table_no, [], lambda funds: stale(claim)[row])
    assert await store.book() == before


async def test_what_recovery_needs_comes_back(store: Store) -> None:
    claim, patron_id = await open_coup(store)
    changes = bet_changes(claim, Bet(1, patron_id, {"player": 1_000, "tie": 500}, 1_500, True, UTC_MS + 5))
    changes.drafts[77] = ({"tie": 2_000}, {"player": 3_000})
    changes.answers.append(KeptAnswer(patron_id, "r", 1, '["submit"]', '{"receipt":48500}'))
    changes.events.append((2, b"two"))
    await store.commit(claim.table_no, [], lambda funds: changes)
    stored = await store.load(claim.table_no)
    assert stored.last is not None
    assert (stored.seq, stored.last.coup_no, stored.last.phase) == (2, 1, Phase.OPEN)
    assert stored.last.seed == opening().seed
    assert terms_of(stored.last.terms) == usual_terms()
    assert shoe_of(stored.last.shoe) == open_table().shoe
    assert list(stored.bets) == changes.bets
    assert dict(stored.drafts) == changes.drafts
    assert list(stored.answers) == changes.answers
    assert list(stored.events) == [(1, b"opened"), (2, b"two")]
    forget = Changes(claim.table_no, claim.epoch, UTC_MS, open_coup_no=1, drafts={77: ()})
    await store.commit(claim.table_no, [], lambda funds: forget)
    assert dict((await store.load(claim.table_no)).drafts) == {}


async def test_a_round_to_its_end(store: Store) -> None:
    claim, patron_id = await open_coup(store)
    bet = Bet(1, patron_id, {"player": 1_000}, 1_000, False, UTC_MS)
    await store.commit(claim.table_no, [], lambda funds: bet_changes(claim, bet))
    state, _ = ticked(open_table(), BETTING_MS)
    state, events = ticked(state, BETTING_MS + CLOSING_MS)
    dealt = events[0]
    assert isinstance(dealt, CoupDealt)
    steps = [
        Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(1, Phase.OPEN, Phase.LOCKED)),
        Changes(
            claim.table_no,
            claim.epoch,
            UTC_MS,
            advanced=Advanced(1, Phase.LOCKED, Phase.DEALT, dealt.dealing, shoe_text(state.shoe)),
        ),
        Changes(
            claim.table_no,
            claim.epoch,
            UTC_MS,
            advanced=Advanced(1, Phase.DEALT, Phase.SETTLED),
            results=[BetResult(1, {"player": 2_000}, 2_000, GRANT + 1_000)],
            transfers=book.settlement(claim.table_no, 1, [(1, patron_id, 1_000, 2_000)], 0),
        ),
        Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(1, Phase.SETTLED, Phase.CLOSED)),
    ]
    for step in steps:
        await store.commit(claim.table_no, [], lambda funds, step=step: step)  # type: ignore[misc]
    (coup,) = await store.coups(claim.table_no)
    assert coup.phase is Phase.CLOSED
    assert list(await store.shoe(claim.table_no, coup.shoe_no)) == [coup]
    assert list(await store.shoe(claim.table_no, coup.shoe_no + 1)) == []
    assert coup.player_cards == tuple(map(str, dealt.dealing.coup.player_cards))
    assert shoe_of(coup.shoe) == state.shoe
    assert (await store.purse(patron_id)).available_minor == GRANT + 1_000
    (row,) = await store.history(patron_id, 10)
    assert (row.table, row.coup.coup_no, row.bet, row.returned) == ("emerald", 1, bet, {"player": 2_000})
    assert await store.last_stakes(claim.table_no, [patron_id, 99]) == {patron_id: {"player": 1_000}, 99: {}}
    assert await store.purses([patron_id, 99]) == {patron_id: await store.purse(patron_id), 99: Purse(0, 0, 0)}
    balances, transfers = await store.book()
    audit.verify_book(balances, transfers)
    assert balances[accounts.escrow(accounts.coup_key(claim.table_no, 1))] == Balance()


async def test_guests_and_their_cookies(store: Store) -> None:
    ann = await store.create_guest("Ann", b"a", GRANT, 1)
    bob = await store.create_guest("Bob", b"b", GRANT, 2)
    for token, patron in ((b"a", ann), (b"b", bob)):
        session = await store.session(token)
        assert session is not None
        assert (session.key, session.patron) == (token, patron)
    assert await store.session(b"c") is None
    assert ann.patron_id != bob.patron_id
    assert await store.patron(bob.patron_id) == bob


async def test_a_refill_once_a_day_and_only_below_the_minimum(store: Store) -> None:
    guest = await store.create_guest("Ann", b"a", 1_999, 1)
    assert not await store.refill(guest.patron_id, 1_999, GRANT, 20_000, 5)
    assert await store.refill(guest.patron_id, 2_000, GRANT, 20_000, 5)
    assert (await store.purse(guest.patron_id)).available_minor == GRANT
    assert not await store.refill(guest.patron_id, GRANT + 1, 2 * GRANT, 20_000, 6)
    assert await store.refill(guest.patron_id, GRANT + 1, 2 * GRANT, 20_001, 7)
    assert await store.purse(guest.patron_id) == (2 * GRANT, 2 * GRANT, 7)
    audit.verify_book(*await store.book())


async def test_only_the_tail_of_events_is_kept(tmp_path: Path) -> None:
    for made in (MemoryStore(), SqliteStore(tmp_path / "tail.sqlite3")):
        claim = await made.claim("emerald", BANKROLL, UTC_MS)
        await made.commit(claim.table_no, [], lambda funds, claim=claim: opened(claim))  # type: ignore[misc]
        many = Changes(claim.table_no, claim.epoch, UTC_MS, events=[(n, b"e%d" % n) for n in range(2, 260)])
        await made.commit(claim.table_no, [], lambda funds, many=many: many)  # type: ignore[misc]
        stored = await made.load(claim.table_no)
        assert [seq for seq, _ in stored.events] == list(range(60, 260))
        await made.close()


# ---- seats: tables of one patron each, against one bank


async def seated(store: Store) -> tuple[int, list[int], list[Claim]]:
    """A house with its bank, two guests, and a seat of each with coup 1 open."""
    house = await store.claim("express", BANKROLL, UTC_MS)
    guests = [(await store.create_guest("Ann", b"%d" % n, GRANT, UTC_MS)).patron_id for n in range(2)]
    seats = [await store.claim_seat(house.table_no, guest, UTC_MS) for guest in guests]
    for seat in seats:
        await store.commit(seat.table_no, [], lambda funds, seat=seat: opened(seat))  # type: ignore[misc]
    return house.table_no, guests, seats


async def bank_of(store: Store, table_no: int) -> int:
    seen: list[int] = []

    def decide(funds: Funds) -> Changes:
        seen.append(funds.bank_minor)
        return Changes(table_no, 0, UTC_MS)

    await store.commit(table_no, [], decide)
    return seen[0]


async def test_a_seat_has_a_number_an_epoch_and_no_bank_of_its_own(store: Store) -> None:
    house, guests, seats = await seated(store)
    again = await store.claim_seat(house, guests[0], UTC_MS)
    assert (again.table_no, again.epoch) == (seats[0].table_no, seats[0].epoch + 1)
    assert len({house, *(seat.table_no for seat in seats)}) == 3
    assert [await store.seat_no(house, guest) for guest in (*guests, 99)] == [*(s.table_no for s in seats), None]
    assert await store.seat_no(seats[0].table_no, guests[0]) is None
    assert [await bank_of(store, seat.table_no) for seat in seats] == [BANKROLL, BANKROLL]
    balances, transfers = await store.book()
    assert sum(row.kind is TransferKind.BANKROLL for row in transfers) == 1
    audit.verify_book(balances, transfers)
    assert list((await store.load(seats[1].table_no)).events) == [(1, b"opened")]


async def test_what_a_coup_can_cost_is_kept_from_the_other_seats_until_it_has_ended(store: Store) -> None:
    house, guests, seats = await seated(store)
    one, other = seats
    changes = bet_changes(one, Bet(1, guests[0], {"player": 2_000}, 2_000, False, UTC_MS, GRANT))
    locked = replace(opening(), closes_utc_ms=UTC_MS, deals_utc_ms=UTC_MS, fast=True)
    changes.advanced = Advanced(1, Phase.OPEN, Phase.LOCKED, locked=locked, exposure_minor=700_000)
    await store.commit(one.table_no, [], lambda funds: changes)
    assert await bank_of(store, other.table_no) == BANKROLL - 700_000
    assert await bank_of(store, one.table_no) == BANKROLL
    assert await store.seats_under_way(house) == [guests[0]]
    coup = await store.coup(one.table_no, 1)
    assert coup is not None
    assert (coup.closes_utc_ms, coup.deals_utc_ms, coup.fast, coup.phase) == (UTC_MS, UTC_MS, True, Phase.LOCKED)
    assert (await store.load(one.table_no)).bets[0].balance_before_minor == GRANT
    void = Changes(one.table_no, one.epoch, UTC_MS, advanced=Advanced(1, Phase.LOCKED, Phase.VOIDED))
    void.transfers.extend(book.void(one.table_no, 1, [(1, guests[0], 2_000)]))
    await store.commit(one.table_no, [], lambda funds: void)
    assert await bank_of(store, other.table_no) == BANKROLL
    assert await store.seats_under_way(house) == []
    assert await store.coup(one.table_no, 2) is None


async def test_only_so_many_events_stay_as_the_table_says(store: Store) -> None:
    _, _, (seat, _) = await seated(store)
    for number in range(2, 9):
        told = Changes(seat.table_no, seat.epoch, UTC_MS, events=[(number, b"told")], tail=3)
        await store.commit(seat.table_no, [], lambda funds, told=told: told)  # type: ignore[misc]
    stored = await store.load(seat.table_no)
    assert (stored.seq, [seq for seq, _ in stored.events]) == (8, [6, 7, 8])


# ---- history and preferences


async def played(store: Store, claim: Claim, patron_id: int, coup_no: int, stake: int, back: int) -> None:
    """A coup of the patron at a minute of its own, dealt by the usual seed and paid as told."""
    if coup_no > 1:
        await store.commit(claim.table_no, [], lambda funds: opened(claim, coup_no))
    at = UTC_MS + coup_no * 60_000
    changes = bet_changes(claim, Bet(1, patron_id, {"player": stake}, stake, False, at, 9_000), coup_no)
    changes.advanced = Advanced(coup_no, Phase.OPEN, Phase.LOCKED)
    await store.commit(claim.table_no, [], lambda funds: changes)
    state, _ = ticked(open_table(), 50_000)
    state, _ = ticked(state, 60_000)
    assert state.dealing is not None
    dealt = Advanced(coup_no, Phase.LOCKED, Phase.DEALT, state.dealing, shoe_text(state.shoe))
    await store.commit(claim.table_no, [], lambda funds: Changes(claim.table_no, claim.epoch, UTC_MS, advanced=dealt))
    paid = Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(coup_no, Phase.DEALT, Phase.SETTLED))
    paid.results.append(BetResult(1, {"player": back} if back else {}, back, 9_000 - stake + back))
    paid.transfers.extend(book.settlement(claim.table_no, coup_no, [(1, patron_id, stake, back)], 0, None))
    await store.commit(claim.table_no, [], lambda funds: paid)
    closed = Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(coup_no, Phase.SETTLED, Phase.CLOSED))
    await store.commit(claim.table_no, [], lambda funds: closed)


async def test_the_history_is_paged_chosen_and_names_the_house_of_a_seat(store: Store) -> None:
    claim, patron_id = await open_coup(store)
    for coup_no, (stake, back) in enumerate(((100, 200), (100, 0), (100, 100), (200, 400), (150, 0)), 1):
        await played(store, claim, patron_id, coup_no, stake, back)
    house = await store.claim("express", BANKROLL, UTC_MS)
    seat = await store.claim_seat(house.table_no, patron_id, UTC_MS)
    await store.commit(seat.table_no, [], lambda funds: opened(seat))
    assert await store.last_stakes(claim.table_no, [patron_id]) == {patron_id: {"player": 150}}
    bet = bet_changes(seat, Bet(1, patron_id, {"tie": 300}, 300, False, UTC_MS + 3 * 60_000))
    await store.commit(seat.table_no, [], lambda funds: bet)

    async def coups(wanted: Wanted = EVERYTHING, limit: int = 10, before: Cursor | None = None) -> list[str]:
        rows = await store.history(patron_id, limit, wanted, before)
        return [f"{row.table} {row.coup.coup_no}" for row in rows]

    everything = ["emerald 5", "emerald 4", "express 1", "emerald 3", "emerald 2", "emerald 1"]
    assert await coups() == everything
    pages: list[str] = []
    before: Cursor | None = None
    while rows := await store.history(patron_id, 2, EVERYTHING, before):
        pages += [f"{row.table} {row.coup.coup_no}" for row in rows]
        before = rows[-1].cursor
    assert pages == everything
    state, _ = ticked(ticked(open_table(), 50_000)[0], 60_000)
    assert state.dealing is not None
    outcome = state.dealing.coup.outcome.value
    dealt = [name for name in everything if name != "express 1"]
    for wanted, due in (
        (Wanted(table="express"), ["express 1"]),
        (Wanted(table="express/1"), []),
        (Wanted(profile="multiplayer-deluxe"), everything),
        (Wanted(profile="three-d"), []),
        (Wanted(outcome=outcome), dealt),
        (Wanted(outcome="none"), []),
        (Wanted(result="won"), ["emerald 4", "emerald 1"]),
        (Wanted(result="lost"), ["emerald 5", "emerald 2"]),
        (Wanted(result="push"), ["emerald 3"]),
        (Wanted(from_utc_ms=UTC_MS + 4 * 60_000), ["emerald 5", "emerald 4"]),
        (Wanted(to_utc_ms=UTC_MS + 2 * 60_000), ["emerald 1"]),
        (Wanted(result="won", to_utc_ms=UTC_MS + 4 * 60_000), ["emerald 1"]),
    ):
        assert await coups(wanted) == due, wanted
    assert await store.history(patron_id + 1, 10) == []
    won = await store.own_bet(claim.table_no, 4, patron_id)
    assert won is not None
    assert (won.bet.balance_before_minor, won.balance_after_minor, dict(won.returned or {})) == (
        9_000, 9_200, {"player": 400},
    )  # fmt: skip
    assert await store.own_bet(claim.table_no, 4, patron_id + 1) is None
    assert await store.own_bet(claim.table_no, 9, patron_id) is None


async def test_preferences_are_kept_whole_and_each_for_its_patron(store: Store) -> None:
    one = (await store.create_guest("Ann", b"1", GRANT, UTC_MS)).patron_id
    other = (await store.create_guest("Bob", b"2", GRANT, UTC_MS)).patron_id
    assert await store.preferences(one) is None
    await store.keep_preferences(one, '{"a":1}')
    await store.keep_preferences(one, '{"b":2}')
    assert [await store.preferences(patron) for patron in (one, other, 99)] == ['{"b":2}', None, None]


async def test_a_settlement_that_its_bets_do_not_come_to_is_not_kept(tmp_path: Path) -> None:
    """The transfers are made of the bets; what the table has decided is what they are held against."""
    store = SqliteStore(tmp_path / "floor.sqlite3")
    claim, patron_id = await open_coup(store)
    bet = Bet(1, patron_id, {"player": 1_000}, 1_000, False, UTC_MS)
    await store.commit(claim.table_no, [], lambda funds: bet_changes(claim, bet))
    for old, new in ((Phase.OPEN, Phase.LOCKED), (Phase.LOCKED, Phase.DEALT)):
        step = Changes(claim.table_no, claim.epoch, UTC_MS, advanced=Advanced(1, old, new))
        await store.commit(claim.table_no, [], lambda funds, step=step: step)  # type: ignore[misc]
    before = await store.book()
    for staked, told, paid in ((999, 2_000, 2_000), (1_000, 2_000, 1_999), (1_000, 0, 2_000), (1_000, 2_000, 0)):
        wrong = Changes(
            claim.table_no,
            claim.epoch,
            UTC_MS,
            advanced=Advanced(1, Phase.DEALT, Phase.SETTLED),
            results=[BetResult(1, {"player": told}, told, GRANT)],
            transfers=book.settlement(claim.table_no, 1, [(1, patron_id, staked, paid)], 0),
        )
        with pytest.raises(InvariantBroken):
            await store.commit(claim.table_no, [], lambda funds, wrong=wrong: wrong)  # type: ignore[misc]
    assert await store.book() == before
    await store.close()
