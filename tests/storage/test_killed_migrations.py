"""A migration that is killed leaves the schema wholly old or wholly new, and the next start makes it new."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MEMORY = "/dev/shm"
"""Where the system has such a folder: a process that is killed leaves there what it leaves on a disk, and sooner."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_killed_at_each_statement() -> None:
    memory = {"TMPDIR": MEMORY} if os.access(MEMORY, os.W_OK) else {}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("killed_migrations.py")],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", **memory},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert told["kills"] > 30
