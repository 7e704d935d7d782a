"""What the app refuses outside the tables.

RefillNotYet   the balance is not below the minimum, or today's refill was used
"""

from typing import ClassVar


class RefillNotYet(Exception):
    """`Get chips` has nothing to give now."""

    code: ClassVar[str] = "REFILL_NOT_YET"
