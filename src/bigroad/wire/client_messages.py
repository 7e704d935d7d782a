"""What a page may say over the socket.

Every message is one JSON object of at most `MAX_FRAME_BYTES`, tagged by `type`. Every message carries a
`request_id` of the sender's choosing: sent again with the same body it gets the same answer, with another
body the refusal CONFLICT. Commands about a coup carry its number; another coup than the open one is refused
with STALE_COUP, so that a delayed BET never lands in the next round.
"""

from typing import Annotated

import msgspec

MAX_FRAME_BYTES = 4096
MAX_MINOR = 2**53 - 1

RequestId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+\Z")]
CoupNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_MINOR)]
AmountMinor = Annotated[int, msgspec.Meta(ge=1, le=MAX_MINOR)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What every message carries."""

    request_id: RequestId


class Stage(Message, frozen=True, tag="stage"):
    """Put chips worth `amount_minor` on `area`. Free to take back until the bet is submitted. Answer: `staged`."""

    coup: CoupNumber
    area: str
    amount_minor: AmountMinor


class Unstage(Message, frozen=True, tag="unstage"):
    """Take back the last staged step (a chip, a double, a rebet). Answer: `staged`."""

    coup: CoupNumber


class Clear(Message, frozen=True, tag="clear"):
    """Take back every staged chip. Answer: `staged`."""

    coup: CoupNumber


class Double(Message, frozen=True, tag="double"):
    """Stage on each area as much again as lies there; refused whole if any limit would be passed. Answer: `staged`."""

    coup: CoupNumber


class Rebet(Message, frozen=True, tag="rebet"):
    """Stage the patron's last bet at this table, `times` times over, refused whole or taken whole. Answer: `staged`.

    At a table with a clock it goes on top of what lies there, elsewhere it takes the place of it. With `submit` it is
    the bet of this coup at once, as by `submit`, in one step. Answer then: `receipt`. `fast` as in `submit`.
    """

    coup: CoupNumber
    times: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    submit: bool = False
    fast: bool = False


class Submit(Message, frozen=True, tag="submit"):
    """BET: the staged chips become the patron's one bet of this coup, for good. Answer: `receipt`.

    At a table without a clock it is DEAL: the coup is locked and dealt at once. `fast` asks there for a timeline of
    less than 1.5 seconds; at a table with a clock it says nothing.
    """

    coup: CoupNumber
    fast: bool = False


class Ping(Message, frozen=True, tag="ping"):
    """Ask for the server's time. `client_ms`, whole milliseconds of the page's own, comes back untouched. Answer:
    `pong`."""

    client_ms: Annotated[int, msgspec.Meta(ge=0, le=MAX_MINOR)]


TableCommand = Stage | Unstage | Clear | Double | Rebet | Submit
ClientMessage = TableCommand | Ping
