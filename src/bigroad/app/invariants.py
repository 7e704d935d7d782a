"""The invariants of docs/ledger.md, asserted for the rows that a commit touches, inside its transaction.

What a step says is compared with what was there before it and with the money as the store has it. Raises
InvariantBroken, and then nothing of the commit is kept and the table stops.
"""

from collections.abc import Mapping

from bigroad.app.log_records import LogKind
from bigroad.app.store import Changes, Spending, StoredTable
from bigroad.ledger import audit
from bigroad.ledger.accounts import Account, AccountKind, Balance, coup_key, escrow
from bigroad.ledger.errors import InvariantBroken
from bigroad.ledger.transfers import TransferKind, added
from bigroad.protection.periods import day_of
from bigroad.protection.standing import is_excluded, is_out, passed
from bigroad.rules.cards import parse_card
from bigroad.rules.settle import settler
from bigroad.rules.shoe import Shoe
from bigroad.table.commands import Funds
from bigroad.table.events import Bet
from bigroad.table.phases import ENDED, NEXT, Phase
from bigroad.table.state import TableState, count

_LOGGED = {
    Phase.OPEN: LogKind.OPENED,
    Phase.LOCKED: LogKind.LOCKED,
    Phase.DEALT: LogKind.DEALT,
    Phase.SETTLED: LogKind.SETTLED,
    Phase.VOIDED: LogKind.VOIDED,
}


def verify(
    changes: Changes, before: TableState, after: TableState, funds: Funds, taken_ns: Mapping[int, int] | None = None
) -> None:
    """All of them. funds: as read in this transaction. taken_ns: by patron, when the command that
    placed the bet was taken; None where nobody asked."""
    moved = audit.verify_transfers(changes.transfers)
    _verify_funds(moved, funds)
    _verify_numbers(changes, before, after)
    _verify_log(changes)
    _verify_bets(changes, before, after, taken_ns or {})
    _verify_protection(changes, before, funds)
    _verify_escrow(moved, before, after, funds)
    advanced = changes.advanced
    if advanced is None:
        return
    if advanced.phase in (Phase.SETTLED, Phase.VOIDED):
        kind = TransferKind.POST if advanced.phase is Phase.SETTLED else TransferKind.VOID
        stakes = {bet.bet_seq: bet.staked_minor for bet in before.bets.values()}
        audit.verify_settlement(coup_key(after.table_no, advanced.coup_no), stakes, changes.transfers, kind, moved)
    if advanced.phase is Phase.SETTLED:
        _verify_payouts(changes, before)
    if advanced.phase is Phase.DEALT:
        _verify_cards(before, after)


def verify_recovered(state: TableState, stored: StoredTable) -> None:
    """I3, I4, I9 and I10 of a table as it was read back, before it goes on."""
    _verify_totals(state)
    coup = stored.last
    if coup is None:
        return
    due = 0 if coup.phase in (*ENDED, Phase.SETTLED) else sum(state.totals.values())
    audit.verify_escrow(coup_key(state.table_no, coup.coup_no), stored.hold, due)
    _verify_shoe(state.shoe, stored)


def _verify_shoe(shoe: Shoe, stored: StoredTable) -> None:
    """I9: what the coups of the shoe took and what is left make its decks, card by card."""
    counts, coups = list(shoe.counts), stored.shoe_coups
    if shoe.cut_from_end == 0:  # shuffled for every coup
        coups = [coup for coup in coups if stored.last is not None and coup.coup_no == stored.last.coup_no]
    for coup in coups:
        for text in (*coup.burned, *coup.player_cards, *coup.banker_cards):
            counts[parse_card(text).code] += 1
    if tuple(counts) != Shoe.fresh(shoe.decks).counts:
        raise InvariantBroken("I9", f"the shoe and what was dealt from it make {sum(counts)} cards")


def _verify_funds(moved: Mapping[Account, Balance], funds: Funds) -> None:
    """I2: nobody is below zero after it."""
    available = funds.available_minor
    for account, change in moved.items():
        kind, owner = account
        spent = change.available_minor
        if spent >= 0:
            continue
        if kind is AccountKind.PATRON and owner in available:
            left = available[owner] + spent
        elif kind is AccountKind.BANK:
            left = funds.bank_minor + change.balance_minor
        else:
            continue
        if left < 0:
            raise InvariantBroken("I2", f"{account} would be at {left}")


def _verify_numbers(changes: Changes, before: TableState, after: TableState) -> None:
    """I6: coups and events are counted one by one, and a round takes only the arrows that there are."""
    if after.seq - before.seq != len(changes.events):
        raise InvariantBroken("I6", f"{len(changes.events)} events but {after.seq - before.seq} numbers")
    opened, advanced = changes.opened, changes.advanced
    coups = after.coup_no - before.coup_no
    if coups != (1 if opened is not None else 0):
        raise InvariantBroken("I6", f"coup {after.coup_no} after coup {before.coup_no}")
    if opened is not None and not (before.ended and opened.opening.coup_no == after.coup_no):
        raise InvariantBroken("I6", f"coup {opened.opening.coup_no} opens over {before.phase} {before.coup_no}")
    if advanced is not None and (
        advanced.coup_no != after.coup_no
        or advanced.phase not in NEXT[advanced.expected]
        or advanced.expected is not (Phase.OPEN if opened is not None else before.phase)
        or advanced.phase is not after.phase
    ):
        raise InvariantBroken("I6", f"coup {advanced.coup_no}: {before.phase} to {advanced.phase}")
    if advanced is None and after.phase is not (Phase.OPEN if opened is not None else before.phase):
        raise InvariantBroken("I6", f"coup {after.coup_no} went from {before.phase} to {after.phase} untold")


def _verify_log(changes: Changes) -> None:
    """I6: every arrow has its entry in the log, and nothing else claims to be one."""
    due = [_LOGGED[Phase.OPEN]] if changes.opened is not None else []
    if changes.advanced is not None and changes.advanced.phase in _LOGGED:
        due.append(_LOGGED[changes.advanced.phase])
    kept = [record.kind for record in changes.log if record.kind in _LOGGED.values()]
    if kept != due:
        raise InvariantBroken("I6", f"the log would say {kept} of {due}")


def _verify_bets(changes: Changes, before: TableState, after: TableState, taken_ns: Mapping[int, int]) -> None:
    """I7: bets only while betting is open. I10: the totals are the sum of the bets, area by area."""
    stakes = {row.bet_seq: row for row in changes.transfers if row.kind is TransferKind.STAKE}
    if len(stakes) != len(changes.bets):
        raise InvariantBroken("I7", f"{len(changes.bets)} bets but {len(stakes)} stakes")
    key, seq, totals = coup_key(after.table_no, after.coup_no), before.bet_seq, dict(before.totals)
    locks = changes.advanced is not None and changes.advanced.phase is Phase.LOCKED
    had, has = before.bets, after.bets
    for bet in changes.bets:
        seq += 1
        stake = stakes.get(bet.bet_seq)
        if before.phase is not Phase.OPEN or before.opening is None:
            raise InvariantBroken("I7", f"coup {after.coup_no}: a bet while it is {before.phase}")
        if bet.automatic and not locks:
            raise InvariantBroken("I7", f"coup {after.coup_no}: bet {bet.bet_seq} was submitted before the close")
        if not bet.automatic and taken_ns.get(bet.patron_id, 0) >= before.opening.closes_ns:
            raise InvariantBroken("I7", f"coup {after.coup_no}: bet {bet.bet_seq} came at the close or after it")
        if bet.bet_seq != seq or bet.patron_id in had or not _same(has.get(bet.patron_id), bet):
            raise InvariantBroken("I7", f"coup {after.coup_no}: bet {bet.bet_seq} is not the patron's one bet")
        if stake is None or (stake.coup_key, stake.amount_minor) != (key, sum(bet.stakes.values())):
            raise InvariantBroken("I7", f"coup {after.coup_no}: bet {bet.bet_seq} is not what was staked: {stake}")
        count(totals, bet.stakes)
    if changes.opened is None and totals != dict(after.totals):
        raise InvariantBroken("I10", f"totals {dict(after.totals)} against bets of {totals}")
    if changes.advanced is not None:
        _verify_totals(after)


def _same(one: Bet | None, other: Bet) -> bool:
    return one is other or one == other


def _verify_protection(changes: Changes, before: TableState, funds: Funds) -> None:
    """P3: no bet passes what its patron has asked for. P2: the days of those patrons are carried on with it."""
    if not funds.protected:
        if changes.spending:
            raise InvariantBroken("P2", "days of patrons who are not protected")
        return
    due: list[Spending] = []
    for bet in changes.bets:
        protected = funds.protected.get(bet.patron_id)
        if protected is None:
            continue
        guard, at_utc_ms = protected.guard, bet.at_utc_ms
        if is_excluded(guard, at_utc_ms) or is_out(guard, at_utc_ms) or passed(protected, bet.staked_minor, at_utc_ms):
            raise InvariantBroken("P3", f"patron {bet.patron_id} wanted no bet of {bet.staked_minor}")
        due.append(Spending(bet.patron_id, day_of(at_utc_ms), bet.staked_minor, 0))
    voided = changes.advanced is not None and changes.advanced.phase is Phase.VOIDED
    returned = {row.bet_seq: row.returned_minor for row in changes.results}
    for bet in before.bets.values() if returned else ():
        if bet.patron_id in funds.protected and bet.bet_seq in returned:
            spent = (-bet.staked_minor, 0) if voided else (0, returned[bet.bet_seq])
            due.append(Spending(bet.patron_id, day_of(bet.at_utc_ms), *spent))
    if sorted(changes.spending) != sorted(due):
        raise InvariantBroken("P2", f"days are carried on by {changes.spending}, due {due}")


def _verify_totals(state: TableState) -> None:
    """I10: what everybody sees less one's own bet is what the others have bet."""
    totals: dict[str, int] = {}
    for bet in state.bets.values():
        count(totals, bet.stakes)
        if bet.staked_minor != sum(bet.stakes.values()):
            raise InvariantBroken("I10", f"coup {state.coup_no}: bet {bet.bet_seq} does not add up")
    if totals != dict(state.totals):
        raise InvariantBroken("I10", f"totals {dict(state.totals)} against bets of {totals}")


def _verify_escrow(moved: Mapping[Account, Balance], before: TableState, after: TableState, funds: Funds) -> None:
    """I4: until the settlement the escrow expects exactly what was bet; I3: from then on it is empty."""
    key = coup_key(after.table_no, after.coup_no)
    hold = funds.escrow if after.coup_no == before.coup_no else Balance()
    hold = added({escrow(key): hold}, {escrow(key): moved.get(escrow(key), Balance())})[escrow(key)]
    if after.phase in (Phase.OPEN, Phase.LOCKED, Phase.DEALT):
        audit.verify_escrow(key, hold, sum(after.totals.values()))
    elif hold != Balance():
        raise InvariantBroken("I3", f"coup {after.coup_no}: escrow is left with {hold}")


def _verify_payouts(changes: Changes, before: TableState) -> None:
    """I5: what comes back follows from the cards, the stakes and the rules that the coup opened with."""
    if before.dealing is None:
        raise InvariantBroken("I5", f"coup {before.coup_no} is paid without cards")
    due: dict[int, int] = {}
    house_minor = commission_minor = 0
    settled = settler(before.dealing.coup.outcome, before.coup_terms.paytable)
    for bet in before.bets.values():
        _, commission, returned = settled(bet.stakes)
        due[bet.bet_seq] = returned
        commission_minor += commission
        house_minor += bet.staked_minor - returned - commission
    told = {row.bet_seq: row.returned_minor for row in changes.results}
    paid = {row.bet_seq: row.amount_minor for row in changes.transfers if row.kind is TransferKind.RETURN}
    if told != due or paid != {bet_seq: amount for bet_seq, amount in due.items() if amount}:
        raise InvariantBroken("I5", f"coup {before.coup_no}: due {due}, told {told}, paid {paid}")
    sums = {TransferKind.HOUSE_WIN: 0, TransferKind.HOUSE_LOSS: 0, TransferKind.COMMISSION: 0}
    for row in changes.transfers:
        if row.kind in sums:
            sums[row.kind] += row.amount_minor
    if (sums[TransferKind.HOUSE_WIN] - sums[TransferKind.HOUSE_LOSS], sums[TransferKind.COMMISSION]) != (
        house_minor,
        commission_minor,
    ):
        raise InvariantBroken("I5", f"coup {before.coup_no}: the house is due {house_minor} and {commission_minor}")


def _verify_cards(before: TableState, after: TableState) -> None:
    """I9: what the coup took is exactly what the shoe lost, card by card."""
    dealing = after.dealing
    if dealing is None:
        raise InvariantBroken("I9", "a dealt coup has no cards")
    shoe = before.shoe
    if not shoe.burned and shoe.counts != Shoe.fresh(shoe.decks).counts:
        raise InvariantBroken("I9", f"coup {after.coup_no}: a fresh shoe is not whole")
    counts = list(shoe.counts)
    for card in (*dealing.burned, *dealing.coup.player_cards, *dealing.coup.banker_cards):
        counts[card.code] -= 1
    if tuple(counts) != after.shoe.counts:
        raise InvariantBroken("I9", f"coup {after.coup_no}: cards and shoe disagree")
