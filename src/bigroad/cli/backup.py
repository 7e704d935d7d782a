"""`bigroad backup` and `bigroad accept-restore`: copy the database, and take up an older one."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bigroad.cli import output
from bigroad.cli.errors import CannotReadOrWrite
from bigroad.cli.verify_log import existing_database, expected_key, published_heads, read_settings
from bigroad.compose import head_path
from bigroad.ledger.chain import Head
from bigroad.storage.backup import accept_restore as accept
from bigroad.storage.backup import back_up
from bigroad.storage.heads import read_head, write_head
from bigroad.storage.opening import keys_of, trouble_with

REFUSED = 1


def backup(
    file: Annotated[Path, Parameter(help="The copy to make. It must not be there yet.")],
    /,
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
) -> int:
    """Copy the database while the server runs, and audit the copy.

    The copy is one file and one moment. It has its name only when it is whole and sound. Seeds of coups that are not
    dealt yet are sealed in it.
    """
    settings = read_settings(config, data)
    path = existing_database(settings)
    heads = published_heads(settings, ())
    try:
        counted = back_up(path, file, expected_key(None, heads, path))
    except sqlite3.Error as problem:
        raise CannotReadOrWrite(output.one_line(f"{path}: {problem}")) from problem
    print(f"{file}: {counted.coups:,} coups, {counted.bets:,} bets, {counted.patrons:,} patrons; audited, all is well.")
    return 0


def accept_restore(
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
) -> int:
    """Say yes to a database that is older than the published head, so that its tables may deal again.

    What was played since is lost. Coups that had not ended are void and their stakes back; the numbers of coups go on
    behind every number that may have been used. Stop the server first. Exit status: 0 done or nothing to do, 1 the log
    of this database is damaged.
    """
    settings = read_settings(config, data)
    path, published = existing_database(settings), read_head(head_path(settings))
    key, seal = keys_of(path)
    trouble = trouble_with(path, key, published)
    if trouble is None or published is None:
        print("Nothing to accept: this database is not older than what was published.")
        return 0
    if trouble[0] != "restored":
        print(f"Not accepted: {trouble[1]}. Put a sound backup in its place.")
        return REFUSED
    print(f"The database is older: {trouble[1]}.")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("BEGIN IMMEDIATE")
        entry, told = accept(db, published, key, seal, time.time_ns() // 1_000_000)
        db.execute("COMMIT")
    write_head(head_path(settings), Head(entry.entry_no, entry.hash, entry.signature, key.public_key))
    print(*(f"  {sentence}." for sentence in told), "Accepted. Start the server again.", sep="\n")
    return 0
