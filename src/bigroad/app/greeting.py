"""What a socket is told first: who it is, how the table stands, and the patron's own side of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bigroad.app.store import Purse
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.settle import settle
from bigroad.table import events
from bigroad.table.phases import Phase
from bigroad.table.rounds import told_ms
from bigroad.table.state import TableState
from bigroad.wire import server_events, translate
from bigroad.wire.server_events import Patron, TableTerms
from bigroad.wire.session import OwnSeat, TableRow


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who joins, what the page has seen, and where its frames go."""

    patron: Patron
    epoch: int | None
    seq: int | None
    join: Callable[[Sequence[bytes]], None]


def greeting_frames(
    greeting: Greeting,
    state: TableState,
    epoch: int,
    terms: TableTerms,
    tail: Iterable[tuple[int, bytes]],
    purse: Purse,
    patrons: int,
    utc_ms: int,
    can_refill: bool,
    closed: server_events.TableClosed | None,
) -> list[bytes]:
    """The frames in order. patrons: how many sit here. closed: set when the table has stopped."""
    frames = [translate.encode(server_events.Welcome(greeting.patron, terms, utc_ms))]
    missed = _missed(greeting, state, epoch, tail)
    if missed is None or closed is not None:
        frames.append(translate.encode(snapshot(state, epoch, terms.table, patrons, utc_ms, closed)))
    else:
        frames += [*missed, translate.encode(translate.totals(state))]
    frames.append(translate.encode(own_side(state, greeting.patron.patron_id, purse.available_minor, can_refill)))
    return frames


def _missed(greeting: Greeting, state: TableState, epoch: int, tail: Iterable[tuple[int, bytes]]) -> list[bytes] | None:
    """The events after the one that the page saw last, or None when they are not all there any more."""
    if greeting.epoch != epoch or greeting.seq is None or not 0 < greeting.seq <= state.seq:
        return None
    missed = [(seq, body) for seq, body in tail if seq > greeting.seq]
    if len(missed) != state.seq - greeting.seq:
        return None
    return [body for _, body in missed]


def snapshot(
    state: TableState,
    epoch: int,
    table: str,
    patrons: int,
    utc_ms: int,
    closed: server_events.TableClosed | None = None,
) -> server_events.Snapshot:
    """The table as it stands. Its boards are those before `dealt`, whose own marks come with it."""
    stamp = translate.Stamp(table, epoch, state.seq, utc_ms)
    opened = locked = dealt = voided = None
    scoreboard = state.scoreboard
    if state.opening is not None:
        opened = translate.public(events.CoupOpened(state.opening), stamp, state.coup_terms)
        if state.phase is Phase.VOIDED:
            voided = translate.public(
                events.CoupVoided(state.coup_no, _void_reason(state), state.opening.seed), stamp, state.coup_terms
            )
        elif state.phase is not Phase.OPEN:
            lock = events.BetsLocked(state.coup_no, told_ms(state.opening.deals_utc_ms), state.totals, len(state.bets))
            locked = translate.public(lock, stamp, state.coup_terms)
        if state.dealing is not None:
            scoreboard = state.dealing.scoreboard_before
            dealt = translate.public(events.CoupDealt(state.opening, state.dealing), stamp, state.coup_terms)
    return server_events.Snapshot(
        table=table,
        epoch=epoch,
        seq=state.seq,
        shoe=state.shoe_no,
        cards_left=state.shoe.cards_left,
        opened=opened,  # type: ignore[arg-type]
        locked=locked,  # type: ignore[arg-type]
        dealt=dealt,  # type: ignore[arg-type]
        voided=voided,  # type: ignore[arg-type]
        closed=closed,
        roads=translate.whole_roads(scoreboard),
        totals=translate.totals(state),
        patrons=patrons,
    )


def own_side(state: TableState, patron_id: int, available_minor: int, can_refill: bool) -> server_events.You:
    """The patron's chips, bet and result of this coup."""
    bet = state.bets.get(patron_id)
    receipt = settled = None
    if bet is not None:
        result = _settled(state, bet, available_minor)
        settled = translate.settled(result) if result else None
        before = result.balance_before_minor if result else available_minor
        receipt = translate.receipt(events.Receipt(patron_id, None, state.coup_no, bet, before))
    staged = events.Staged(patron_id, None, state.coup_no, state.drafts.get(patron_id, ()))
    return server_events.You(
        coup=state.coup_no,
        balance_minor=available_minor,
        staged=translate.staged(staged),
        receipt=receipt,
        settled=settled,
        last_stakes=dict(state.last_stakes.get(patron_id, {})),
        can_refill=can_refill,
    )


def _settled(state: TableState, bet: events.Bet, available_minor: int) -> events.Settled | None:
    if state.phase is Phase.VOIDED:
        back, returned, outcome = bet.staked_minor, dict(bet.stakes), None
    elif state.phase in (Phase.SETTLED, Phase.CLOSED) and state.dealing is not None:
        outcome = state.dealing.coup.outcome
        result = settle(bet.stakes, outcome, state.coup_terms.paytable)
        back, returned = result.returned_total_minor, dict(result.returned_minor)
    else:
        return None
    return events.Settled(bet.patron_id, state.coup_no, outcome, bet, returned, back, available_minor - back)


def _void_reason(state: TableState) -> str:
    """Only what no clock closes can have been voided for its rules."""
    return "late" if state.coup_terms.clock else "rules"


BIG_ROAD_COLUMNS = 40
"""So many columns of the big road are shown in the lobby."""


def table_row(state: TableState, terms: TableTerms, patrons: int, closed: bool, own: OwnSeat | None = None) -> TableRow:
    """The table as a row of the lobby."""
    phases = {Phase.OPEN: "betting", Phase.LOCKED: "closing"}
    opening = state.opening
    return TableRow(
        terms=terms,
        phase="closed" if closed else phases.get(state.phase, "dealing"),
        coup=state.coup_no,
        closes_utc_ms=opening.closes_utc_ms if opening is not None and state.coup_terms.clock else None,
        deals_utc_ms=opening.deals_utc_ms if opening is not None and state.coup_terms.clock else None,
        patrons=patrons,
        counts=translate.counts(shown_board(state)),
        big_road=translate.last_columns(shown_board(state).big_road.marks, BIG_ROAD_COLUMNS),
        own=own,
    )


def shown_board(state: TableState) -> Scoreboard:
    """The boards as everybody may see them: a coup that is being dealt is not on them yet."""
    return state.dealing.scoreboard_before if state.dealing is not None and not state.ended else state.scoreboard
