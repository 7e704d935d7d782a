"""Texts that the store keeps for the app, and that recovery reads back."""

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from bigroad.app.store import KeptAnswer
from bigroad.rules.shoe import Shoe
from bigroad.table import commands
from bigroad.table.events import Bet, Receipt, Staged
from bigroad.table.state import Answered
from bigroad.table.terms import Terms

_encode = msgspec.json.Encoder().encode


def terms_text(terms: Terms) -> str:
    """The frozen rules of a coup, as JSON."""
    return msgspec.json.encode(terms).decode()


def terms_of(text: str) -> Terms:
    """The reverse of `terms_text`."""
    return msgspec.json.decode(text, type=Terms)


def shoe_text(shoe: Shoe) -> str:
    """What is left in a shoe, as JSON."""
    return msgspec.json.encode(shoe).decode()


def shoe_of(text: str) -> Shoe:
    """The reverse of `shoe_text`."""
    return msgspec.json.decode(text, type=Shoe)


def kept_answer(command: commands.PatronCommand, answer: Staged | Receipt) -> KeptAnswer:
    """An accepted request and its answer. A refusal is not kept: it changed nothing."""
    patron_id, request_id, coup_no, act, _ = command
    if isinstance(answer, Receipt):
        words = f'{{"receipt":{answer.balance_minor}}}'
    else:
        words = _encode({"staged": [dict(step) for step in answer.steps]}).decode()
    return KeptAnswer(patron_id, request_id, coup_no, _act_text(act), words)


def answered_of(kept: KeptAnswer, bets: Mapping[int, Bet]) -> Answered | None:
    """The reverse of `kept_answer`. bets: by patron, of the kept answer's coup; None where the bet is not there."""
    words = msgspec.json.decode(kept.answer)
    act = _act_of(msgspec.json.decode(kept.act))
    if "staged" in words:
        staged = Staged(kept.patron_id, kept.request_id, kept.coup_no, tuple(words["staged"]))
        return Answered(kept.coup_no, act, staged)
    bet = bets.get(kept.patron_id)
    if bet is None:
        return None
    receipt = Receipt(kept.patron_id, kept.request_id, kept.coup_no, bet, words["receipt"])
    return Answered(kept.coup_no, act, receipt)


def _act_text(act: commands.Act) -> str:
    """What was asked, as JSON."""
    if isinstance(act, commands.Submit):  # what a crowd asks
        return _SUBMIT_FAST if act.fast else _SUBMIT
    return _encode(_act_words(act)).decode()


def _act_words(act: commands.Act) -> list[str | int | bool]:
    match act:
        case commands.Stage(area, amount_minor):
            return ["stage", area, amount_minor]
        case commands.Unstage():
            return ["unstage"]
        case commands.Clear():
            return ["clear"]
        case commands.Double():
            return ["double"]
        case commands.Rebet(times, submit, fast):
            return ["rebet", times, submit, fast]
        case commands.Submit(fast):
            return ["submit", fast]
        case _:
            assert_never(act)


_ACTS: dict[str, type[commands.Act]] = {
    "stage": commands.Stage,
    "unstage": commands.Unstage,
    "clear": commands.Clear,
    "double": commands.Double,
    "rebet": commands.Rebet,
    "submit": commands.Submit,
}


def _act_of(words: list[Any]) -> commands.Act:
    return _ACTS[words[0]](*words[1:])


_SUBMIT, _SUBMIT_FAST = (_encode(_act_words(commands.Submit(fast))).decode() for fast in (False, True))
