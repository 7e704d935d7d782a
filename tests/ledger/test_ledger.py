"""Double entry, pending stakes, and an audit that finds what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.ledger import accounts, audit, book
from bigroad.ledger.accounts import WORLD, Balance
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import Transfer, TransferKind, added, postings

ANN, BOB = accounts.patron(1), accounts.patron(2)
TABLE, COUP = 1, 7
KEY = accounts.coup_key(TABLE, COUP)
HOLD, HOUSE, TAKER = accounts.escrow(KEY), accounts.bank(TABLE), accounts.commission(TABLE)


def stake(amount_minor: int, number: int = 1) -> Transfer:
    """The stake of patron and bet `number`."""
    return book.stake(TABLE, COUP, number, number, amount_minor)


def settled(bets: list[tuple[int, int, int, int]], commission_minor: int) -> list[Transfer]:
    return book.settlement(TABLE, COUP, bets, commission_minor)


def voided(bets: list[tuple[int, int, int]]) -> list[Transfer]:
    return book.void(TABLE, COUP, bets)


STORIES = [
    ("a stake reserves", [stake(500)],
     {ANN: Balance(0, 500, 0), HOLD: Balance(0, 0, 500)}),
    ("a void releases", [stake(500), *voided([(1, 1, 500)])],
     {ANN: Balance(), HOLD: Balance()}),
    ("a loss goes to the house", [stake(500), *settled([(1, 1, 500, 0)], 0)],
     {ANN: Balance(-500), HOLD: Balance(), HOUSE: Balance(500)}),
    ("an even win comes from the house", [stake(500), *settled([(1, 1, 500, 1_000)], 0)],
     {ANN: Balance(500), HOLD: Balance(), HOUSE: Balance(-500)}),
    ("a Banker win leaves commission", [stake(1_000), *settled([(1, 1, 1_000, 1_950)], 50)],
     {ANN: Balance(950), HOLD: Balance(), HOUSE: Balance(-1_000), TAKER: Balance(50)}),
    ("a push moves nothing", [stake(500), *settled([(1, 1, 500, 500)], 0)],
     {ANN: Balance(), HOLD: Balance()}),
    ("one pays the other", [stake(500), stake(500, 2),
                            *settled([(1, 1, 500, 1_000), (2, 2, 500, 0)], 0)],
     {ANN: Balance(500), BOB: Balance(-500), HOLD: Balance()}),
]  # fmt: skip


@pytest.mark.parametrize(("title", "transfers", "balances"), STORIES, ids=[row[0] for row in STORIES])
def test_stories(title: str, transfers: list[Transfer], balances: dict[accounts.Account, Balance]) -> None:
    found = added({}, postings(transfers))
    assert {account: found.get(account, Balance()) for account in balances} == balances
    assert sum(balance.balance_minor for balance in found.values()) == 0
    audit.verify_transfers(transfers)


bets = st.lists(
    st.tuples(st.integers(1, 10**9), st.integers(0, 9)).map(lambda pair: (pair[0], pair[0] * pair[1])), max_size=30
)


@given(bets, st.integers(0, 10**6))
def test_any_settlement_balances_and_empties_the_escrow(rows: list[tuple[int, int]], commission: int) -> None:
    numbered = [(seq, seq, staked, returned) for seq, (staked, returned) in enumerate(rows, 1)]
    stakes = {seq: staked for seq, _, staked, _ in numbered}
    resolution = settled(numbered, commission)
    audit.verify_transfers(resolution)
    if rows:
        audit.verify_settlement(KEY, stakes, resolution, TransferKind.POST)
    opened = [book.stake(TABLE, COUP, seq, seq, staked) for seq, staked in stakes.items()]
    after = added({}, postings([*opened, *resolution]))
    assert after.get(HOLD, Balance()) == Balance()
    assert sum(balance.balance_minor for balance in after.values()) == 0


GOOD = [
    Transfer(0, 1, TransferKind.GRANT, WORLD, ANN, 1_000),
    Transfer(0, 1, TransferKind.BANKROLL, WORLD, HOUSE, 5_000),
    stake(500),
    *settled([(1, 1, 500, 1_000)], 0),
]


def test_a_sound_book_passes() -> None:
    audit.verify_book(added({}, postings(GOOD)), GOOD)


def changed(account: accounts.Account, **numbers: int) -> dict[accounts.Account, Balance]:
    balances = added({}, postings(GOOD))
    old = balances.get(account, Balance())
    fields = {name: getattr(old, name) + numbers.get(name, 0) for name in Balance._fields}
    return balances | {account: Balance(**fields)}


SPOILT = [
    ("a balance is one too high", changed(ANN, balance_minor=1), GOOD),
    ("a reservation is left over", changed(ANN, reserved_minor=1), GOOD),
    ("an account from nowhere", changed(BOB, balance_minor=5), GOOD),
    ("a transfer is missing", changed(ANN), GOOD[:-1]),
    ("a transfer is there twice", changed(ANN), [*GOOD, GOOD[-1]]),
    ("an amount of nothing", changed(ANN), [*GOOD, Transfer(0, 9, TransferKind.GRANT, WORLD, BOB, 0)]),
    ("a negative amount", changed(ANN), [*GOOD, Transfer(0, 9, TransferKind.GRANT, WORLD, BOB, -5)]),
    ("to itself", changed(ANN), [*GOOD, Transfer(0, 9, TransferKind.GRANT, BOB, BOB, 5)]),
    ("an overdrawn patron", None, [*GOOD, Transfer(0, 9, TransferKind.GRANT, BOB, ANN, 5)]),
]  # fmt: skip


@pytest.mark.parametrize(("title", "balances", "transfers"), SPOILT, ids=[row[0] for row in SPOILT])
def test_the_audit_finds(
    title: str, balances: dict[accounts.Account, Balance] | None, transfers: list[Transfer]
) -> None:
    with pytest.raises(InvariantBroken):
        audit.verify_book(added({}, postings(transfers)) if balances is None else balances, transfers)


UNRESOLVED = [
    ("a stake forgotten", settled([(1, 1, 500, 0)], 0)),
    ("another amount", settled([(1, 1, 500, 0), (2, 2, 499, 0)], 0)),
    ("a void among posts", [*settled([(1, 1, 500, 0)], 0), *voided([(2, 2, 300)])]),
    ("paid from nowhere", [*settled([(1, 1, 500, 0), (2, 2, 300, 0)], 0),
                           Transfer(KEY, 1, TransferKind.RETURN, HOLD, ANN, 100)]),
]  # fmt: skip


@pytest.mark.parametrize(("title", "resolution"), UNRESOLVED, ids=[row[0] for row in UNRESOLVED])
def test_a_coup_ends_with_each_stake_resolved_once(title: str, resolution: list[Transfer]) -> None:
    with pytest.raises(InvariantBroken):
        audit.verify_settlement(KEY, {1: 500, 2: 300}, resolution, TransferKind.POST)


def test_escrow_between_lock_and_settlement_is_the_lock_total() -> None:
    audit.verify_escrow(KEY, Balance(0, 0, 800), 800)
    for wrong in (Balance(0, 0, 799), Balance(1, 0, 800), Balance(800)):
        with pytest.raises(InvariantBroken):
            audit.verify_escrow(KEY, wrong, 800)
