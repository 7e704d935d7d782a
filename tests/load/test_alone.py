"""Rounds of many patrons, each at a seat of their own, over real sockets: every bet settled, the whole book in order.

`make bench` plays ten thousand of them; here as many as fit.
"""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bigroad.storage.audit import audit
from bigroad.storage.opening import reader
from tests.server import REPOSITORY, Server

PATRONS, COUPS, SECONDS = 40, 1_000, 20
RICH = "bankroll_minor = 100_000_000_000\n[guests]\nstart_minor = 100_000_000\n"
STRICT = "[limits]\nmessage_burst = 8\n"
"""Bots are quicker than what a socket may send for long: they have to heed it, or are shown out."""


def test_bots_alone_and_every_bet_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(tmp_path, betting_ms=5_000, closing_ms=1_000, pace=0.05)
    (tmp_path / "bigroad.toml").write_text(
        f'[[tables]]\nid = "express"\nname = "Express"\nprofile = "three-d"\ndeal_pace = 0.05\n{RICH}{STRICT}',
        encoding="utf-8",
    )
    server.start()
    command = [sys.executable, "-m", "bigroad", "bots", "--url", server.url, "--table", "express", "--json"]
    bots = subprocess.run(
        [*command, "--patrons", str(PATRONS), "--seconds", str(SECONDS), "--coups", str(COUPS)],
        capture_output=True,
        text=True,
        timeout=240,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "src")},
        check=False,
    )
    report = json.loads(bots.stdout)
    said = server.stop()
    with capsys.disabled():
        print(f"\n{report['coups']} rounds alone: {bots.stdout.strip()}")
    assert report["errors"] == {}
    assert bots.returncode == 0
    assert report["bets"]["settled"] == report["bets"]["submitted"] == report["coups"] > PATRONS
    assert (report["bets"]["automatic"], report["voided"]) == (0, 0)
    assert "Traceback" not in said
    with closing(reader(server.database)) as db:
        counted = audit(db)
    assert counted.bets == report["coups"]
    assert counted.tables == PATRONS + 1
