"""The reckoning after something went wrong: everything that patrons were told against everything that is kept."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from bigroad.ledger.accounts import COUPS_PER_TABLE
from bigroad.storage.audit import audit_file
from bigroad.storage.heads import read_head
from bigroad.storage.keys import is_sealed
from bigroad.storage.log_check import verify_log
from bigroad.storage.opening import HEAD
from tests.crash.patron import Stubborn

START_MINOR = 1_000_000


@dataclass
class Reckoned:
    """wrong: a line for whatever is. ended_ms: the longest that a round took to end after it was due, or after the
    start that let it go on. voided: how many coups were."""

    wrong: list[str] = field(default_factory=list)
    coups: int = 0
    bets: int = 0
    voided: int = 0
    ended_ms: int = 0


def reckon(database: Path, patrons: Sequence[Stubborn], started_utc_ms: Sequence[int]) -> Reckoned:
    """Hold the database of a server that has ended against its patrons. started_utc_ms: when the server was started."""
    found = Reckoned([line for patron in patrons for line in patron.wrong])
    try:
        head = read_head(database.parent / HEAD)
        counted = audit_file(database, head.public_key if head else b"", (head,) if head else ())
        verify_log(database, head.public_key if head else b"", [head] if head else [])
        found.coups, found.bets = counted.coups, counted.bets
    except Exception as problem:
        found.wrong.append(f"{type(problem).__name__}: {problem}")
    with closing(sqlite3.connect(database)) as db:
        for patron in patrons:
            found.wrong += _reckon_patron(db, patron)
        _reckon_time(db, started_utc_ms, found)
    return found


def _reckon_patron(db: sqlite3.Connection, patron: Stubborn) -> list[str]:
    wrong = []
    rows = db.execute(
        "SELECT coup_key, bet_seq, stakes, staked_minor, returned, returned_minor FROM bets WHERE patron_id = ?",
        (patron.patron_id,),
    )
    bets = {row[0] % COUPS_PER_TABLE: row[1:] for row in rows}
    coups = _coups_of(db, patron)
    for coup, receipt in patron.receipts.items():
        bet = bets.get(coup)
        if bet is None or (bet[0], msgspec.json.decode(bet[1])) != (receipt["bet_seq"], receipt["stakes"]):
            wrong.append(f"lost: coup {coup}: {receipt} was told, {bet} is kept")
    for coup, bet in bets.items():
        steps = patron.staged.get(coup, [])
        if bet[2] not in [sum(steps[: number + 1]) for number in range(len(steps))]:
            wrong.append(f"doubled: coup {coup}: {steps} were put down, {bet[2]} were bet")
    for coup, told in patron.settled.items():
        kept = bets.get(coup)
        if kept is None or kept[4] != told["returned_minor"]:
            wrong.append(f"paid otherwise: coup {coup}: {told} was told, {kept} is kept")
    for coup, commitment in patron.commitments.items():
        phase, seed, *_ = coups.get(coup, ("lost", b""))
        if phase == "lost" or (not is_sealed(seed) and sha256(seed).hexdigest() != commitment):
            wrong.append(f"coup {coup}: another seed than was promised")
    for coup, cards in patron.dealt.items():
        if list(coups[coup][2:]) != [" ".join(cards["player_cards"]), " ".join(cards["banker_cards"])]:
            wrong.append(f"coup {coup}: other cards than were shown")
    due = START_MINOR - sum(bet[2] for bet in bets.values()) + sum(bet[4] or 0 for bet in bets.values())
    row = db.execute(
        "SELECT balance_minor - reserved_minor FROM accounts WHERE kind = 1 AND owner = ?", (patron.patron_id,)
    ).fetchone()
    if row is None or row[0] != due:
        wrong.append(f"patron {patron.patron_id} has {row}, due are {due}")
    return wrong


def _coups_of(db: sqlite3.Connection, patron: Stubborn) -> dict[int, Any]:
    """The coups of the table that the patron sat at, which may be the patron's own."""
    rows = db.execute(
        "SELECT coup_no, phase, seed, player_cards, banker_cards FROM coups JOIN tables USING (table_no)"
        " LEFT JOIN tables AS houses ON houses.table_no = tables.bank_no"
        " WHERE coalesce(houses.table_id, tables.table_id) = ? AND coalesce(tables.patron_id, ?2) = ?2",
        (patron.table, patron.patron_id),
    )
    return {row[0]: row[1:] for row in rows}


def _reckon_time(db: sqlite3.Connection, started_utc_ms: Sequence[int], found: Reckoned) -> None:
    """Every round but the last of its table, which may be under way, has ended, and when."""
    due: dict[tuple[int, int], int | None] = {}
    newest: dict[int, int] = {}
    for body in db.execute("SELECT body FROM round_log ORDER BY entry_no"):
        told = msgspec.json.decode(body[0])
        coup = (told["table_no"], told["coup"])
        if told["kind"] == "opened":
            due[coup], newest[coup[0]] = told["deals_utc_ms"], coup[1]
        elif told["kind"] == "locked" and due[coup] is None:
            due[coup] = told["at_utc_ms"]
        elif told["kind"] in ("settled", "voided"):
            found.voided += told["kind"] == "voided"
            at, deals = told["at_utc_ms"], due.pop(coup) or 0
            found.ended_ms = max(found.ended_ms, at - max([deals, *(s for s in started_utc_ms if s <= at)]))
    found.wrong += [f"coup {coup} never ended" for coup in due if coup[1] != newest[coup[0]]]
