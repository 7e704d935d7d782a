"""Why the web cannot start.

BigroadError
└── CannotListen            CANNOT_LISTEN     the address is taken, or not this machine's
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class CannotListen(BigroadError):
    """The address is taken, or not this machine's."""

    code: ClassVar[str] = "CANNOT_LISTEN"
