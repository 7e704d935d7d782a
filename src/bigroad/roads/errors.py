"""Why an outcome cannot be put on the boards.

BigroadError
└── RoadsError
    ├── UnknownOutcome   UNKNOWN_OUTCOME   a letter other than B, P and T
    ├── EmptySequence    EMPTY_SEQUENCE    no outcome at all
    └── TooManyCoups     TOO_MANY_COUPS    a sequence longer than a million coups
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class RoadsError(BigroadError):
    """Root of this room's errors."""

    code: ClassVar[str] = "ROADS"


class UnknownOutcome(RoadsError):
    """A letter other than B, P and T."""

    code: ClassVar[str] = "UNKNOWN_OUTCOME"


class EmptySequence(RoadsError):
    """No outcome at all."""

    code: ClassVar[str] = "EMPTY_SEQUENCE"


class TooManyCoups(RoadsError):
    """A sequence longer than a million coups."""

    code: ClassVar[str] = "TOO_MANY_COUPS"
