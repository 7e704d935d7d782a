"""The operator's way for a patron who has forgotten the password."""

import asyncio
from pathlib import Path

import pytest

from bigroad import cli
from bigroad.app.clock import SimulatedClock
from bigroad.app.errors import Refused
from bigroad.app.sessions import key_of
from tests.app.test_accounts import HOME, PASSWORD, House


async def test_a_password_for_once_while_the_server_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(tmp_path / "bigroad.sqlite3")
    house.clock = house.accounts._clock = house.cashier._clock = SimulatedClock(1_700_000_000_000)
    home = await house.registered()
    other = await house.registered("Berta")
    house.sockets.open = {key_of(home.token): 2**53, key_of(other.token): 2**53}
    words = ("reset-password", "ANNABEL", "--data", str(tmp_path))
    status = await asyncio.to_thread(cli.main, words)
    said = capsys.readouterr().out
    assert (status, "1 sessions ended" in said) == (0, True)
    password = said.splitlines()[0].rsplit(" ", 1)[1]
    assert len(password) == 20
    assert await house.cashier.visitor(home.token) is None
    await house.accounts.check(house.clock.utc_ms())
    assert house.sockets.dead == [key_of(home.token)]
    with pytest.raises(Refused, match="SIGN_IN_REFUSED"):
        await house.sign_in()

    entered = await house.sign_in(password=password)
    visitor = await house.who(entered.token)
    assert (await house.accounts.account(visitor)).one_time is True
    changed = await house.accounts.change_password(visitor, password, PASSWORD, HOME)
    assert (await house.accounts.account(await house.who(changed.token))).one_time is False

    await asyncio.to_thread(cli.main, words)
    late = capsys.readouterr().out.splitlines()[0].rsplit(" ", 1)[1]
    login = await house.store.accounts.login("annabel".replace("i", "l"))
    assert login is not None
    assert login.one_time_until_utc_ms is not None
    house.later(login.one_time_until_utc_ms - house.clock.utc_ms() - 1)
    await house.sign_in(password=late)
    house.later(1)
    with pytest.raises(Refused, match="SIGN_IN_REFUSED"):
        await house.sign_in(password=late)
    house.accounts.stop()
    await house.store.close()


async def test_nobody_of_that_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(tmp_path / "bigroad.sqlite3")
    assert await asyncio.to_thread(cli.main, ("reset-password", "Nobody", "--data", str(tmp_path))) == 2
    assert "UNKNOWN_NAME" in capsys.readouterr().err
    house.accounts.stop()
    await house.store.close()
