"""What patrons may do while betting is open: stage, take back, submit.

For each act one reading: `verify_…` answers a refusal or None, and the act itself is done only after it.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from immutables import Map

from bigroad.ledger import book
from bigroad.ledger.transfers import Transfer
from bigroad.protection.guard import FOR_GOOD, Measure
from bigroad.protection.standing import is_excluded, is_out, passed
from bigroad.rules.coup import Outcome
from bigroad.rules.settle import settle
from bigroad.table.commands import Act, Clear, Double, Funds, PatronCommand, Rebet, Stage, Submit, Unstage
from bigroad.table.errors import Refusal
from bigroad.table.events import Answer, Bet, BetsLocked, Event, Moved, Receipt, Refused, Repeated, Staged, Stakes
from bigroad.table.phases import Phase
from bigroad.table.state import Answered, TableState, count, evolved, plus, sums

MAX_STEPS = 200
MAX_STAKE_MINOR = 2**53 - 1


@dataclass(frozen=True, slots=True)
class No:
    """Why not, with the facts that fill the words."""

    code: Refusal
    facts: dict[str, int | str]


def act(state: TableState, command: PatronCommand, now_ns: int) -> tuple[TableState, tuple[Event, ...]]:
    """Judge one command. A request seen before gets the answer it got then, to the asking socket alone."""
    key = (command.patron_id, command.request_id)
    known = state.answers.get(key) or state.earlier_answers.get(key)
    if known is not None:
        if known.act == command.act and known.coup_no == command.coup_no:
            return state, (Repeated(command.patron_id, known.answer),)
        return state, (Repeated(command.patron_id, _refused(command, No(Refusal.CONFLICT, {}))),)
    state, answer, events = _judge(state, command, now_ns)
    remembered = Answered(command.coup_no, command.act, answer)
    return evolved(state, answers=state.answers.set(key, remembered)), events


def _judge(state: TableState, command: PatronCommand, now_ns: int) -> tuple[TableState, Answer, tuple[Event, ...]]:
    placed = state.bets.get(command.patron_id)
    if placed is not None and command.coup_no == state.coup_no and _bets(command.act):
        receipt = _receipt(state, command.request_id, placed, command.funds)
        return state, receipt, (Repeated(command.patron_id, receipt),)
    no = verify_open(state, command.coup_no, command.patron_id, now_ns)
    steps = state.drafts.get(command.patron_id, ())
    if no is None:
        changed = _restaged(state, command.patron_id, steps, command.act)
        if isinstance(changed, No):
            no = changed
        elif _bets(command.act):
            no = verify_stakes(state, sums(changed), command.patron_id, command.funds, command.at_utc_ms)
            if no is None:
                return _bet(state, sums(changed), command, now_ns)
        else:
            no = verify_staging(state, changed, command)
            if no is None:
                staged = Staged(command.patron_id, command.request_id, state.coup_no, changed)
                return evolved(state, drafts=_with_draft(state, command.patron_id, changed)), staged, (staged,)
    refused = _refused(command, no)
    return state, refused, (refused,)


def _bets(wish: Act) -> bool:
    """Does it place the bet of the coup, for good?"""
    return isinstance(wish, Submit) or (isinstance(wish, Rebet) and wish.submit)


def _bet(
    state: TableState, stakes: Stakes, command: PatronCommand, now_ns: int
) -> tuple[TableState, Receipt, tuple[Event, ...]]:
    """Book the verified bet. Where no clock runs it locks the coup too, in the same step."""
    state, receipt, moved = place(
        state, command.patron_id, stakes, command.funds, command.at_utc_ms, command.request_id
    )
    if state.coup_terms.clock:
        return state, receipt, (moved, receipt)
    fast = isinstance(command.act, Submit | Rebet) and command.act.fast
    state, locked = lock_by_bet(state, command.at_utc_ms, now_ns, fast=fast)
    return state, receipt, (moved, receipt, locked)


def lock_by_bet(state: TableState, at_utc_ms: int, now_ns: int, *, fast: bool) -> tuple[TableState, BetsLocked]:
    """OPEN → LOCKED, where no clock does it: the coup's moments are now."""
    if state.opening is None:
        raise AssertionError("an open coup has an opening")
    opening = replace(
        state.opening,
        closes_utc_ms=at_utc_ms,
        deals_utc_ms=at_utc_ms,
        closes_ns=now_ns,
        deals_ns=now_ns,
        fast=fast,
    )
    state = replace(state, phase=Phase.LOCKED, opening=opening, drafts=Map(), seq=state.seq + 1, due_ns=now_ns)
    return state, BetsLocked(state.coup_no, at_utc_ms, state.totals, len(state.bets))


def verify_open(state: TableState, coup_no: int, patron_id: int, now_ns: int) -> No | None:
    """Is this the open coup, still open at now_ns, and has the patron not bet yet?"""
    if coup_no != state.coup_no:
        return No(Refusal.STALE_COUP, {"coup": state.coup_no})
    if patron_id in state.bets:
        return No(Refusal.ALREADY_SUBMITTED, {})
    if state.phase is not Phase.OPEN or state.opening is None or now_ns >= state.opening.closes_ns:
        return No(Refusal.BETS_CLOSED, {})
    return None


def _restaged(state: TableState, patron_id: int, steps: tuple[Stakes, ...], wish: Act) -> tuple[Stakes, ...] | No:
    match wish:
        case Stage(area, amount_minor):
            return (*steps, {area: amount_minor})
        case Unstage():
            return steps[:-1] if steps else No(Refusal.NOTHING_TO_UNDO, {})
        case Clear():
            return () if steps else No(Refusal.NOTHING_TO_UNDO, {})
        case Double():
            return (*steps, sums(steps)) if steps else No(Refusal.NOTHING_TO_REPEAT, {})
        case Rebet(times):
            last = state.last_stakes.get(patron_id)
            if not last:
                return No(Refusal.NOTHING_TO_REPEAT, {})
            again = {area: amount * times for area, amount in last.items()}
            return (*steps, again) if state.coup_terms.clock else (again,)
        case Submit():
            return steps
        case _:
            assert_never(wish)


def verify_staging(state: TableState, new: tuple[Stakes, ...], command: PatronCommand) -> No | None:
    """May these chips lie there? Taking back is always allowed; adding keeps to areas, MAX and balance, and is not for
    whoever may not bet. What a limit leaves is asked when the bet is placed."""
    if isinstance(command.act, Unstage | Clear):
        return None
    if len(new) > MAX_STEPS:
        return No(Refusal.TOO_MANY_STEPS, {})
    total = sums(new)
    no = verify_welcome(command.patron_id, command.funds, command.at_utc_ms)
    return no or _verify_maxima(state, total) or _verify_cover(total, command.patron_id, command.funds)


def verify_stakes(state: TableState, stakes: Stakes, patron_id: int, funds: Funds, at_utc_ms: int) -> No | None:
    """May this be the patron's bet? Whole or not at all."""
    no = _verify_own(state, stakes, patron_id, funds, at_utc_ms)
    return no or _verify_exposure(state, plus(state.totals, stakes), funds)


def _verify_own(state: TableState, stakes: Stakes, patron_id: int, funds: Funds, at_utc_ms: int) -> No | None:
    """All that does not depend on what others have bet."""
    no = verify_welcome(patron_id, funds, at_utc_ms)
    if no is None and not stakes:
        return No(Refusal.NOTHING_STAGED, {})
    no = no or _verify_maxima(state, stakes) or _verify_minima(state, stakes)
    return no or _verify_cover(stakes, patron_id, funds) or _verify_limits(stakes, patron_id, funds, at_utc_ms)


def verify_welcome(patron_id: int, funds: Funds, at_utc_ms: int) -> No | None:
    """May the patron play at all then, by his or her own wish?"""
    protected = funds.protected.get(patron_id)
    if protected is None:
        return None
    guard = protected.guard
    if is_excluded(guard, at_utc_ms):
        if guard.excluded_until_utc_ms == FOR_GOOD:
            return No(Refusal.SELF_EXCLUDED_FOR_GOOD, {})
        return No(Refusal.SELF_EXCLUDED, {"until_utc_ms": guard.excluded_until_utc_ms})
    if is_out(guard, at_utc_ms):
        return No(Refusal.ON_A_BREAK, {"until_utc_ms": guard.time_out_until_utc_ms})
    return None


def _verify_limits(stakes: Stakes, patron_id: int, funds: Funds, at_utc_ms: int) -> No | None:
    """The patron's own limits, were the whole stake lost."""
    protected = funds.protected.get(patron_id)
    if protected is None:
        return None
    stake_minor = sum(stakes.values())
    found = passed(protected, stake_minor, at_utc_ms)
    if found is None:
        return None
    code = Refusal.LOSS_LIMIT if found.rule.measure is Measure.LOSS else Refusal.STAKE_LIMIT
    return No(
        code,
        {
            "period": found.rule.period.value,
            "limit_minor": found.limit_minor,
            "spent_minor": found.spent_minor,
            "left_minor": found.left_minor,
            "stake_minor": stake_minor,
            "until_utc_ms": found.until_utc_ms,
        },
    )


def _verify_maxima(state: TableState, stakes: Stakes) -> No | None:
    for area, amount in stakes.items():
        limit = state.coup_terms.limit(area)
        if limit is None:
            return No(Refusal.UNKNOWN_AREA, {"area": area[:32]})
        if amount > limit.max_minor:
            return No(Refusal.ABOVE_MAX, {"area": area, "max_minor": limit.max_minor, "stake_minor": amount})
    return None


def _verify_minima(state: TableState, stakes: Stakes) -> No | None:
    for area, amount in stakes.items():
        limit = state.coup_terms.limit(area)
        if limit is not None and amount < limit.min_minor:
            return No(Refusal.BELOW_MIN, {"area": area, "min_minor": limit.min_minor, "stake_minor": amount})
    return None


def _verify_cover(stakes: Stakes, patron_id: int, funds: Funds) -> No | None:
    total = sum(stakes.values())
    available = funds.available_minor.get(patron_id, 0)
    if total > min(available, MAX_STAKE_MINOR):
        return No(Refusal.BALANCE_TOO_LOW, {"balance_minor": available, "total_minor": total})
    return None


def _verify_exposure(state: TableState, totals: Stakes, funds: Funds) -> No | None:
    """The house must be able to pay whichever way the coup ends. totals: of everybody, this bet included."""
    if most_loss_minor(state, totals) > funds.bank_minor and worst_loss_minor(state, totals) > funds.bank_minor:
        return No(Refusal.HOUSE_LIMIT, {})
    return None


def most_loss_minor(state: TableState, totals: Stakes) -> int:
    """Never below `worst_loss_minor` and quicker to say: every area wins at once, and nobody loses. It never falls when
    a stake is added."""
    paytable = state.coup_terms.paytable
    return sum(paytable.pay(area).gross_minor(stake) for area, stake in totals.items())


def worst_loss_minor(state: TableState, totals: Stakes) -> int:
    """What the house would lose on these totals at the worst outcome; at least 0."""
    staked = sum(totals.values())
    ends = (settle(totals, outcome, state.coup_terms.paytable) for outcome in Outcome)
    return max(0, *(end.returned_total_minor + end.commission_minor - staked for end in ends))


def place(
    state: TableState, patron_id: int, stakes: Stakes, funds: Funds, at_utc_ms: int, request_id: str | None
) -> tuple[TableState, Receipt, Moved]:
    """Book a verified bet: the next bet_seq, the stake reserved, the draft gone."""
    staked = sum(stakes.values())
    before = funds.available_minor.get(patron_id, 0)
    bet = Bet(state.bet_seq + 1, patron_id, stakes, staked, request_id is None, at_utc_ms, before)
    moved = Moved((book.stake(state.table_no, state.coup_no, bet.bet_seq, patron_id, staked),))
    state = evolved(
        state,
        bets=state.bets.set(patron_id, bet),
        bet_seq=bet.bet_seq,
        totals=plus(state.totals, stakes),
        drafts=_with_draft(state, patron_id, ()),
        last_stakes=state.last_stakes.set(patron_id, stakes),
    )
    return state, Receipt(patron_id, request_id, state.coup_no, bet, before - staked), moved


def place_drafts(state: TableState, funds: Funds, at_utc_ms: int) -> tuple[TableState, list[Event]]:
    """Submit what everybody has staged, in the order of their ids, as `verify_stakes` and `place` would do one by one;
    but a crowd's bets go into the state at once, and where the house could pay all of them it can pay each."""
    wishes = [
        (patron_id, stakes, _verify_own(state, stakes, patron_id, funds, at_utc_ms))
        for patron_id, stakes in ((patron_id, sums(steps)) for patron_id, steps in sorted(state.drafts.items()))
    ]
    everything = dict(state.totals)
    for _, stakes, no in wishes:
        if no is None:
            count(everything, stakes)
    house_pays_all = most_loss_minor(state, everything) <= funds.bank_minor
    table_no, coup_no, bet_seq, totals = state.table_no, state.coup_no, state.bet_seq, dict(state.totals)
    bets, last_stakes = state.bets.mutate(), state.last_stakes.mutate()
    moves: list[Transfer] = []
    answers: list[Event] = []
    for patron_id, stakes, no in wishes:
        if no is None and not house_pays_all:
            no = _verify_exposure(state, plus(totals, stakes), funds)
        if no is not None:
            answers.append(Refused(patron_id, None, coup_no, no.code, no.facts, automatic=True))
            continue
        bet_seq += 1
        staked, before = sum(stakes.values()), funds.available_minor.get(patron_id, 0)
        bet = Bet(bet_seq, patron_id, stakes, staked, True, at_utc_ms, before)
        moves.append(book.stake(table_no, coup_no, bet_seq, patron_id, staked))
        answers.append(Receipt(patron_id, None, coup_no, bet, before - staked))
        bets[patron_id], last_stakes[patron_id] = bet, stakes
        count(totals, stakes)
    state = replace(
        state, bets=bets.finish(), bet_seq=bet_seq, totals=totals, drafts=Map(), last_stakes=last_stakes.finish()
    )
    return state, [Moved(tuple(moves)), *answers] if moves else answers


def _receipt(state: TableState, request_id: str, bet: Bet, funds: Funds) -> Receipt:
    return Receipt(bet.patron_id, request_id, state.coup_no, bet, funds.available_minor.get(bet.patron_id, 0))


def _with_draft(state: TableState, patron_id: int, steps: tuple[Stakes, ...]) -> Map[int, tuple[Stakes, ...]]:
    if steps:
        return state.drafts.set(patron_id, steps)
    return state.drafts.delete(patron_id) if patron_id in state.drafts else state.drafts


def _refused(command: PatronCommand, no: No | None) -> Refused:
    if no is None:
        raise AssertionError("a refusal has a reason")
    return Refused(command.patron_id, command.request_id, command.coup_no, no.code, no.facts)
