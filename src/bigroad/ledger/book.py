"""How a bet is booked: which transfers a stake, a settlement and a void consist of.

The house appears once a coup, not once a bet, so that its account is no hot row.
"""

from collections.abc import Callable, Iterable

from bigroad.ledger import accounts
from bigroad.ledger.transfers import Transfer, TransferKind


def stake(table_no: int, coup_no: int, bet_seq: int, patron_id: int, amount_minor: int) -> Transfer:
    """The patron's whole stake on a coup, reserved."""
    return staking(table_no, coup_no)(bet_seq, patron_id, amount_minor)


def staking(table_no: int, coup_no: int) -> Callable[[int, int, int], Transfer]:
    """`stake` for many bets of one coup: answers a function of bet_seq, patron_id and amount_minor."""
    key = accounts.coup_key(table_no, coup_no)
    hold, kind, patron = accounts.escrow(key), TransferKind.STAKE, accounts.patron

    def stake_of(bet_seq: int, patron_id: int, amount_minor: int) -> Transfer:
        return Transfer(key, bet_seq, kind, patron(patron_id), hold, amount_minor)

    return stake_of


def void(table_no: int, coup_no: int, bets: Iterable[tuple[int, int, int]]) -> list[Transfer]:
    """Release every stake. bets: (bet_seq, patron_id, staked_minor)."""
    key = accounts.coup_key(table_no, coup_no)
    hold = accounts.escrow(key)
    return [
        Transfer(key, bet_seq, TransferKind.VOID, accounts.patron(patron_id), hold, staked)
        for bet_seq, patron_id, staked in bets
    ]


def settlement(
    table_no: int,
    coup_no: int,
    bets: Iterable[tuple[int, int, int, int]],
    commission_minor: int,
    bank_no: int | None = None,
) -> list[Transfer]:
    """Post every stake, return what is owed, and even out with the house.

    bets: (bet_seq, patron_id, staked_minor, returned_minor), the stake included in the return.
    commission_minor: what the winners left for the house's commission account, summed over the bets.
    bank_no: the table whose bank pays and earns; None for the coup's own.
    """
    key = accounts.coup_key(table_no, coup_no)
    house_no = table_no if bank_no is None else bank_no
    hold, house = accounts.escrow(key), accounts.bank(house_no)
    transfers: list[Transfer] = []
    staked_sum = returned_sum = 0
    post, back = TransferKind.POST, TransferKind.RETURN
    for bet_seq, patron_id, staked, returned in bets:
        owner = accounts.patron(patron_id)
        transfers.append(Transfer(key, bet_seq, post, owner, hold, staked))
        if returned:
            transfers.append(Transfer(key, bet_seq, back, hold, owner, returned))
        staked_sum += staked
        returned_sum += returned
    surplus = staked_sum - returned_sum - commission_minor
    if surplus > 0:
        transfers.append(Transfer(key, 0, TransferKind.HOUSE_WIN, hold, house, surplus))
    elif surplus < 0:
        transfers.append(Transfer(key, 0, TransferKind.HOUSE_LOSS, house, hold, -surplus))
    if commission_minor:
        taker = accounts.commission(house_no)
        transfers.append(Transfer(key, 0, TransferKind.COMMISSION, hold, taker, commission_minor))
    return transfers
