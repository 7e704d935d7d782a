"""Five hundred patrons at one table of ten-second rounds, over real sockets."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bigroad.ledger import audit
from bigroad.ledger.accounts import AccountKind, Balance
from bigroad.storage.sqlite import SqliteStore
from tests.server import REPOSITORY, Server

PATRONS, SECONDS = 500, 30


def play(url: str) -> subprocess.CompletedProcess[str]:
    """Let the bots play in a process of their own."""
    command = [sys.executable, "-m", "bigroad", "bots", "--url", url, "--json"]
    return subprocess.run(
        [*command, "--patrons", str(PATRONS), "--seconds", str(SECONDS)],
        capture_output=True,
        text=True,
        timeout=240,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "src")},
        check=False,
    )


async def test_five_hundred_bots_and_every_bet_settled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(tmp_path, betting_ms=5_000, closing_ms=1_000, pace=0.3).start()
    bots = play(server.url)
    report = json.loads(bots.stdout)
    said = server.stop()
    with capsys.disabled():
        print(f"\n500 bots: {bots.stdout.strip()}")
    assert report["errors"] == {}
    assert bots.returncode == 0
    assert report["patrons"] == PATRONS
    assert report["bets"]["settled"] == report["bets"]["submitted"] + report["bets"]["automatic"] > PATRONS
    assert "Traceback" not in said
    store = SqliteStore(server.database)
    balances, transfers = await store.book()
    await store.close()
    audit.verify_book(balances, transfers)
    assert sum(balance.balance_minor for balance in balances.values()) == 0
    open_escrows = [a for a, b in balances.items() if a.kind is AccountKind.ESCROW and b != Balance()]
    assert open_escrows == []
