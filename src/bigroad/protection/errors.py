"""Why a change of a patron's protection is refused.

ProtectionError
├── NothingPending     NOTHING_PENDING      no change of that limit waits
├── NotYetReady        NOT_YET_READY        it still has to wait
└── StandsAlready      STANDS_ALREADY       a time-out or exclusion that lasts at least as long is running
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class ProtectionError(BigroadError):
    """Root of this room's errors."""

    code: ClassVar[str] = "PROTECTION"


class NothingPending(ProtectionError):
    """No change of that limit waits."""

    code: ClassVar[str] = "NOTHING_PENDING"


class NotYetReady(ProtectionError):
    """The change still has to wait. Facts: ready_utc_ms."""

    code: ClassVar[str] = "NOT_YET_READY"


class StandsAlready(ProtectionError):
    """What is running lasts at least as long, and nothing shortens it. Facts: until_utc_ms."""

    code: ClassVar[str] = "STANDS_ALREADY"
