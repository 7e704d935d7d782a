"""What can be wrong with the settings.

SettingsError   BAD_SETTINGS   no file, not TOML, or a value that does not fit
"""

from typing import ClassVar

from bigroad.rules.errors import BigroadError


class SettingsError(BigroadError):
    """A setting is wrong; the message names the file and the line, or the variable, and the key."""

    code: ClassVar[str] = "BAD_SETTINGS"
