"""Ledger errors.

InvariantBroken   a stated invariant does not hold: the table it concerns stops, and no other
ChainBroken       the log of rounds is not what was written; names the first entry that is wrong
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class InvariantBroken(Exception):
    """An invariant (I1 … I10) does not hold. `invariant` names it."""

    code: ClassVar[str] = "INVARIANT_BROKEN"

    def __init__(self, invariant: str, detail: str) -> None:
        super().__init__(f"{invariant}: {detail}")
        self.invariant = invariant


class ChainBroken(BigroadError):
    """The first entry of the log that is wrong, and why. `entry_no`: where it stands, or should stand."""

    code: ClassVar[str] = "LOG_BROKEN"

    def __init__(self, entry_no: int, why: str) -> None:
        super().__init__(f"entry {entry_no}: {why}", entry_no=entry_no)
        self.entry_no = entry_no
        self.why = why
