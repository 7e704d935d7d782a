"""What the app refuses outside the tables.

RefillNotYet   the balance is not below the minimum, or today's refill was used
Refused        anything about accounts, by its code and facts
"""

from typing import ClassVar

from bigroad.wire.errors import Fault


class RefillNotYet(Exception):
    """`Get chips` has nothing to give now."""

    code: ClassVar[str] = "REFILL_NOT_YET"


class Refused(Exception):
    """A code of `wire.errors` with its facts. Nothing was changed."""

    def __init__(self, code: Fault, **facts: int | str) -> None:
        super().__init__(str(code))
        self.code = code
        self.facts = facts
