"""How a commit's changes become rows: each part few statements for all its rows."""

import sqlite3

from bigroad.app import crash_points
from bigroad.app.store import Advanced, Changes, Claim, Opened, StaleOwner
from bigroad.ledger import accounts, transfers
from bigroad.ledger.accounts import coup_key
from bigroad.ledger.transfers import Transfer, TransferKind
from bigroad.storage import batches
from bigroad.storage.eras import era_of_new
from bigroad.storage.keys import SeedSeal
from bigroad.storage.rows import stakes_text, steps_text
from bigroad.storage.sqlite_protection import keep_spending
from bigroad.storage.sqlite_settlement import keep_results, keep_settlement
from bigroad.storage.sqlite_transfers import insert_transfers
from bigroad.table.phases import Phase

NO_MOMENT = 0
"""Stands for a moment that is not known yet."""
ANSWERED_COUPS = 2
"""Answers of this coup and the one before are kept."""


def apply_changes(db: sqlite3.Connection, changes: Changes, seal: SeedSeal | None) -> None:
    """Write the changes inside the transaction that is open. seal: for the seeds of coups that are not dealt yet."""
    if changes.opened is not None:
        _open_coup(db, changes, changes.opened, seal)
    if changes.drop_drafts:
        db.execute("DELETE FROM drafts WHERE table_no = ?", (changes.table_no,))
    _keep_drafts(db, changes)
    _keep_bets(db, changes)
    keep_spending(db, changes.spending)
    advanced = changes.advanced
    if advanced is not None and advanced.phase is Phase.SETTLED:
        keep_settlement(db, changes, coup_key(changes.table_no, advanced.coup_no))
    else:
        insert_transfers(db, changes.transfers, changes.epoch, changes.at_utc_ms)
    if crash_points.armed():
        crash_points.reached(f"{changes.arrow}.inside")
    if advanced is not None:
        _advance_coup(db, changes, advanced)
        if advanced.phase in (Phase.DEALT, Phase.VOIDED):
            reveal_seed(db, changes.table_no, advanced.coup_no, seal)
        if advanced.phase is Phase.VOIDED:
            keep_results(db, changes.results, coup_key(changes.table_no, advanced.coup_no))
    no = changes.table_no
    batches.insert(
        db,
        "INSERT INTO answers (table_no, patron_id, request_id, coup_no, act, answer)",
        [(no, *row) for row in changes.answers],
    )
    if changes.events:
        batches.insert(db, "INSERT INTO events", [(no, *event) for event in changes.events])
        oldest = changes.events[-1][0] - changes.tail
        db.execute("DELETE FROM events WHERE table_no = ? AND seq <= ?", (changes.table_no, oldest))


def claim_table(db: sqlite3.Connection, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
    """The next epoch of a table; a table not seen before gets a number and its bankroll."""
    known = db.execute("SELECT table_no, epoch FROM tables WHERE table_id = ?", (table,)).fetchone()
    if known is not None:
        db.execute("UPDATE tables SET epoch = epoch + 1 WHERE table_id = ?", (table,))
        return Claim(known[0], known[1] + 1)
    (table_no, epoch) = _new_table(db, table)
    key = transfers.dated_key(table_no, 0)
    bank = accounts.bank(table_no)
    grant = Transfer(0, key, TransferKind.BANKROLL, accounts.WORLD, bank, bankroll_minor)
    insert_transfers(db, [grant], epoch, at_utc_ms)
    return Claim(table_no, epoch)


def claim_seat(db: sqlite3.Connection, bank_no: int, patron_id: int) -> tuple[Claim, str]:
    """The next epoch of a patron's own seat, which is made where there is none; and what it is called."""
    known = db.execute(
        "SELECT table_no, epoch, table_id FROM tables WHERE bank_no = ? AND patron_id = ?", (bank_no, patron_id)
    ).fetchone()
    if known is not None:
        db.execute("UPDATE tables SET epoch = epoch + 1 WHERE table_no = ?", (known[0],))
        return Claim(known[0], known[1] + 1), known[2]
    (house,) = db.execute("SELECT table_id FROM tables WHERE table_no = ?", (bank_no,)).fetchone()
    name = f"{house}/{patron_id}"
    made = _new_table(db, name)
    db.execute("UPDATE tables SET bank_no = ?, patron_id = ? WHERE table_no = ?", (bank_no, patron_id, made.table_no))
    return made, name


def _new_table(db: sqlite3.Connection, name: str) -> Claim:
    """A number and an epoch; both behind whatever a restore has undone."""
    (table_no, skipped_to) = db.execute(
        "SELECT coalesce(max(table_no), 0) + 1, coalesce(max(skipped_to), 0) FROM tables"
    ).fetchone()
    db.execute(
        "INSERT INTO tables (table_no, table_id, epoch, skipped_to) VALUES (?, ?, ?, ?)",
        (table_no, name, skipped_to + 1, skipped_to),
    )
    return Claim(table_no, skipped_to + 1)


def _open_coup(db: sqlite3.Connection, changes: Changes, opened: Opened, seal: SeedSeal | None) -> None:
    opening = opened.opening
    (last,) = db.execute(
        "SELECT max(skipped_to, coalesce((SELECT max(coup_no) FROM coups WHERE table_no = ?1), 0)) FROM tables"
        " WHERE table_no = ?1",
        (changes.table_no,),
    ).fetchone()
    if opening.coup_no != last + 1:
        raise StaleOwner(f"coup {opening.coup_no} cannot follow {last}")
    db.execute(
        "INSERT INTO coups (table_no, coup_no, phase, epoch, shoe_no, seed, opened_utc_ms, closes_utc_ms,"
        " deals_utc_ms, last_of_shoe, cards_left, terms, shoe, profile)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            changes.table_no,
            opening.coup_no,
            Phase.OPEN.value,
            changes.epoch,
            opening.shoe_no,
            seal.sealed(changes.table_no, opening.coup_no, opening.seed) if seal else opening.seed,
            opening.opened_utc_ms,
            opening.closes_utc_ms or NO_MOMENT,
            opening.deals_utc_ms or NO_MOMENT,
            opening.last_of_shoe,
            opening.cards_left,
            opened.terms,
            opened.shoe,
            opened.profile,
        ),
    )
    oldest = opening.coup_no - ANSWERED_COUPS
    db.execute("DELETE FROM answers WHERE table_no = ? AND coup_no <= ?", (changes.table_no, oldest))


def reveal_seed(db: sqlite3.Connection, table_no: int, coup_no: int, seal: SeedSeal | None) -> None:
    """The coup is dealt or void: everybody is told its seed now."""
    if seal is None:
        return
    where = (table_no, coup_no)
    (kept,) = db.execute("SELECT seed FROM coups WHERE table_no = ? AND coup_no = ?", where).fetchone()
    db.execute("UPDATE coups SET seed = ? WHERE table_no = ? AND coup_no = ?", (seal.opened(*where, kept), *where))


def _keep_drafts(db: sqlite3.Connection, changes: Changes) -> None:
    kept = [(changes.table_no, patron, steps_text(steps)) for patron, steps in changes.drafts.items() if steps]
    gone = [(changes.table_no, patron) for patron, steps in changes.drafts.items() if not steps]
    batches.insert(db, "INSERT OR REPLACE INTO drafts", kept)
    if changes.drop_drafts:
        return
    batches.put(db, "DELETE FROM drafts WHERE (table_no, patron_id) IN (VALUES {rows})", gone)


def _keep_bets(db: sqlite3.Connection, changes: Changes) -> None:
    if not changes.bets or changes.open_coup_no is None:
        return
    key = coup_key(changes.table_no, changes.open_coup_no)
    era_no = era_of_new(db, len(changes.bets), max(bet.at_utc_ms for bet in changes.bets))
    batches.insert(
        db,
        "INSERT INTO bets (coup_key, bet_seq, patron_id, stakes, staked_minor, automatic, at_utc_ms,"
        " balance_before_minor, era_no)",
        [
            (key, seq, patron_id, stakes_text(stakes), staked, automatic, at_utc_ms, before, era_no)
            for seq, patron_id, stakes, staked, automatic, at_utc_ms, before in changes.bets
        ],
    )


def _advance_coup(db: sqlite3.Connection, changes: Changes, advanced: Advanced) -> None:
    where = (changes.table_no, advanced.coup_no, advanced.expected.value)
    moved = db.execute(
        "UPDATE coups SET phase = ?, epoch = ? WHERE table_no = ? AND coup_no = ? AND phase = ?",
        (advanced.phase.value, changes.epoch, *where),
    )
    if moved.rowcount != 1:
        raise StaleOwner(f"coup {advanced.coup_no} is not {advanced.expected}")
    db.execute(
        "UPDATE tables SET exposure_minor = ?2 WHERE table_no = ?1 AND exposure_minor != ?2",
        (changes.table_no, advanced.exposure_minor),
    )
    if advanced.locked is not None:
        locked = advanced.locked
        db.execute(
            "UPDATE coups SET closes_utc_ms = ?, deals_utc_ms = ?, fast = ? WHERE table_no = ? AND coup_no = ?",
            (locked.closes_utc_ms, locked.deals_utc_ms, locked.fast, changes.table_no, advanced.coup_no),
        )
    if advanced.dealing is not None:
        dealing = advanced.dealing
        db.execute(
            "UPDATE coups SET shown_until_utc_ms = ?, deals_utc_ms = ?, shoe = ?, player_cards = ?,"
            " banker_cards = ?, burned = ?, outcome = ? WHERE table_no = ? AND coup_no = ?",
            (
                dealing.shown_until_utc_ms,
                dealing.deals_utc_ms,
                advanced.shoe,
                " ".join(map(str, dealing.coup.player_cards)),
                " ".join(map(str, dealing.coup.banker_cards)),
                " ".join(map(str, dealing.burned)),
                dealing.coup.outcome.value,
                changes.table_no,
                advanced.coup_no,
            ),
        )
