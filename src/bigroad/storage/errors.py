"""What the store's files refuse.

BigroadError
├── KeyUnusable      LOG_KEY         the file of the log's key is missing, unreadable, or another one signs the log
├── HeadUnreadable   LOG_HEAD        the published head is no head
├── BackupRefused    BACKUP          the copy was not made: the file is there already, or what was copied is not sound
└── AuditFailed      AUDIT           the first thing in a database that is not as it must be
"""

import re
from typing import ClassVar

from bigroad.rules.errors import BigroadError


class KeyUnusable(BigroadError):
    """The file of the log's key is missing, unreadable, or another one signs the log."""

    code: ClassVar[str] = "LOG_KEY"


class HeadUnreadable(BigroadError):
    """The published head is no head."""

    code: ClassVar[str] = "LOG_HEAD"


class BackupRefused(BigroadError):
    """The copy was not made."""

    code: ClassVar[str] = "BACKUP"


class AuditFailed(BigroadError):
    """The first thing in a database that is not as it must be.

    invariant: I1 … I10 of docs/ledger.md, or `schema`, `rows`, `log`. where: table, coup and row in words.
    """

    code: ClassVar[str] = "AUDIT"

    def __init__(self, invariant: str, where: str, why: str) -> None:
        super().__init__(f"{invariant}: {where}: {why}" if where else f"{invariant}: {why}")
        self.invariant, self.where, self.why = invariant, where, why

    @property
    def table(self) -> str | None:
        """The table, or the seat at one, that is to stop; None where it is no table's."""
        found = re.match(r"table ([^ ,]+)", self.where)
        return found.group(1) if found and self.invariant != "schema" else None
