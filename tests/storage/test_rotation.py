"""The keys are changed: the whole log still verifies, open coups are still dealt, and nobody else can change them."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bigroad import cli
from bigroad.app import log_records
from bigroad.app.store import StoreError
from bigroad.ledger import chain
from bigroad.ledger.errors import ChainBroken
from bigroad.storage import rotation, round_log
from bigroad.storage.audit import audit_file
from bigroad.storage.errors import KeyUnusable
from bigroad.storage.heads import read_head
from bigroad.storage.keys import LogKey, load_secret
from bigroad.storage.log_check import verify_log
from bigroad.storage.opening import HEAD, KEY, SEED_KEY, keys_of, open_book
from bigroad.storage.rotation import Rotated, rotate_keys
from bigroad.table.phases import Phase
from tests.app.floor import Floor
from tests.storage.test_backup import in_use
from tests.storage.test_round_log import tamper


def rotated(folder: Path) -> Rotated:
    return rotate_keys(folder / "bigroad.sqlite3", folder / HEAD, read_head(folder / HEAD), 5)


async def closed_in_use(folder: Path) -> tuple[Path, bytes, bytes]:
    """A database with an open coup, whose server has stopped; its public key, and the open coup's seed."""
    floor, _ = await in_use(folder)
    assert floor.runner.state.opening is not None
    seed = floor.runner.state.opening.seed
    await floor.store.close()
    return folder / "bigroad.sqlite3", keys_of(folder / "bigroad.sqlite3")[0].public_key, seed


async def dealt_on(folder: Path, seed: bytes) -> None:
    """The server is started again: the open coup is dealt from its seed, and everything is sound."""
    path = folder / "bigroad.sqlite3"
    book = open_book(path)
    assert book.trouble is None
    floor = await Floor(book.store).start()
    assert floor.runner.state.opening is not None
    assert floor.runner.state.opening.seed == seed
    coup = floor.runner.state.coup_no
    await floor.until(Phase.DEALT)
    await floor.until(Phase.CLOSED)
    assert [kept.seed for kept in await floor.store.coups(floor.table_no) if kept.coup_no == coup] == [seed]
    await floor.store.close()
    head = read_head(folder / HEAD)
    assert head is not None
    audit_file(path, head.public_key, (head,))


async def test_the_old_key_hands_the_log_to_the_new_one(tmp_path: Path) -> None:
    path, first, seed = await closed_in_use(tmp_path)
    before = read_head(tmp_path / HEAD)
    done = rotated(tmp_path)
    assert read_head(tmp_path / HEAD) == done.head
    assert done.head.public_key == keys_of(path)[0].public_key != first
    assert done.seeds == 1
    second = rotated(tmp_path).head.public_key
    await dealt_on(tmp_path, seed)
    assert before is not None
    for key in (first, done.head.public_key, second):
        assert verify_log(path, key, [before, done.head]).public_key == second
    assert [LogKey(load_secret(tmp_path / f"{KEY}.{number}") or b"").public_key for number in (1, 2)] == [
        first,
        done.head.public_key,
    ]
    assert (tmp_path / f"{KEY}.1").stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as db:
        kinds = [kind for (kind,) in db.execute("SELECT kind FROM round_log WHERE table_no = 0 ORDER BY entry_no")]
    assert kinds == ["begun", "rekeyed", "begun", "rekeyed", "begun"]


STEPS = ["make_secret", "take_up", "write_head"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("after", [False, True])
async def test_cut_off_anywhere_it_has_happened_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, nth: int, after: bool
) -> None:
    path, first, seed = await closed_in_use(tmp_path)
    real: Callable[..., object] = getattr(rotation, step)
    calls = 0

    def cut_off(*words: object) -> object:
        nonlocal calls
        calls += 1
        if calls == nth and not after:
            raise KeyboardInterrupt
        answer = real(*words)
        if calls == nth:
            raise KeyboardInterrupt
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(rotation, step, cut_off)
        if (step, nth) == ("write_head", 2):
            rotated(tmp_path)
        else:
            with pytest.raises(KeyboardInterrupt):
                rotated(tmp_path)
    happened = step != "make_secret"
    assert (keys_of(path)[0].public_key != first) == happened
    await dealt_on(tmp_path, seed)
    again = rotated(tmp_path)
    assert verify_log(path, first, [again.head]) == again.head
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".next")]


async def test_a_transaction_that_fails_changes_nothing(tmp_path: Path) -> None:
    path, first, seed = await closed_in_use(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(
            "CREATE TRIGGER no BEFORE INSERT ON round_log WHEN NEW.kind = 'begun' BEGIN SELECT RAISE(FAIL, '');END"
        )
        with pytest.raises(sqlite3.Error):
            rotated(tmp_path)
        db.execute("DROP TRIGGER no")
    assert keys_of(path)[0].public_key == first
    await dealt_on(tmp_path, seed)


async def test_a_server_that_still_runs_writes_nothing_more(tmp_path: Path) -> None:
    floor, _ = await in_use(tmp_path)
    bob, done = await floor.guest(), rotated(tmp_path)
    await floor.stage(bob, "player", 5_000)
    assert floor.ear.of("table_closed")[-1]["reason"] == "taken_over"
    with pytest.raises(StoreError, match="another key"):
        await floor.store.claim("onyx", 10**6, 5)
    await floor.store.close()
    assert verify_log(tmp_path / "bigroad.sqlite3", done.head.public_key, [done.head]) == done.head


async def test_who_has_no_key_can_hand_over_none(tmp_path: Path) -> None:
    """A stranger ends the log with an entry that hands it to a key of the stranger's."""
    path, first, _ = await closed_in_use(tmp_path)
    mine = LogKey(b"m" * 32)
    head = read_head(tmp_path / HEAD)
    assert head is not None
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        last = round_log._written(db, head, [log_records.rekeyed(mine.public_key, b"m" * 8)], 1, 5, mine)
        round_log.begin(db, last, 1, 5, mine)
    for key in (first, mine.public_key, b""):
        with pytest.raises(ChainBroken) as found:
            verify_log(path, key, [])
        assert found.value.entry_no == head.entry_no + 1


async def test_a_log_made_anew_that_claims_to_end_with_our_key_is_found(tmp_path: Path) -> None:
    """Signed by a stranger from its first entry on; the last one says that it hands over to the true key."""
    path, first, _ = await closed_in_use(tmp_path)
    mine = LogKey(b"m" * 32)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT table_no, coup_no, kind, body FROM round_log ORDER BY entry_no").fetchall()
    tamper(path, ["DELETE FROM round_log"])
    bodies = [log_records.begun(mine.public_key).body(1, 5), *(row[3].encode() for row in rows[1:])]
    bodies += [log_records.rekeyed(first, b"m" * 8).body(1, 5), log_records.begun(first).body(1, 5)]
    last: chain.Entry | chain.Head = chain.EMPTY
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for body in bodies:
            last = chain.appended(last, body, mine)
            told = msgspec.json.decode(body)
            place = (last.entry_no, told["table_no"], told["coup"], told["kind"])
            db.execute("INSERT INTO round_log VALUES (?, ?, ?, ?, ?, ?, ?)", (*place, body.decode(), *last[2:]))
    with pytest.raises(ChainBroken) as found:
        verify_log(path, first, [])
    assert found.value.entry_no == len(bodies)
    tamper(path, [f"DELETE FROM round_log WHERE entry_no = {len(bodies)}"])
    with pytest.raises(ChainBroken) as found:
        verify_log(path, first, [])
    assert found.value.entry_no == 1


async def test_the_old_key_is_good_for_nothing_after_it_was_handed_over(tmp_path: Path) -> None:
    path, first, _ = await closed_in_use(tmp_path)
    stolen = keys_of(path)[0]
    published = rotated(tmp_path).head
    (tmp_path / KEY).write_text((tmp_path / f"{KEY}.1").read_text())
    with pytest.raises(KeyUnusable, match="another key"):
        open_book(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        round_log._written(db, published, [log_records.claimed(1, "emerald")], 9, 5, stolen)
    with pytest.raises(ChainBroken) as found:
        verify_log(path, first, [])
    assert found.value.entry_no == published.entry_no + 1


async def test_the_other_seal_opens_nothing(tmp_path: Path) -> None:
    path, _, _ = await closed_in_use(tmp_path)
    rotated(tmp_path)
    (tmp_path / SEED_KEY).write_text((tmp_path / f"{SEED_KEY}.1").read_text())
    with pytest.raises(KeyUnusable, match="open coups"):
        open_book(path)


async def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, first, _ = await closed_in_use(tmp_path)
    assert cli.main(["rotate-keys", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "The seeds of 1 open coups are sealed anew." in told
    assert f"{KEY}.1" in told
    assert cli.main(["verify-log", "--data", str(tmp_path), "--key", first.hex()]) == 0
    assert cli.main(["audit", "--data", str(tmp_path)]) == 0
    (tmp_path / HEAD).write_text((tmp_path / HEAD).read_text().replace('"entry": ', '"entry": 9'))
    assert cli.main(["rotate-keys", "--data", str(tmp_path)]) == 2
    assert "the keys stay" in capsys.readouterr().err
