"""The second book: every movement of money as an outsider would add it up, and what a coup must move."""

from collections.abc import Iterable, Mapping, Sequence

from bigroad.ledger import accounts
from bigroad.ledger.accounts import Account, AccountKind, Balance
from bigroad.ledger.transfers import Transfer, TransferKind
from bigroad.rules.paytables import BPS, Paytable
from bigroad.simulation.world import Breach
from bigroad.storage.memory import MemoryStore
from bigroad.table.events import Bet

PENDING = TransferKind.STAKE
ENDS_PENDING = (TransferKind.POST, TransferKind.VOID)


class SecondBook:
    """Balances by hand, held against those that the store has cached."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._numbers: dict[Account, list[int]] = {}
        self._keys: set[tuple[int, int, int]] = set()
        self._told: dict[Account, int] = {}
        self._total = 0

    def add(self, rows: Sequence[Transfer]) -> None:
        """Take transfers that are in the store; raises Breach unless I1 and I2 hold for what they touch."""
        numbers, touched = self._numbers, {}
        for row in rows:
            key = (row.coup_key, row.bet_seq, int(row.kind))
            if key in self._keys:
                raise Breach("I1", f"booked twice: {row}")
            if row.amount_minor <= 0:
                raise Breach("I1", f"not a transfer: {row}")
            self._keys.add(key)
            debit = numbers.setdefault(row.debit, [0, 0, 0])
            credit = numbers.setdefault(row.credit, [0, 0, 0])
            touched[row.debit], touched[row.credit] = debit, credit
            amount = row.amount_minor
            if row.kind is PENDING:
                debit[1] += amount
                credit[2] += amount
                continue
            if row.kind in ENDS_PENDING:
                debit[1] -= amount
                credit[2] -= amount
            if row.kind is not TransferKind.VOID:
                debit[0] -= amount
                credit[0] += amount
        for account, (balance, reserved, expected) in touched.items():
            self._verify(account, Balance(balance, reserved, expected))
        if self._total:
            raise Breach("I1", f"all accounts sum to {self._total}")

    def _verify(self, account: Account, mine: Balance) -> None:
        cached = self._store.balance(account)
        if cached != mine:
            raise Breach("I1", f"{account}: the store has {cached}, the transfers say {mine}")
        overdrawn = account.kind is not AccountKind.WORLD and mine.available_minor < 0
        if overdrawn or mine.reserved_minor < 0 or mine.expected_minor < 0:
            raise Breach("I2", f"{account} is below zero: {mine}")
        self._total += cached.balance_minor - self._told.get(account, 0)
        self._told[account] = cached.balance_minor

    def balance(self, account: Account) -> Balance:
        """An account by this book."""
        return Balance(*self._numbers.get(account, (0, 0, 0)))

    def verify_patron(self, patron_id: int, staked_minor: int) -> None:
        """A patron's reservation is what lies on running coups, and nothing else (I3)."""
        balance = self.balance(accounts.patron(patron_id))
        if balance.reserved_minor != staked_minor:
            raise Breach("I3", f"patron {patron_id}: {staked_minor} on running coups, reserved {balance}")

    def verify_escrow(self, coup_key: int, expected_minor: int) -> None:
        """I4 while the coup runs, I3 with 0 when it has ended."""
        hold = self.balance(accounts.escrow(coup_key))
        if hold != Balance(0, 0, expected_minor):
            raise Breach("I4" if expected_minor else "I3", f"coup {coup_key}: {hold} in escrow, due {expected_minor}")


def returned(stakes: Mapping[str, int], outcome: str, paytable: Paytable) -> dict[str, int]:
    """What comes back on each area, said a second time: stake and win, the stake on a push, or nothing (I5)."""
    back: dict[str, int] = {}
    for area, stake in stakes.items():
        odds = next(pay for pay in paytable.pays if pay.area == area)
        win = stake * odds.numerator * (BPS - odds.commission_bps) // (odds.denominator * BPS)
        back[area] = stake + win if area == outcome else stake if outcome == "tie" and area != "tie" else 0
    return back


def due_at_settlement(key: int, bank_no: int, bets: Iterable[Bet], outcome: str, paytable: Paytable) -> set[Transfer]:
    """Every transfer of the settlement, said a second time. key: the coup's."""
    hold, house = accounts.escrow(key), accounts.bank(bank_no)
    rows, over, commission = set(), 0, 0
    for bet in bets:
        owner, stake = accounts.patron(bet.patron_id), sum(bet.stakes.values())
        back = sum(returned(bet.stakes, outcome, paytable).values())
        rows.add(Transfer(key, bet.bet_seq, TransferKind.POST, owner, hold, stake))
        if back:
            rows.add(Transfer(key, bet.bet_seq, TransferKind.RETURN, hold, owner, back))
        over += stake - back
        won = bet.stakes.get(outcome, 0)
        if won:
            odds = next(pay for pay in paytable.pays if pay.area == outcome)
            commission += won + won * odds.numerator // odds.denominator
            commission -= returned({outcome: won}, outcome, paytable)[outcome]
    if commission:
        rows.add(Transfer(key, 0, TransferKind.COMMISSION, hold, accounts.commission(bank_no), commission))
    if over > commission:
        rows.add(Transfer(key, 0, TransferKind.HOUSE_WIN, hold, house, over - commission))
    elif over < commission:
        rows.add(Transfer(key, 0, TransferKind.HOUSE_LOSS, house, hold, commission - over))
    return rows


def due_at_void(key: int, bets: Iterable[Bet]) -> set[Transfer]:
    """Every stake goes back."""
    return {
        Transfer(key, bet.bet_seq, TransferKind.VOID, accounts.patron(bet.patron_id), accounts.escrow(key), stake)
        for bet in bets
        if (stake := sum(bet.stakes.values()))
    }


def due_at_bets(key: int, bets: Iterable[Bet]) -> set[Transfer]:
    """Every stake is reserved."""
    return {
        Transfer(
            key,
            bet.bet_seq,
            TransferKind.STAKE,
            accounts.patron(bet.patron_id),
            accounts.escrow(key),
            sum(bet.stakes.values()),
        )
        for bet in bets
    }
