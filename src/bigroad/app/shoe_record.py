"""A shoe, present or past, from the coups that were kept."""

from collections.abc import Sequence

from bigroad.app.store import StoredCoup
from bigroad.roads.marks import CoupMarks
from bigroad.roads.scoreboard import Scoreboard
from bigroad.rules.cards import parse_card
from bigroad.rules.coup import Coup
from bigroad.wire import translate
from bigroad.wire.session import CoupCards, ShoeRecord


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
                dealt_utc_ms=stored.deals_utc_ms,
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
