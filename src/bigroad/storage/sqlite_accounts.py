"""Accounts in SQLite: names, passwords, sessions. Every job through the one writer."""

import sqlite3
from collections.abc import Collection, Sequence

from bigroad.app.account_store import AccountSession, Ended, Entry, Login
from bigroad.app.store import StoredPatron, StoredSession
from bigroad.storage.writer import Writer

DEVICES_MOST = 20
"""Known browsers of an account; the one not used for longest is forgotten first."""
_LOGIN = """SELECT patron_id, nickname, password, registered_utc_ms, one_time_until_utc_ms
    FROM logins JOIN patrons USING (patron_id)"""


class SqliteAccounts:
    """Implements `bigroad.app.account_store.AccountStore` on the writer of a store."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    async def register(self, patron_id: int, name: str, looks: Collection[str], password: str, entry: Entry) -> Ended:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> Ended:
            taken = [db.execute("SELECT 1 FROM looks WHERE look = ?", (look,)).fetchone() for look in looks]
            if any(taken) or _login(db, "WHERE patron_id = ?", patron_id) is not None:
                return Ended(False)
            db.execute(
                "INSERT INTO logins (patron_id, password, registered_utc_ms, password_utc_ms) VALUES (?, ?, ?, ?)",
                (patron_id, password, entry.at_utc_ms, entry.at_utc_ms),
            )
            for look in set(looks):
                db.execute("INSERT INTO looks VALUES (?, ?)", (look, patron_id))
            db.execute("UPDATE patrons SET nickname = ? WHERE patron_id = ?", (name, patron_id))
            ended = _ended(db, "patron_id = ?", patron_id)
            _enter(db, patron_id, entry)
            return Ended(True, ended)

        return await self._writer.run(job)

    async def login(self, look: str) -> Login | None:
        """See AccountStore."""
        where = "WHERE patron_id = (SELECT patron_id FROM looks WHERE look = ?)"
        return await self._writer.run(lambda db: _login(db, where, look))

    async def login_of(self, patron_id: int) -> Login | None:
        """See AccountStore."""
        return await self._writer.run(lambda db: _login(db, "WHERE patron_id = ?", patron_id))

    async def enter(self, login: Login, entry: Entry, leaving: bytes | None, most: int) -> Ended:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> Ended:
            if not _is_still(db, login):
                return Ended(False)
            ended = _ended(db, "token_hash = ?", leaving) if leaving is not None else []
            _enter(db, login.patron_id, entry)
            ended += _ended(
                db,
                "token_hash IN (SELECT token_hash FROM sessions WHERE patron_id = ? AND token_hash != ?"
                " ORDER BY max(seen_utc_ms, created_utc_ms) DESC LIMIT -1 OFFSET ?)",
                login.patron_id,
                entry.key,
                most - 1,
            )
            return Ended(True, ended)

        return await self._writer.run(job)

    async def end(self, patron_id: int, keys: Collection[bytes]) -> Ended:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> Ended:
            ended: list[bytes] = []
            for key in keys:
                ended += _ended(db, "patron_id = ? AND token_hash = ?", patron_id, key)
            return Ended(bool(ended), ended)

        return await self._writer.run(job)

    async def end_all(self, patron_id: int) -> Ended:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> Ended:
            db.execute("DELETE FROM devices WHERE patron_id = ?", (patron_id,))
            return Ended(True, _ended(db, "patron_id = ?", patron_id))

        return await self._writer.run(job)

    async def change_password(self, login: Login, password: str, entry: Entry) -> Ended:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> Ended:
            if not _is_still(db, login):
                return Ended(False)
            ended = set_password(db, login.patron_id, password, entry.at_utc_ms, None)
            _enter(db, login.patron_id, entry)
            return Ended(True, ended)

        return await self._writer.run(job)

    async def rehash(self, login: Login, password: str) -> None:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> None:
            if _is_still(db, login):
                db.execute("UPDATE logins SET password = ? WHERE patron_id = ?", (password, login.patron_id))

        await self._writer.run(job)

    async def sessions(self, patron_id: int) -> Sequence[AccountSession]:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> list[AccountSession]:
            rows = db.execute(
                "SELECT token_hash, created_utc_ms, max(seen_utc_ms, created_utc_ms) AS seen, device FROM sessions"
                " WHERE patron_id = ? ORDER BY seen DESC, created_utc_ms DESC, token_hash",
                (patron_id,),
            )
            return [AccountSession(*row) for row in rows]

        return await self._writer.run(job)

    async def device(self, device_key: bytes) -> int | None:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> int | None:
            row = db.execute("SELECT patron_id FROM devices WHERE token_hash = ?", (device_key,)).fetchone()
            return row[0] if row else None

        return await self._writer.run(job)

    async def touch(self, keys: Collection[bytes], at_utc_ms: int, before_utc_ms: int) -> Collection[bytes]:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> set[bytes]:
            there = set()
            for key in keys:
                row = db.execute("SELECT seen_utc_ms FROM sessions WHERE token_hash = ?", (key,)).fetchone()
                if row is not None:
                    there.add(key)
                    if row[0] <= before_utc_ms:
                        db.execute("UPDATE sessions SET seen_utc_ms = ? WHERE token_hash = ?", (at_utc_ms, key))
            return there

        return await self._writer.run(job)

    async def sweep(self, begun_before_utc_ms: int, seen_before_utc_ms: int, most: int) -> Sequence[bytes]:
        """See AccountStore."""

        def job(db: sqlite3.Connection) -> list[bytes]:
            return _ended(
                db,
                "token_hash IN (SELECT token_hash FROM sessions JOIN logins USING (patron_id)"
                " WHERE created_utc_ms <= ? OR max(seen_utc_ms, created_utc_ms) <= ? LIMIT ?)",
                begun_before_utc_ms,
                seen_before_utc_ms,
                most,
            )

        return await self._writer.run(job)


def session_of(db: sqlite3.Connection, token_hash: bytes) -> StoredSession | None:
    """The session of that token with its patron."""
    row = db.execute(
        "SELECT patron_id, nickname, refilled_utc_ms, logins.patron_id IS NOT NULL, sessions.created_utc_ms,"
        " max(sessions.seen_utc_ms, sessions.created_utc_ms)"
        " FROM sessions JOIN patrons USING (patron_id) LEFT JOIN logins USING (patron_id) WHERE token_hash = ?",
        (token_hash,),
    ).fetchone()
    if row is None:
        return None
    patron_id, nickname, refilled, registered, begun, seen = row
    return StoredSession(token_hash, StoredPatron(patron_id, nickname, refilled, bool(registered)), begun, seen)


def set_password(
    db: sqlite3.Connection, patron_id: int, password: str, at_utc_ms: int, one_time_until_utc_ms: int | None
) -> list[bytes]:
    """Keep another hash; every session ends and every known browser is forgotten. Answers the sessions."""
    db.execute(
        "UPDATE logins SET password = ?, password_utc_ms = ?, one_time_until_utc_ms = ? WHERE patron_id = ?",
        (password, at_utc_ms, one_time_until_utc_ms, patron_id),
    )
    db.execute("DELETE FROM devices WHERE patron_id = ?", (patron_id,))
    return _ended(db, "patron_id = ?", patron_id)


def _login(db: sqlite3.Connection, where: str, value: str | int) -> Login | None:
    row = db.execute(f"{_LOGIN} {where}", (value,)).fetchone()
    return Login(*row) if row else None


def _is_still(db: sqlite3.Connection, login: Login) -> bool:
    row = db.execute("SELECT password FROM logins WHERE patron_id = ?", (login.patron_id,)).fetchone()
    return row is not None and row[0] == login.password


def _enter(db: sqlite3.Connection, patron_id: int, entry: Entry) -> None:
    db.execute(
        "INSERT INTO sessions (token_hash, patron_id, created_utc_ms, seen_utc_ms, device) VALUES (?, ?, ?, ?, ?)",
        (entry.key, patron_id, entry.at_utc_ms, entry.at_utc_ms, entry.device_words),
    )
    db.execute("INSERT OR REPLACE INTO devices VALUES (?, ?, ?)", (entry.device_key, patron_id, entry.at_utc_ms))
    db.execute(
        "DELETE FROM devices WHERE token_hash IN (SELECT token_hash FROM devices WHERE patron_id = ?"
        " ORDER BY seen_utc_ms DESC LIMIT -1 OFFSET ?)",
        (patron_id, DEVICES_MOST),
    )


def _ended(db: sqlite3.Connection, where: str, *values: object) -> list[bytes]:
    rows = db.execute(f"DELETE FROM sessions WHERE {where} RETURNING token_hash", values).fetchall()
    return [key for (key,) in rows]
