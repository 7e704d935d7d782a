"""Between the table's values and the wire's messages."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, assert_never

import msgspec

from bigroad.roads.marks import Mark
from bigroad.roads.scoreboard import Delta, Scoreboard
from bigroad.table import commands, events
from bigroad.table.state import TableState, sums
from bigroad.table.terms import Terms
from bigroad.table.timing import Act, Gesture
from bigroad.wire import client_messages, server_events

_encoder = msgspec.json.Encoder()
_SUBMIT, _SUBMIT_FAST = commands.Submit(), commands.Submit(fast=True)


def encode(message: server_events.ServerEvent) -> bytes:
    """One event as the JSON text that goes over the socket."""
    return _encoder.encode(message)


class Stamp(NamedTuple):
    """What numbers a public event."""

    table: str
    epoch: int
    seq: int
    at_utc_ms: int


def act_of(message: client_messages.TableCommand) -> commands.Act:
    """What a message asks of the table."""
    match message:
        case client_messages.Stage():
            return commands.Stage(message.area, message.amount_minor)
        case client_messages.Unstage():
            return commands.Unstage()
        case client_messages.Clear():
            return commands.Clear()
        case client_messages.Double():
            return commands.Double()
        case client_messages.Rebet():
            return commands.Rebet(message.times, message.submit, message.fast)
        case client_messages.Submit():
            return _SUBMIT_FAST if message.fast else _SUBMIT
        case _:
            assert_never(message)


def areas(terms: Terms) -> list[server_events.AreaTerms]:
    """Limits and odds of each area."""
    rows = []
    for limit in terms.limits:
        odds = terms.paytable.pay(limit.area)
        rows.append(
            server_events.AreaTerms(
                area=limit.area.value,
                min_minor=limit.min_minor,
                max_minor=limit.max_minor,
                pays_numerator=odds.numerator,
                pays_denominator=odds.denominator,
                commission_bps=odds.commission_bps,
            )
        )
    return rows


def public(event: events.Public, stamp: Stamp, terms: Terms, *, same_rules: bool = False) -> server_events.PublicEvent:
    """A public event as everybody gets it. same_rules: everybody knows the terms from the coup before."""
    head = stamp._asdict()
    match event:
        case events.ShoeChanged():
            return server_events.ShoeChanged(**head, shoe=event.shoe_no, decks=terms.decks)
        case events.CoupOpened():
            opening = event.opening
            return server_events.CoupOpened(
                **head,
                coup=opening.coup_no,
                shoe=opening.shoe_no,
                opened_utc_ms=opening.opened_utc_ms,
                closes_utc_ms=opening.closes_utc_ms if terms.clock else None,
                deals_utc_ms=opening.deals_utc_ms if terms.clock else None,
                commitment=opening.commitment.hex(),
                cards_left=opening.cards_left,
                last_of_shoe=opening.last_of_shoe,
                areas=None if same_rules else _area_rows(terms),
            )
        case events.BetsLocked():
            return server_events.BetsLocked(
                **head,
                coup=event.coup_no,
                deals_utc_ms=event.deals_utc_ms,
                totals=dict(event.totals),
                bettors=event.bettors,
            )
        case events.CoupDealt():
            return _dealt(event, head)
        case events.CoupVoided():
            return server_events.CoupVoided(**head, coup=event.coup_no, reason=event.reason, seed=event.seed.hex())
        case events.TableClosed():
            return server_events.TableClosed(**head, reason=event.reason)
        case _:
            assert_never(event)


def _area_rows(terms: Terms) -> list[server_events.AreaRow]:
    return [server_events.AreaRow(*msgspec.structs.astuple(area)) for area in areas(terms)]


def _dealt(event: events.CoupDealt, head: dict[str, str | int]) -> server_events.CoupDealt:
    opening, dealing = event.opening, event.dealing
    coup = dealing.coup
    return server_events.CoupDealt(
        **head,  # type: ignore[arg-type]
        coup=opening.coup_no,
        shoe=opening.shoe_no,
        deals_utc_ms=dealing.deals_utc_ms,
        shown_until_utc_ms=dealing.shown_until_utc_ms,
        player_cards=[str(card) for card in coup.player_cards],
        banker_cards=[str(card) for card in coup.banker_cards],
        player_points=coup.player_points,
        banker_points=coup.banker_points,
        natural=coup.natural,
        outcome=coup.outcome.value,
        player_pair=coup.player_pair,
        banker_pair=coup.banker_pair,
        burned=[str(card) for card in dealing.burned],
        cards_left=dealing.cards_left,
        seed=opening.seed.hex(),
        timeline=[_gesture(gesture) for gesture in dealing.timeline.gestures],
        roads=_roads_row(dealing.roads),
    )


_Moment = server_events.ResultRow | server_events.CollectRow | server_events.PayRow | server_events.ClearRow
_MOMENTS: dict[Act, Callable[[int, int], _Moment]] = {
    Act.RESULT: server_events.ResultRow,
    Act.COLLECT: server_events.CollectRow,
    Act.PAY: server_events.PayRow,
    Act.CLEAR: server_events.ClearRow,
}
_CARDS_OF_A_HAND = 3


def _gesture(gesture: Gesture) -> server_events.Gesture:
    if gesture.index is None:
        return _MOMENTS[gesture.act](gesture.at_ms, gesture.dur_ms)
    card = gesture.index + (_CARDS_OF_A_HAND if gesture.side == "banker" else 0)
    if gesture.act is Act.DRAW:
        return server_events.DrawRow(gesture.at_ms, gesture.dur_ms, card)
    return server_events.TurnRow(gesture.at_ms, gesture.dur_ms, card, gesture.points or 0)


def _roads_row(delta: Delta) -> server_events.RoadsRow:
    return server_events.RoadsRow(
        server_events.BoardsRow(**_boards(delta)),
        server_events.CountsRow(*delta.counts),
        server_events.AskRow(*delta.if_banker),
        server_events.AskRow(*delta.if_player),
        delta.anew,
    )


def roads(delta: Delta) -> server_events.Roads:
    """Marks, counts and asks as they go over the wire."""
    return server_events.Roads(
        boards=server_events.Boards(**_boards(delta)),
        counts=server_events.Counts(*delta.counts),
        if_banker=server_events.Ask(*delta.if_banker),
        if_player=server_events.Ask(*delta.if_player),
        anew=delta.anew,
    )


def _boards(delta: Delta) -> dict[str, list[server_events.Mark]]:
    return {name: _marks(marks) for name, marks in delta.boards._asdict().items()}


def whole_roads(scoreboard: Scoreboard) -> server_events.Roads:
    """The boards of a shoe from its first coup on."""
    return roads(scoreboard.whole()._replace(anew=True))


def counts(scoreboard: Scoreboard) -> server_events.Counts:
    """How the coups of the shoe went."""
    return server_events.Counts(*scoreboard.counts)


def _marks(marks: Iterable[Mark]) -> list[server_events.Mark]:
    return [server_events.Mark(*mark) for mark in marks]


def last_columns(marks: Iterable[Mark], columns: int) -> list[server_events.Mark]:
    """The marks of a board's last columns, numbered from 0 on."""
    known = list(marks)
    first = max(0, max((mark.col for mark in known), default=0) - columns + 1)
    return _marks(mark._replace(col=mark.col - first) for mark in known if mark.col >= first)


def amounts(stakes: events.Stakes) -> dict[str, int]:
    """The stakes as the wire wants them. It changes nothing of them, so a dictionary need not be copied."""
    return stakes if type(stakes) is dict else dict(stakes)


def staged(event: events.Staged) -> server_events.Staged:
    """What lies staged."""
    stakes = sums(event.steps)
    return server_events.Staged(
        request_id=event.request_id,
        coup=event.coup_no,
        steps=[dict(step) for step in event.steps],
        stakes=stakes,
        total_minor=sum(stakes.values()),
    )


def receipt(event: events.Receipt) -> server_events.Receipt:
    """A bet, booked."""
    bet = event.bet
    return server_events.Receipt(
        request_id=event.request_id,
        coup=event.coup_no,
        bet_seq=bet.bet_seq,
        automatic=bet.automatic,
        stakes=amounts(bet.stakes),
        total_minor=bet.staked_minor,
        balance_minor=event.balance_minor,
        at_utc_ms=bet.at_utc_ms,
    )


def settled(event: events.Settled) -> server_events.Settled:
    """How a bet ended."""
    return server_events.Settled(
        coup=event.coup_no,
        outcome=event.outcome,
        stakes=amounts(event.bet.stakes),
        returned=amounts(event.returned),
        staked_minor=event.bet.staked_minor,
        returned_minor=event.returned_minor,
        balance_before_minor=event.balance_before_minor,
        balance_minor=event.balance_before_minor + event.returned_minor,
    )


def refused(event: events.Refused) -> server_events.Refused:
    """Why not."""
    return server_events.Refused(
        request_id=event.request_id,
        coup=event.coup_no,
        code=event.code.value,
        facts=dict(event.facts),
        automatic=event.automatic,
    )


def answer(event: events.Answer | events.Settled) -> server_events.PrivateEvent:
    """Any of the four above."""
    match event:
        case events.Staged():
            return staged(event)
        case events.Receipt():
            return receipt(event)
        case events.Settled():
            return settled(event)
        case events.Refused():
            return refused(event)
        case _:
            assert_never(event)


def totals(state: TableState) -> server_events.Totals:
    """Submitted stakes of everybody."""
    return server_events.Totals(state.coup_no, state.bet_seq, dict(state.totals), len(state.bets))
