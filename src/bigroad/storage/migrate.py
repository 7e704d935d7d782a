"""Numbered SQL files, each one transaction; the version is kept in the database."""

import sqlite3
from importlib import resources


def scripts() -> list[tuple[int, str]]:
    """(version, SQL) of every migration, ascending."""
    folder = resources.files("bigroad.storage") / "migrations"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    found = [(int(file.name[:4]), file.read_text(encoding="utf-8")) for file in files]
    if [number for number, _ in found] != list(range(1, len(found) + 1)):
        raise RuntimeError("migrations are numbered from 1 on, each number once: the next one takes the next number")
    return found


def migrate(connection: sqlite3.Connection) -> int:
    """Bring the schema up to date; answers its version. A script killed half way has changed nothing.

    Raises RuntimeError for a database made by a newer program.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    known = scripts()
    if version > known[-1][0]:
        raise RuntimeError(f"the database has schema {version}, this program knows {known[-1][0]}: use a newer Bigroad")
    for number, script in known:
        if number > version:
            connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
            version = number
    return int(version)
