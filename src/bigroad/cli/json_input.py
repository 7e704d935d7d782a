"""Reading one JSON object that a stranger wrote."""

import json
from collections.abc import Collection

from bigroad.cli.errors import BadField, DuplicateKey, NotJson, UnknownField

_MAX_DIGITS = 17
"""Enough for every amount; longer whole numbers are kept as text, which no field takes for a number."""


def parse_object(text: str, fields: Collection[str]) -> dict[str, object]:
    """The object in a JSON text, with no other fields than these.

    Whole numbers come as int, others as float, NaN and infinities as text, since no field takes them.
    Raises NotJson, DuplicateKey (at any depth), BadField when it is no object, UnknownField.
    """
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_int=_whole, parse_constant=str)
    except RecursionError:
        raise NotJson("the JSON text is nested too deep") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"character {error.pos + 1}: {error.msg}", position=error.pos + 1) from None
    if not isinstance(value, dict):
        raise BadField(f"a JSON object is expected, with the fields {', '.join(fields)}")
    for name in value:
        if name not in fields:
            raise UnknownField(f"there is no field {name[:32]!r}; there are {', '.join(fields)}", field=name[:32])
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise DuplicateKey(f"{name[:32]!r} is there twice", field=name[:32])
        found[name] = value
    return found


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits
