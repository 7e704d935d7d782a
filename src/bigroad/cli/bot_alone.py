"""How a bot plays at a table of its own: no clock waits for it, so it goes on until its bet is placed."""

import asyncio
from typing import Any, Protocol

from bigroad.wire import server_events as said
from bigroad.wire.server_events import CoupOpened

WAYS = ("deal", "rebet", "rebet_and_deal", "double", "fickle", "hammer")
WEIGHTS = (40, 10, 25, 8, 7, 10)
BREATH_S = 0.02
"""After a refusal, before the next try."""


class Hand(Protocol):
    """What of a bot is needed here."""

    @property
    def can_rebet(self) -> bool:
        """There is a bet to make again."""

    def choose(self, values: Any, weights: Any = None) -> Any:
        """One of the values."""

    def chips(self, coup: CoupOpened) -> list[tuple[str, int]]:
        """Areas and amounts."""

    async def ask(self, kind: str, coup: int, *, request_id: str | None = None, **fields: object) -> said.Private:
        """Send a command; its answer."""

    async def deal(self, coup: int, **fields: object) -> said.Private:
        """`submit`, with its answer timed."""

    def wrong(self, what: str, detail: str) -> None:
        """Something that must not happen."""


async def play_alone(hand: Hand, coup: CoupOpened) -> None:
    """Place the bet of this coup, one way or the other; a refused bet is taken back and another one tried."""
    while True:
        way = hand.choose(WAYS, WEIGHTS)
        fast = hand.choose((True, True, True, False))
        answer = await _try(hand, way, coup, fast=fast)
        if isinstance(answer, said.Receipt) or _is(answer, "STALE_COUP"):
            return
        await hand.ask("clear", coup.coup)
        await asyncio.sleep(BREATH_S)


async def _try(hand: Hand, way: str, coup: CoupOpened, *, fast: bool) -> said.Private:
    number = coup.coup
    if way == "rebet_and_deal" and hand.can_rebet:
        return await hand.ask("rebet", number, times=hand.choose((1, 1, 2)), submit=True, fast=fast)
    if way == "rebet" and hand.can_rebet:
        await hand.ask("rebet", number, times=hand.choose((1, 1, 2)))
    else:
        await _put(hand, coup)
    if way == "double":
        await hand.ask("double", number)
    if way == "fickle":
        await hand.ask("unstage", number)
        await hand.ask("clear", number)
        await _put(hand, coup)
    if way == "hammer":
        return await _hammer(hand, number, fast=fast)
    return await hand.deal(number, fast=fast)


async def _hammer(hand: Hand, number: int, *, fast: bool) -> said.Private:
    """Deal pressed again and again before it is answered: one round, and one receipt for all."""
    presses = [hand.ask("submit", number, fast=fast) for _ in range(3)]
    presses.append(hand.ask("rebet", number, submit=True, fast=fast))
    answers = await asyncio.gather(*presses)
    booked = {(one.coup, one.bet_seq, one.total_minor) for one in answers if isinstance(one, said.Receipt)}
    if len(booked) > 1:
        hand.wrong("one coup, several bets", str(booked))
    return next((one for one in answers if isinstance(one, said.Receipt)), answers[0])


async def _put(hand: Hand, coup: CoupOpened) -> None:
    for area, amount in hand.chips(coup):
        await hand.ask("stage", coup.coup, area=area, amount_minor=amount)


def _is(answer: said.Private, code: str) -> bool:
    return isinstance(answer, said.Refused) and answer.code == code
