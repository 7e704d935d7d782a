"""The audit of a whole database: each row below is one thing done to a sound file, and what is said of it."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from bigroad.protection.guard import Rule, limit_wanted
from bigroad.storage.audit import audit_file
from bigroad.storage.errors import AuditFailed
from bigroad.storage.opening import open_book
from bigroad.table.phases import Phase
from tests.app.floor import Floor
from tests.storage.test_round_log import tamper
from tests.tables import BETTING_MS

KEY = 2**32


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four coups: 1 and 2 played to their ends, 3 void, 4 open with a bet and with chips that are staged."""
    import asyncio

    path = tmp_path_factory.mktemp("sound") / "bigroad.sqlite3"

    async def play() -> None:
        floor = await Floor(open_book(path).store).start()
        ann, bob = await floor.guest(), await floor.guest()
        for _ in range(2):
            await floor.until(Phase.OPEN)
            await floor.bet(ann, "banker", 5_000)
            await floor.stage(bob, "tie", 2_000)
            await floor.until(Phase.CLOSED)
        now = floor.clock.utc_ms()
        for rule, amount in ((Rule.LOSS_DAY, 90_000), (Rule.LOSS_DAY, 80_000), (Rule.STAKE_MONTH, 90_000)):
            await floor.store.protect(ann, now, lambda guard, a=amount, r=rule: limit_wanted(guard, r, a, now))  # type: ignore[misc]
        await floor.until(Phase.OPEN)
        await floor.bet(ann, "player", 4_000)
        floor.sleep(BETTING_MS + 2_100)
        await floor.until(Phase.VOIDED)
        await floor.until(Phase.OPEN)
        await floor.bet(ann, "player", 3_000)
        await floor.stage(bob, "tie", 2_000)
        await floor.store.close()

    asyncio.run(play())
    return path


def test_a_sound_database_is_counted(sound: Path) -> None:
    counted = audit_file(sound)
    assert (counted.tables, counted.coups, counted.bets, counted.patrons) == (1, 4, 6, 2)
    assert counted.entries == 14
    assert counted.transfers > 15
    assert counted.accounts == 9


C1, C2, C3, C4 = (KEY + number for number in range(1, 5))
MUTATIONS: list[tuple[str, str, str]] = [
    # what is done to the file; the invariant that is named; where
    (f"UPDATE transfers SET amount_minor = amount_minor + 1 WHERE kind = 10 AND bet_seq = 1 AND coup_key = {C1}",
     "I3", "coup 1, transfer STAKE 1"),
    (f"DELETE FROM transfers WHERE kind = 11 AND bet_seq = 2 AND coup_key = {C1}", "I3", "coup 1, transfer POST 2"),
    (f"UPDATE transfers SET debit_owner = 2 WHERE kind = 11 AND bet_seq = 1 AND coup_key = {C2}",
     "I3", "coup 2, transfer POST 1"),
    (f"INSERT INTO transfers SELECT coup_key, bet_seq, 12, debit_kind, debit_owner, credit_kind, credit_owner,"
     f" amount_minor, epoch, at_utc_ms FROM transfers WHERE coup_key = {C1} AND kind = 10 AND bet_seq = 1",
     "I3", "coup 1, transfer VOID 1"),
    (f"INSERT INTO transfers VALUES ({C4}, 1, 13, 2, {C4}, 1, 1, 9000, 1, 5)", "I3", "coup 4, transfer RETURN 1"),
    (f"UPDATE transfers SET amount_minor = 1 WHERE kind IN (14, 15) AND coup_key = {C1}",
     "I5", "coup 1, transfer HOUSE"),
    (f"DELETE FROM transfers WHERE kind = 12 AND coup_key = {C3}", "I3", "coup 3, transfer VOID 1"),
    ("INSERT INTO transfers VALUES (0, 1048577, 2, 0, 0, 1, 2, 500, 0, 5)", "I1", "transfer REFILL 1048577"),
    ("INSERT INTO transfers VALUES (0, 1048577, 2, 0, 0, 1, 1, 500, 0, 5)", "I1", "account world:0"),
    (f"INSERT INTO transfers VALUES ({KEY + 9}, 1, 10, 1, 1, 2, {KEY + 9}, 5, 1, 5)", "I6", "coup 9, transfer 1"),
    (f"UPDATE transfers SET epoch = 7 WHERE coup_key = {C2} AND kind = 10 AND bet_seq = 1", "I8", "coup 2"),
    ("UPDATE accounts SET balance_minor = balance_minor + 100 WHERE kind = 1 AND owner = 1", "I1", "account patron:1"),
    ("UPDATE accounts SET balance_minor = balance_minor + 100 WHERE kind = 3", "I1", "account bank:1"),
    (f"UPDATE accounts SET expected_minor = 0 WHERE kind = 2 AND owner = {C4}", "I1", f"account escrow:{C4}"),
    ("UPDATE accounts SET reserved_minor = 0 WHERE kind = 1 AND owner = 1", "I1", "account patron:1"),
    ("DELETE FROM accounts WHERE kind = 1 AND owner = 2", "I1", "account patron:2"),
    (f"UPDATE bets SET staked_minor = 6000 WHERE coup_key = {C2} AND bet_seq = 1", "I10", "coup 2, bet 1"),
    (f"UPDATE bets SET stakes = '{{\"player\":5000}}' WHERE coup_key = {C1} AND bet_seq = 1", "I5", "coup 1, bet 1"),
    (f"UPDATE bets SET stakes = '{{\"player\":1}}', staked_minor = 1 WHERE coup_key = {C2} AND bet_seq = 1",
     "I7", "coup 2, bet 1"),
    (f"UPDATE bets SET stakes = 'nonsense' WHERE coup_key = {C2} AND bet_seq = 1", "rows", "coup 2"),
    (f"DELETE FROM bets WHERE coup_key = {C1} AND bet_seq = 1", "I7", "coup 1, bet 2"),
    (f"DELETE FROM bets WHERE coup_key = {C4}", "I3", "coup 4, transfer STAKE 1"),
    (f"UPDATE bets SET returned_minor = returned_minor + 1 WHERE coup_key = {C2} AND bet_seq = 1",
     "I5", "coup 2, bet 1"),
    (f"UPDATE bets SET returned = NULL, returned_minor = NULL WHERE coup_key = {C3}", "I5", "coup 3, bet 1"),
    (f"UPDATE bets SET at_utc_ms = at_utc_ms + 90000 WHERE coup_key = {C4}", "I7", "coup 4, bet 1"),
    (f"UPDATE bets SET automatic = 0 WHERE coup_key = {C2} AND bet_seq = 2", "I6", "coup 2, bets hash"),
    (f"INSERT INTO bets VALUES ({KEY + 9}, 1, 1, '{{\"player\":2000}}', 2000, 0, 5, NULL, NULL, NULL, NULL, 0)",
     "I6", "coup 9, bet 1"),
    ("UPDATE eras SET bets = bets + 1", "rows", "era 0"),
    ("UPDATE eras SET latest_utc_ms = latest_utc_ms - 1", "rows", "era 0"),
    ("DELETE FROM eras", "rows", "era 0"),
    (f"UPDATE bets SET era_no = 1 WHERE coup_key = {C4}", "rows", "era 0"),
    ("UPDATE patrons SET era_no = 1 WHERE patron_id = 1", "rows", "patron 1"),
    ("DELETE FROM coups WHERE coup_no = 2", "I6", "coup 3"),
    ("UPDATE coups SET phase = 'open' WHERE coup_no = 1", "I6", "coup 1"),
    ("UPDATE coups SET phase = 'voided' WHERE coup_no = 1", "I5", "coup 1, bet 1"),
    ("UPDATE coups SET phase = 'locked' WHERE coup_no = 4", "I6", "coup 4, the log"),
    ("UPDATE coups SET epoch = 0 WHERE coup_no = 2", "I8", "coup 2"),
    ("UPDATE tables SET epoch = 0", "I8", "coup 1"),
    ("UPDATE coups SET shoe_no = 5 WHERE coup_no = 3", "I6", "coup 3"),
    ("UPDATE coups SET seed = zeroblob(32) WHERE coup_no = 2", "I9", "coup 2, its cards"),
    ("UPDATE coups SET seed = zeroblob(32) WHERE coup_no = 4", "I6", "coup 4, commitment"),
    ("UPDATE coups SET seed = zeroblob(31) WHERE coup_no = 1", "rows", "coup 1, its seed"),
    ("UPDATE coups SET player_cards = 'AS 2S' WHERE coup_no = 1", "I9", "coup 1, its cards"),
    ("UPDATE coups SET outcome = CASE outcome WHEN 'tie' THEN 'player' ELSE 'tie' END WHERE coup_no = 2",
     "I9", "coup 2, its outcome"),
    ("UPDATE tables SET exposure_minor = 5", "I2", "table emerald"),
    ("UPDATE guards SET guard = replace(guard, '80000', '80001')", "P1", "patron 1"),
    ("UPDATE guards SET guard = '{'", "rows", "patron 1"),
    ("INSERT INTO guards VALUES (2, '{\"limits\":{\"loss_day\":{\"amount_minor\":5}}}', 0)", "P1", "patron 2"),
    ("INSERT INTO protection_changes VALUES (9, 2, 'set', 'loss_day', NULL, 5, 1, 1)", "P1", "patron 2"),
    ("INSERT INTO protection_changes VALUES (9, 1, 'set', 'loss_week', NULL, 5, 1, 1)", "P1", "patron 1"),
    ("INSERT INTO protection_changes VALUES (9, 1, 'set', 'loss_year', NULL, 5, 1, 1)", "rows", "patron 1"),
    ("UPDATE guarded_days SET staked_minor = staked_minor - 4000", "P2", "patron 1, day 19675"),
    ("UPDATE guarded_days SET returned_minor = returned_minor + 1", "P2", "patron 1, day 19675"),
    ("DELETE FROM guarded_days", "P2", "patron 1, day 19675"),
    ("INSERT INTO guarded_days VALUES (1, 19676, 1, 0)", "P2", "patron 1, day 19676"),
    ("UPDATE coups SET burned = '' WHERE coup_no = 1", "I9", "coup 1, its cards"),
    ("UPDATE coups SET player_cards = 'AS 2S' WHERE coup_no = 4", "I9", "coup 4, its cards"),
    ("UPDATE coups SET cards_left = cards_left - 1 WHERE coup_no = 2", "I9", "coup 2"),
    ("UPDATE coups SET shoe = (SELECT shoe FROM coups WHERE coup_no = 1) WHERE coup_no = 2", "I9", "coup 2, its shoe"),
    ("UPDATE coups SET shoe = '{}' WHERE coup_no = 1", "rows", "coup 1, its shoe"),
    ("UPDATE coups SET opened_utc_ms = opened_utc_ms + 1 WHERE coup_no = 2", "I6", "coup 2, opened utc ms"),
    ("UPDATE coups SET closes_utc_ms = opened_utc_ms - 1 WHERE coup_no = 4", "rows", "coup 4, its moments"),
    ("UPDATE coups SET terms = replace(terms, '2500000', '2600000') WHERE coup_no = 3", "I6", "coup 3, rules hash"),
    ("UPDATE coups SET terms = '' WHERE coup_no = 3", "rows", "coup 3, terms"),
    ("UPDATE tables SET table_id = 'onyx'", "I6", "table onyx, event 1"),
    ("DELETE FROM events WHERE seq = 4", "I6", "table emerald, event 5"),
    ("UPDATE events SET body = replace(body, '\"seq\":3', '\"seq\":9') WHERE seq = 3", "I6", "table emerald, event 3"),
    ("UPDATE events SET body = CAST(replace(body, '\"banker\":5000', '\"banker\":7000') AS BLOB)"
     " WHERE CAST(body AS TEXT) LIKE '%bets_locked%'", "I10", "coup 1"),
    ("UPDATE events SET body = CAST(replace(body, '\"player_cards\":[\"', '\"player_cards\":[\"2C\",\"') AS BLOB)"
     " WHERE CAST(body AS TEXT) LIKE '%coup_dealt%'", "I9", "coup 1"),
    ("INSERT INTO drafts VALUES (1, 99, '[{\"tie\":2000}]')", "I7", "draft of patron 99"),
    ("UPDATE drafts SET steps = '[{\"tie\":-2000}]'", "I7", "draft of patron 2"),
    ("INSERT INTO answers VALUES (1, 77, 1, 'x', '[]', '{}')", "rows", "answer to patron 1"),
    ("PRAGMA foreign_keys = OFF; DELETE FROM patrons WHERE patron_id = 2", "rows", ""),
    ("UPDATE round_log SET body = replace(body, '\"coup\":2', '\"coup\":1') WHERE entry_no = 8", "log", "entry 8"),
    ("DELETE FROM round_log WHERE entry_no = 6", "I6", "coup 1, the log"),
    ("DELETE FROM round_log WHERE entry_no = 14", "I6", "coup 4, the log"),
    ("UPDATE patrons SET refilled_utc_ms = 5 WHERE patron_id = 2", "rows", "patron 2"),
    ("UPDATE tables SET bank_no = 1", "rows", "table emerald"),
    ("UPDATE tables SET patron_id = 1", "rows", "table emerald"),
    ("UPDATE tables SET bank_no = 1, patron_id = 2, table_id = 'emerald/1'", "rows", "table emerald/1"),
    ("UPDATE tables SET skipped_to = 7", "I6", "table emerald"),
    ("UPDATE round_log SET signature = zeroblob(64) WHERE entry_no = 2", "log", "entry 2"),
    ("DROP INDEX bets_by_coup", "schema", "index bets_by_coup"),
    ("CREATE TABLE mine (x)", "schema", "table mine"),
    ("PRAGMA user_version = 1", "schema", ""),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "invariant", "where"), MUTATIONS)
def test_what_is_wrong_is_found_and_named(sound: Path, tmp_path: Path, edit: str, invariant: str, where: str) -> None:
    path = tmp_path / "edited.sqlite3"
    shutil.copy(sound, path)
    before = path.read_bytes()
    tamper(path, [edit])
    assert path.read_bytes() != before
    with pytest.raises(AuditFailed) as found:
        audit_file(path)
    assert found.value.invariant == invariant, found.value
    assert where in found.value.where, found.value


def test_dropped_triggers_are_missed(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.sqlite3"
    shutil.copy(sound, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER transfers_stay")
    db.close()
    with pytest.raises(AuditFailed, match="trigger transfers_stay: it is missing"):
        audit_file(path)


def test_a_damaged_page_is_said_to_be_one(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.sqlite3"
    raw = bytearray(sound.read_bytes())
    raw[8192:9192] = b"\xff" * 1000
    path.write_bytes(raw)
    with pytest.raises(AuditFailed):
        audit_file(path)
