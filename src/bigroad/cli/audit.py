"""`bigroad audit`: is everything in the database as it must be?"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bigroad.cli import output
from bigroad.cli.verify_log import existing_database, expected_key, published_heads, read_settings
from bigroad.storage.audit import audit_file
from bigroad.storage.errors import AuditFailed

BROKEN = 1


def audit(
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
    json: Annotated[bool, Parameter(negative="", help="Print JSON.")] = False,
) -> int:
    """Audit the whole database: money, rounds, cards, what was told, and the log of rounds.

    Every coup is dealt again from its seed and paid again by its rules. Names the first thing that is wrong. Reads
    only; works beside a running server. Exit status: 0 all is well, 1 something is wrong.
    """
    settings = read_settings(config, data)
    path = existing_database(settings)
    heads = published_heads(settings, ())
    try:
        counted = audit_file(path, expected_key(None, heads, path), tuple(heads))
    except AuditFailed as problem:
        names = ("invariant", "where", "why", "table")
        if json:
            output.emit({"sound": False, **{name: getattr(problem, name) for name in names}})
        else:
            print(f"Something is wrong. {problem}.")
        return BROKEN
    if json:
        output.emit({"sound": True, **asdict(counted)})
        return 0
    print(
        f"All is well: {counted.tables:,} tables, {counted.coups:,} coups dealt and paid again, {counted.bets:,} bets,"
        f" {counted.transfers:,} transfers, {counted.accounts:,} accounts, {counted.patrons:,} patrons,"
        f" {counted.entries:,} entries in the log of rounds."
    )
    return 0
