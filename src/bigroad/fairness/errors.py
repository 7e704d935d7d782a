"""Why a deal cannot be derived.

BigroadError
└── FairnessError
    ├── BadSeed      BAD_SEED      a seed is 32 bytes, a coup number fits 64 bits
    └── BadRange     BAD_RANGE     a generator is asked for something outside its range
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class FairnessError(BigroadError):
    """Root of this room's errors."""

    code: ClassVar[str] = "FAIRNESS"


class BadSeed(FairnessError):
    """A seed is 32 bytes, a coup number fits 64 bits."""

    code: ClassVar[str] = "BAD_SEED"


class BadRange(FairnessError):
    """A generator is asked for something outside its range."""

    code: ClassVar[str] = "BAD_RANGE"
