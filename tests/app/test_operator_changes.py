"""What an operator changes applies from the next coup on, and is in the log; what a coup was opened with judges it."""

import asyncio
from dataclasses import replace
from pathlib import Path

import msgspec

from bigroad.app.log_records import hash_of
from bigroad.app.table_runner import TableRunner
from bigroad.app.texts import terms_text
from bigroad.ledger import audit
from bigroad.storage.sqlite import SqliteStore
from bigroad.table.machine import first_state
from bigroad.table.phases import Phase
from bigroad.table.terms import Terms
from bigroad.wire.client_messages import Stage, Submit
from tests.app.floor import BANKROLL_MINOR, LOOKS, Floor


def limited(terms: Terms, min_minor: int, max_minor: int) -> Terms:
    """The same table with other limits."""
    return replace(
        terms, limits=tuple(replace(limit, min_minor=min_minor, max_minor=max_minor) for limit in terms.limits)
    )


async def test_chips_that_lie_there_are_judged_by_the_rules_of_their_coup_at_the_close() -> None:
    floor = await Floor().start()
    ann, bob = await floor.guest(), await floor.guest()
    await floor.until(Phase.OPEN)
    await floor.stage(ann, "player", 3_000)
    await floor.stage(bob, "banker", 50_000)
    floor.runner.change_terms(limited(floor.terms, 10_000, 20_000))
    await floor.runner.pump()
    await floor.until(Phase.LOCKED)
    assert [bet.staked_minor for bet in floor.runner.state.bets.values()] == [3_000, 50_000]
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    assert (await floor.stage(ann, "player", 50_000) or {})["code"] == "ABOVE_MAX"
    await floor.stage(ann, "player", 3_000)
    await floor.until(Phase.LOCKED)
    assert not floor.runner.state.bets, "below the minimum of its coup: not submitted"


async def test_the_log_says_what_was_before_and_what_is_now() -> None:
    floor = await Floor().start()
    await floor.until(Phase.OPEN)
    old, new = floor.terms, replace(limited(floor.terms, 10_000, 20_000), decks=6)
    floor.runner.change_terms(new)
    await floor.runner.pump()
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    told = [msgspec.json.decode(entry.body) for entry in await floor.store.log()]
    first, second = [entry for entry in told if entry["kind"] == "rules"]
    assert (first["before_hash"], first["rules_hash"]) == (None, hash_of(terms_text(old)))
    assert (second["before_hash"], second["rules_hash"]) == (first["rules_hash"], hash_of(second["rules"]))
    assert second["coup"] == 2
    assert "20000" in second["rules"]
    assert [entry["rules_hash"] for entry in told if entry["kind"] == "opened"] == [
        first["rules_hash"],
        second["rules_hash"],
    ]


async def test_a_balance_that_is_enough_for_one_of_two_tables_is_bet_at_one(tmp_path: Path) -> None:
    """A thousand patrons press BET at both tables at once."""
    store = SqliteStore(tmp_path / "b.sqlite3")
    floors = [Floor(store), Floor(store)]
    first, second = floors
    await first.start()
    claim = await store.claim("onyx", BANKROLL_MINOR, 0)
    second.clock, second.ear = first.clock, first.ear
    second.table_no = claim.table_no
    second.runner = TableRunner(
        first_state(claim.table_no, second.terms, 0),
        claim.epoch,
        LOOKS,
        [],
        store,
        second.ear,
        second.clock,
        second.entropy,
        2_000,
    )
    guests = (store.create_guest("Ann", b"p%d" % number, 5_000, 0) for number in range(1_000))
    patrons = [guest.patron_id for guest in await asyncio.gather(*guests)]
    for floor in floors:
        await floor.until(Phase.OPEN)
        for patron_id in patrons:
            floor.runner.command(patron_id, Stage("s", 1, "player", 5_000))
        await floor.runner.pump()
    asked = [[floor.runner.command(patron_id, Submit("b", 1)) for patron_id in patrons] for floor in floors]
    await asyncio.gather(*(floor.runner.pump() for floor in floors))
    answers = [[msgspec.json.decode(reply) if reply else {} for reply in await asyncio.gather(*one)] for one in asked]
    for patron_id, here, there in zip(patrons, *answers, strict=True):
        assert sorted(answer.get("code", "receipt") for answer in (here, there)) == ["BALANCE_TOO_LOW", "receipt"]
        assert (await store.purse(patron_id)).available_minor == 0
    audit.verify_book(*await store.book())
    await store.close()
