"""The SQLite store: one file, set-based SQL, every commit through the one writer."""

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from bigroad.app import crash_points, log_records
from bigroad.app.measures import UNMEASURED, Measures
from bigroad.app.store import (
    EVERYTHING,
    SHOE_MOST,
    Changes,
    Claim,
    Cursor,
    Decide,
    KeptAnswer,
    Purse,
    Sitting,
    StaleOwner,
    StoredBet,
    StoredCoup,
    StoredPatron,
    StoredSession,
    StoredTable,
    Wanted,
    Wish,
)
from bigroad.ledger import accounts, transfers
from bigroad.ledger.accounts import Account, AccountKind, Balance
from bigroad.ledger.chain import Entry, Head, Signer, Unsigned
from bigroad.ledger.transfers import Transfer, TransferKind
from bigroad.protection.guard import Change, Guard
from bigroad.protection.standing import Protected
from bigroad.storage import round_log, sqlite_protection
from bigroad.storage.keys import SeedSeal
from bigroad.storage.rows import BET_COLUMNS, COUP_COLUMNS, bet_of, coup_of_row, stakes_of, steps_of
from bigroad.storage.sqlite_accounts import SqliteAccounts, session_of
from bigroad.storage.sqlite_apply import apply_changes, claim_seat, claim_table
from bigroad.storage.sqlite_history import bet_on, bets_wanted
from bigroad.storage.sqlite_transfers import insert_transfers
from bigroad.storage.writer import Connect, Writer
from bigroad.table.commands import Funds
from bigroad.table.events import Bet, Stakes
from bigroad.table.phases import Phase

T = TypeVar("T")

PULSE_BYTES = 8192
"""More than a page: where no page can be had any more, it is found out."""


class SqliteStore:
    """Implements `bigroad.app.store.Store` on one file.

    signer: signs the log of rounds. told: is called with each new head of the log once it is kept. connect: opens the
    file, in place of sqlite3.connect. closed: called once the file is closed. seal: keeps the
    seeds of coups that are not dealt from readers of the file. measures: is told what was kept, and how quickly.
    """

    def __init__(
        self,
        path: Path | str,
        signer: Signer | None = None,
        told: Callable[[Head], None] = lambda head: None,
        connect: Connect = sqlite3.connect,
        closed: Callable[[], None] = lambda: None,
        seal: SeedSeal | None = None,
        measures: Measures = UNMEASURED,
    ) -> None:
        self._signer: Signer = signer or Unsigned()
        self._told, self._closed, self._seal = told, closed, seal
        self._measures = measures
        self._writer = Writer(path, connect=connect, measures=measures)
        self._writer.start()
        self.accounts = SqliteAccounts(self._writer)

    @property
    def waiting(self) -> int:
        """Jobs that wait for their transaction."""
        return self._writer.waiting

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        """See Store."""

        def job(db: sqlite3.Connection) -> tuple[Claim, Entry | None]:
            made = claim_table(db, table, bankroll_minor, at_utc_ms)
            record = log_records.claimed(made.table_no, table)
            return made, round_log.append(db, [record], made.epoch, at_utc_ms, self._signer)

        return await self._run(job)

    async def table_no(self, table: str) -> int | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> int | None:
            row = db.execute("SELECT table_no FROM tables WHERE table_id = ?", (table,)).fetchone()
            return row[0] if row else None

        return await self._writer.run(job)

    async def claim_seat(self, bank_no: int, patron_id: int, at_utc_ms: int) -> Claim:
        """See Store."""

        def job(db: sqlite3.Connection) -> tuple[Claim, Entry | None]:
            made, name = claim_seat(db, bank_no, patron_id)
            record = log_records.claimed(made.table_no, name)
            return made, round_log.append(db, [record], made.epoch, at_utc_ms, self._signer)

        return await self._run(job)

    async def seat_no(self, bank_no: int, patron_id: int) -> int | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> int | None:
            row = db.execute(
                "SELECT table_no FROM tables WHERE bank_no = ? AND patron_id = ?", (bank_no, patron_id)
            ).fetchone()
            return row[0] if row else None

        return await self._writer.run(job)

    async def seats_under_way(self, bank_no: int) -> Sequence[int]:
        """See Store."""

        def job(db: sqlite3.Connection) -> list[int]:
            rows = db.execute(
                "SELECT DISTINCT tables.patron_id FROM coups JOIN tables USING (table_no)"
                " WHERE coups.phase IN ('locked', 'dealt', 'settled') AND tables.bank_no = ?",
                (bank_no,),
            )
            return [patron_id for (patron_id,) in rows]

        return await self._writer.run(job)

    async def load(self, table_no: int) -> StoredTable:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredTable:
            last = db.execute(
                f"SELECT {COUP_COLUMNS} FROM coups WHERE table_no = ? ORDER BY coup_no DESC LIMIT 1", (table_no,)
            ).fetchone()
            coup = self._open_seed(table_no, coup_of_row(last)) if last else None
            draft_rows = db.execute("SELECT patron_id, steps FROM drafts WHERE table_no = ?", (table_no,))
            answer_rows = db.execute(
                "SELECT patron_id, request_id, coup_no, act, answer FROM answers WHERE table_no = ?", (table_no,)
            )
            event_rows = db.execute("SELECT seq, body FROM events WHERE table_no = ? ORDER BY seq", (table_no,))
            events = event_rows.fetchall()
            return StoredTable(
                seq=events[-1][0] if events else 0,
                last=coup,
                shoe_coups=_shoe(db, table_no, coup.shoe_no) if coup else [],
                bets=_bets(db, table_no, coup.coup_no) if coup else [],
                earlier_bets=_bets(db, table_no, coup.coup_no - 1) if coup else [],
                drafts={patron_id: steps_of(text) for patron_id, text in draft_rows},
                answers=[KeptAnswer(*row) for row in answer_rows],
                events=events,
                hold=_hold(db, accounts.coup_key(table_no, coup.coup_no)) if coup else Balance(),
                skipped_to=_skipped_to(db, table_no),
            )

        return await self._writer.run(job)

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        """See Store."""

        def job(db: sqlite3.Connection) -> tuple[Changes, Entry | None]:
            changes = decide(_funds(db, table_no, patron_ids, since_day))
            if changes.empty:
                return changes, None
            _verify_owner(db, changes)
            apply_changes(db, changes, self._seal)
            return changes, round_log.append(db, changes.log, changes.epoch, changes.at_utc_ms, self._signer)

        asked = time.perf_counter()
        kept = await self._run(job)
        self._measures.kept(kept, time.perf_counter() - asked)
        return kept

    async def _run(self, job: Callable[[sqlite3.Connection], tuple[T, Entry | None]]) -> T:
        """Run a job that may have appended to the log, and tell the new head once it is kept."""
        answer, entry = await self._writer.run(job)
        if entry is not None:
            self._told(Head(entry.entry_no, entry.hash, entry.signature, self._signer.public_key))
        return answer

    async def last_stakes(self, table_no: int, patron_ids: Sequence[int]) -> Mapping[int, Stakes]:
        """See Store."""
        if not patron_ids:
            return {}
        low, high = accounts.coup_key(table_no, 0), accounts.coup_key(table_no + 1, 0)
        return await self._writer.run(
            lambda db: {patron_id: _last_stakes(db, low, high, patron_id) for patron_id in patron_ids}
        )

    async def create_guest(self, nickname: str, token_hash: bytes, grant_minor: int, at_utc_ms: int) -> StoredPatron:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredPatron:
            made = db.execute(
                "INSERT INTO patrons (nickname, created_utc_ms, era_no)"
                " VALUES (?, ?, (SELECT coalesce(max(era_no), 0) FROM eras))",
                (nickname, at_utc_ms),
            )
            patron_id = int(made.lastrowid or 0)
            db.execute(
                "INSERT INTO sessions (token_hash, patron_id, created_utc_ms) VALUES (?, ?, ?)",
                (token_hash, patron_id, at_utc_ms),
            )
            key = transfers.dated_key(patron_id, 0)
            grant = Transfer(0, key, TransferKind.GRANT, accounts.WORLD, accounts.patron(patron_id), grant_minor)
            insert_transfers(db, [grant], 0, at_utc_ms)
            return StoredPatron(patron_id, nickname, 0)

        made = await self._writer.run(job)
        crash_points.reached("guest.kept")
        return made

    async def session(self, token_hash: bytes) -> StoredSession | None:
        """See Store."""
        return await self._writer.run(lambda db: session_of(db, token_hash))

    async def patron(self, patron_id: int) -> StoredPatron:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredPatron:
            nickname, refilled, registered = db.execute(
                "SELECT nickname, refilled_utc_ms, EXISTS (SELECT 1 FROM logins WHERE patron_id = ?1)"
                " FROM patrons WHERE patron_id = ?1",
                (patron_id,),
            ).fetchone()
            return StoredPatron(patron_id, nickname, refilled, bool(registered))

        return await self._writer.run(job)

    async def purse(self, patron_id: int) -> Purse:
        """See Store."""
        return (await self.purses([patron_id]))[patron_id]

    async def purses(self, patron_ids: Sequence[int]) -> Mapping[int, Purse]:
        """See Store."""
        return await self._writer.run(lambda db: {patron_id: _purse(db, patron_id) for patron_id in patron_ids})

    async def refill(self, patron_id: int, below_minor: int, to_minor: int, utc_day: int, at_utc_ms: int) -> bool:
        """See Store."""

        def job(db: sqlite3.Connection) -> bool:
            key, balance = transfers.dated_key(patron_id, utc_day), _purse(db, patron_id).balance_minor
            used = db.execute(
                "SELECT 1 FROM transfers WHERE coup_key = 0 AND bet_seq = ? AND kind = ?", (key, TransferKind.REFILL)
            ).fetchone()
            if balance >= below_minor or used:
                return False
            owner = accounts.patron(patron_id)
            top_up = Transfer(0, key, TransferKind.REFILL, accounts.WORLD, owner, to_minor - balance)
            insert_transfers(db, [top_up], 0, at_utc_ms)
            db.execute("UPDATE patrons SET refilled_utc_ms = ? WHERE patron_id = ?", (at_utc_ms, patron_id))
            return True

        return await self._writer.run(job)

    async def history(
        self, patron_id: int, limit: int, wanted: Wanted = EVERYTHING, before: Cursor | None = None
    ) -> Sequence[StoredBet]:
        """See Store."""
        return await self._writer.run(lambda db: bets_wanted(db, patron_id, limit, wanted, before))

    async def own_bet(self, table_no: int, coup_no: int, patron_id: int) -> StoredBet | None:
        """See Store."""
        return await self._writer.run(lambda db: bet_on(db, table_no, coup_no, patron_id))

    async def coup(self, table_no: int, coup_no: int) -> StoredCoup | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredCoup | None:
            row = db.execute(
                f"SELECT {COUP_COLUMNS} FROM coups WHERE table_no = ? AND coup_no = ?", (table_no, coup_no)
            ).fetchone()
            return coup_of_row(row) if row else None

        return await self._writer.run(job)

    async def preferences(self, patron_id: int) -> str | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> str | None:
            row = db.execute("SELECT preferences FROM patrons WHERE patron_id = ?", (patron_id,)).fetchone()
            return row[0] if row else None

        return await self._writer.run(job)

    async def keep_preferences(self, patron_id: int, text: str) -> None:
        """See Store."""

        def job(db: sqlite3.Connection) -> None:
            db.execute("UPDATE patrons SET preferences = ? WHERE patron_id = ?", (text, patron_id))

        await self._writer.run(job)

    async def protected(self, patron_id: int, since_day: int) -> Protected | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> Protected | None:
            return sqlite_protection.protected_among(db, f"[{patron_id}]", since_day).get(patron_id)

        return await self._writer.run(job)

    async def protect(self, patron_id: int, at_utc_ms: int, wish: Wish) -> Guard:
        """See Store."""
        return await self._writer.run(lambda db: sqlite_protection.protect(db, patron_id, at_utc_ms, wish))

    async def protection_changes(self, patron_id: int, limit: int) -> Sequence[Change]:
        """See Store."""
        return await self._writer.run(lambda db: sqlite_protection.changes_of(db, patron_id, limit))

    async def sit(self, patron_id: int, at_utc_ms: int, gap_ms: int) -> Sitting:
        """See Store."""
        return await self._writer.run(lambda db: sqlite_protection.sit(db, patron_id, at_utc_ms, gap_ms))

    async def book(self) -> tuple[dict[Account, Balance], list[Transfer]]:
        """See Store."""

        def job(db: sqlite3.Connection) -> tuple[dict[Account, Balance], list[Transfer]]:
            balances = {
                Account(AccountKind(kind), owner): Balance(*numbers)
                for kind, owner, *numbers in db.execute(
                    "SELECT kind, owner, balance_minor, reserved_minor, expected_minor FROM accounts"
                )
            }
            rows = db.execute(
                "SELECT coup_key, bet_seq, kind, debit_kind, debit_owner, credit_kind, credit_owner, amount_minor"
                " FROM transfers"
            )
            kept = [
                Transfer(key, seq, TransferKind(kind), Account(AccountKind(a), b), Account(AccountKind(c), d), amount)
                for key, seq, kind, a, b, c, d, amount in rows
            ]
            return balances, kept

        return await self._writer.run(job)

    async def coups(self, table_no: int) -> Sequence[StoredCoup]:
        """See Store."""

        def job(db: sqlite3.Connection) -> list[StoredCoup]:
            rows = db.execute(f"SELECT {COUP_COLUMNS} FROM coups WHERE table_no = ? ORDER BY coup_no", (table_no,))
            return [self._open_seed(table_no, coup_of_row(row)) for row in rows]

        return await self._writer.run(job)

    async def shoe(self, table_no: int, shoe_no: int) -> Sequence[StoredCoup]:
        """See Store."""
        return await self._writer.run(lambda db: _shoe(db, table_no, shoe_no))

    def _open_seed(self, table_no: int, coup: StoredCoup) -> StoredCoup:
        if self._seal is None:
            return coup
        return replace(coup, seed=self._seal.opened(table_no, coup.coup_no, coup.seed))

    async def log(self) -> Sequence[Entry]:
        """See Store."""
        return await self._writer.run(lambda db: list(round_log.entries(db)))

    async def log_entry(self, entry_no: int) -> Entry | None:
        """See Store."""
        return await self._writer.run(
            lambda db: round_log.entry(db, entry_no) if entry_no else round_log.last_entry(db)
        )

    async def probe(self) -> None:
        """See Store."""

        def job(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO pulse VALUES (zeroblob(?))", (PULSE_BYTES,))
            db.execute("DELETE FROM pulse")

        await self._writer.run(job)

    async def close(self) -> None:
        """See Store."""
        await self._writer.stop()
        self._closed()


def _shoe(db: sqlite3.Connection, table_no: int, shoe_no: int) -> list[StoredCoup]:
    rows = db.execute(
        f"SELECT {COUP_COLUMNS} FROM coups WHERE table_no = ? AND shoe_no = ? AND player_cards != ''"
        " ORDER BY coup_no DESC LIMIT ?",
        (table_no, shoe_no, SHOE_MOST),
    ).fetchall()
    return [coup_of_row(row) for row in reversed(rows)]


def _funds(db: sqlite3.Connection, table_no: int, patron_ids: Sequence[int], since_day: int) -> Funds:
    ids = msgspec.json.encode(list(patron_ids)).decode()
    rows = db.execute(
        "SELECT owner, balance_minor - reserved_minor FROM accounts"
        " WHERE kind = 1 AND owner IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    (bank_no,) = db.execute("SELECT coalesce(bank_no, table_no) FROM tables WHERE table_no = ?", (table_no,)).fetchone()
    (bank_minor,) = db.execute(
        "SELECT coalesce(sum(balance_minor), 0) FROM accounts WHERE kind = 3 AND owner = ?", (bank_no,)
    ).fetchone()
    (exposure_minor,) = db.execute(
        "SELECT coalesce(sum(exposure_minor), 0) FROM tables"
        " WHERE bank_no = ? AND exposure_minor > 0 AND table_no != ?",
        (bank_no, table_no),
    ).fetchone()
    (coup_no,) = db.execute("SELECT max(coup_no) FROM coups WHERE table_no = ?", (table_no,)).fetchone()
    hold = _hold(db, accounts.coup_key(table_no, coup_no)) if coup_no else Balance()
    protected = sqlite_protection.protected_among(db, ids, since_day)
    return Funds(dict(rows.fetchall()), bank_minor - exposure_minor, hold, protected)


def _hold(db: sqlite3.Connection, key: int) -> Balance:
    """The escrow of a coup."""
    row = db.execute(
        "SELECT balance_minor, reserved_minor, expected_minor FROM accounts WHERE kind = 2 AND owner = ?", (key,)
    ).fetchone()
    return Balance(*row) if row else Balance()


def _skipped_to(db: sqlite3.Connection, table_no: int) -> int:
    (number,) = db.execute("SELECT skipped_to FROM tables WHERE table_no = ?", (table_no,)).fetchone()
    return int(number)


def _purse(db: sqlite3.Connection, patron_id: int) -> Purse:
    row = db.execute(
        "SELECT balance_minor - reserved_minor, balance_minor, refilled_utc_ms FROM accounts"
        " LEFT JOIN patrons ON patron_id = owner WHERE kind = 1 AND owner = ?",
        (patron_id,),
    ).fetchone()
    return Purse(row[0], row[1], row[2] or 0) if row else Purse(0, 0, 0)


def _last_stakes(db: sqlite3.Connection, low_key: int, high_key: int, patron_id: int) -> Stakes:
    """The patron's latest bet of the coups between two keys."""
    row = db.execute(
        "SELECT stakes FROM eras CROSS JOIN bets INDEXED BY bets_by_era ON bets.era_no = eras.era_no"
        " WHERE eras.era_no >= (SELECT era_no FROM patrons WHERE patron_id = ?1) AND patron_id = ?1"
        " AND coup_key > ?2 AND coup_key < ?3 ORDER BY eras.era_no DESC, at_utc_ms DESC, coup_key DESC LIMIT 1",
        (patron_id, low_key, high_key),
    ).fetchone()
    return stakes_of(row[0]) if row else {}


def _bets(db: sqlite3.Connection, table_no: int, coup_no: int) -> list[Bet]:
    key = accounts.coup_key(table_no, coup_no)
    return [
        bet_of(row) for row in db.execute(f"SELECT {BET_COLUMNS} FROM bets WHERE coup_key = ? ORDER BY bet_seq", (key,))
    ]


def _verify_owner(db: sqlite3.Connection, changes: Changes) -> None:
    (epoch,) = db.execute("SELECT epoch FROM tables WHERE table_no = ?", (changes.table_no,)).fetchone()
    if epoch != changes.epoch:
        raise StaleOwner(f"table {changes.table_no} is at epoch {epoch}, not {changes.epoch}")
    if changes.open_coup_no is not None:
        row = db.execute(
            "SELECT phase FROM coups WHERE table_no = ? AND coup_no = ?", (changes.table_no, changes.open_coup_no)
        ).fetchone()
        if row is None or row[0] != Phase.OPEN:
            raise StaleOwner(f"coup {changes.open_coup_no} is not open")
