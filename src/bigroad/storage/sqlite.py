"""The SQLite store: one file, set-based SQL, every commit through the one writer."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bigroad.app.store import (
    Changes,
    Claim,
    Decide,
    KeptAnswer,
    Purse,
    StaleOwner,
    StoredBet,
    StoredCoup,
    StoredPatron,
    StoredTable,
)
from bigroad.ledger import accounts, transfers
from bigroad.ledger.accounts import Account, AccountKind, Balance
from bigroad.ledger.transfers import Transfer, TransferKind
from bigroad.storage.rows import cards_of, stakes_of, steps_of
from bigroad.storage.sqlite_apply import apply_changes, insert_transfers
from bigroad.storage.writer import Writer
from bigroad.table.commands import Funds
from bigroad.table.events import Bet, Stakes
from bigroad.table.phases import Phase

TAIL = 200
"""So many public events are kept for pages that come back."""

_COUP = """coups.coup_no, coups.shoe_no, coups.phase, coups.seed, coups.opened_utc_ms, coups.closes_utc_ms,
    coups.deals_utc_ms, coups.shown_until_utc_ms, coups.last_of_shoe, coups.terms, coups.shoe, coups.player_cards,
    coups.banker_cards, coups.burned, coups.cards_left"""
_COUP_COLUMNS = 15
_BET = "bets.bet_seq, bets.patron_id, bets.stakes, bets.staked_minor, bets.automatic, bets.at_utc_ms"


class SqliteStore:
    """Implements `bigroad.app.store.Store` on one file."""

    def __init__(self, path: Path | str) -> None:
        self._writer = Writer(path)
        self._writer.start()

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        """See Store."""

        def job(db: sqlite3.Connection) -> Claim:
            known = db.execute("SELECT table_no, epoch FROM tables WHERE table_id = ?", (table,)).fetchone()
            if known is None:
                (table_no,) = db.execute("SELECT coalesce(max(table_no), 0) + 1 FROM tables").fetchone()
                db.execute("INSERT INTO tables VALUES (?, ?, 1)", (table_no, table))
                key = transfers.dated_key(table_no, 0)
                grant = Transfer(0, key, TransferKind.BANKROLL, accounts.WORLD, accounts.bank(table_no), bankroll_minor)
                insert_transfers(db, [grant], 1, at_utc_ms)
                return Claim(table_no, 1)
            db.execute("UPDATE tables SET epoch = epoch + 1 WHERE table_id = ?", (table,))
            return Claim(known[0], known[1] + 1)

        return await self._writer.run(job)

    async def load(self, table_no: int) -> StoredTable:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredTable:
            last = db.execute(
                f"SELECT {_COUP} FROM coups WHERE table_no = ? ORDER BY coup_no DESC LIMIT 1", (table_no,)
            ).fetchone()
            coup = _coup(last) if last else None
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
            )

        return await self._writer.run(job)

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide) -> Changes:
        """See Store."""

        def job(db: sqlite3.Connection) -> Changes:
            changes = decide(_funds(db, table_no, patron_ids))
            if not changes.empty:
                _verify_owner(db, changes)
                apply_changes(db, changes, TAIL)
            return changes

        return await self._writer.run(job)

    async def last_stakes(self, table_no: int, patron_id: int) -> Stakes:
        """See Store."""
        low, high = accounts.coup_key(table_no, 0), accounts.coup_key(table_no + 1, 0)

        def job(db: sqlite3.Connection) -> Stakes:
            row = db.execute(
                "SELECT stakes FROM bets WHERE patron_id = ? AND coup_key > ? AND coup_key < ?"
                " ORDER BY coup_key DESC LIMIT 1",
                (patron_id, low, high),
            ).fetchone()
            return stakes_of(row[0]) if row else {}

        return await self._writer.run(job)

    async def create_guest(self, nickname: str, token_hash: bytes, grant_minor: int, at_utc_ms: int) -> StoredPatron:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredPatron:
            made = db.execute("INSERT INTO patrons (nickname, created_utc_ms) VALUES (?, ?)", (nickname, at_utc_ms))
            patron_id = int(made.lastrowid or 0)
            db.execute("INSERT INTO sessions VALUES (?, ?, ?)", (token_hash, patron_id, at_utc_ms))
            key = transfers.dated_key(patron_id, 0)
            grant = Transfer(0, key, TransferKind.GRANT, accounts.WORLD, accounts.patron(patron_id), grant_minor)
            insert_transfers(db, [grant], 0, at_utc_ms)
            return StoredPatron(patron_id, nickname, 0)

        return await self._writer.run(job)

    async def patron_of(self, token_hash: bytes) -> StoredPatron | None:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredPatron | None:
            row = db.execute(
                "SELECT patron_id, nickname, refilled_utc_ms FROM sessions JOIN patrons USING (patron_id)"
                " WHERE token_hash = ?",
                (token_hash,),
            ).fetchone()
            return StoredPatron(*row) if row else None

        return await self._writer.run(job)

    async def patron(self, patron_id: int) -> StoredPatron:
        """See Store."""

        def job(db: sqlite3.Connection) -> StoredPatron:
            row = db.execute(
                "SELECT patron_id, nickname, refilled_utc_ms FROM patrons WHERE patron_id = ?", (patron_id,)
            ).fetchone()
            return StoredPatron(*row)

        return await self._writer.run(job)

    async def purse(self, patron_id: int) -> Purse:
        """See Store."""
        return await self._writer.run(lambda db: _purse(db, patron_id))

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

    async def history(self, patron_id: int, limit: int) -> Sequence[StoredBet]:
        """See Store."""

        def job(db: sqlite3.Connection) -> list[StoredBet]:
            rows = db.execute(
                f"SELECT tables.table_id, {_COUP}, {_BET}, bets.returned FROM bets"
                f" JOIN tables ON tables.table_no = bets.coup_key / {accounts.COUPS_PER_TABLE}"
                " JOIN coups ON coups.table_no = tables.table_no"
                f" AND coups.coup_no = bets.coup_key % {accounts.COUPS_PER_TABLE}"
                " WHERE bets.patron_id = ? ORDER BY bets.at_utc_ms DESC LIMIT ?",
                (patron_id, limit),
            ).fetchall()
            cut = 1 + _COUP_COLUMNS
            return [
                StoredBet(row[0], _coup(row[1:cut]), _bet(row[cut:-1]), stakes_of(row[-1]) if row[-1] else None)
                for row in rows
            ]

        return await self._writer.run(job)

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
            rows = db.execute(f"SELECT {_COUP} FROM coups WHERE table_no = ? ORDER BY coup_no", (table_no,))
            return [_coup(row) for row in rows]

        return await self._writer.run(job)

    async def shoe(self, table_no: int, shoe_no: int) -> Sequence[StoredCoup]:
        """See Store."""
        return await self._writer.run(lambda db: _shoe(db, table_no, shoe_no))

    async def close(self) -> None:
        """See Store."""
        await self._writer.stop()


def _shoe(db: sqlite3.Connection, table_no: int, shoe_no: int) -> list[StoredCoup]:
    rows = db.execute(
        f"SELECT {_COUP} FROM coups WHERE table_no = ? AND shoe_no = ? AND player_cards != '' ORDER BY coup_no",
        (table_no, shoe_no),
    )
    return [_coup(row) for row in rows]


def _funds(db: sqlite3.Connection, table_no: int, patron_ids: Sequence[int]) -> Funds:
    rows = db.execute(
        "SELECT owner, balance_minor - reserved_minor FROM accounts"
        " WHERE kind = 1 AND owner IN (SELECT value FROM json_each(?))",
        (msgspec.json.encode(list(patron_ids)).decode(),),
    )
    (bank_minor,) = db.execute(
        "SELECT coalesce(sum(balance_minor), 0) FROM accounts WHERE kind = 3 AND owner = ?", (table_no,)
    ).fetchone()
    return Funds(dict(rows.fetchall()), bank_minor)


def _purse(db: sqlite3.Connection, patron_id: int) -> Purse:
    row = db.execute(
        "SELECT balance_minor - reserved_minor, balance_minor, refilled_utc_ms FROM accounts"
        " LEFT JOIN patrons ON patron_id = owner WHERE kind = 1 AND owner = ?",
        (patron_id,),
    ).fetchone()
    return Purse(row[0], row[1], row[2] or 0) if row else Purse(0, 0, 0)


def _bets(db: sqlite3.Connection, table_no: int, coup_no: int) -> list[Bet]:
    key = accounts.coup_key(table_no, coup_no)
    return [_bet(row) for row in db.execute(f"SELECT {_BET} FROM bets WHERE coup_key = ? ORDER BY bet_seq", (key,))]


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


def _coup(row: Sequence[Any]) -> StoredCoup:
    (
        coup_no,
        shoe_no,
        phase,
        seed,
        opened,
        closes,
        deals,
        shown_until,
        last,
        terms,
        shoe,
        player,
        banker,
        burned,
        left,
    ) = row
    return StoredCoup(
        coup_no=coup_no,
        shoe_no=shoe_no,
        phase=Phase(phase),
        seed=seed,
        opened_utc_ms=opened,
        closes_utc_ms=closes,
        deals_utc_ms=deals,
        shown_until_utc_ms=shown_until,
        last_of_shoe=bool(last),
        terms=terms,
        shoe=shoe,
        player_cards=cards_of(player),
        banker_cards=cards_of(banker),
        burned=cards_of(burned),
        cards_left=left,
    )


def _bet(row: Sequence[Any]) -> Bet:
    bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms = row
    return Bet(bet_seq, patron_id, stakes_of(stakes), staked_minor, bool(automatic), at_utc_ms)
