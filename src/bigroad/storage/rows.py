"""Between values and the texts that stores keep."""

from collections.abc import Mapping

import msgspec

from bigroad.table.events import Stakes

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
