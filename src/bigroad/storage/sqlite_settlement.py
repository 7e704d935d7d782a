"""A settlement as rows: what each bet got back is handed over, and the transfers are made of the bets themselves.

Ten thousand bets have twenty thousand transfers and as many changes of balances, and all of it stands in the bets once
these know what they got. So three statements make it, in half the time of handing every row over; and what they made
is held against what the table has decided.
"""

import sqlite3
from collections.abc import Sequence

from bigroad.app.store import BetResult, Changes
from bigroad.ledger.accounts import Account, Balance, escrow
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import TransferKind, added, postings
from bigroad.storage import batches
from bigroad.storage.rows import stakes_text
from bigroad.storage.sqlite_transfers import append, carry

_TRANSFERS = """INSERT INTO transfers
    SELECT coup_key, bet_seq, 11, 1, patron_id, 2, coup_key, staked_minor, ?2, ?3 FROM bets WHERE coup_key = ?1
    UNION ALL
    SELECT coup_key, bet_seq, 13, 2, coup_key, 1, patron_id, returned_minor, ?2, ?3 FROM bets
    WHERE coup_key = ?1 AND returned_minor > 0"""
"""POST is 11, RETURN 13; patrons are accounts of kind 1, the coup's escrow is the one of kind 2."""
_PURSES = """UPDATE accounts
    SET balance_minor = balance_minor - staked_minor + returned_minor, reserved_minor = reserved_minor - staked_minor
    FROM bets WHERE coup_key = ? AND kind = 1 AND owner = patron_id"""
_KEPT = "SELECT kind, count(*), sum(amount_minor) FROM transfers WHERE coup_key = ? AND kind IN (11, 13) GROUP BY kind"


def keep_settlement(db: sqlite3.Connection, changes: Changes, key: int) -> None:
    """Results, transfers and balances of a coup that is paid. Raises InvariantBroken where the bets that are kept do
    not come to the transfers that were decided."""
    if not changes.results:
        return
    keep_results(db, changes.results, key)
    db.execute(_TRANSFERS, (key, changes.epoch, changes.at_utc_ms))
    decided = {TransferKind.POST: [0, 0], TransferKind.RETURN: [0, 0]}
    of_house = []
    for row in changes.transfers:
        if row.bet_seq == 0:
            of_house.append(row)
        else:
            sums = decided[row.kind]
            sums[0] += 1
            sums[1] += row.amount_minor
    kept = {kind: [count, minor] for kind, count, minor in db.execute(_KEPT, (key,))}
    if kept != {kind: sums for kind, sums in decided.items() if sums[0]}:
        raise InvariantBroken("I3", f"coup {key}: the bets come to {kept}, decided was {decided}")
    (patrons, staked_minor), (_, returned_minor) = decided[TransferKind.POST], decided[TransferKind.RETURN]
    if db.execute(_PURSES, (key,)).rowcount != patrons:
        raise sqlite3.IntegrityError("money for a patron who has no account")
    append(db, of_house, changes.epoch, changes.at_utc_ms)
    hold: dict[Account, Balance] = {escrow(key): Balance(staked_minor - returned_minor, 0, -staked_minor)}
    carry(db, added(hold, postings(of_house)))


def keep_results(db: sqlite3.Connection, results: Sequence[BetResult], key: int) -> None:
    """What each bet got back."""
    batches.put(
        db,
        "UPDATE bets SET returned = column3, returned_minor = column4, balance_after_minor = column5"
        " FROM (VALUES {rows}) WHERE coup_key = column1 AND bet_seq = column2",
        [(key, seq, stakes_text(back), minor, after) for seq, back, minor, after in results],
    )
