"""Between values and the texts that stores keep."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bigroad.app.store import StoredCoup
from bigroad.table.events import Bet, Stakes
from bigroad.table.phases import Phase

_stakes = msgspec.json.Decoder(dict[str, int])
_steps = msgspec.json.Decoder(list[dict[str, int]])


def stakes_text(stakes: Stakes) -> str:
    """Area to minor units, as JSON."""
    return msgspec.json.encode(dict(stakes)).decode()


def stakes_of(text: str) -> Mapping[str, int]:
    """The reverse of `stakes_text`."""
    return _stakes.decode(text)


def steps_text(steps: tuple[Stakes, ...]) -> str:
    """Staged steps, as JSON."""
    return msgspec.json.encode([dict(step) for step in steps]).decode()


def steps_of(text: str) -> tuple[Stakes, ...]:
    """The reverse of `steps_text`."""
    return tuple(_steps.decode(text))


def cards_of(text: str) -> tuple[str, ...]:
    """Cards kept as one text, "2C TS"."""
    return tuple(text.split())


def coup_of_row(row: Sequence[Any]) -> StoredCoup:
    """A row of `coups`, in the order of the SQLite store's columns."""
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
    ) = row
    return StoredCoup(
        coup_no=coup_no,
        shoe_no=shoe_no,
        phase=Phase(phase),
        seed=seed,
        opened_utc_ms=opened,
        closes_utc_ms=closes,
        deals_utc_ms=deals,
        shown_until_utc_ms=shown_until,
        last_of_shoe=bool(last),
        terms=terms,
        shoe=shoe,
        player_cards=cards_of(player),
        banker_cards=cards_of(banker),
        burned=cards_of(burned),
        cards_left=left,
    )


def bet_of(row: Sequence[Any]) -> Bet:
    """A row of `bets`, likewise."""
    bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms = row
    return Bet(bet_seq, patron_id, stakes_of(stakes), staked_minor, bool(automatic), at_utc_ms)
