"""A shoe or a coup, present or past, from what was kept."""

from collections.abc import Sequence

import msgspec

from bigroad.app.store import StoredBet, StoredCoup
from bigroad.app.texts import shoe_of, terms_of
from bigroad.fairness.deal import commitment
from bigroad.roads.marks import CoupMarks
from bigroad.roads.scoreboard import Boards, Delta, Scoreboard
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.table import events
from bigroad.table.rounds import gestures, told_ms
from bigroad.wire import translate
from bigroad.wire.server_events import CoupDealt, CoupOpened, TableTerms
from bigroad.wire.session import CoupCards, CoupRecord, ShoeRecord


def coup_of(stored: StoredCoup) -> Coup:
    """The cards of a dealt coup."""
    return Coup(tuple(map(parse_card, stored.player_cards)), tuple(map(parse_card, stored.banker_cards)))


def shoe_record(table: str, shoe_no: int, current: int, coups: Sequence[StoredCoup]) -> ShoeRecord:
    """coups: the dealt coups of that shoe, oldest first."""
    dealt = [(stored, coup_of(stored)) for stored in coups]
    scoreboard = Scoreboard.of(CoupMarks.of(coup, stored.coup_no) for stored, coup in dealt)
    return ShoeRecord(
        table=table,
        shoe=shoe_no,
        current=current,
        roads=translate.whole_roads(scoreboard),
        coups=[
            CoupCards(
                coup=stored.coup_no,
                dealt_utc_ms=told_ms(stored.deals_utc_ms),
                outcome=coup.outcome.value,
                player_cards=list(stored.player_cards),
                banker_cards=list(stored.banker_cards),
                player_points=coup.player_points,
                banker_points=coup.banker_points,
                natural=coup.natural,
                player_pair=coup.player_pair,
                banker_pair=coup.banker_pair,
            )
            for stored, coup in dealt
        ],
    )


def coup_record(looks: TableTerms, stored: StoredCoup, own: StoredBet | None) -> CoupRecord:
    """A dealt coup, to be shown again as it was dealt to somebody who watches. own: the caller's bet of it."""
    coup, terms = coup_of(stored), terms_of(stored.terms)
    plan, deals_utc_ms = gestures(coup, terms), told_ms(stored.deals_utc_ms)
    opening = events.Opening(
        coup_no=stored.coup_no,
        shoe_no=stored.shoe_no,
        seed=stored.seed,
        commitment=commitment(stored.seed),
        opened_utc_ms=stored.opened_utc_ms,
        closes_utc_ms=stored.closes_utc_ms,
        deals_utc_ms=deals_utc_ms,
        closes_ns=0,
        deals_ns=0,
        cards_left=stored.cards_left,
        last_of_shoe=stored.last_of_shoe,
    )
    nothing = Scoreboard.empty()
    dealing = events.Dealing(
        coup=coup,
        burned=tuple(map(parse_card, stored.burned)),
        cards_left=shoe_of(stored.shoe).cards_left,
        deals_utc_ms=deals_utc_ms,
        shown_until_utc_ms=deals_utc_ms + plan.ends_ms,
        timeline=plan,
        roads=Delta(Boards(), nothing.counts, nothing.ask(coup.outcome), nothing.ask(coup.outcome)),
        scoreboard_before=nothing,
    )
    stamp = translate.Stamp(looks.table, 0, 0, deals_utc_ms)
    opened = translate.public(events.CoupOpened(opening), stamp, terms)
    dealt = translate.public(events.CoupDealt(opening, dealing), stamp, terms)
    assert isinstance(opened, CoupOpened)
    assert isinstance(dealt, CoupDealt)
    settled = None
    if own is not None and own.returned is not None:
        back = sum(own.returned.values())
        before = own.balance_after_minor - back if own.balance_after_minor is not None else 0
        ended = events.Settled(own.bet.patron_id, stored.coup_no, coup.outcome, own.bet, own.returned, back, before)
        settled = translate.settled(ended)
    looks = msgspec.structs.replace(looks, areas=translate.areas(terms), decks=terms.decks)
    return CoupRecord(looks, opened, dealt, settled)
