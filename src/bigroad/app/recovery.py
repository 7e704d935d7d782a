"""From what the store kept back to a table that goes on where it was.

Deadlines are kept as UTC and come back as moments of the new monotonic clock. A wall clock that is behind what was
kept (it was set back, or was ahead before) lengthens nothing: the coup is at least as far as its rows say. A coup found
OPEN long past its close is voided by the machine itself (the patrons could not act); everything later is carried to its
end, because its cards follow from what was kept.
"""

from collections.abc import Callable
from dataclasses import replace

from immutables import Map

from bigroad.app.clock import Clock
from bigroad.app.shoe_record import coup_of
from bigroad.app.store import StoredCoup, StoredTable
from bigroad.app.texts import answered_of, shoe_of, terms_of
from bigroad.fairness.deal import commitment
from bigroad.roads.marks import CoupMarks
from bigroad.roads.recent import Recent, boards_of
from bigroad.roads.scoreboard import Delta, Scoreboard
from bigroad.rules.cards import parse_card
from bigroad.table.events import NEVER_NS, Dealing, Opening, Stakes
from bigroad.table.machine import first_state
from bigroad.table.phases import ENDED, Phase
from bigroad.table.rounds import NS_PER_MS, gestures, rules_wait, told_ms
from bigroad.table.state import Answered, Answers, TableState
from bigroad.table.terms import Terms


def recovered(table_no: int, stored: StoredTable, terms: Terms, clock: Clock, bank_no: int | None = None) -> TableState:
    """The state that the stored rows describe. terms apply from the next coup on; the running one keeps its own.

    bank_no: the table whose bank pays, None for its own.
    """
    coup = stored.last
    if coup is None:
        fresh = first_state(table_no, terms, clock.now_ns())
        return replace(fresh, bank_no=bank_no, coup_no=stored.skipped_to, seq=stored.seq)
    now_ns, utc_ms = clock.now_ns(), max(clock.utc_ms(), reached_utc_ms(coup))
    behind_ms = utc_ms - clock.utc_ms()

    def moment_ns(at_utc_ms: int | None) -> int:
        if at_utc_ms is None:
            return NEVER_NS
        return now_ns + (at_utc_ms - utc_ms) * NS_PER_MS

    opening = _opening(coup, moment_ns, behind_ms)
    coup_terms = terms_of(coup.terms)
    scoreboard, recent, before, delta = _boards(stored, coup_terms)
    dealing = None
    if coup.player_cards:
        cards = coup_of(coup)
        dealing = Dealing(
            coup=cards,
            burned=tuple(parse_card(text) for text in coup.burned),
            cards_left=shoe_of(coup.shoe).cards_left,
            deals_utc_ms=told_ms(coup.deals_utc_ms) - behind_ms,
            shown_until_utc_ms=coup.shown_until_utc_ms - behind_ms,
            timeline=gestures(cards, coup_terms, fast=coup.fast),
            roads=delta,
            scoreboard_before=before,
        )
    due = {
        Phase.OPEN: opening.closes_ns,
        Phase.LOCKED: opening.deals_ns,
        Phase.DEALT: now_ns,
        Phase.SETTLED: moment_ns(coup.shown_until_utc_ms),
        Phase.CLOSED: now_ns,
        Phase.VOIDED: now_ns,
    }
    bets = {bet.patron_id: bet for bet in stored.bets}
    totals: dict[str, int] = {}
    for bet in stored.bets:
        for area, amount in bet.stakes.items():
            totals[area] = totals.get(area, 0) + amount
    answers, earlier = _answers(stored, coup)
    drafts: dict[int, tuple[Stakes, ...]] = dict(stored.drafts) if coup.phase is Phase.OPEN else {}
    state = TableState(
        table_no=table_no,
        terms=terms,
        coup_terms=coup_terms,
        phase=coup.phase,
        coup_no=max(coup.coup_no, stored.skipped_to) if coup.phase in ENDED else coup.coup_no,
        shoe_no=coup.shoe_no,
        shoe=shoe_of(coup.shoe),
        scoreboard=scoreboard,
        recent=recent,
        bank_no=bank_no,
        due_ns=due[coup.phase],
        seq=stored.seq,
        opening=opening,
        dealing=dealing,
        drafts=Map(drafts),
        bets=Map(bets),
        totals=totals,
        bet_seq=max((bet.bet_seq for bet in stored.bets), default=0),
        last_stakes=Map({bet.patron_id: bet.stakes for bet in stored.bets}),
        answers=answers,
        earlier_answers=earlier,
    )
    return replace(state, due_ns=now_ns) if rules_wait(state) else state


def reached_utc_ms(coup: StoredCoup) -> int:
    """The time that it was at least when the coup came into its state, in UTC milliseconds of the clock of then."""
    if coup.phase is Phase.OPEN or coup.phase is Phase.VOIDED:
        return coup.opened_utc_ms
    return told_ms(coup.closes_utc_ms if coup.phase is Phase.LOCKED else coup.deals_utc_ms)


def _opening(coup: StoredCoup, moment_ns: Callable[[int | None], int], behind_ms: int) -> Opening:
    return Opening(
        coup_no=coup.coup_no,
        shoe_no=coup.shoe_no,
        seed=coup.seed,
        commitment=commitment(coup.seed),
        opened_utc_ms=coup.opened_utc_ms - behind_ms,
        closes_utc_ms=coup.closes_utc_ms - behind_ms if coup.closes_utc_ms is not None else None,
        deals_utc_ms=coup.deals_utc_ms - behind_ms if coup.deals_utc_ms is not None else None,
        closes_ns=moment_ns(coup.closes_utc_ms),
        deals_ns=moment_ns(coup.deals_utc_ms),
        cards_left=coup.cards_left,
        last_of_shoe=coup.last_of_shoe,
        fast=coup.fast,
    )


def _boards(stored: StoredTable, terms: Terms) -> tuple[Scoreboard, Recent, Scoreboard, Delta]:
    """The boards with every dealt coup of the shoe, what they follow where each coup has its own shoe, the boards
    before the last coup, and what that one added."""
    marks = [CoupMarks.of(coup_of(coup), coup.coup_no) for coup in stored.shoe_coups]
    if terms.shoe == "every_round":
        return boards_of(marks)
    before = Scoreboard.of(marks[:-1])
    if not marks:
        return before, (), before, before.whole()
    after = before.copy()
    delta = after.add(marks[-1])
    return after, (), before, delta


def _answers(stored: StoredTable, last: StoredCoup) -> tuple[Answers, Answers]:
    bets = {bet.patron_id: bet for bet in stored.bets}
    earlier_bets = {bet.patron_id: bet for bet in stored.earlier_bets}
    current: dict[tuple[int, str], Answered] = {}
    earlier: dict[tuple[int, str], Answered] = {}
    for kept in stored.answers:
        now = kept.coup_no == last.coup_no
        answered = answered_of(kept, bets if now else earlier_bets)
        if answered is not None:
            (current if now else earlier)[(kept.patron_id, kept.request_id)] = answered
    return Map(current), Map(earlier)
