"""`bigroad serve` that cannot start, or is stopped before it has."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bigroad.cli import main
from tests.server import OPEN, REPOSITORY, free_port


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--port", "70000"], "BAD_SETTINGS", "--port 70000: a port is a number from 0 to 65535"),
        (["--port", "-1"], "BAD_SETTINGS", "--port -1: a port is a number from 0 to 65535"),
        (["--host", "nowhere.invalid"], "CANNOT_LISTEN", "there is no such host"),
        (["--host", "203.0.113.9"], "CANNOT_LISTEN", "it is no address of this machine"),
    ],
)
def test_an_address_that_cannot_be_is_told_in_plain_words(
    words: list[str], code: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = [] if "--port" in words else ["--port", str(free_port())]
    assert main(["serve", "--data", str(tmp_path), *port, *words]) == 2
    told = capsys.readouterr().err
    assert f"bigroad: {code}: " in told
    assert said in told
    assert not list(tmp_path.iterdir()), "nothing was made"


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as other:
        port = str(other.getsockname()[1])
        assert main(["serve", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", port]) == 2
    assert "another program has it, choose one with PORT= or --port" in capsys.readouterr().err


INTERRUPTED = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have it ignored
threading.Timer({after_s}, os.kill, (os.getpid(), signal.SIGINT)).start()
from bigroad.__main__ import main
sys.argv[1:] = ["serve", "--host", "127.0.0.1", "--port", "{port}", "--data", "{data}"]
sys.exit(main())
"""


def test_ctrl_c_before_the_doors_are_open_ends_it_quietly(tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith("BIGROAD_")}
    environment = {**own, "PYTHONPATH": str(REPOSITORY / "src")}
    running = []
    for number, after_s in enumerate((0.05, 0.15, 0.4, 0.8)):
        program = INTERRUPTED.format(after_s=after_s, port=free_port(), data=tmp_path / str(number))
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", program],
                env=environment,
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    try:
        for process in running:
            said, _ = process.communicate(timeout=60)
            assert "Traceback" not in said
            assert (process.returncode, said) == (130, "") or (process.returncode == 0 and OPEN in said)
    finally:
        for process in running:
            process.kill()
            process.communicate()
