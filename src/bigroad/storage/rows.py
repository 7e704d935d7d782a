"""Between values and the texts that stores keep."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from bigroad.app.store import StoredCoup
from bigroad.protection.guard import Guard
from bigroad.table.events import Bet, Stakes
from bigroad.table.phases import Phase

_encode = msgspec.json.Encoder().encode
_stakes = msgspec.json.Decoder(dict[str, int])
_steps = msgspec.json.Decoder(list[dict[str, int]])
_guard = msgspec.json.Decoder(Guard)


COUP_COLUMNS: Final = """coups.coup_no, coups.shoe_no, coups.phase, coups.seed, coups.opened_utc_ms,
    coups.closes_utc_ms, coups.deals_utc_ms, coups.shown_until_utc_ms, coups.last_of_shoe, coups.terms, coups.shoe,
    coups.player_cards, coups.banker_cards, coups.burned, coups.cards_left, coups.fast, coups.profile, coups.outcome"""
COUP_WIDTH: Final = 18
BET_COLUMNS: Final = """bets.bet_seq, bets.patron_id, bets.stakes, bets.staked_minor, bets.automatic, bets.at_utc_ms,
    bets.balance_before_minor"""
BET_WIDTH: Final = 7


def stakes_text(stakes: Stakes) -> str:
    """Area to minor units, as JSON."""
    return _encode(stakes if type(stakes) is dict else dict(stakes)).decode()


def stakes_of(text: str) -> Mapping[str, int]:
    """The reverse of `stakes_text`."""
    return _stakes.decode(text)


def steps_text(steps: tuple[Stakes, ...]) -> str:
    """Staged steps, as JSON."""
    return msgspec.json.encode([dict(step) for step in steps]).decode()


def steps_of(text: str) -> tuple[Stakes, ...]:
    """The reverse of `steps_text`."""
    return tuple(_steps.decode(text))


def guard_text(guard: Guard) -> str:
    """What protects a patron, as JSON."""
    return msgspec.json.encode(guard).decode()


def guard_of(text: str) -> Guard:
    """The reverse of `guard_text`."""
    return _guard.decode(text)


def cards_of(text: str) -> tuple[str, ...]:
    """Cards kept as one text, "2C TS"."""
    return tuple(text.split())


def coup_of_row(row: Sequence[Any]) -> StoredCoup:
    """A row of COUP_COLUMNS."""
    (
        coup_no,
        shoe_no,
        phase,
        seed,
        opened,
        closes,
        deals,
        shown_until,
        last,
        terms,
        shoe,
        player,
        banker,
        burned,
        left,
        fast,
        profile,
        outcome,
    ) = row
    return StoredCoup(
        coup_no=coup_no,
        shoe_no=shoe_no,
        phase=Phase(phase),
        seed=seed,
        opened_utc_ms=opened,
        closes_utc_ms=closes or None,
        deals_utc_ms=deals or None,
        shown_until_utc_ms=shown_until,
        last_of_shoe=bool(last),
        terms=terms,
        shoe=shoe,
        player_cards=cards_of(player),
        banker_cards=cards_of(banker),
        burned=cards_of(burned),
        cards_left=left,
        fast=bool(fast),
        profile=profile,
        outcome=outcome,
    )


def bet_of(row: Sequence[Any]) -> Bet:
    """A row of BET_COLUMNS."""
    bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms, before = row
    return Bet(bet_seq, patron_id, stakes_of(stakes), staked_minor, bool(automatic), at_utc_ms, before)
