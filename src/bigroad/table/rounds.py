"""How a round moves on: each Tick does at most one arrow of

OPEN → LOCKED → DEALT → SETTLED → CLOSED → (next) OPEN,   OPEN → VOIDED → (next) OPEN
"""

from collections.abc import Callable
from dataclasses import replace

from immutables import Map

from bigroad.fairness.deal import commitment, deal
from bigroad.ledger import book
from bigroad.roads.marks import CoupMarks
from bigroad.roads.recent import Recent, follow
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.coup import Coup
from bigroad.rules.settle import settler
from bigroad.rules.shoe import Shoe
from bigroad.table.betting import place_drafts
from bigroad.table.commands import Funds, Tick
from bigroad.table.events import (
    NEVER_NS,
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
    Settled,
    ShoeChanged,
)
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from bigroad.table.terms import Terms
from bigroad.table.timing import Timeline, timeline

NS_PER_MS = 1_000_000
LATE_NS = 2_000_000_000
"""Away for this long over the close, the table voids the coup: its patrons could not act."""

Arrow = tuple[TableState, tuple[Event, ...]]


def tick(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """Do the arrow that is due at now_ns, or nothing."""
    if now_ns < state.due_ns:
        return state, ()
    arrows: dict[Phase, Callable[[TableState, Tick, int, Funds], Arrow]] = {
        Phase.OPEN: _close_betting,
        Phase.LOCKED: _deal,
        Phase.DEALT: _settle,
        Phase.SETTLED: _close,
        Phase.CLOSED: _open,
        Phase.VOIDED: _open,
    }
    return arrows[state.phase](state, command, now_ns, funds)


def _open(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """The next coup; times are chained from the last deadline unless that is long past."""
    late_ns = now_ns - state.due_ns
    start_ns = state.due_ns if late_ns < LATE_NS else now_ns
    opened_utc_ms = command.utc_ms - (now_ns - start_ns) // NS_PER_MS
    timing, clock = state.terms.timing, state.terms.clock
    events: list[Event] = []
    last_of_shoe = False
    kept = state.terms.shoe == "kept"
    if state.shoe_no == 0 or (kept and state.shoe.spent):
        state = replace(
            state,
            shoe=Shoe.fresh(state.terms.decks),
            shoe_no=state.shoe_no + 1,
            scoreboard=Scoreboard.empty(),
            recent=(),
            seq=state.seq + 1,
        )
        events.append(ShoeChanged(state.shoe_no))
    elif kept:
        last_of_shoe = state.shoe.last_coup
    if not kept:
        state = replace(state, shoe=Shoe.for_one_coup(state.terms.decks))
    deals_ms = timing.betting_ms + timing.closing_ms
    opening = Opening(
        coup_no=state.coup_no + 1,
        shoe_no=state.shoe_no,
        seed=command.entropy,
        commitment=commitment(command.entropy),
        opened_utc_ms=opened_utc_ms,
        closes_utc_ms=opened_utc_ms + timing.betting_ms if clock else None,
        deals_utc_ms=opened_utc_ms + deals_ms if clock else None,
        closes_ns=start_ns + timing.betting_ms * NS_PER_MS if clock else NEVER_NS,
        deals_ns=start_ns + deals_ms * NS_PER_MS if clock else NEVER_NS,
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


def _close_betting(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """ "No more bets": every draft is submitted, whole or not at all; or, far too late, the coup is void."""
    opening = _running(state)
    if not state.coup_terms.clock:
        return _void(state, funds, now_ns, "rules") if rules_wait(state) else (_waiting(state), ())
    if now_ns >= opening.closes_ns + LATE_NS:
        return _void(state, funds, now_ns, "late")
    state, events = place_drafts(state, funds, command.utc_ms)
    state = replace(state, phase=Phase.LOCKED, drafts=Map(), seq=state.seq + 1, due_ns=opening.deals_ns)
    return state, (*events, BetsLocked(state.coup_no, told_ms(opening.deals_utc_ms), state.totals, len(state.bets)))


def rules_wait(state: TableState) -> bool:
    """Other rules wait for the next coup, and this one, which no clock will end, has no bet that they could not apply
    to."""
    return state.phase is Phase.OPEN and not state.coup_terms.clock and state.terms != state.coup_terms


def _waiting(state: TableState) -> TableState:
    """Nothing will happen by itself."""
    return replace(state, due_ns=NEVER_NS)


def _void(state: TableState, funds: Funds, now_ns: int, reason: str) -> Arrow:
    """Every stake goes back; staged chips are dropped, they never were money."""
    released = book.void(
        state.table_no, state.coup_no, [(bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in _in_order(state)]
    )
    events: list[Event] = [Moved(tuple(released))] if released else []
    for bet in _in_order(state):
        before = funds.available_minor.get(bet.patron_id, 0)
        events.append(Settled(bet.patron_id, state.coup_no, None, bet, dict(bet.stakes), bet.staked_minor, before))
    state = replace(state, phase=Phase.VOIDED, drafts=Map(), seq=state.seq + 1, due_ns=now_ns)
    return state, (*events, CoupVoided(state.coup_no, reason, _running(state).seed))


def _deal(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """The cards follow from the seed and the shoe. The timeline starts at 00:00, or now where that is long past."""
    opening = _running(state)
    late_ns = now_ns - opening.deals_ns
    start_ns = opening.deals_ns if late_ns < LATE_NS else now_ns
    start_utc_ms = told_ms(opening.deals_utc_ms) if late_ns < LATE_NS else command.utc_ms
    dealt = deal(state.shoe, opening.seed, opening.coup_no)
    plan = gestures(dealt.coup, state.coup_terms, fast=opening.fast)
    if state.coup_terms.shoe == "kept":
        recent: Recent = ()
        scoreboard, delta = state.scoreboard.plus(dealt.coup, opening.coup_no)
    else:
        marks = CoupMarks.of(dealt.coup, opening.coup_no)
        scoreboard, recent, delta = follow(state.scoreboard, state.recent, marks)
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
        recent=recent,
        dealing=dealing,
        seq=state.seq + 1,
        due_ns=min(now_ns, start_ns + plan.ends_ms * NS_PER_MS),
    )
    return state, (CoupDealt(opening, dealing),)


def gestures(coup: Coup, terms: Terms, *, fast: bool = False) -> Timeline:
    """The timeline of a coup at a table of these terms. Where one patron plays the cards stay until the next coup."""
    return timeline(coup, terms.timing.pace_permille, terms.reveal, fast, terms.clock)


def _settle(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """Every stake is posted and every return paid, at once; pages show it at its moment of the timeline."""
    opening, dealing = _running(state), _dealt(state)
    outcome = dealing.coup.outcome
    rows: list[tuple[int, int, int, int]] = []
    events: list[Event] = []
    commission_minor = 0
    coup_no, available = state.coup_no, funds.available_minor
    settled = settler(outcome, state.coup_terms.paytable)
    for bet in _in_order(state):
        back, commission, returned = settled(bet.stakes)
        patron_id = bet.patron_id
        commission_minor += commission
        rows.append((bet.bet_seq, patron_id, bet.staked_minor, returned))
        events.append(Settled(patron_id, coup_no, outcome, bet, back, returned, available.get(patron_id, 0)))
    transfers = book.settlement(state.table_no, state.coup_no, rows, commission_minor, state.bank_no)
    shown_ms = dealing.shown_until_utc_ms - told_ms(opening.deals_utc_ms)
    state = replace(state, phase=Phase.SETTLED, due_ns=opening.deals_ns + shown_ms * NS_PER_MS)
    moved = (Moved(tuple(transfers)),) if transfers else ()
    return state, (*moved, *events, CoupSettled(state.coup_no))


def _close(state: TableState, command: Tick, now_ns: int, funds: Funds) -> Arrow:
    """The table is clear; the next coup opens at this same moment."""
    return replace(state, phase=Phase.CLOSED), (CoupClosed(state.coup_no),)


def told_ms(moment_utc_ms: int | None) -> int:
    """A moment of a coup that is past its lock: they are all set then."""
    if moment_utc_ms is None:
        raise AssertionError("a locked coup has its moments")
    return moment_utc_ms


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
