"""Transfers: the only way money moves.

A transfer's key `(coup_key, bet_seq, kind)` is computed from what it is for, so that applying it again hits the same
key. It is never changed or deleted. A STAKE is pending: it reserves, and is resolved exactly once by POST or VOID.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple

from bigroad.ledger.accounts import Account, AccountKind, Balance

DAYS_PER_PATRON = 2**20


class TransferKind(IntEnum):
    """What a transfer is for; the number is what stores keep."""

    GRANT = 1
    REFILL = 2
    BANKROLL = 3
    STAKE = 10
    POST = 11
    VOID = 12
    RETURN = 13
    HOUSE_WIN = 14
    HOUSE_LOSS = 15
    COMMISSION = 16


class Transfer(NamedTuple):
    """amount_minor > 0 goes from `debit` to `credit`. bet_seq is 0 for the coup as a whole."""

    coup_key: int
    bet_seq: int
    kind: TransferKind
    debit: Account
    credit: Account
    amount_minor: int


def dated_key(patron_id: int, utc_day: int) -> int:
    """The `bet_seq` of a movement outside any coup (coup_key 0): one a patron, kind and UTC day."""
    return patron_id * DAYS_PER_PATRON + utc_day


def postings(transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """What the transfers change, summed per account."""
    sums: dict[Account, list[int]] = {}
    stake, post, void = TransferKind.STAKE, TransferKind.POST, TransferKind.VOID
    for _, _, kind, debtor, creditor, amount in transfers:
        debit = sums.get(debtor)
        if debit is None:
            debit = sums[debtor] = [0, 0, 0]
        credit = sums.get(creditor)
        if credit is None:
            credit = sums[creditor] = [0, 0, 0]
        if kind is stake:
            debit[1] += amount
            credit[2] += amount
            continue
        if kind is post or kind is void:
            debit[1] -= amount
            credit[2] -= amount
        if kind is not void:
            debit[0] -= amount
            credit[0] += amount
    return {account: Balance(*numbers) for account, numbers in sums.items()}


def spendable(transfers: Iterable[Transfer]) -> dict[int, int]:
    """By patron id, how much more (or less) the transfers leave to bet with, in minor units."""
    sums: dict[int, int] = {}
    for _, _, kind, debit, credit, amount in transfers:
        if debit.kind is AccountKind.PATRON and kind is not TransferKind.POST:
            change = amount if kind is TransferKind.VOID else -amount
            sums[debit.owner] = sums.get(debit.owner, 0) + change
        if credit.kind is AccountKind.PATRON and kind is not TransferKind.STAKE and kind is not TransferKind.VOID:
            sums[credit.owner] = sums.get(credit.owner, 0) + amount
    return sums


def added(balances: Mapping[Account, Balance], changes: Mapping[Account, Balance]) -> dict[Account, Balance]:
    """The balances with the changes applied; an account not yet known starts at zero."""
    result = dict(balances)
    for account, change in changes.items():
        old = result.get(account, Balance())
        result[account] = Balance(
            old.balance_minor + change.balance_minor,
            old.reserved_minor + change.reserved_minor,
            old.expected_minor + change.expected_minor,
        )
    return result
