"""Tickets for sockets: good once, for a moment, for the session that asked for them.

They are kept in memory alone, by their hash, so that neither a database nor a dump of this one shows any. One session
has a few at a time; a newer one takes the place of its oldest.
"""

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass

VALID_S = 30.0
TICKET_BYTES = 32
MOST = 65_536


@dataclass(frozen=True, slots=True)
class _Ticket:
    """Whose, and how long."""

    session: bytes
    until_s: float


class Tickets:
    """Gives them out and takes them. Sessions are named by the token of their cookie, times by a monotonic clock.

    most: so many of one session are good at a time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._good: OrderedDict[bytes, _Ticket] = OrderedDict()
        self._of_session: dict[bytes, dict[bytes, None]] = {}

    def give(self, token: str, now_s: float) -> str:
        """A new ticket for the session of this cookie."""
        self._forget_old(now_s)
        ticket, session = secrets.token_urlsafe(TICKET_BYTES), _hash(token)
        key = _hash(ticket)
        mine = self._of_session.setdefault(session, {})
        if len(mine) >= self._most:
            self._good.pop(oldest := next(iter(mine)))
            del mine[oldest]
        mine[key] = None
        self._good[key] = _Ticket(session, now_s + VALID_S)
        if len(self._good) > MOST:
            self._drop(next(iter(self._good)))
        return ticket

    def take(self, ticket: str, token: str, now_s: float) -> bool:
        """Use the ticket up; whether it was good for the session of this cookie. One that was shown is never good
        again, whoever has shown it."""
        self._forget_old(now_s)
        key = _hash(ticket)
        known = self._good.get(key)
        if known is None:
            return False
        self._drop(key)
        return known.session == _hash(token)

    def __len__(self) -> int:
        return len(self._good)

    def _forget_old(self, now_s: float) -> None:
        while self._good:
            key = next(iter(self._good))
            if self._good[key].until_s > now_s:
                return
            self._drop(key)

    def _drop(self, key: bytes) -> None:
        session = self._good.pop(key).session
        mine = self._of_session[session]
        del mine[key]
        if not mine:
            del self._of_session[session]


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
