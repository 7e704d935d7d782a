"""Accounts: who holds money, and how an account's numbers read."""

from enum import IntEnum
from typing import NamedTuple

COUPS_PER_TABLE = 2**32


class AccountKind(IntEnum):
    """The kinds of account; the number is what stores keep."""

    WORLD = 0
    PATRON = 1
    ESCROW = 2
    BANK = 3
    COMMISSION = 4


class Account(NamedTuple):
    """One account of a currency. owner: 0 for the world, else a patron id, a coup key, or a table number."""

    kind: AccountKind
    owner: int

    def __str__(self) -> str:
        return f"{self.kind.name.lower()}:{self.owner}"


WORLD = Account(AccountKind.WORLD, 0)


def patron(patron_id: int) -> Account:
    """The patron's money. Never below zero, reservations included."""
    return Account(AccountKind.PATRON, patron_id)


def escrow(coup_key: int) -> Account:
    """The stakes of one coup between its bets and its settlement. Zero when the coup has ended."""
    return Account(AccountKind.ESCROW, coup_key)


def bank(table_no: int) -> Account:
    """The house's money at one table. Never below zero: the bankroll bounds what the table may lose."""
    return Account(AccountKind.BANK, table_no)


def commission(table_no: int) -> Account:
    """What the table has earned in commission."""
    return Account(AccountKind.COMMISSION, table_no)


def coup_key(table_no: int, coup_no: int) -> int:
    """One integer for one coup of one table: sequential within a table, below 2^53 for 2^21 tables."""
    return table_no * COUPS_PER_TABLE + coup_no


class Balance(NamedTuple):
    """An account's numbers in minor units.

    balance_minor: what has been posted. reserved_minor: pending stakes going out. expected_minor: pending stakes
    coming in.
    """

    balance_minor: int = 0
    reserved_minor: int = 0
    expected_minor: int = 0

    @property
    def available_minor(self) -> int:
        """What may be spent."""
        return self.balance_minor - self.reserved_minor


EMPTY = Balance()
"""Nothing there, nothing under way."""
