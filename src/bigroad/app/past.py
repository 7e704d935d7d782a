"""What a table answers about its past: the shoes and the coups that it dealt, as the store kept them."""

from bigroad.app.shoe_record import coup_record, shoe_record
from bigroad.app.store import Store
from bigroad.roads.recent import FOLLOWED
from bigroad.table.state import TableState
from bigroad.wire.server_events import TableTerms
from bigroad.wire.session import CoupRecord, ShoeRecord


async def past_shoe(store: Store, state: TableState, table: str, number: int) -> ShoeRecord | None:
    """A shoe with its dealt coups, the running one included; None where there is no such shoe. Where every coup has a
    shoe of its own it is as many coups as the boards follow."""
    current = state.shoe_no
    if not 1 <= number <= current:
        return None
    coups = await store.shoe(state.table_no, number)
    if state.coup_terms.shoe == "every_round":
        coups = coups[-FOLLOWED:]
    return shoe_record(table, number, current, coups)


async def past_coup(
    store: Store, state: TableState, looks: TableTerms, number: int, patron_id: int | None
) -> CoupRecord | None:
    """A dealt coup with the patron's own part in it; None where there is none, or it has not ended."""
    if not 1 <= number <= state.coup_no or (number == state.coup_no and not state.ended):
        return None
    stored = await store.coup(state.table_no, number)
    if stored is None or not stored.player_cards:
        return None
    own = await store.own_bet(state.table_no, number, patron_id) if patron_id is not None else None
    return coup_record(looks, stored, own)
