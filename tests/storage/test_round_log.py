"""The log of rounds in the file: written with what it tells, published, and checked from outside."""

import os
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bigroad.ledger.chain import EMPTY, Head
from bigroad.ledger.errors import ChainBroken
from bigroad.storage.errors import HeadUnreadable, KeyUnusable
from bigroad.storage.heads import read_head, write_head
from bigroad.storage.log_check import verify_log
from bigroad.storage.opening import HEAD, KEY, open_book, trouble_with
from bigroad.table.phases import Phase
from tests.app.floor import Floor

KINDS = ["begun", "claimed", "rules", "opened", "locked", "dealt", "settled"]


async def played(path: Path, coups: int = 2) -> list[str]:
    """A database with so many coups, each with a bet; answers the kinds of its log."""
    book = open_book(path)
    floor = await Floor(book.store).start()
    ann = await floor.guest()
    for _ in range(coups):
        await floor.until(Phase.OPEN)
        await floor.bet(ann)
        await floor.until(Phase.CLOSED)
    kinds = [msgspec.json.decode(entry.body)["kind"] for entry in await book.store.log()]
    await book.store.close()
    return kinds


async def test_every_arrow_is_in_the_log_and_the_head_is_published(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    assert await played(path) == [*KINDS, *KINDS[3:]]
    head = read_head(tmp_path / HEAD)
    assert head is not None
    assert head.entry_no == 11
    assert verify_log(path, head.public_key, [head]) == head
    assert stat.S_IMODE(os.stat(tmp_path / KEY).st_mode) == 0o600


async def test_a_step_that_is_not_kept_leaves_no_entry(tmp_path: Path) -> None:
    floor = await Floor(open_book(tmp_path / "b.sqlite3").store).start()
    await floor.until(Phase.OPEN)
    before = await floor.store.log()
    await Floor(floor.store).start()  # another owner: this one's next step is refused
    await floor.until(Phase.OPEN)
    floor.clock.move_to(floor.runner.next_ns)
    await floor.runner.pump()
    assert floor.ear.of("table_closed")[-1]["reason"] == "taken_over"
    after = await floor.store.log()
    assert [msgspec.json.decode(entry.body)["kind"] for entry in after[len(before) :]] == ["claimed"]
    await floor.store.close()


EDITS: list[tuple[str, int]] = [
    ("UPDATE round_log SET body = replace(body, '\"coup\":1', '\"coup\":3') WHERE entry_no = 6", 6),
    ("UPDATE round_log SET coup_no = 9 WHERE entry_no = 5", 5),
    ("UPDATE round_log SET kind = 'voided' WHERE entry_no = 7", 7),
    ("DELETE FROM round_log WHERE entry_no = 4", 4),
    ("DELETE FROM round_log WHERE entry_no > 8", 9),
    ("DELETE FROM round_log", 1),
    ("UPDATE round_log SET hash = zeroblob(32) WHERE entry_no = 3", 3),
    ("UPDATE round_log SET signature = zeroblob(64) WHERE entry_no = 11", 11),
    ("UPDATE round_log SET entry_no = entry_no + 1 WHERE entry_no = 11", 11),
]


@pytest.mark.parametrize(("edit", "first"), EDITS)
async def test_what_is_done_to_the_file_is_found(tmp_path: Path, edit: str, first: int) -> None:
    path = tmp_path / "b.sqlite3"
    await played(path)
    head = read_head(tmp_path / HEAD)
    assert head is not None
    tamper(path, [edit])
    with pytest.raises(ChainBroken) as found:
        verify_log(path, head.public_key, [head])
    assert found.value.entry_no == first


async def test_a_log_made_anew_with_a_new_key_is_found(tmp_path: Path) -> None:
    path, forged = tmp_path / "b.sqlite3", tmp_path / "forged"
    await played(path)
    head = read_head(tmp_path / HEAD)
    forged.mkdir()
    await played(forged / "b.sqlite3", 3)
    assert head is not None
    with pytest.raises(ChainBroken) as found:
        verify_log(forged / "b.sqlite3", head.public_key, [head])
    assert found.value.entry_no == 1


def tamper(path: Path, statements: Sequence[str]) -> None:
    """Edit the file as somebody would who can write it and knows the triggers."""
    db = sqlite3.connect(path, isolation_level=None)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.executescript(statement)
    for _, sql in triggers:
        db.execute(sql)
    db.close()


async def test_a_missing_or_foreign_key_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    await played(path, 1)
    key = (tmp_path / KEY).read_text()
    (tmp_path / KEY).unlink()
    with pytest.raises(KeyUnusable, match="missing"):
        open_book(path)
    (tmp_path / KEY).write_text("ab" * 32)
    with pytest.raises(KeyUnusable, match="another key"):
        open_book(path)
    (tmp_path / KEY).write_text("no key")
    with pytest.raises(KeyUnusable, match="not a key"):
        open_book(path)
    (tmp_path / KEY).write_text(key)
    book = open_book(path)
    assert book.trouble is None
    await book.store.close()


async def test_a_start_notices_an_older_database_and_a_damaged_end(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    await played(path)
    book = open_book(path)
    head = read_head(tmp_path / HEAD)
    assert head is not None
    assert book.trouble is None
    await book.store.close()
    ahead = Head(head.entry_no + 5, b"x" * 32, b"", head.public_key)
    other = head._replace(hash=b"x" * 32)
    assert (trouble_with(path, book.key, ahead) or ("", ""))[0] == "restored"
    assert (trouble_with(path, book.key, other) or ("", ""))[0] == "restored"
    tamper(path, ["UPDATE round_log SET body = '{}' WHERE entry_no = 11"])
    assert (trouble_with(path, book.key, head) or ("", ""))[0] == "broken"


def test_a_head_is_replaced_whole_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "head.json"
    assert read_head(path) is None
    for head in (EMPTY, Head(7, b"h" * 32, b"s" * 64, b"p" * 32)):
        write_head(path, head)
        assert read_head(path) == head
    assert [file.name for file in tmp_path.iterdir()] == ["head.json"]
    for text in ("", "{}", '{"entry":1,"hash":"zz","signature":"","public_key":""}'):
        path.write_text(text)
        with pytest.raises(HeadUnreadable):
            read_head(path)
