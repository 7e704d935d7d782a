"""The invariants of the ledger, checked over values: after each transition for what it touched, or over everything.

Numbers I1 … I10 are those of docs/ledger.md.
"""

from collections.abc import Iterable, Mapping

from bigroad.ledger.accounts import Account, AccountKind, Balance, escrow
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import Transfer, TransferKind, added, postings

_MAY_OVERDRAW = (AccountKind.WORLD,)


def verify_balances(balances: Mapping[Account, Balance]) -> None:
    """I2: nobody but the world is below zero, reservations included. Raises InvariantBroken."""
    for account, balance in balances.items():
        if balance.reserved_minor < 0 or balance.expected_minor < 0:
            raise InvariantBroken("I2", f"{account} has negative reservations: {balance}")
        if account.kind not in _MAY_OVERDRAW and balance.available_minor < 0:
            raise InvariantBroken("I2", f"{account} is below zero: {balance}")


def verify_transfers(transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """Each transfer moves a positive amount between two accounts, and together they sum to 0 (I1). Answers what they
    change, per account."""
    seen: set[tuple[int, int, int]] = set()
    rows = list(transfers)
    for transfer in rows:
        coup_key, bet_seq, kind, debit, credit, amount_minor = transfer
        if amount_minor <= 0 or debit == credit:
            raise InvariantBroken("I1", f"not a transfer: {transfer}")
        seen.add((coup_key, bet_seq, kind))
    if len(seen) != len(rows):
        raise InvariantBroken("I1", f"a key is used twice: {len(rows)} transfers under {len(seen)} keys")
    moved = postings(rows)
    if sum(change.balance_minor for change in moved.values()):
        raise InvariantBroken("I1", "the transfers do not balance")
    return moved


def verify_settlement(
    key: int,
    stakes: Mapping[int, int],
    resolution: Iterable[Transfer],
    kind: TransferKind,
    moved: Mapping[Account, Balance] | None = None,
) -> None:
    """I3: a coup that ends resolves each stake exactly once, with its own amount, and leaves its escrow empty.

    stakes: bet_seq to staked_minor. kind: POST for a settlement, VOID for a void. moved: what the resolution changes,
    where that is known already.
    """
    rows = list(resolution)
    resolved = {row.bet_seq: row.amount_minor for row in rows if row.kind is kind}
    if resolved != dict(stakes):
        raise InvariantBroken("I3", f"coup {key}: stakes {stakes} but resolved {resolved}")
    change = (postings(rows) if moved is None else moved).get(escrow(key), Balance())
    if change.balance_minor or change.expected_minor != -sum(stakes.values()):
        raise InvariantBroken("I3", f"coup {key}: escrow is left with {change}")


def verify_escrow(key: int, balance: Balance, locked_minor: int) -> None:
    """I4: between lock and settlement the escrow expects exactly the lock's total."""
    if balance.balance_minor or balance.expected_minor != locked_minor:
        raise InvariantBroken("I4", f"coup {key}: escrow {balance} against a lock of {locked_minor}")


def verify_book(balances: Mapping[Account, Balance], transfers: Iterable[Transfer]) -> None:
    """The whole book: cached balances equal what the transfers say, they sum to 0 (I1), none is below zero (I2)."""
    rows = list(transfers)
    verify_transfers(rows)
    derived = added({}, postings(rows))
    for account in derived.keys() | balances.keys():
        if derived.get(account, Balance()) != balances.get(account, Balance()):
            raise InvariantBroken(
                "I1", f"{account}: cached {balances.get(account)} but the transfers say {derived.get(account)}"
            )
    verify_balances(balances)
    total = sum(balance.balance_minor for balance in balances.values())
    if total:
        raise InvariantBroken("I1", f"all accounts sum to {total}")
