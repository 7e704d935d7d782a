"""Tokens and the time of sessions. A guest's session does not end; an account's does, idle or at the latest."""

import hashlib
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from bigroad.app.account_options import AccountOptions
from bigroad.app.store import StoredSession
from bigroad.wire.server_events import Patron

TOKEN_BYTES = 32
TOKEN_MOST = 128


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, and by which session. ends_utc_ms: when the session ends at the latest; None for a guest's."""

    patron: Patron
    session: bytes
    registered: bool
    ends_utc_ms: int | None


class OpenSessions(Protocol):
    """Where sessions are in use: open sockets. Told at once when one ends."""

    def accounts(self) -> Mapping[bytes, int]:
        """The sessions of accounts that are in use, and when each ends at the latest, in UTC ms."""

    def ended(self, keys: Collection[bytes]) -> None:
        """These sessions have ended: whatever is open of them closes now."""

    def moved(self, old: bytes, new: bytes, ends_utc_ms: int) -> None:
        """The session has another token: what is open goes on under the new one."""


class Nowhere:
    """No sockets."""

    def accounts(self) -> Mapping[bytes, int]:
        """See OpenSessions."""
        return {}

    def ended(self, keys: Collection[bytes]) -> None:
        """See OpenSessions."""

    def moved(self, old: bytes, new: bytes, ends_utc_ms: int) -> None:
        """See OpenSessions."""


def fresh_token() -> str:
    """256 random bits for a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def key_of(token: str) -> bytes:
    """What is kept of a token: its SHA-256. The token itself is the patron's alone."""
    return hashlib.sha256(token.encode()).digest()


def session_id(key: bytes) -> str:
    """A session's name in lists; it opens nothing."""
    return hashlib.sha256(b"session id " + key).hexdigest()[:16]


def visitor_of(session: StoredSession, options: AccountOptions) -> Visitor:
    """Who it is."""
    patron = session.patron
    ends = session.begun_utc_ms + 1000 * options.absolute_s if patron.registered else None
    return Visitor(Patron(patron.patron_id, patron.nickname), session.key, patron.registered, ends)


def is_over(session: StoredSession, options: AccountOptions, utc_ms: int) -> bool:
    """Has the session's time run out? At its end it has."""
    if not session.patron.registered:
        return False
    return (
        utc_ms - session.begun_utc_ms >= 1000 * options.absolute_s
        or utc_ms - session.seen_utc_ms >= 1000 * options.idle_s
    )
