"""How a round moves on: each Tick does at most one arrow of

OPEN → LOCKED → DEALT → SETTLED → CLOSED → (next) OPEN,   OPEN → VOIDED → (next) OPEN
"""

from collections.abc import Callable
from dataclasses import replace

from immutables import Map

from bigroad.fairness.deal import commitment, deal
from bigroad.ledger import book
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.settle import settle
from bigroad.rules.shoe import Shoe
from bigroad.table.betting import No, place, verify_stakes
from bigroad.table.commands import Funds, Tick
from bigroad.table.events import (
    Bet,
    BetsLocked,
    CoupClosed,
    CoupDealt,
    CoupOpened,
    CoupSettled,
    CoupVoided,
    Dealing,
    Event,
    Moved,
    Opening,
    Refused,
    Settled,
    ShoeChanged,
)
from bigroad.table.phases import Phase
from bigroad.table.state import TableState, sums
from bigroad.table.timing import timeline

NS_PER_MS = 1_000_000
LATE_NS = 2_000_000_000
"""Away for this long over the close, the table voids the coup: its patrons could not act."""

Arrow = tuple[TableState, tuple[Event, ...]]


def tick(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """Do the arrow that is due at now_ns, or nothing."""
    if now_ns < state.due_ns:
        return state, ()
    arrows: dict[Phase, Callable[[TableState, Tick, int], Arrow]] = {
        Phase.OPEN: _close_betting,
        Phase.LOCKED: _deal,
        Phase.DEALT: _settle,
        Phase.SETTLED: _close,
        Phase.CLOSED: _open,
        Phase.VOIDED: _open,
    }
    return arrows[state.phase](state, command, now_ns)


def _open(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """The next coup; times are chained from the last deadline unless that is long past."""
    late_ns = now_ns - state.due_ns
    start_ns = state.due_ns if late_ns < LATE_NS else now_ns
    opened_utc_ms = command.utc_ms - (now_ns - start_ns) // NS_PER_MS
    timing = state.terms.timing
    events: list[Event] = []
    last_of_shoe = False
    if state.shoe.spent or state.coup_no == 0:
        state = replace(
            state,
            shoe=Shoe.fresh(state.terms.decks),
            shoe_no=state.shoe_no + 1,
            scoreboard=Scoreboard.empty(),
            seq=state.seq + 1,
        )
        events.append(ShoeChanged(state.shoe_no))
    else:
        last_of_shoe = state.shoe.last_coup
    deals_ms = timing.betting_ms + timing.closing_ms
    opening = Opening(
        coup_no=state.coup_no + 1,
        shoe_no=state.shoe_no,
        seed=command.entropy,
        commitment=commitment(command.entropy),
        opened_utc_ms=opened_utc_ms,
        closes_utc_ms=opened_utc_ms + timing.betting_ms,
        deals_utc_ms=opened_utc_ms + deals_ms,
        closes_ns=start_ns + timing.betting_ms * NS_PER_MS,
        deals_ns=start_ns + deals_ms * NS_PER_MS,
        cards_left=state.shoe.cards_left,
        last_of_shoe=last_of_shoe,
    )
    state = replace(
        state,
        phase=Phase.OPEN,
        coup_terms=state.terms,
        coup_no=opening.coup_no,
        opening=opening,
        dealing=None,
        drafts=Map(),
        bets=Map(),
        totals={},
        bet_seq=0,
        answers=Map(),
        earlier_answers=state.answers,
        seq=state.seq + 1,
        due_ns=opening.closes_ns,
    )
    return state, (*events, CoupOpened(opening))


def _close_betting(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """ "No more bets": every draft is submitted, whole or not at all; or, far too late, the coup is void."""
    opening = _running(state)
    if now_ns >= opening.closes_ns + LATE_NS:
        return _void(state, command.funds, now_ns)
    funds = dict(command.funds.available_minor)
    events: list[Event] = []
    for patron_id, steps in sorted(state.drafts.items()):
        available = Funds(funds, command.funds.bank_minor)
        stakes = sums(steps)
        no = verify_stakes(state, stakes, patron_id, available)
        if isinstance(no, No):
            events.append(Refused(patron_id, None, state.coup_no, no.code, no.facts, automatic=True))
            continue
        state, receipt, moved = place(state, patron_id, stakes, available, command.utc_ms, None)
        funds[patron_id] = receipt.balance_minor
        events += (moved, receipt)
    state = replace(state, phase=Phase.LOCKED, drafts=Map(), seq=state.seq + 1, due_ns=opening.deals_ns)
    return state, (*events, BetsLocked(state.coup_no, opening.deals_utc_ms, state.totals, len(state.bets)))


def _void(state: TableState, funds: Funds, now_ns: int) -> Arrow:
    """Every stake goes back; staged chips are dropped, they never were money."""
    released = book.void(
        state.table_no, state.coup_no, [(bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in _in_order(state)]
    )
    events: list[Event] = [Moved(tuple(released))] if released else []
    for bet in _in_order(state):
        before = funds.available_minor.get(bet.patron_id, 0)
        events.append(Settled(bet.patron_id, state.coup_no, None, bet, dict(bet.stakes), bet.staked_minor, before))
    state = replace(state, phase=Phase.VOIDED, drafts=Map(), seq=state.seq + 1, due_ns=now_ns)
    return state, (*events, CoupVoided(state.coup_no, "late", _running(state).seed))


def _deal(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """The cards follow from the seed and the shoe. The timeline starts at 00:00, or now where that is long past."""
    opening = _running(state)
    late_ns = now_ns - opening.deals_ns
    start_ns = opening.deals_ns if late_ns < LATE_NS else now_ns
    start_utc_ms = opening.deals_utc_ms if late_ns < LATE_NS else command.utc_ms
    dealt = deal(state.shoe, opening.seed, opening.coup_no)
    plan = timeline(dealt.coup, state.coup_terms.timing.pace_permille)
    scoreboard, delta = state.scoreboard.plus(dealt.coup, opening.coup_no)
    dealing = Dealing(
        coup=dealt.coup,
        burned=dealt.burned,
        cards_left=dealt.shoe.cards_left,
        deals_utc_ms=start_utc_ms,
        shown_until_utc_ms=start_utc_ms + plan.ends_ms,
        timeline=plan,
        roads=delta,
        scoreboard_before=state.scoreboard,
    )
    state = replace(
        state,
        phase=Phase.DEALT,
        shoe=dealt.shoe,
        scoreboard=scoreboard,
        dealing=dealing,
        seq=state.seq + 1,
        due_ns=min(now_ns, start_ns + plan.ends_ms * NS_PER_MS),
    )
    return state, (CoupDealt(opening, dealing),)


def _settle(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """Every stake is posted and every return paid, at once; pages show it at its moment of the timeline."""
    opening, dealing = _running(state), _dealt(state)
    outcome = dealing.coup.outcome
    rows: list[tuple[int, int, int, int]] = []
    events: list[Event] = []
    commission_minor = 0
    for bet in _in_order(state):
        result = settle(bet.stakes, outcome, state.coup_terms.paytable)
        returned = result.returned_total_minor
        commission_minor += result.commission_minor
        rows.append((bet.bet_seq, bet.patron_id, bet.staked_minor, returned))
        before = command.funds.available_minor.get(bet.patron_id, 0)
        events.append(
            Settled(bet.patron_id, state.coup_no, outcome, bet, dict(result.returned_minor), returned, before)
        )
    transfers = book.settlement(state.table_no, state.coup_no, rows, commission_minor)
    shown_ms = dealing.shown_until_utc_ms - opening.deals_utc_ms
    state = replace(state, phase=Phase.SETTLED, due_ns=opening.deals_ns + shown_ms * NS_PER_MS)
    moved = (Moved(tuple(transfers)),) if transfers else ()
    return state, (*moved, *events, CoupSettled(state.coup_no))


def _close(state: TableState, command: Tick, now_ns: int) -> Arrow:
    """The table is clear; the next coup opens at this same moment."""
    return replace(state, phase=Phase.CLOSED), (CoupClosed(state.coup_no),)


def _in_order(state: TableState) -> list[Bet]:
    return sorted(state.bets.values(), key=lambda bet: bet.bet_seq)


def _running(state: TableState) -> Opening:
    if state.opening is None:
        raise AssertionError("a running coup has an opening")
    return state.opening


def _dealt(state: TableState) -> Dealing:
    if state.dealing is None:
        raise AssertionError("a dealt coup has cards")
    return state.dealing
