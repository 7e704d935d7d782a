"""The SQLite store with a window into its accounts, for simulations."""

import sqlite3
from pathlib import Path

from bigroad.ledger.accounts import Account, Balance
from bigroad.storage.sqlite import SqliteStore


class SqliteBookStore(SqliteStore):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._reader = sqlite3.connect(path, isolation_level=None)

    def balance(self, account: Account) -> Balance:
        row = self._reader.execute(
            "SELECT balance_minor, reserved_minor, expected_minor FROM accounts WHERE kind = ? AND owner = ?", account
        ).fetchone()
        return Balance(*row) if row else Balance()

    async def close(self) -> None:
        self._reader.close()
        await super().close()
