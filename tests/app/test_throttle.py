"""Who tries passwords waits longer and longer; who is known does not. Thousands of tries in simulated time."""

from pathlib import Path

import pytest

from bigroad.app.account_options import AccountOptions
from bigroad.app.accounts import Caller
from bigroad.app.errors import Refused
from bigroad.app.throttle import FORGOTTEN_MS, SWEEP_AT, Waits
from tests.app.test_accounts import PASSWORD, House

OPTIONS = AccountOptions(
    hash_memory_kib=8, hash_passes=1, tries_per_account=5, tries_per_address=20, longest_wait_s=900
)
DAY_MS = 86_400_000


def test_waits_double_up_to_the_longest_and_end_on_time() -> None:
    waits, now, seen = Waits(3, 60), 0, []
    for _ in range(12):
        wait_s = waits.wait_s("a", now)
        seen.append(wait_s)
        assert wait_s == 0 or waits.wait_s("a", now + 1000 * wait_s - 1) > 0
        now += 1000 * wait_s
        assert waits.wait_s("a", now) == 0
        waits.began("a", now)
    assert seen == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert waits.wait_s("b", now) == 0
    assert waits.wait_s("a", now + FORGOTTEN_MS) == 0


def test_a_try_taken_back_counts_for_nothing_and_memory_is_bounded() -> None:
    waits = Waits(1, 60)
    for _ in range(50):
        waits.began("a", 0)
        waits.take_back("a")
    assert waits.wait_s("a", 0) == 0
    for number in range(10 * SWEEP_AT):
        waits.began(number, number * (FORGOTTEN_MS // SWEEP_AT))
    assert len(waits._tries) <= 2 * SWEEP_AT + 1


async def tried(house: House, caller: Caller, name: str = "Annabel", password: str = "guess number one") -> str:
    try:
        await house.sign_in(name, password, caller)
    except Refused as problem:
        return f"{problem.code} {problem.facts.get('wait_s', '')}".strip()
    return "in"


async def stop(house: House) -> None:
    house.accounts.stop()
    await house.store.close()


async def test_ten_thousand_tries_from_everywhere_cost_days_and_never_lock_a_known_browser_out(tmp_path: Path) -> None:
    """A new address each time: only the account's own throttle stands in the way."""
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    home = await house.registered()
    known = Caller("198.51.100.1", home.device_token, "Firefox, Linux")
    judged = 0
    for number in range(10_000):
        answer = await tried(house, Caller(f"2001:db8:{number:x}::", None, ""))
        judged += answer == "SIGN_IN_REFUSED"
        house.later(8_640)  # 10,000 in a day
        if number % 500 == 499:
            entered = await house.sign_in(caller=known)
            known = Caller(known.address, entered.device_token, known.device_words)
            assert await tried(house, Caller("203.0.113.9", None, "")) != "in"
    assert judged < 5 + 10 + DAY_MS / 1000 / 900 + 20 * 12
    await stop(house)


async def test_an_attack_never_lets_the_account_be_tried_faster_than_the_longest_wait(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    await house.registered()
    judged = 0
    for number in range(5_000):
        judged += await tried(house, Caller(f"2001:db8:{number:x}::", None, "")) == "SIGN_IN_REFUSED"
        house.later(2 * 8_640)
    assert judged <= 5 + 10 + 2 * 96
    await stop(house)


async def test_one_address_that_tries_many_names_waits_too(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    await house.registered()
    caller = Caller("203.0.113.9", None, "")
    answers = [await tried(house, caller, f"name {number}x") for number in range(2_000)]
    assert answers.count("SIGN_IN_REFUSED") == 20
    assert answers[20] == "TOO_MANY_TRIES 1"
    assert await tried(house, Caller("203.0.113.10", None, ""), password=PASSWORD) == "in"
    await stop(house)


async def test_names_that_nobody_has_wait_exactly_as_those_that_somebody_has(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    await house.registered()
    told: list[list[str]] = [[], []]
    for number in range(400):
        for which, name in enumerate(("Annabel", "Christabel")):
            told[which].append(await tried(house, Caller(f"2001:db8:{which}:{number:x}::", None, ""), name))
        house.later(7_000)
    assert told[0] == told[1]
    assert "TOO_MANY_TRIES 1" in told[0]
    await stop(house)


async def test_the_right_password_during_a_wait_is_not_told_apart(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    await house.registered()
    for number in range(8):
        await tried(house, Caller(f"2001:db8:{number}::", None, ""))
    right = await tried(house, Caller("2001:db8:77::", None, ""), password=PASSWORD)
    assert right == await tried(house, Caller("2001:db8:78::", None, ""))
    assert right.startswith("TOO_MANY_TRIES")
    await stop(house)


async def test_a_stolen_browser_cookie_waits_by_itself_and_those_of_others_are_worth_nothing(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    home = await house.registered()
    other = await house.registered("Berta")
    thief = Caller("203.0.113.9", home.device_token, "")
    answers = [await tried(house, thief) for _ in range(50)]
    assert answers.count("SIGN_IN_REFUSED") == 5
    assert await tried(house, Caller("203.0.113.8", None, ""), password=PASSWORD) == "in"
    stranger = Caller("203.0.113.7", other.device_token, "")
    assert [await tried(house, stranger) for _ in range(50)].count("SIGN_IN_REFUSED") == 5
    await stop(house)


async def test_a_living_session_asks_for_its_own_old_password_only_so_often(tmp_path: Path) -> None:
    house = House(tmp_path / "bigroad.sqlite3", OPTIONS)
    home = await house.registered()
    wrong = 0
    for _ in range(100):
        with pytest.raises(Refused) as refused:
            await house.accounts.change_password(
                await house.who(home.token), "guess number one", "a new horse battery", Caller("x", None, "")
            )
        wrong += refused.value.code == "SIGN_IN_REFUSED"
    assert wrong == 5
    await stop(house)
