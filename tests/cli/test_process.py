"""What only a process of its own can show: pipes that break, streams that are closed, odd locales."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
COUP = ["coup", "--shoe", "2C 8S TS TD"]


def start(words: list[str], **options: object) -> "subprocess.Popen[bytes]":
    """`bigroad WORDS` as a process."""
    env = {**os.environ, "PYTHONPATH": str(SRC), "PYTHONIOENCODING": "ascii"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "bigroad", *words], env=env, **{**pipes, **options})  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("words", [["roads", "-"], ["roads", "-", "--json"]])
def test_a_reader_that_goes_away(words: list[str]) -> None:
    with start(words) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"BPPBTBBPPB\n" * 2_000)
        process.stdin.close()
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(90) == 141


def test_an_ascii_locale_gets_its_picture() -> None:
    with start(COUP) as process:
        out, err = process.communicate(timeout=90)
    assert (process.returncode, err) == (0, b"")
    assert b"Banker wins" in out


def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full, start([*COUP, "--json"], stdout=full) as process:
        _, err = process.communicate(timeout=90)
    assert process.returncode == 2
    assert b'"IO_ERROR"' in err
    assert b"Traceback" not in err
