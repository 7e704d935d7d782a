"""`bigroad reset-password NAME`: a password for once, for a patron who has forgotten the own one."""

import secrets
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated, ClassVar

from argon2 import PasswordHasher
from cyclopts import Parameter

from bigroad.app.names import looks_of
from bigroad.app.passwords import prepared
from bigroad.cli import output
from bigroad.cli.errors import CannotReadOrWrite, InputError
from bigroad.cli.verify_log import existing_database, read_settings
from bigroad.storage.sqlite_accounts import set_password

GOOD_FOR_MS = 24 * 3_600_000
PASSWORD_BYTES = 15
BUSY_S = 30.0


class UnknownName(InputError):
    """Nobody has an account of that name."""

    code: ClassVar[str] = "UNKNOWN_NAME"


def reset_password(
    name: Annotated[str, Parameter(help="The name that the patron signs in with.")],
    /,
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
) -> int:
    """Give an account another password, good for a day, and end all its sessions.

    The server may run; open tables of the account close within 10 seconds. Whoever signs in with the password is asked
    to choose an own one. Make sure first that it is the patron who asks.
    """
    settings = read_settings(config, data)
    path, costs = existing_database(settings), settings.accounts
    hasher = PasswordHasher(time_cost=costs.hash_passes, memory_cost=costs.hash_memory_kib, parallelism=1)
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    hashed, now = hasher.hash(prepared(password)), time.time_ns() // 1_000_000
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_S)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("BEGIN IMMEDIATE")
            row = db.execute("SELECT patron_id FROM looks WHERE look = ?", (looks_of(name)[0],)).fetchone()
            if row is None:
                raise UnknownName("nobody has an account of that name")
            ended = set_password(db, row[0], hashed, now, now + GOOD_FOR_MS)
            db.execute("COMMIT")
    except sqlite3.Error as problem:
        raise CannotReadOrWrite(output.one_line(f"{path}: {problem}")) from problem
    print(f"Password for once, good for 24 hours: {password}")
    print(f"{len(ended)} sessions ended.")
    return 0
