"""Kill a migration at each of its statements, from each schema there ever was. A program of its own: it forks.

Prints one line of JSON: how often it killed, and what was wrong.
"""

import json
import os
import signal
import sqlite3
import tempfile
from pathlib import Path

from bigroad.storage.migrate import migrate, scripts


def schema(db: sqlite3.Connection) -> list[tuple[str, ...]]:
    return db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def made(path: Path, version: int) -> sqlite3.Connection:
    """A database of that version, made by the scripts of then."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    for number, script in scripts():
        if number <= version:
            db.executescript(f"BEGIN; {script}; PRAGMA user_version = {number}; COMMIT;")
    return db


def killed_at(path: Path, statement: int) -> bool:
    """Migrate in a child that dies when it comes to that statement. Answers whether it died."""
    child = os.fork()
    if child == 0:
        db = sqlite3.connect(path, isolation_level=None)
        left = statement

        def traced(_: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        db.set_trace_callback(traced)
        migrate(db)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def main() -> None:
    newest, kills, wrong = scripts()[-1][0], 0, []
    with tempfile.TemporaryDirectory() as folder:
        whole = {}
        for version in range(newest + 1):
            with made(Path(folder) / f"whole{version}", version) as db:
                whole[version] = schema(db)
            db.close()
        for old in range(newest):
            statement = 0
            while True:
                path = Path(folder) / f"{old}-{statement}"
                made(path, old).close()
                died = killed_at(path, statement)
                db = sqlite3.connect(path, isolation_level=None)
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version < old or schema(db) != whole[version]:
                    wrong.append(f"from {old}, killed at {statement}: version {version} is not whole")
                if migrate(db) != newest or schema(db) != whole[newest]:
                    wrong.append(f"from {old}, killed at {statement}: the next start did not bring it up to date")
                db.close()
                if not died:
                    break
                kills, statement = kills + 1, statement + 1
    print(json.dumps({"kills": kills, "wrong": wrong}))


if __name__ == "__main__":
    main()
