"""`bigroad rotate-keys`: another key signs the log of rounds from now on, and another one seals open seeds."""

import sqlite3
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bigroad.cli import output
from bigroad.cli.errors import CannotReadOrWrite
from bigroad.cli.verify_log import existing_database, read_settings
from bigroad.compose import head_path
from bigroad.storage.heads import read_head
from bigroad.storage.rotation import rotate_keys as rotate


def rotate_keys(
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
) -> int:
    """Change the key that signs the log of rounds, and the one that seals the seeds of open coups.

    The old key signs the entry that names the new one, so that the whole log can still be verified. Stop the server
    first: one that is running cannot write any more. The old keys stay beside the new ones, with a number behind their
    names: backups from before need them. It can be cut off at any moment; run it again, or start the server.
    """
    settings = read_settings(config, data)
    path = existing_database(settings)
    published = read_head(head_path(settings))
    try:
        done = rotate(path, head_path(settings), published, time.time_ns() // 1_000_000)
    except sqlite3.Error as problem:
        raise CannotReadOrWrite(output.one_line(f"{path}: {problem}")) from problem
    print(f"From entry {done.head.entry_no:,} on the log is signed with {done.head.public_key.hex()}.")
    print(f"The seeds of {done.seeds:,} open coups are sealed anew.")
    print("Backups from before need the old keys; move them off this machine:", *done.old, sep="\n  ")
    return 0
