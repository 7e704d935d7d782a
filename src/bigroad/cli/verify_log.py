"""`bigroad verify-log`: is the log of rounds what was written?"""

import os
import sqlite3
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bigroad import settings as bigroad_settings
from bigroad.cli import output
from bigroad.cli.errors import BadField, CannotReadOrWrite
from bigroad.compose import database_path, head_path
from bigroad.ledger.chain import Head
from bigroad.ledger.errors import ChainBroken
from bigroad.settings import Settings
from bigroad.storage.heads import read_head
from bigroad.storage.keys import LogKey, load_secret
from bigroad.storage.log_check import verify_log as verify
from bigroad.storage.opening import KEY

BROKEN = 1


def verify_log(
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
    head: Annotated[tuple[Path, ...], Parameter(help="A published head to hold it against; may be repeated.")] = (),
    key: Annotated[str | None, Parameter(help="Whose signatures are expected: 64 hexadecimal digits.")] = None,
) -> int:
    """Check the log of rounds: every entry, its chain, its signature, and that no published entry is missing.

    Names the first entry that is wrong. Reads only; works beside a running server. Without --head the published head
    of the settings is taken, without --key the key of that head, else the one in the data folder. Exit status: 0 the
    log is whole, 1 it is not.
    """
    settings = read_settings(config, data)
    path = existing_database(settings)
    heads = published_heads(settings, head)
    public_key = expected_key(key, heads, path)
    try:
        last = verify(path, public_key, heads)
    except ChainBroken as problem:
        print(f"The log of rounds is broken: {problem}.")
        return BROKEN
    except sqlite3.Error as problem:
        print(f"The log of rounds cannot be read: {problem}.")
        return BROKEN
    newest = max((known.entry_no for known in heads), default=0)
    print(f"The log of rounds is whole: {last.entry_no:,} entries, signed with {last.public_key.hex()[:16]}….")
    print(f"It contains the published entry {newest:,}." if newest else "No published head was there to compare.")
    return 0


def read_settings(config: Path | None, data: Path | None) -> Settings:
    """The settings, with the data folder of the command line on top. Raises SettingsError."""
    environment = dict(os.environ)
    if data is not None:
        environment["BIGROAD_DATA"] = str(data)
    return bigroad_settings.load(environment, config)


def existing_database(settings: Settings) -> Path:
    """The database of the settings. Raises CannotReadOrWrite where there is none."""
    path = database_path(settings)
    if not path.is_file():
        raise CannotReadOrWrite(output.one_line(f"there is no database {path}"))
    return path


def published_heads(settings: Settings, files: tuple[Path, ...]) -> list[Head]:
    """The heads of these files, or the one of the settings, as far as they are there. Raises HeadUnreadable."""
    return [known for file in files or (head_path(settings),) if (known := read_head(file)) is not None]


def expected_key(key: str | None, heads: list[Head], path: Path) -> bytes:
    """Whose signatures are expected: the key that was named, that of a published head, the one beside the database.
    Empty where there is none. Raises BadField, KeyUnusable."""
    if key is not None:
        try:
            wanted = bytes.fromhex(key)
        except ValueError:
            wanted = b""
        if len(wanted) != 32:
            raise BadField("--key takes 64 hexadecimal digits")
        return wanted
    published = next((head.public_key for head in heads if head.public_key), None)
    secret = None if published else load_secret(path.parent / KEY)
    return published or (LogKey(secret).public_key if secret else b"")
