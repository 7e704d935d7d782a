"""The cashier: guests, their cookies, play money, history."""

import hashlib
import secrets
from collections.abc import Callable

from bigroad.app.clock import Clock
from bigroad.app.errors import RefillNotYet
from bigroad.app.nicknames import nickname
from bigroad.app.ports import Visit
from bigroad.app.shoe_record import coup_of
from bigroad.app.store import MS_PER_DAY, Store, StoredBet, StoredPatron, refill_due
from bigroad.wire.server_events import Patron
from bigroad.wire.session import HistoryCoup, Session

TOKEN_BYTES = 32
HISTORY_LIMIT = 500


class GuestCashier:
    """Guests play at once with play money. Implements `bigroad.app.ports.Cashier`.

    start_minor: what a new guest gets, and what a refill brings the balance back to. lowest_minor: below this much a
    refill is due. told: called with a patron's new balance after a refill.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        start_minor: int,
        lowest_minor: int,
        told: Callable[[int, int], None] = lambda patron_id, balance_minor: None,
    ) -> None:
        self._store, self._clock, self._told = store, clock, told
        self._start_minor, self._lowest_minor = start_minor, lowest_minor

    async def visit(self, token: str | None) -> Visit:
        """See Cashier."""
        known = await self._known(token)
        if known is not None:
            return Visit(await self._session(known, created=False), None)
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        name = nickname(secrets.randbelow)
        guest = await self._store.create_guest(name, _hash(fresh), self._start_minor, self._clock.utc_ms())
        return Visit(await self._session(guest, created=True), fresh)

    async def patron_of(self, token: str | None) -> Patron | None:
        """See Cashier."""
        known = await self._known(token)
        return Patron(known.patron_id, known.nickname) if known else None

    async def refill(self, patron_id: int) -> Session:
        """See Cashier."""
        now = self._clock.utc_ms()
        if not await self._store.refill(patron_id, self._lowest_minor, self._start_minor, now // MS_PER_DAY, now):
            raise RefillNotYet
        session = await self._session(await self._store.patron(patron_id), created=False)
        self._told(patron_id, session.balance_minor)
        return session

    async def history(self, patron_id: int, limit: int) -> list[HistoryCoup]:
        """See Cashier."""
        rows = await self._store.history(patron_id, max(1, min(limit, HISTORY_LIMIT)))
        return [history_coup(row) for row in rows]

    async def _known(self, token: str | None) -> StoredPatron | None:
        if not token or len(token) > 128:
            return None
        return await self._store.patron_of(_hash(token))

    async def _session(self, patron: StoredPatron, *, created: bool) -> Session:
        purse = await self._store.purse(patron.patron_id)
        return Session(
            patron=Patron(patron.patron_id, patron.nickname),
            balance_minor=purse.available_minor,
            can_refill=refill_due(purse, self._lowest_minor, self._clock.utc_ms()),
            created=created,
            server_utc_ms=self._clock.utc_ms(),
        )


def history_coup(row: StoredBet) -> HistoryCoup:
    """A bet with its coup, for its owner."""
    coup, bet, returned = row.coup, row.bet, dict(row.returned or {})
    outcome = None
    if coup.player_cards:
        outcome = coup_of(coup).outcome.value
    return HistoryCoup(
        table=row.table,
        coup=coup.coup_no,
        state=coup.phase.value,
        automatic=bet.automatic,
        at_utc_ms=bet.at_utc_ms,
        outcome=outcome,
        player_cards=list(coup.player_cards),
        banker_cards=list(coup.banker_cards),
        stakes=dict(bet.stakes),
        returned=returned,
        staked_minor=bet.staked_minor,
        returned_minor=sum(returned.values()),
    )


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
