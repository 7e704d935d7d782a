"""The cashier: who has which cookie, guests, play money, history, preferences."""

import re
import secrets
from collections.abc import Awaitable, Callable

import msgspec

from bigroad.app.account_options import AccountOptions
from bigroad.app.clock import Clock
from bigroad.app.errors import RefillNotYet
from bigroad.app.nicknames import nickname
from bigroad.app.ports import Visit
from bigroad.app.sessions import TOKEN_MOST, Visitor, fresh_token, is_over, key_of, visitor_of
from bigroad.app.shoe_record import coup_of
from bigroad.app.store import MS_PER_DAY, Cursor, Store, StoredBet, StoredPatron, StoredSession, Wanted, refill_due
from bigroad.wire.server_events import Patron
from bigroad.wire.session import HistoryCoup, HistoryPage, Preferences, Session

HISTORY_LIMIT = 500
DEFAULT = AccountOptions()
_CURSOR = re.compile(r"^(\d{1,15})-(\d{1,18})\Z")


async def nobody_notes(session: StoredSession) -> None:
    """Where sessions do not end, nobody notes their use."""


class GuestCashier:
    """Guests play at once with play money. Implements `bigroad.app.ports.Cashier`.

    start_minor: what a new guest gets, and what a refill brings the balance back to. lowest_minor: below this much a
    refill is due. told: called with a patron's new balance after a refill. name_of: a table's name by its id. options:
    how long sessions of accounts last. used: notes the use of one.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        start_minor: int,
        lowest_minor: int,
        told: Callable[[int, int], None] = lambda patron_id, balance_minor: None,
        name_of: Callable[[str], str] = lambda table: table,
        options: AccountOptions = DEFAULT,
        used: Callable[[StoredSession], Awaitable[object]] = nobody_notes,
    ) -> None:
        self._store, self._clock, self._told, self._name_of = store, clock, told, name_of
        self._start_minor, self._lowest_minor = start_minor, lowest_minor
        self._options, self._used = options, used

    async def visit(self, token: str | None) -> Visit:
        """See Cashier."""
        known = await self._known(token)
        if known is not None:
            await self._used(known)
            return Visit(await self._session(known.patron, created=False), None)
        fresh = fresh_token()
        name = nickname(secrets.randbelow)
        guest = await self._store.create_guest(name, key_of(fresh), self._start_minor, self._clock.utc_ms())
        return Visit(await self._session(guest, created=True), fresh)

    async def visitor(self, token: str | None) -> Visitor | None:
        """See Cashier."""
        known = await self._known(token)
        return visitor_of(known, self._options) if known else None

    async def refill(self, patron_id: int) -> Session:
        """See Cashier."""
        now = self._clock.utc_ms()
        if not await self._store.refill(patron_id, self._lowest_minor, self._start_minor, now // MS_PER_DAY, now):
            raise RefillNotYet
        session = await self._session(await self._store.patron(patron_id), created=False)
        self._told(patron_id, session.balance_minor)
        return session

    async def history(self, patron_id: int, limit: int, wanted: Wanted, before: Cursor | None) -> HistoryPage:
        """See Cashier."""
        limit = max(1, min(limit, HISTORY_LIMIT))
        rows = await self._store.history(patron_id, limit + 1, wanted, before)
        shown = rows[:limit]
        more = cursor_text(shown[-1].cursor) if len(rows) > limit else None
        return HistoryPage([history_coup(row, self._name_of(row.table)) for row in shown], more)

    async def preferences(self, patron_id: int) -> Preferences:
        """See Cashier."""
        kept = await self._store.preferences(patron_id)
        return Preferences(changed_utc_ms=0) if kept is None else msgspec.json.decode(kept, type=Preferences)

    async def keep_preferences(self, patron_id: int, preferences: Preferences) -> None:
        """See Cashier."""
        await self._store.keep_preferences(patron_id, msgspec.json.encode(preferences).decode())

    async def _known(self, token: str | None) -> StoredSession | None:
        if not token or len(token) > TOKEN_MOST:
            return None
        session = await self._store.session(key_of(token))
        return None if session is None or is_over(session, self._options, self._clock.utc_ms()) else session

    async def _session(self, patron: StoredPatron, *, created: bool) -> Session:
        purse = await self._store.purse(patron.patron_id)
        return Session(
            patron=Patron(patron.patron_id, patron.nickname),
            balance_minor=purse.available_minor,
            can_refill=refill_due(purse, self._lowest_minor, self._clock.utc_ms()),
            created=created,
            server_utc_ms=self._clock.utc_ms(),
            registered=patron.registered,
        )


def history_coup(row: StoredBet, table_name: str) -> HistoryCoup:
    """A bet with its coup, for its owner."""
    coup, bet = row.coup, row.bet
    cards = coup_of(coup) if coup.player_cards else None
    returned = dict(row.returned or {})
    returned_minor = sum(returned.values())
    return HistoryCoup(
        table=row.table,
        table_name=table_name,
        profile=coup.profile,
        coup=coup.coup_no,
        state=coup.phase.value,
        automatic=bet.automatic,
        at_utc_ms=bet.at_utc_ms,
        dealt_utc_ms=coup.deals_utc_ms if cards else None,
        outcome=cards.outcome.value if cards else None,
        player_cards=list(coup.player_cards),
        banker_cards=list(coup.banker_cards),
        player_points=cards.player_points if cards else None,
        banker_points=cards.banker_points if cards else None,
        stakes=dict(bet.stakes),
        returned=returned,
        staked_minor=bet.staked_minor,
        returned_minor=returned_minor,
        net_minor=returned_minor - bet.staked_minor if row.returned is not None else 0,
        balance_before_minor=bet.balance_before_minor,
        balance_after_minor=row.balance_after_minor,
    )


def cursor_text(cursor: Cursor) -> str:
    """A place in the history, as pages hand it back."""
    return f"{cursor.at_utc_ms}-{cursor.coup_key}"


def cursor_of(text: str) -> Cursor | None:
    """The reverse of `cursor_text`; None for any other text."""
    found = _CURSOR.match(text)
    return Cursor(int(found.group(1)), int(found.group(2))) if found else None
