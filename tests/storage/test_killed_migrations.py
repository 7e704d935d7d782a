"""A migration that is killed leaves the schema wholly old or wholly new, and the next start makes it new."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_killed_at_each_statement() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("killed_migrations.py")],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert told["kills"] > 30
