"""Places where a test can have the process killed: by SIGKILL, from within, at the n-th time that it gets there.

Armed by one variable of the environment and by nothing else: `TEST_BIGROAD_CRASH_AT=NAME:N`. No settings file can do
it, and unarmed each place is one comparison.
"""

import os
import signal
from collections.abc import Mapping
from typing import Final

VARIABLE: Final = "TEST_BIGROAD_CRASH_AT"

ARROWS: Final = ("opened", "locked", "dealt", "settled", "closed", "voided", "bet", "staged")
MOMENTS: Final = ("decided", "inside", "kept", "told")
POINTS: Final = frozenset(
    [
        *(f"{arrow}.{moment}" for arrow in ARROWS for moment in MOMENTS),
        "bet.received",
        "bet.answered",
        "store.commit",
        "store.committed",
        "hub.telling",
        "head.written",
        "head.published",
        "seat.opening",
        "seat.joined",
        "guest.kept",
        "table.claimed",
        "table.recovered",
        "backup.copied",
        "backup.placed",
    ]
)
"""decided: judged, nothing written yet. inside: half of it is written, the transaction is open. kept: committed, nobody
told. told: the bus has it."""


class _Armed:
    name: str | None = None
    left: int = 0


def arm(environment: Mapping[str, str] = os.environ) -> None:
    """Read the variable. A name that is none of POINTS is refused with ValueError."""
    name, _, count = environment.get(VARIABLE, "").partition(":")
    if name and name not in POINTS:
        raise ValueError(f"{VARIABLE}: there is no crash point {name}")
    _Armed.name, _Armed.left = name or None, int(count or 1)


def armed() -> bool:
    """Is there any place where the process is to die?"""
    return _Armed.name is not None


def reached(name: str) -> None:
    """The process may die here."""
    if _Armed.name is not None and name == _Armed.name:
        _Armed.left -= 1
        if _Armed.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


arm()
