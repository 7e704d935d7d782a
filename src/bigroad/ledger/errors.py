"""Ledger errors.

InvariantBroken   a stated invariant does not hold: the table it concerns stops, and no other
"""

from typing import ClassVar


class InvariantBroken(Exception):
    """An invariant (I1 … I10) does not hold. `invariant` names it."""

    code: ClassVar[str] = "INVARIANT_BROKEN"

    def __init__(self, invariant: str, detail: str) -> None:
        super().__init__(f"{invariant}: {detail}")
        self.invariant = invariant
