"""What patrons may do while betting is open: stage, take back, submit.

For each act one reading: `verify_…` answers a refusal or None, and the act itself is done only after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from immutables import Map

from bigroad.ledger.transfers import Transfer
from bigroad.protection.guard import FOR_GOOD, Measure
from bigroad.protection.standing import is_excluded, is_out, passed
from bigroad.table.commands import Act, Clear, Double, Funds, PatronCommand, Rebet, Stage, Submit, Unstage
from bigroad.table.errors import Refusal
from bigroad.table.events import Answer, Event, Moved, Receipt, Refused, Repeated, Staged, Stakes
from bigroad.table.phases import Phase
from bigroad.table.sheet import Sheet
from bigroad.table.state import TableState, evolved, sums

MAX_STEPS = 200
MAX_STAKE_MINOR = 2**53 - 1


@dataclass(frozen=True, slots=True)
class No:
    """Why not, with the facts that fill the words."""

    code: Refusal
    facts: dict[str, int | str]


def acts(
    state: TableState, taken: Sequence[tuple[PatronCommand, int]], funds: Funds
) -> tuple[TableState, list[tuple[Event, ...]]]:
    """Judge commands one after the other, each with the moment at which it was taken and with what those before it have
    left of the funds. Answers the state after all of them, and the events of each."""
    sheet = Sheet(state, funds)
    told = [_act(sheet, command, now_ns) for command, now_ns in taken]
    return sheet.closed(), told


def _act(sheet: Sheet, command: PatronCommand, now_ns: int) -> tuple[Event, ...]:
    """Judge one command. A request seen before gets the answer it got then, to the asking socket alone."""
    known = sheet.answered(command)
    if known is not None:
        if known.act == command.act and known.coup_no == command.coup_no:
            return (Repeated(command.patron_id, known.answer),)
        return (Repeated(command.patron_id, _refused(command, No(Refusal.CONFLICT, {}))),)
    answer, events = _judge(sheet, command, now_ns)
    sheet.remember(command, answer)
    return events


def _judge(sheet: Sheet, command: PatronCommand, now_ns: int) -> tuple[Answer, tuple[Event, ...]]:
    patron_id, bets = command.patron_id, _bets(command.act)
    if bets and command.coup_no == sheet.coup_no and (placed := sheet.bets.get(patron_id)) is not None:
        left_minor = sheet.available_minor(patron_id)
        receipt = Receipt(patron_id, command.request_id, sheet.coup_no, placed, left_minor)
        return receipt, (Repeated(patron_id, receipt),)
    no = verify_open(sheet, command.coup_no, patron_id, now_ns)
    if no is None:
        changed = _restaged(sheet, patron_id, sheet.drafts.get(patron_id, ()), command.act)
        if isinstance(changed, No):
            no = changed
        elif bets:
            stakes = sums(changed)
            no = verify_stakes(sheet, stakes, patron_id, command.at_utc_ms)
            if no is None:
                return _bet(sheet, stakes, command, now_ns)
        else:
            no = verify_staging(sheet, changed, command)
            if no is None:
                sheet.stage(patron_id, changed)
                staged = Staged(patron_id, command.request_id, sheet.coup_no, changed)
                return staged, (staged,)
    refused = _refused(command, no)
    return refused, (refused,)


def _bets(wish: Act) -> bool:
    """Does it place the bet of the coup, for good?"""
    return isinstance(wish, Submit) or (isinstance(wish, Rebet) and wish.submit)


def _bet(sheet: Sheet, stakes: Stakes, command: PatronCommand, now_ns: int) -> tuple[Receipt, tuple[Event, ...]]:
    """Book the verified bet. Where no clock runs it locks the coup too, in the same step."""
    staked = sum(stakes.values())
    receipt, stake = sheet.place(command.patron_id, stakes, command.at_utc_ms, command.request_id, staked)
    if sheet.terms.clock:
        return receipt, (Moved((stake,)), receipt)
    fast = isinstance(command.act, Submit | Rebet) and command.act.fast
    return receipt, (Moved((stake,)), receipt, sheet.lock(command.at_utc_ms, now_ns, fast=fast))


def verify_open(sheet: Sheet, coup_no: int, patron_id: int, now_ns: int) -> No | None:
    """Is this the open coup, still open at now_ns, and has the patron not bet yet?"""
    if coup_no != sheet.coup_no:
        return No(Refusal.STALE_COUP, {"coup": sheet.coup_no})
    if patron_id in sheet.bets:
        return No(Refusal.ALREADY_SUBMITTED, {})
    if sheet.phase is not Phase.OPEN or sheet.opening is None or now_ns >= sheet.opening.closes_ns:
        return No(Refusal.BETS_CLOSED, {})
    return None


def _restaged(sheet: Sheet, patron_id: int, steps: tuple[Stakes, ...], wish: Act) -> tuple[Stakes, ...] | No:
    match wish:
        case Submit():
            return steps
        case Stage(area, amount_minor):
            return (*steps, {area: amount_minor})
        case Unstage():
            return steps[:-1] if steps else No(Refusal.NOTHING_TO_UNDO, {})
        case Clear():
            return () if steps else No(Refusal.NOTHING_TO_UNDO, {})
        case Double():
            return (*steps, sums(steps)) if steps else No(Refusal.NOTHING_TO_REPEAT, {})
        case Rebet(times):
            last = sheet.last_stakes.get(patron_id)
            if not last:
                return No(Refusal.NOTHING_TO_REPEAT, {})
            again = {area: amount * times for area, amount in last.items()}
            return (*steps, again) if sheet.terms.clock else (again,)
        case _:
            assert_never(wish)


def verify_staging(sheet: Sheet, new: tuple[Stakes, ...], command: PatronCommand) -> No | None:
    """May these chips lie there? Taking back is always allowed; adding keeps to areas, MAX and balance, and is not for
    whoever may not bet. What a limit leaves is asked when the bet is placed."""
    if isinstance(command.act, Unstage | Clear):
        return None
    if len(new) > MAX_STEPS:
        return No(Refusal.TOO_MANY_STEPS, {})
    total = sums(new)
    no = verify_welcome(command.patron_id, sheet.funds, command.at_utc_ms)
    return no or _verify_range(sheet, total, minima=False) or _verify_cover(sheet, total, command.patron_id)


def verify_stakes(sheet: Sheet, stakes: Stakes, patron_id: int, at_utc_ms: int) -> No | None:
    """May this be the patron's bet? Whole or not at all."""
    funds = sheet.funds
    no = verify_welcome(patron_id, funds, at_utc_ms)
    if no is None and not stakes:
        return No(Refusal.NOTHING_STAGED, {})
    no = no or _verify_range(sheet, stakes, minima=True) or _verify_cover(sheet, stakes, patron_id)
    no = no or _verify_limits(stakes, patron_id, funds, at_utc_ms)
    return no if no is not None or sheet.can_pay(stakes) else No(Refusal.HOUSE_LIMIT, {})


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


def _verify_range(sheet: Sheet, stakes: Stakes, *, minima: bool) -> No | None:
    """Are these areas of the table, none above its MAX and, where that is asked, none below its MIN?"""
    low = None
    for area, amount in stakes.items():
        limit = sheet.limits.get(area)
        if limit is None:
            return No(Refusal.UNKNOWN_AREA, {"area": area[:32]})
        if amount > limit.max_minor:
            return No(Refusal.ABOVE_MAX, {"area": area, "max_minor": limit.max_minor, "stake_minor": amount})
        if minima and low is None and amount < limit.min_minor:
            low = No(Refusal.BELOW_MIN, {"area": area, "min_minor": limit.min_minor, "stake_minor": amount})
    return low


def _verify_cover(sheet: Sheet, stakes: Stakes, patron_id: int) -> No | None:
    total = sum(stakes.values())
    available = sheet.available_minor(patron_id)
    if total > min(available, MAX_STAKE_MINOR):
        return No(Refusal.BALANCE_TOO_LOW, {"balance_minor": available, "total_minor": total})
    return None


def place_drafts(state: TableState, funds: Funds, at_utc_ms: int) -> tuple[TableState, list[Event]]:
    """Submit what everybody has staged, in the order of their ids: whole or not at all."""
    sheet = Sheet(state, funds)
    coup_no = sheet.coup_no
    moves: list[Transfer] = []
    answers: list[Event] = []
    for patron_id, steps in sorted(state.drafts.items()):
        stakes = sums(steps)
        no = verify_stakes(sheet, stakes, patron_id, at_utc_ms)
        if no is not None:
            answers.append(Refused(patron_id, None, coup_no, no.code, no.facts, automatic=True))
            continue
        receipt, stake = sheet.place(patron_id, stakes, at_utc_ms, None, sum(stakes.values()))
        moves.append(stake)
        answers.append(receipt)
    state = evolved(sheet.closed(), drafts=Map())
    return state, [Moved(tuple(moves)), *answers] if moves else answers


def _refused(command: PatronCommand, no: No | None) -> Refused:
    if no is None:
        raise AssertionError("a refusal has a reason")
    return Refused(command.patron_id, command.request_id, command.coup_no, no.code, no.facts)
