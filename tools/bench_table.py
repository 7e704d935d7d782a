"""Measure a table at work on this machine: `make bench-table`, or `python tools/bench_table.py --seconds 60`.

500 bots play a table of ten-second rounds over real sockets; every bet must be settled and the whole book must balance.
Printed: the answer to BET (p50, p99, most), commands and events. Then bots at seats of their own, until 10,000 rounds
are played, and the whole database audited. Then 10,000 coups with three patrons in simulated time on the memory store.
Loopback only.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benching.ports import free_port

from bigroad.app.simulation import simulate
from bigroad.compose import table_plan
from bigroad.settings import Settings
from bigroad.storage.audit import audit_file
from bigroad.storage.memory import MemoryStore

ROUND = "betting_ms = 5000\nclosing_ms = 1000\ndeal_pace = 0.3\n"
ALONE = 'profile = "three-d"\ndeal_pace = 0.05\nbankroll_minor = 100_000_000_000\n[guests]\nstart_minor = 100_000_000\n'
LONGEST_S = 1_800


def play(patrons: int, seconds: int, table: str = ROUND, coups: int | None = None) -> dict[str, Any]:
    """Serve one table in a folder of its own, let the bots play, audit the database; answers the bots' report."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "bigroad.toml")
        config.write_text(f'[[tables]]\nid = "bench"\nname = "Bench"\n{table}', encoding="utf-8")
        port = free_port()
        bigroad = [sys.executable, "-m", "bigroad"]
        server = subprocess.Popen(
            [*bigroad, "serve", "--config", str(config), "--data", folder, "--port", str(port)],
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if server.stdout is None or not any("Bigroad is open" in line for line in server.stdout):
                raise SystemExit("the server did not start")
            command = [*bigroad, "bots", "--url", f"http://127.0.0.1:{port}", "--json"]
            command += ["--patrons", str(patrons), "--seconds", str(seconds)]
            command += ["--coups", str(coups)] if coups else []
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds + 120)
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)
        report: dict[str, Any] = json.loads(done.stdout)
        audit_file(Path(folder, "bigroad.sqlite3"))
    if report["errors"]:
        raise SystemExit(f"errors: {report['errors']}")
    return report


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patrons", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--coups", type=int, default=10_000)
    wish = parser.parse_args()
    report = play(wish.patrons, wish.seconds)
    bets, answer = report["bets"], report["bet_answer_ms"]
    print(f"{report['patrons']} bots, {report['seconds']:.0f} s, rounds of about ten seconds, SQLite synchronous=FULL")
    print("  bets         ", ", ".join(f"{count:,} {how}" for how, count in bets.items()))
    print(f"  BET to answer p50 {answer['p50']} ms, p99 {answer['p99']} ms, most {answer['most']} ms (one machine)")
    print("  errors        none; all accounts sum to zero, every stake is resolved")
    alone = play(60, LONGEST_S, ALONE, wish.coups)
    bets, answer = alone["bets"], alone["bet_answer_ms"]
    print(f"{alone['patrons']} bots at seats of their own, {alone['seconds']:.0f} s, {alone['coups']:,} rounds")
    print(f"  DEAL to answer p50 {answer['p50']} ms, p99 {answer['p99']} ms, most {answer['most']} ms (one machine)")
    print(f"  errors        none; {bets['settled']:,} bets settled, every coup dealt and paid again")
    began, used = time.perf_counter(), time.process_time()
    terms = table_plan(Settings().tables[0]).terms
    done = asyncio.run(simulate(MemoryStore(), terms, seed=1, coups=wish.coups, patrons=3))
    took, cpu = time.perf_counter() - began, time.process_time() - used
    print(f"{done.coups:,} coups with three patrons in simulated time, {done.bets:,} bets, every invariant checked")
    print(f"  {took:.1f} s, {cpu:.1f} s of processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
