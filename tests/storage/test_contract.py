"""One contract for every store."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bigroad.app.store import Advanced, BetResult, Changes, Claim, KeptAnswer, Opened, StaleOwner, Store, StoreError
from bigroad.app.texts import shoe_of, shoe_text, terms_of, terms_text
from bigroad.ledger import accounts, audit, book
from bigroad.ledger.accounts import Balance
from bigroad.ledger.errors import InvariantBroken
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
    assert await store.last_stakes(claim.table_no, patron_id) == {"player": 1_000}
    balances, transfers = await store.book()
    audit.verify_book(balances, transfers)
    assert balances[accounts.escrow(accounts.coup_key(claim.table_no, 1))] == Balance()


async def test_guests_and_their_cookies(store: Store) -> None:
    ann = await store.create_guest("Ann", b"a", GRANT, 1)
    bob = await store.create_guest("Bob", b"b", GRANT, 2)
    assert await store.patron_of(b"a") == ann
    assert await store.patron_of(b"b") == bob
    assert await store.patron_of(b"c") is None
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
