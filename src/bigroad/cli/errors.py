"""Why the command line refuses its input, before the rules or the roads see it.

BigroadError
└── InputError
    ├── BadUsage            BAD_USAGE        an option or argument that the command does not take
    ├── NotUtf8             NOT_UTF8         a line that is no UTF-8 text
    ├── NotJson             NOT_JSON         a line that is no JSON text, or is nested beyond sense
    ├── DuplicateKey        DUPLICATE_KEY    an object, or --bet, names the same thing twice
    ├── BadField            BAD_FIELD        a field is missing or has the wrong type
    ├── UnknownField        UNKNOWN_FIELD    a field that is not expected
    └── CannotReadOrWrite   IO_ERROR         standard input or output fails
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class InputError(BigroadError):
    """Root of this room's errors."""

    code: ClassVar[str] = "INPUT"


class BadUsage(InputError):
    """An option or argument that the command does not take."""

    code: ClassVar[str] = "BAD_USAGE"


class NotUtf8(InputError):
    """A line that is no UTF-8 text."""

    code: ClassVar[str] = "NOT_UTF8"


class NotJson(InputError):
    """A line that is no JSON text, or is nested beyond sense."""

    code: ClassVar[str] = "NOT_JSON"


class DuplicateKey(InputError):
    """An object, or --bet, names the same thing twice."""

    code: ClassVar[str] = "DUPLICATE_KEY"


class BadField(InputError):
    """A field is missing or has the wrong type."""

    code: ClassVar[str] = "BAD_FIELD"


class UnknownField(InputError):
    """A field that is not expected."""

    code: ClassVar[str] = "UNKNOWN_FIELD"


class CannotReadOrWrite(InputError):
    """Standard input or output fails."""

    code: ClassVar[str] = "IO_ERROR"
