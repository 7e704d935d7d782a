"""Backups of a database in use; and what happens when an older one is put back."""

import itertools
import os
import shutil
import sqlite3
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from bigroad import cli
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.recovery import recovered
from bigroad.app.table_runner import TableRunner
from bigroad.storage.audit import audit_file
from bigroad.storage.backup import back_up
from bigroad.storage.errors import BackupRefused, KeyUnusable
from bigroad.storage.heads import read_head
from bigroad.storage.log_check import verify_log
from bigroad.storage.opening import HEAD, SEED_KEY, keys_of, open_book
from bigroad.table.phases import Phase
from tests.app.floor import LOOKS, START_MINOR, Ear, Floor
from tests.tables import seed_of, usual_terms


async def in_use(folder: Path, phase: Phase = Phase.OPEN) -> tuple[Floor, int]:
    """A database whose third coup, with a bet of 5,000, is in that phase."""
    floor = Floor(open_book(folder / "bigroad.sqlite3").store)
    numbers = itertools.count()
    floor.entropy = lambda: sha256(b"%d" % next(numbers)).digest()  # type: ignore[method-assign]
    await floor.start()
    ann = await floor.guest()
    for _ in range(2):
        await floor.until(Phase.OPEN)
        await floor.bet(ann)
        await floor.until(Phase.CLOSED)
    await floor.until(Phase.OPEN)
    await floor.bet(ann)
    await floor.until(phase)
    return floor, ann


async def test_a_backup_of_a_database_in_use_is_one_sound_file(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    target = tmp_path / "copy.sqlite3"
    counted = back_up(tmp_path / "bigroad.sqlite3", target, b"")
    assert (counted.coups, counted.bets) == (3, 3)
    assert [name for name in os.listdir(tmp_path) if name.startswith("copy")] == [target.name]
    before = target.read_bytes()
    with pytest.raises(BackupRefused, match="there already"):
        back_up(tmp_path / "bigroad.sqlite3", target, b"")
    assert target.read_bytes() == before
    await floor.until(Phase.CLOSED)
    await floor.verify(3)
    await floor.store.close()


async def test_the_seed_of_an_open_coup_is_in_no_file(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    seed = floor.runner.state.opening.seed  # type: ignore[union-attr]
    back_up(tmp_path / "bigroad.sqlite3", tmp_path / "copy", b"")
    files = [tmp_path / name for name in os.listdir(tmp_path)]
    assert len(files) >= 5
    assert not [file.name for file in files if seed in file.read_bytes()]
    await floor.start()
    assert floor.runner.state.opening.seed == seed  # type: ignore[union-attr]
    await floor.until(Phase.DEALT)
    (*_, coup) = await floor.store.coups(floor.table_no)
    assert coup.seed == seed
    await floor.store.close()
    assert seed in (tmp_path / "bigroad.sqlite3").read_bytes()


async def test_without_its_seal_an_open_coup_stops_the_start(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    await floor.store.close()
    (tmp_path / SEED_KEY).unlink()
    with pytest.raises(KeyUnusable, match="cannot be dealt without it"):
        open_book(tmp_path / "bigroad.sqlite3")


async def test_an_unsound_copy_gets_no_name(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    await floor.store.close()
    db = sqlite3.connect(tmp_path / "bigroad.sqlite3", isolation_level=None)
    db.execute("UPDATE accounts SET balance_minor = balance_minor + 1 WHERE kind = 1")
    db.close()
    with pytest.raises(BackupRefused, match="patron:1"):
        back_up(tmp_path / "bigroad.sqlite3", tmp_path / "copy", b"")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.LOCKED, Phase.DEALT, Phase.SETTLED])
async def test_an_older_database_is_noticed_and_deals_only_when_the_operator_says_so(
    tmp_path: Path, phase: Phase, capsys: pytest.CaptureFixture[str]
) -> None:
    """Back up in mid-round, play 20 rounds, put the copy back."""
    path = tmp_path / "bigroad.sqlite3"
    floor, ann = await in_use(tmp_path, phase)
    back_up(path, tmp_path / "copy", b"")
    for _ in range(20):
        await floor.until(Phase.CLOSED)
        await floor.until(Phase.OPEN)
        await floor.bet(ann)
    await floor.store.close()
    published = read_head(tmp_path / HEAD)
    used = floor.runner.state.coup_no
    for name in ("bigroad.sqlite3-wal", "bigroad.sqlite3-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy", path)

    book = open_book(path)
    assert book.trouble is not None
    lobby = Lobby(book.store, Ear(), floor.clock, lambda: seed_of(99), START_MINOR, 2_000, book.trouble[0])
    runner = await lobby.open_table(TablePlan(LOOKS, usual_terms(), 10**9))
    assert isinstance(runner, TableRunner)
    await runner.pump()
    assert (await runner.row()).phase == "closed"
    frames: list[bytes] = []
    floor.runner = runner
    frames = await floor.greeted(ann)  # type: ignore[assignment]
    assert frames[1]["closed"]["reason"] == "restored"  # type: ignore[call-overload]
    assert (await floor.does(ann, _stage(runner.state.coup_no)) or {})["code"] == "TABLE_CLOSED"
    await book.store.close()
    assert read_head(tmp_path / HEAD) == published

    assert cli.main(["accept-restore", "--data", str(tmp_path)]) == 0
    assert "Accepted" in capsys.readouterr().out
    assert cli.main(["accept-restore", "--data", str(tmp_path)]) == 0
    assert "Nothing to accept" in capsys.readouterr().out

    book = open_book(path)
    assert book.trouble is None
    again = Floor(book.store)
    again.clock.move_to(floor.clock.now_ns())
    await again.start()
    await again.until(Phase.OPEN)
    assert again.runner.state.coup_no > used
    await again.bet(ann)
    await again.until(Phase.CLOSED)
    third = (await again.store.coups(again.table_no))[2]
    assert third.phase is (Phase.CLOSED if phase is Phase.SETTLED else Phase.VOIDED)
    if phase is not Phase.SETTLED:
        bets = await again.store.history(ann, 9)
        assert [row.returned for row in bets if row.coup.coup_no == 3] == [{"player": 5_000}]
    kinds = [msgspec.json.decode(entry.body)["kind"] for entry in await again.store.log()]
    assert kinds.count("restored") == 1
    await again.store.close()
    counted = audit_file(path, book.key.public_key)
    assert counted.coups == 4
    head = read_head(tmp_path / HEAD)
    assert head is not None
    assert verify_log(path, book.key.public_key, [head]).entry_no == head.entry_no


def _stage(coup_no: int):  # type: ignore[no-untyped-def]
    from bigroad.wire.client_messages import Stage

    return Stage("late", coup_no, "player", 5_000)


async def test_a_table_that_the_older_database_did_not_know_repeats_no_number_either(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    path = tmp_path / "bigroad.sqlite3"
    back_up(path, tmp_path / "copy", b"")
    claim = await floor.store.claim("onyx", 10**6, 5)
    await floor.until(Phase.CLOSED)
    await floor.store.close()
    for name in ("bigroad.sqlite3-wal", "bigroad.sqlite3-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy", path)
    assert keys_of(path)[0].public_key
    assert cli.main(["accept-restore", "--data", str(tmp_path)]) == 0
    store = open_book(path).store
    later = await store.claim("onyx", 10**9, 5)
    assert later.epoch > claim.epoch
    stored = await store.load(later.table_no)
    assert stored.skipped_to > 0
    state = recovered(later.table_no, stored, usual_terms(), floor.clock)
    looks = msgspec.structs.replace(LOOKS, table="onyx")
    onyx = TableRunner(state, later.epoch, looks, [], store, Ear(), floor.clock, lambda: seed_of(7), 2_000)
    await onyx.pump()
    assert (onyx.state.phase, onyx.state.coup_no, onyx.state.shoe_no) == (Phase.OPEN, stored.skipped_to + 1, 1)
    await store.close()
    assert audit_file(path).tables == 2
