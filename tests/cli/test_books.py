"""The commands that look after the books: what they print and how they exit."""

import asyncio
import shutil
from pathlib import Path

import pytest

from bigroad import cli
from bigroad.storage.opening import HEAD
from tests.storage.test_round_log import played, tamper


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    asyncio.run(played(folder / "bigroad.sqlite3"))
    return folder


@pytest.fixture
def data(books: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(books, tmp_path / "data"))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = cli.main(words)
    told = capsys.readouterr()
    return status, told.out + told.err


def test_sound_books(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    status, told = run(capsys, "audit", "--data", str(data))
    assert (status, "2 coups dealt and paid again" in told) == (0, True), told
    status, told = run(capsys, "verify-log", "--data", str(data))
    assert (status, "11 entries" in told, "published entry 11" in told) == (0, True, True), told


def test_cooked_books(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    tamper(data / "bigroad.sqlite3", ["UPDATE round_log SET body = replace(body, 'dealt', 'dealT') WHERE entry_no = 6"])
    for command in ("audit", "verify-log"):
        status, told = run(capsys, command, "--data", str(data))
        assert (status, "entry 6" in told or "coup 1" in told) == (1, True), told


def test_a_cut_log_is_held_against_its_head_and_against_another(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.json"
    shutil.copy(data / HEAD, kept)
    tamper(data / "bigroad.sqlite3", ["DELETE FROM round_log WHERE entry_no > 9"])
    status, told = run(capsys, "verify-log", "--data", str(data))
    assert (status, "entry 10" in told) == (1, True), told
    (data / HEAD).unlink()
    assert run(capsys, "verify-log", "--data", str(data))[0] == 0
    assert run(capsys, "verify-log", "--data", str(data), "--head", str(kept))[0] == 1


def test_another_key_is_not_the_key(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    status, told = run(capsys, "verify-log", "--data", str(data), "--key", "ab" * 32)
    assert (status, "entry 1" in told) == (1, True), told
    assert run(capsys, "verify-log", "--data", str(data), "--key", "ab")[0] == 2


def test_no_database_is_said_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in ("audit", "verify-log"):
        status, told = run(capsys, command, "--data", str(tmp_path))
        assert (status, "there is no database" in told) == (2, True), told
