"""Commands that wait together are judged in one transaction: what is told, answered, booked and kept is what it would
be were each judged in a transaction of its own."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigroad.app.store import Purse, StoredBet, StoredTable
from bigroad.ledger import book
from bigroad.ledger.accounts import Account, Balance
from bigroad.ledger.transfers import Transfer
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from bigroad.wire.client_messages import Clear, Double, Rebet, Stage, Submit, TableCommand, Unstage
from tests.app.floor import START_MINOR, Floor

PATRONS = 3
Ask = tuple[int, TableCommand]


class Outcome(NamedTuple):
    """All that a batch can change or say."""

    state: TableState
    answers: list[bytes | None]
    news: list[tuple[bytes, int | None]]
    rows: StoredTable
    book: tuple[dict[Account, Balance], list[Transfer]]
    bets: list[StoredBet]
    purses: list[Purse]


REQUEST, COUP = st.sampled_from([f"r{number}" for number in range(10)]), st.sampled_from([2, 2, 2, 2, 1, 3])
AREA = st.sampled_from(["player", "banker", "tie", "dragon"])
AMOUNT = st.sampled_from([1, 2_000, 5_000, START_MINOR // 2, START_MINOR + 1])
MESSAGES = st.one_of(
    st.builds(Stage, REQUEST, COUP, AREA, AMOUNT),
    st.builds(Stage, REQUEST, COUP, AREA, AMOUNT),
    st.builds(Rebet, REQUEST, COUP, st.integers(1, 3), st.booleans()),
    *(st.builds(kind, REQUEST, COUP) for kind in (Unstage, Clear, Double, Submit, Submit, Submit)),
)
BATCH = st.lists(st.tuples(st.integers(0, PATRONS - 1), MESSAGES), min_size=1, max_size=16)


async def play(batch: list[Ask], *, together: bool, after: int = 0) -> Outcome:
    """The batch in the second coup of a table. after: how many chips lie there before it."""
    floor = Floor()
    for _ in range(PATRONS):
        await floor.guest()
    await floor.start()
    await floor.until(Phase.OPEN)
    await floor.bet(floor.patrons[0], "tie", 3_000)
    await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    for patron_id in floor.patrons[:after]:
        await floor.stage(patron_id, "player", 4_000)
    floor.ear.news.clear()
    asks: list[asyncio.Future[bytes | None]] = []
    for who, message in batch:
        asks.append(floor.runner.command(floor.patrons[who], message))
        if not together:
            await floor.runner.pump()
    await floor.runner.pump()
    bets = [bet for patron_id in floor.patrons for bet in await floor.store.history(patron_id, 9)]
    return Outcome(
        floor.runner.state,
        [await ask for ask in asks],
        [(item.body, item.patron_id) for item in floor.ear.news if not item.volatile],
        await floor.store.load(floor.table_no),
        await floor.store.book(),
        bets,
        [await floor.store.purse(patron_id) for patron_id in floor.patrons],
    )


@given(BATCH, st.integers(0, PATRONS))
def test_together_is_as_one_by_one(batch: list[Ask], after: int) -> None:
    one_by_one = asyncio.run(play(batch, together=False, after=after))
    assert asyncio.run(play(batch, together=True, after=after)) == one_by_one


async def test_one_that_fails_half_way_leaves_nothing_behind_and_the_others_their_bets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fault comes when half of the bet is written: of all that were judged together only that one is refused."""
    real = book.staking
    batch: list[Ask] = [(who, Submit(f"b{who}", 2)) for who in range(PATRONS)]
    batch.append((0, Submit("again", 2)))  # is told what the bet has left
    without: list[Ask] = [ask for ask in batch if ask[0] != 1]
    expected = await play(without, together=True, after=PATRONS)

    def trap(table_no: int, coup_no: int) -> Callable[[int, int, int], Transfer]:
        def stake(bet_seq: int, patron_id: int, amount_minor: int) -> Transfer:
            if coup_no == 2 and patron_id == 2:
                raise MemoryError
            return real(table_no, coup_no)(bet_seq, patron_id, amount_minor)

        return stake

    monkeypatch.setattr(book, "staking", trap)
    outcome = await play(batch, together=True, after=PATRONS)
    assert outcome.answers[0] is None
    assert b'"INTERNAL"' in (outcome.answers[1] or b"")
    assert outcome.answers[2] is None
    assert outcome.answers[3] == expected.answers[2]
    assert outcome._replace(answers=[]) == expected._replace(answers=[])
