"""Accounts: register, sign in and out, passwords, sessions. A guest who registers stays the same patron."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from bigroad.app import passwords
from bigroad.app.account_options import AccountOptions
from bigroad.app.account_store import AccountStore, Ended, Entry, Login
from bigroad.app.clock import Clock
from bigroad.app.errors import Refused
from bigroad.app.names import MOST_TYPED, chosen_name, looks_of
from bigroad.app.passwords import Hashing
from bigroad.app.sessions import Nowhere, OpenSessions, Visitor, fresh_token, key_of, session_id
from bigroad.app.store import StoredSession, StoreError
from bigroad.app.throttle import Waits
from bigroad.wire.errors import Fault
from bigroad.wire.session import Account, AccountSession

log = structlog.get_logger()

WATCH_S = 0.5
CHECK_MS = 10_000
SWEEP_MS = 600_000
SWEEP_MOST = 1_000
CHUNK = 200
REPLACED_MS = 10_000
"""Longer than an answer is under way: a browser whose answer was lost is a guest again then."""
NOTE_MS = 60_000
"""Use of a session is noted so often."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whence somebody asks: the address, the cookie of a known browser, and what the browser calls itself."""

    address: str
    device_token: str | None
    device_words: str


@dataclass(frozen=True, slots=True)
class Entered:
    """The cookies of a new session: its token, and that of the browser, known from now on."""

    token: str
    device_token: str


class Accounts:
    """The desk for accounts. `sockets` hears of every session that ends."""

    def __init__(self, store: AccountStore, clock: Clock, options: AccountOptions) -> None:
        self.options = options
        self.sockets: OpenSessions = Nowhere()
        self._store, self._clock = store, clock
        self._replaced: dict[bytes, int] = {}
        self._note_ms = min(NOTE_MS, 250 * options.idle_s)
        self._hashing = Hashing(options.hash_memory_kib, options.hash_passes)
        self._by_name = Waits(options.tries_per_account, options.longest_wait_s)
        self._by_address = Waits(options.tries_per_address, options.longest_wait_s)
        self._by_device = Waits(options.tries_per_account, options.longest_wait_s)

    async def register(
        self, visitor: Visitor, name: str, password: str, caller: Caller, allowed: Callable[[], bool]
    ) -> Entered:
        """Make the guest an account; money, history and preferences stay, being the patron's.

        allowed: asked once, when name and password are fit; whether this address may make one more account.
        Raises Refused with NAME_…, PASSWORD_…, ALREADY_REGISTERED, TOO_MANY_ACCOUNTS, SIGN_IN_BUSY.
        """
        if visitor.registered:
            raise Refused(Fault.ALREADY_REGISTERED)
        name, password = chosen_name(name), passwords.prepared(password)
        passwords.verify_choice(password, name)
        if not allowed():
            raise Refused(Fault.TOO_MANY_ACCOUNTS)
        looks = looks_of(name)
        if await self._store.login(looks[0]) is not None:
            raise Refused(Fault.NAME_TAKEN)
        hashed = await self._hashing.hash(password)
        entered, entry = self._entry(caller)
        ended = await self._store.register(visitor.patron.patron_id, name, looks, hashed, entry)
        if not ended.done:
            made = await self._store.login_of(visitor.patron.patron_id)
            raise Refused(Fault.NAME_TAKEN if made is None else Fault.ALREADY_REGISTERED)
        self._moved(visitor, entry, ended)
        return entered

    async def sign_in(self, visitor: Visitor | None, name: str, password: str, caller: Caller) -> Entered:
        """Begin a session of that account in place of the caller's own, which ends.

        A name that nobody has and a wrong password cost the same time and are told the same: Refused(SIGN_IN_REFUSED).
        Raises Refused(TOO_MANY_TRIES, SIGN_IN_BUSY) too.
        """
        look = looks_of(name[:MOST_TYPED])[0]
        login = await self._store.login(look)
        device = key_of(caller.device_token) if caller.device_token else b""
        owner = await self._store.device(device) if device else None
        known = login is not None and (
            owner == login.patron_id
            or (visitor is not None and visitor.registered and visitor.patron.patron_id == login.patron_id)
        )
        keys: list[tuple[Waits, str | bytes]] = [(self._by_name, look), (self._by_address, caller.address)]
        if known:
            keys = [(self._by_device, device if owner is not None else visitor.session if visitor else b"")]
        password = passwords.prepared(password)
        await self._verify(keys, login, password)
        assert login is not None
        entered, entry = self._entry(caller)
        leaving = visitor.session if visitor is not None else None
        ended = await self._store.enter(login, entry, leaving, self.options.sessions_per_account)
        if not ended.done:
            raise Refused(Fault.SIGN_IN_REFUSED)
        if leaving is not None:
            self._replace(leaving)
        self.sockets.ended(ended.keys)
        if self._hashing.is_outdated(login.password):
            await self._store.rehash(login, await self._hashing.hash(password))
        return entered

    async def sign_out(self, visitor: Visitor) -> None:
        """End the session. A guest has nothing else to come back with: Refused(NOT_REGISTERED)."""
        await self._login(visitor)
        self._end(visitor, await self._store.end(visitor.patron.patron_id, [visitor.session]))

    async def sign_out_everywhere(self, visitor: Visitor) -> None:
        """End every session of the account, this one included. Raises Refused(NOT_REGISTERED)."""
        await self._login(visitor)
        self._end(visitor, await self._store.end_all(visitor.patron.patron_id))

    async def change_password(self, visitor: Visitor, old: str, new: str, caller: Caller) -> Entered:
        """Another password. Every other session ends; this one goes on under a new token.

        Raises Refused(NOT_REGISTERED, PASSWORD_…, SIGN_IN_REFUSED, TOO_MANY_TRIES, SIGN_IN_BUSY).
        """
        login = await self._login(visitor)
        new = passwords.prepared(new)
        passwords.verify_choice(new, login.name)
        await self._verify([(self._by_device, visitor.session)], login, passwords.prepared(old))
        hashed = await self._hashing.hash(new)
        entered, entry = self._entry(caller)
        ended = await self._store.change_password(login, hashed, entry)
        if not ended.done:
            raise Refused(Fault.SIGN_IN_REFUSED)
        self._moved(visitor, entry, ended)
        return entered

    async def account(self, visitor: Visitor) -> Account:
        """What the patron may see of the own account; a guest's is empty."""
        login = await self._store.login_of(visitor.patron.patron_id)
        rows = await self._store.sessions(visitor.patron.patron_id) if login is not None else []
        return Account(
            registered=login is not None,
            name=visitor.patron.nickname,
            registered_utc_ms=login.registered_utc_ms if login is not None else None,
            one_time=login is not None and login.one_time_until_utc_ms is not None,
            sessions=[
                AccountSession(session_id(key), device, begun, seen, key == visitor.session)
                for key, begun, seen, device in rows
            ],
            idle_s=self.options.idle_s,
            absolute_s=self.options.absolute_s,
        )

    async def end_session(self, visitor: Visitor, name: str) -> None:
        """End one of the own sessions. Raises Refused(NOT_REGISTERED, NOT_FOUND)."""
        login = await self._login(visitor)
        keys = [row.key for row in await self._store.sessions(login.patron_id) if session_id(row.key) == name]
        ended = await self._store.end(login.patron_id, keys)
        if not ended.done:
            raise Refused(Fault.NOT_FOUND)
        self.sockets.ended(ended.keys)

    async def watch(self) -> None:
        """End what has run out, as long as the floor runs; note that open sockets are use."""
        checked = swept = self._clock.utc_ms()
        every_ms = min(CHECK_MS, self._note_ms)
        while True:
            await asyncio.sleep(WATCH_S)
            now = self._clock.utc_ms()
            try:
                self.end_overdue(now)
                if now - checked >= every_ms:
                    checked = now
                    await self.check(now)
                if now - swept >= SWEEP_MS:
                    swept = now
                    await self.sweep(now)
            except StoreError as trouble:
                log.warning("sessions_not_checked", problem=str(trouble))
            except Exception:
                log.exception("sessions_not_checked")

    def replace(self, token: str) -> bool:
        """A browser comes with the cookie of a session that is over, and is to have another. False: it was given one
        just now, in this tab or the next, and must not be given a third in its place."""
        key = key_of(token)
        if self._now_without_old() - self._replaced.get(key, -REPLACED_MS) < REPLACED_MS:
            return False
        self._replace(key)
        return True

    def not_replaced(self, token: str) -> None:
        """There was none to be had."""
        self._replaced.pop(key_of(token), None)

    def _replace(self, key: bytes) -> None:
        self._replaced[key] = self._now_without_old()

    def _now_without_old(self) -> int:
        """Now, with what was replaced long ago forgotten; insertion order is that of time."""
        now = self._clock.utc_ms()
        while self._replaced and now - next(iter(self._replaced.values())) >= REPLACED_MS:
            del self._replaced[next(iter(self._replaced))]
        return now

    async def used(self, session: StoredSession) -> None:
        """A session was used over HTTP."""
        now = self._clock.utc_ms()
        if session.patron.registered and now - session.seen_utc_ms >= self._note_ms:
            await self._store.touch([session.key], now, now)

    def end_overdue(self, utc_ms: int) -> None:
        """Close what is open of sessions that have reached their latest end."""
        over = [key for key, ends in self.sockets.accounts().items() if ends <= utc_ms]
        if over:
            self.sockets.ended(over)

    async def check(self, utc_ms: int) -> None:
        """Note the use of open sessions; close what is open of those that another process has ended."""
        keys = list(self.sockets.accounts())
        for start in range(0, len(keys), CHUNK):
            part = keys[start : start + CHUNK]
            there = set(await self._store.touch(part, utc_ms, utc_ms - self._note_ms))
            self.sockets.ended([key for key in part if key not in there])

    async def sweep(self, utc_ms: int) -> None:
        """Forget sessions that are over."""
        begun, seen = utc_ms - 1000 * self.options.absolute_s, utc_ms - 1000 * self.options.idle_s
        while True:
            gone = await self._store.sweep(begun, seen, SWEEP_MOST)
            self.sockets.ended(gone)
            if len(gone) < SWEEP_MOST:
                return

    def stop(self) -> None:
        """Let the threads end."""
        self._hashing.stop()

    async def _verify(self, keys: Sequence[tuple[Waits, str | bytes]], login: Login | None, password: str) -> None:
        """Is it the account's password? Raises Refused(TOO_MANY_TRIES, SIGN_IN_REFUSED, SIGN_IN_BUSY)."""
        now = self._clock.utc_ms()
        wait_s = max(waits.wait_s(key, now) for waits, key in keys)
        if wait_s > 0:
            raise Refused(Fault.TOO_MANY_TRIES, wait_s=wait_s)
        for waits, key in keys:
            waits.began(key, now)
        try:
            right = await self._hashing.matches(login.password if login is not None else None, password)
        except BaseException:
            for waits, key in keys:
                waits.take_back(key)
            raise
        until = login.one_time_until_utc_ms if login is not None else None
        if not right or (until is not None and until <= now):
            raise Refused(Fault.SIGN_IN_REFUSED)
        for waits, key in keys:
            if waits is self._by_address:
                waits.take_back(key)
            else:
                waits.forget(key)

    async def _login(self, visitor: Visitor) -> Login:
        login = await self._store.login_of(visitor.patron.patron_id)
        if login is None:
            raise Refused(Fault.NOT_REGISTERED)
        return login

    def _end(self, visitor: Visitor, ended: Ended) -> None:
        self.sockets.ended([*ended.keys, visitor.session])

    def _moved(self, visitor: Visitor, entry: Entry, ended: Ended) -> None:
        self._replace(visitor.session)
        ends = entry.at_utc_ms + 1000 * self.options.absolute_s
        self.sockets.moved(visitor.session, entry.key, ends)
        self.sockets.ended([key for key in ended.keys if key != visitor.session])

    def _entry(self, caller: Caller) -> tuple[Entered, Entry]:
        entered = Entered(fresh_token(), fresh_token())
        at = self._clock.utc_ms()
        return entered, Entry(key_of(entered.token), key_of(entered.device_token), caller.device_words, at)
