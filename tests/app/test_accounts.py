"""Accounts over a real file, with a clock that is moved by hand."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bigroad.app.account_options import AccountOptions
from bigroad.app.accounts import Accounts, Caller, Entered
from bigroad.app.cashier import GuestCashier
from bigroad.app.clock import SimulatedClock
from bigroad.app.errors import Refused
from bigroad.app.sessions import Visitor, key_of
from bigroad.storage.audit import audit_file
from bigroad.storage.errors import AuditFailed
from bigroad.storage.sqlite import SqliteStore
from bigroad.wire.session import Preferences

PASSWORD, OTHER = "correct horse battery", "another horse battery"
QUICK = AccountOptions(hash_memory_kib=8, hash_passes=1, idle_s=3_600, absolute_s=86_400)
START_MINOR = 1_000_000
HOUR_MS = 3_600_000


@dataclass
class Sockets:
    """Notes what it is told, and has open what a test says."""

    open: dict[bytes, int] = field(default_factory=dict)
    dead: list[bytes] = field(default_factory=list)
    moves: list[tuple[bytes, bytes]] = field(default_factory=list)

    def accounts(self) -> Mapping[bytes, int]:
        return self.open

    def ended(self, keys: Collection[bytes]) -> None:
        self.dead += keys

    def moved(self, old: bytes, new: bytes, ends_utc_ms: int) -> None:
        self.moves.append((old, new))


class House:
    """A store, a cashier and the desk. Its visitors are tokens."""

    def __init__(self, path: Path, options: AccountOptions = QUICK) -> None:
        self.path = path
        self.clock, self.store, self.sockets = SimulatedClock(), SqliteStore(path), Sockets()
        self.accounts = Accounts(self.store.accounts, self.clock, options)
        self.accounts.sockets = self.sockets
        self.cashier = GuestCashier(
            self.store, self.clock, START_MINOR, 2_000, options=options, used=self.accounts.used
        )

    def later(self, ms: int) -> None:
        self.clock.move_to(self.clock.now_ns() + ms * 1_000_000)

    async def guest(self) -> str:
        return (await self.cashier.visit(None)).new_token or ""

    async def who(self, token: str) -> Visitor:
        visitor = await self.cashier.visitor(token)
        assert visitor is not None
        return visitor

    async def registered(self, name: str = "Annabel", password: str = PASSWORD) -> Entered:
        visitor = await self.who(await self.guest())
        return await self.accounts.register(visitor, name, password, HOME, lambda: True)

    async def sign_in(
        self, name: str = "Annabel", password: str = PASSWORD, caller: "Caller | None" = None, token: str | None = None
    ) -> Entered:
        visitor = await self.who(token) if token else None
        return await self.accounts.sign_in(visitor, name, password, caller or AWAY)


HOME, AWAY = Caller("198.51.100.1", None, "Firefox, Linux"), Caller("203.0.113.9", None, "Chrome, Android")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path / "bigroad.sqlite3")
    yield made
    made.accounts.stop()
    await made.store.close()
    audit_file(made.path)


async def test_a_guest_who_registers_is_the_same_patron_with_the_same_money_and_choices(house: House) -> None:
    token = await house.guest()
    before = await house.who(token)
    await house.cashier.keep_preferences(before.patron.patron_id, Preferences(changed_utc_ms=5, muted=True))
    entered = await house.accounts.register(before, " Annabel ", PASSWORD, HOME, lambda: True)
    after = await house.who(entered.token)
    assert after.patron.patron_id == before.patron.patron_id
    assert (after.patron.nickname, after.registered, before.registered) == ("Annabel", True, False)
    session = (await house.cashier.visit(entered.token)).session
    assert (session.balance_minor, session.registered, session.created) == (START_MINOR, True, False)
    assert (await house.cashier.preferences(after.patron.patron_id)).muted is True
    assert await house.cashier.visitor(token) is None
    assert house.sockets.moves == [(key_of(token), key_of(entered.token))]
    assert house.sockets.dead == []


async def test_no_two_accounts_look_alike_and_nothing_changes_for_who_is_refused(house: House) -> None:
    await house.registered("Alice")
    for name in ("Alice", "alice", "AIice", "Аlісе", "A.l-i ce"):
        token = await house.guest()
        visitor = await house.who(token)
        with pytest.raises(Refused, match="NAME_TAKEN"):
            await house.accounts.register(visitor, name, PASSWORD, HOME, lambda: True)
        assert await house.who(token) == visitor


async def test_who_is_registered_cannot_register_again_and_two_at_once_make_one_account(house: House) -> None:
    visitor = await house.who(await house.guest())
    both = await asyncio.gather(
        *(house.accounts.register(visitor, name, PASSWORD, HOME, lambda: True) for name in ("Alice", "Berta")),
        return_exceptions=True,
    )
    (entered,) = [one for one in both if isinstance(one, Entered)]
    assert [str(one) for one in both if isinstance(one, Refused)] == ["ALREADY_REGISTERED"]
    with pytest.raises(Refused, match="ALREADY_REGISTERED"):
        await house.accounts.register(await house.who(entered.token), "Clara", PASSWORD, HOME, lambda: True)


async def test_two_guests_at_once_do_not_get_one_name(house: House) -> None:
    visitors = [await house.who(await house.guest()) for _ in range(4)]
    done = await asyncio.gather(
        *(house.accounts.register(one, "Alice", PASSWORD, HOME, lambda: True) for one in visitors),
        return_exceptions=True,
    )
    assert sorted(str(one) for one in done if isinstance(one, Exception)) == ["NAME_TAKEN"] * 3


async def test_an_address_that_made_too_many_accounts_makes_no_hash(house: House) -> None:
    visitor = await house.who(await house.guest())
    with pytest.raises(Refused, match="TOO_MANY_ACCOUNTS"):
        await house.accounts.register(visitor, "Alice", PASSWORD, HOME, lambda: False)
    assert await house.store.accounts.login_of(visitor.patron.patron_id) is None


async def test_another_browser_signs_in_to_the_same_money_and_leaves_its_guest_behind(house: House) -> None:
    home = await house.registered()
    guest = await house.guest()
    away = await house.sign_in("ANNABEL", token=guest)
    assert (await house.who(away.token)).patron == (await house.who(home.token)).patron
    assert await house.cashier.visitor(guest) is None
    assert house.sockets.dead == [key_of(guest)]
    assert len({home.token, away.token, home.device_token, away.device_token}) == 4
    assert all(len(token) >= 43 for token in (away.token, away.device_token))


async def test_an_unknown_name_and_a_wrong_password_are_told_the_same(house: House) -> None:
    await house.registered()
    for name, password in (("Annabel", "wrong horse"), ("Nobody Here", PASSWORD), ("<img>", PASSWORD), ("", "")):
        with pytest.raises(Refused) as refused:
            await house.sign_in(name, password)
        assert (refused.value.code, refused.value.facts) == ("SIGN_IN_REFUSED", {})


async def test_signing_out_ends_this_session_alone_and_everywhere_all(house: House) -> None:
    home, away, third = await house.registered(), await house.sign_in(), await house.sign_in()
    await house.accounts.sign_out(await house.who(away.token))
    assert await house.cashier.visitor(away.token) is None
    assert set(house.sockets.dead) == {key_of(away.token)}
    await house.accounts.sign_out_everywhere(await house.who(third.token))
    for one in (home, third):
        assert await house.cashier.visitor(one.token) is None
        assert key_of(one.token) in house.sockets.dead


async def test_a_guest_cannot_sign_out_of_the_only_key_to_the_money(house: House) -> None:
    token = await house.guest()
    for act in (house.accounts.sign_out, house.accounts.sign_out_everywhere):
        with pytest.raises(Refused, match="NOT_REGISTERED"):
            await act(await house.who(token))
    assert await house.cashier.visitor(token) is not None


async def test_another_password_ends_every_other_session_and_turns_this_ones_token(house: House) -> None:
    home, away = await house.registered(), await house.sign_in()
    with pytest.raises(Refused, match="SIGN_IN_REFUSED"):
        await house.accounts.change_password(await house.who(home.token), "wrong horse", OTHER, HOME)
    changed = await house.accounts.change_password(await house.who(home.token), PASSWORD, OTHER, HOME)
    for token in (home.token, away.token):
        assert await house.cashier.visitor(token) is None
    assert (await house.who(changed.token)).patron.nickname == "Annabel"
    assert house.sockets.moves[-1] == (key_of(home.token), key_of(changed.token))
    assert house.sockets.dead == [key_of(away.token)]
    with pytest.raises(Refused, match="SIGN_IN_REFUSED"):
        await house.sign_in()
    await house.sign_in(password=OTHER)


async def test_a_sign_in_that_was_on_its_way_when_the_password_changed_does_not_get_in(house: House) -> None:
    home = await house.registered()
    login = await house.store.accounts.login_of((await house.who(home.token)).patron.patron_id)
    assert login is not None
    await house.accounts.change_password(await house.who(home.token), PASSWORD, OTHER, HOME)
    _, entry = house.accounts._entry(AWAY)
    assert not (await house.store.accounts.enter(login, entry, None, 20)).done
    assert await house.store.session(entry.key) is None


async def test_the_list_names_own_sessions_and_ends_any_of_them_but_nobody_elses(house: House) -> None:
    home, away = await house.registered(), await house.sign_in()
    other = await house.registered("Berta")
    listed = await house.accounts.account(await house.who(home.token))
    assert [(one.device, one.current) for one in listed.sessions] in (
        [("Firefox, Linux", True), ("Chrome, Android", False)],
        [("Chrome, Android", False), ("Firefox, Linux", True)],
    )
    (distant,) = [one.id for one in listed.sessions if not one.current]
    with pytest.raises(Refused, match="NOT_FOUND"):
        await house.accounts.end_session(await house.who(other.token), distant)
    await house.accounts.end_session(await house.who(home.token), distant)
    assert await house.cashier.visitor(away.token) is None
    assert house.sockets.dead == [key_of(away.token)]


async def test_an_unused_session_ends_and_so_does_an_old_one_but_never_a_guests(house: House) -> None:
    guest, home = await house.guest(), await house.registered()
    house.later(HOUR_MS - 1)
    assert (await house.cashier.visit(home.token)).new_token is None
    house.later(HOUR_MS - 1)
    assert await house.cashier.visitor(home.token) is not None
    house.later(1)
    assert await house.cashier.visitor(home.token) is None
    away = await house.sign_in()
    for _ in range(23):
        house.later(HOUR_MS - 1)
        assert (await house.cashier.visit(away.token)).new_token is None
    house.later(HOUR_MS - 1)
    assert await house.cashier.visitor(away.token) is not None
    house.later(24)
    assert await house.cashier.visitor(away.token) is None
    assert await house.cashier.visitor(guest) is not None


async def test_an_open_socket_is_use_and_ends_with_its_session(house: House) -> None:
    home = await house.registered()
    visitor = await house.who(home.token)
    assert visitor.ends_utc_ms is not None
    house.sockets.open = {visitor.session: visitor.ends_utc_ms}
    for _ in range(5):
        house.later(HOUR_MS - 1)
        await house.accounts.check(house.clock.utc_ms())
    assert await house.cashier.visitor(home.token) is not None
    assert house.sockets.dead == []
    house.accounts.end_overdue(visitor.ends_utc_ms - 1)
    assert house.sockets.dead == []
    house.accounts.end_overdue(visitor.ends_utc_ms)
    assert house.sockets.dead == [visitor.session]


async def test_sockets_of_a_session_that_another_process_ended_are_found(house: House) -> None:
    home, away = await house.registered(), await house.sign_in()
    house.sockets.open = {key_of(home.token): 2**53, key_of(away.token): 2**53}
    await house.store.accounts.end((await house.who(home.token)).patron.patron_id, [key_of(away.token)])
    await house.accounts.check(house.clock.utc_ms())
    assert house.sockets.dead == [key_of(away.token)]


async def test_sessions_that_are_over_are_forgotten_and_guests_are_not(house: House) -> None:
    guest, home = await house.guest(), await house.registered()
    house.later(HOUR_MS)
    await house.accounts.sweep(house.clock.utc_ms())
    assert await house.store.session(key_of(home.token)) is None
    assert await house.store.session(key_of(guest)) is not None


async def test_the_session_not_used_for_longest_makes_way(tmp_path: Path) -> None:
    options = AccountOptions(hash_memory_kib=8, hash_passes=1, sessions_per_account=3)
    house = House(tmp_path / "bigroad.sqlite3", options)
    entered = [await house.registered()]
    for _ in range(4):
        house.later(1_000)
        entered.append(await house.sign_in())
    there = [await house.cashier.visitor(one.token) is not None for one in entered]
    assert there == [False, False, True, True, True]
    assert house.sockets.dead == [key_of(one.token) for one in entered[:2]]
    house.accounts.stop()
    await house.store.close()


async def test_a_hash_of_yesterdays_parameters_is_made_anew_at_the_next_sign_in(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3")
    home = await house.registered()
    patron_id = (await house.who(home.token)).patron.patron_id
    house.accounts.stop()
    house.accounts = Accounts(house.store.accounts, house.clock, AccountOptions(hash_memory_kib=16, hash_passes=2))
    await house.sign_in()
    login = await house.store.accounts.login_of(patron_id)
    assert login is not None
    assert "m=16,t=2,p=1" in login.password
    await house.sign_in()
    house.accounts.stop()
    await house.store.close()


async def test_neither_tokens_nor_passwords_are_in_the_file(house: House) -> None:
    home = await house.registered()
    kept = house.path.read_bytes() + house.path.with_name(house.path.name + "-wal").read_bytes()
    assert b"Annabel" in kept
    for secret in (home.token, home.device_token, PASSWORD):
        assert secret.encode() not in kept


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("DELETE FROM looks", "no look"),
        ("UPDATE logins SET password = 'correct horse battery'", "no argon2id hash"),
        ("UPDATE sessions SET patron_id = 99", "not there"),
        ("UPDATE devices SET patron_id = 99", "not there"),
    ],
)
async def test_an_audit_finds_an_account_that_nobody_can_open_and_what_belongs_to_nobody(
    tmp_path: Path, deed: str, why: str
) -> None:
    house = House(tmp_path / "bigroad.sqlite3")
    await house.registered()
    house.accounts.stop()
    await house.store.close()
    audit_file(house.path)
    with closing(sqlite3.connect(house.path)) as db:
        db.execute(deed)
        db.commit()
    with pytest.raises(AuditFailed, match=why):
        audit_file(house.path)
