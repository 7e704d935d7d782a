"""Audit a whole database: every row that money, cards or rounds hang on, in one reading beside whoever writes it.

Order: the file and its schema; then table by table, coup by coup; then what belongs to no coup; then the accounts; then
what protects patrons; then what was told; then the log of rounds. The first thing that is wrong is named, and nothing
is repaired.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bigroad.app.store import Cursor, StoredBet
from bigroad.ledger.accounts import COUPS_PER_TABLE, Account, AccountKind, coup_key
from bigroad.ledger.chain import Head
from bigroad.ledger.errors import ChainBroken
from bigroad.ledger.transfers import DAYS_PER_PATRON, Transfer, TransferKind
from bigroad.storage import audit_accounts, audit_protection, audit_tables, audit_told
from bigroad.storage.audit_coup import CoupAudit, KeptCoup, TableRow
from bigroad.storage.errors import AuditFailed
from bigroad.storage.log_check import named_key, verify_entries
from bigroad.storage.migrate import migrate, scripts
from bigroad.storage.opening import reader
from bigroad.storage.rows import BET_COLUMNS, COUP_COLUMNS, bet_of, coup_of_row, stakes_of


@dataclass(slots=True)
class Counted:
    """What was looked at."""

    tables: int = 0
    coups: int = 0
    bets: int = 0
    transfers: int = 0
    accounts: int = 0
    patrons: int = 0
    entries: int = 0


def audit_file(path: Path, public_key: bytes = b"", heads: tuple[Head, ...] = ()) -> Counted:
    """Audit the database at `path`; it is only read. public_key, heads: as for `verify_log`.

    Raises AuditFailed for the first thing that is wrong.
    """
    try:
        with closing(reader(path)) as db:
            return audit(db, public_key, heads)
    except sqlite3.Error as problem:
        raise AuditFailed("rows", "", f"the file cannot be read: {problem}") from problem


def audit(db: sqlite3.Connection, public_key: bytes = b"", heads: tuple[Head, ...] = ()) -> Counted:
    """As `audit_file`, on a database that is open."""
    counted = Counted()
    db.execute("BEGIN")
    try:
        _check_file(db)
        tables = {row.table_no: row for row in _tables(db)}
        for table in tables.values():
            counted.tables += 1
            for kept in _walk(db, table):
                counted.coups += 1
                counted.bets += len(kept.bets)
        audit_tables.check(db)
        _check_strays(db, tables)
        _check_eras(db)
        counted.transfers = _check_outside(db, tables)
        counted.accounts = _check_accounts(db)
        (counted.patrons,) = db.execute("SELECT count(*) FROM patrons").fetchone()
        audit_protection.check(db)
        audit_accounts.check(db)
        audit_told.check(db, tables)
        try:
            counted.entries = verify_entries(db, public_key or named_key(db) or b"", heads).entry_no
        except ChainBroken as problem:
            raise AuditFailed("log", f"entry {problem.entry_no}", problem.why) from problem
    finally:
        db.execute("ROLLBACK")
    return counted


def _check_file(db: sqlite3.Connection) -> None:
    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise AuditFailed("rows", "", f"the file is damaged: {verdict}")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != scripts()[-1][0]:
        raise AuditFailed("schema", "", f"it has version {version}; start the server once to bring it up to date")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh)
        wanted, found = _schema(fresh), _schema(db)
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            why = (
                "it is missing" if name not in found else "it does not belong here" if name not in wanted else "edited"
            )
            raise AuditFailed("schema", name, why)
    stray = db.execute("PRAGMA foreign_key_check").fetchone()
    if stray is not None:
        raise AuditFailed("rows", f"{stray[0]}, row {stray[1]}", f"it belongs to a row of {stray[2]} that is not there")


def _schema(db: sqlite3.Connection) -> dict[str, str]:
    rows = db.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    return {f"{kind} {name}": " ".join((sql or "").split()) for kind, name, sql in rows}


def _tables(db: sqlite3.Connection) -> list[TableRow]:
    rows = db.execute(
        "SELECT tables.table_no, tables.table_id, tables.epoch, (SELECT min(coup_no) FROM round_log"
        " WHERE round_log.table_no = tables.table_no AND kind = 'opened'), tables.bank_no, houses.table_id"
        " FROM tables JOIN tables AS houses ON houses.table_no = coalesce(tables.bank_no, tables.table_no)"
        " ORDER BY tables.table_no"
    )
    return [TableRow(*row) for row in rows.fetchall()]


# ---- coup by coup


def _walk(db: sqlite3.Connection, table: TableRow) -> Iterator[KeptCoup]:
    """Check the coups of a table in order."""
    restores = db.execute(
        "SELECT coup_no, body FROM round_log WHERE table_no = ? AND kind = 'restored'", (table.table_no,)
    )
    after = {coup_no: int(msgspec.json.decode(body)["skipped_to"]) for coup_no, body in restores.fetchall()}
    (skipped_to,) = db.execute("SELECT skipped_to FROM tables WHERE table_no = ?", (table.table_no,)).fetchone()
    after.setdefault(0, skipped_to)  # a table that is younger than the restore
    walker, held = CoupAudit(table, after), None
    rows = db.execute(f"SELECT {COUP_COLUMNS}, epoch FROM coups WHERE table_no = ? ORDER BY coup_no", (table.table_no,))
    for row in rows:
        kept = _kept(db, table, row)
        if held is not None:
            walker.check(held, last=False)
            yield held
        held = kept
    if held is not None:
        walker.check(held, last=True)
        yield held


def _kept(db: sqlite3.Connection, table: TableRow, row: Any) -> KeptCoup:
    where = f"table {table.table_id}, coup {row[0]}"
    try:
        coup, key = coup_of_row(row[:-1]), coup_key(table.table_no, row[0])
        bet_rows = db.execute(
            f"SELECT {BET_COLUMNS}, returned, returned_minor FROM bets WHERE coup_key = ? ORDER BY bet_seq", (key,)
        ).fetchall()
        bets = [
            StoredBet(
                table.table_id,
                coup,
                bet_of(bet[:-2]),
                stakes_of(bet[-2]) if bet[-2] else None,
                None,
                Cursor(bet[5], key),
            )
            for bet in bet_rows
        ]
        moved = db.execute(f"{_TRANSFER} WHERE coup_key = ? ORDER BY bet_seq, kind", (key,)).fetchall()
        told = db.execute(
            "SELECT entry_no, body FROM round_log WHERE table_no = ? AND coup_no = ? ORDER BY entry_no",
            (table.table_no, coup.coup_no),
        ).fetchall()
        return KeptCoup(
            coup,
            row[-1],
            bets,
            [bet[-1] for bet in bet_rows],
            [_transfer(item) for item in moved],
            [item[-1] for item in moved],
            [(number, msgspec.json.decode(body)) for number, body in told],
        )
    except (ValueError, TypeError, msgspec.MsgspecError) as problem:
        raise AuditFailed("rows", where, f"its rows cannot be read: {problem}") from problem


_TRANSFER = (
    "SELECT coup_key, bet_seq, kind, debit_kind, debit_owner, credit_kind, credit_owner, amount_minor, epoch"
    " FROM transfers"
)


def _transfer(row: Any) -> Transfer:
    key, seq, kind, debit, debit_owner, credit, credit_owner, amount, _ = row
    return Transfer(
        key,
        seq,
        TransferKind(kind),
        Account(AccountKind(debit), debit_owner),
        Account(AccountKind(credit), credit_owner),
        amount,
    )


def _check_strays(db: sqlite3.Connection, tables: dict[int, TableRow]) -> None:
    """Bets, transfers and entries of coups that are not there."""
    join = (
        f"LEFT JOIN coups ON coups.table_no = coup_key / {COUPS_PER_TABLE} AND"
        f" coups.coup_no = coup_key % {COUPS_PER_TABLE} WHERE coups.coup_no IS NULL AND coup_key != 0"
    )
    for what in ("bets", "transfers"):
        row = db.execute(f"SELECT coup_key, bet_seq FROM {what} {join} ORDER BY coup_key LIMIT 1").fetchone()
        if row is not None:
            raise AuditFailed("I6", f"{_place(tables, row[0])}, {what[:-1]} {row[1]}", "there is no such coup")
    row = db.execute(
        "SELECT entry_no, round_log.table_no, round_log.coup_no FROM round_log LEFT JOIN coups"
        " ON coups.table_no = round_log.table_no AND coups.coup_no = round_log.coup_no"
        " WHERE round_log.coup_no > 0 AND coups.coup_no IS NULL ORDER BY entry_no LIMIT 1"
    ).fetchone()
    if row is not None:
        place = _place(tables, coup_key(row[1], row[2]))
        raise AuditFailed("I6", f"{place}, entry {row[0]} of the log", "there is no such coup")

    row = db.execute(
        "SELECT table_id, exposure_minor FROM tables WHERE exposure_minor != 0 AND NOT EXISTS (SELECT 1 FROM coups"
        " WHERE coups.table_no = tables.table_no AND phase IN ('locked', 'dealt', 'settled'))"
    ).fetchone()
    if row is not None:
        raise AuditFailed("I2", f"table {row[0]}", f"its bank is bound by {row[1]} though no coup is under way")


def _check_eras(db: sqlite3.Connection) -> None:
    """Without them a patron's bets would not be found."""
    kept = {row[0]: row for row in db.execute("SELECT era_no, bets, latest_utc_ms FROM eras")}
    found, latest = {}, 0
    for era_no, bets, at_utc_ms in db.execute(
        "SELECT era_no, count(*), max(at_utc_ms) FROM bets GROUP BY era_no ORDER BY era_no"
    ):
        latest = max(latest, at_utc_ms)
        found[era_no] = (era_no, bets, latest)
    for era_no in sorted(kept.keys() | found.keys()):
        if kept.get(era_no) != found.get(era_no):
            raise AuditFailed("rows", f"era {era_no}", "it is not what its bets add up to")
    row = db.execute(
        "SELECT patron_id FROM bets JOIN patrons USING (patron_id) WHERE bets.era_no < patrons.era_no LIMIT 1"
    ).fetchone()
    if row is not None:
        raise AuditFailed("rows", f"patron {row[0]}", "there are bets of an era before the patron came")


def _place(tables: dict[int, TableRow], key: int) -> str:
    table_no, coup_no = divmod(key, COUPS_PER_TABLE)
    name = tables[table_no].table_id if table_no in tables else f"number {table_no}"
    return f"table {name}, coup {coup_no}"


# ---- money


def _check_outside(db: sqlite3.Connection, tables: dict[int, TableRow]) -> int:
    """Grants, refills and bankrolls: what comes from the world. Answers how many transfers there are in all."""
    for row in db.execute(f"{_TRANSFER} WHERE coup_key = 0 ORDER BY bet_seq, kind"):
        where = f"transfer {row[2]} {row[1]}"
        try:
            transfer = _transfer(row)
        except ValueError as problem:
            raise AuditFailed("rows", where, str(problem)) from problem
        owner = transfer.bet_seq // DAYS_PER_PATRON
        if transfer.kind is TransferKind.BANKROLL:
            sound = transfer.credit == Account(AccountKind.BANK, owner) and owner in tables
        else:
            sound = transfer.credit == Account(AccountKind.PATRON, owner) and transfer.kind.name in ("GRANT", "REFILL")
        if not sound or transfer.debit.kind is not AccountKind.WORLD or transfer.amount_minor <= 0:
            raise AuditFailed("I1", f"transfer {transfer.kind.name} {transfer.bet_seq}", f"goes astray: {transfer[3:]}")
    (count,) = db.execute("SELECT count(*) FROM transfers").fetchone()
    return int(count)


_STAKE, _POST, _VOID = int(TransferKind.STAKE), int(TransferKind.POST), int(TransferKind.VOID)
_DERIVED = f"""
SELECT account_kind, owner, sum(balance), sum(reserved), sum(expected) FROM (
    SELECT debit_kind AS account_kind, debit_owner AS owner,
           CASE WHEN kind IN ({_STAKE}, {_VOID}) THEN 0 ELSE -amount_minor END AS balance,
           CASE kind WHEN {_STAKE} THEN amount_minor WHEN {_POST} THEN -amount_minor WHEN {_VOID} THEN -amount_minor
                ELSE 0 END AS reserved,
           0 AS expected FROM transfers
    UNION ALL
    SELECT credit_kind, credit_owner,
           CASE WHEN kind IN ({_STAKE}, {_VOID}) THEN 0 ELSE amount_minor END, 0,
           CASE kind WHEN {_STAKE} THEN amount_minor WHEN {_POST} THEN -amount_minor WHEN {_VOID} THEN -amount_minor
                ELSE 0 END FROM transfers
    UNION ALL
    SELECT kind, owner, -balance_minor, -reserved_minor, -expected_minor FROM accounts
) GROUP BY account_kind, owner HAVING sum(balance) != 0 OR sum(reserved) != 0 OR sum(expected) != 0
ORDER BY account_kind, owner LIMIT 1
"""


def _check_accounts(db: sqlite3.Connection) -> int:
    """I1: what is cached is what the transfers say, and sums to 0. I2: nobody but the world is below zero."""
    row = db.execute(_DERIVED).fetchone()
    if row is not None:
        kind, owner, *off = row
        account = f"account {AccountKind(kind).name.lower()}:{owner}"
        raise AuditFailed("I1", account, f"the transfers say {off} more than the account (balance, reserved, expected)")
    row = db.execute(
        "SELECT kind, owner, balance_minor, reserved_minor FROM accounts"
        " WHERE kind != 0 AND balance_minor - reserved_minor < 0 OR reserved_minor < 0 OR expected_minor < 0"
        " ORDER BY kind, owner LIMIT 1"
    ).fetchone()
    if row is not None:
        raise AuditFailed("I2", f"account {AccountKind(row[0]).name.lower()}:{row[1]}", f"{row[2]} less {row[3]}")
    total, count = db.execute("SELECT coalesce(sum(balance_minor), 0), count(*) FROM accounts").fetchone()
    if total:
        raise AuditFailed("I1", "", f"all accounts sum to {total}")
    return int(count)
