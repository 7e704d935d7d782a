"""10,000 patrons in the last second: their staged bets in one lock, their BET presses in one second, and the writer.

The server has one processor and the crowd the other: two threads of Python that run on two get in each other's way
more than on one. "By the server" is from its own metrics, the rest is what the clients saw. Bare is `executemany` of
the same rows into a file of the same schema.
"""

import math
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from benching import rows
from benching.crowd import Crowd, come
from benching.figure import Figure
from benching.house import House, Plan, open_house
from benching.native_programs import NotBuilt

CLIENTS = int(os.environ.get("BIGROAD_BENCH_CLIENTS", "10000"))
WRITES = 7
BETTING_MS, CLOSING_MS = 12_000, 3_000
TABLE = {"betting_ms": BETTING_MS, "closing_ms": CLOSING_MS, "deal_pace": 0.1, "bankroll_minor": 10**13}


class Lock(NamedTuple):
    """answered_ms: from the close to the last receipt. kept_ms: the lock by the server. results_ms: from 00:00 to the
    last result; settled_ms: the settlement by the server."""

    answered_ms: float
    kept_ms: float
    results_ms: float
    settled_ms: float
    receipts: int


def run() -> list[Figure]:
    """See above."""
    bare, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made.sqlite3")
        rows.make(made)
        for _ in range(WRITES):
            hand, store = rows.copied(made, "bare.sqlite3"), rows.copied(made, "ours.sqlite3")
            bare.append(rows.PATRONS / rows.by_hand(hand, rows.bare_betting))
            ours.append(rows.PATRONS / rows.by_store(store, rows.betting()))
            if not rows.books_agree(hand, store):
                raise SystemExit("the store and the bare SQL have not done the same work")
            hand.unlink()
            store.unlink()
    shares = [one / limit for one, limit in zip(ours, bare, strict=True)]
    words = f"{rows.PATRONS:,} bets; bare {statistics.median(bare):,.0f}, ours {statistics.median(ours):,.0f} bets/s"
    figures = [Figure("writer, of bare executemany", statistics.median(shares), "×", 0.7, True, words, tuple(shares))]
    try:
        return [*figures, *over_sockets(statistics.median(bare))]
    except NotBuilt as problem:
        return [*figures, Figure("the last second over sockets", math.nan, "", note=str(problem))]


def over_sockets(bare: float) -> list[Figure]:
    """The lock, a second of presses, and all presses at once. bare: bets a second of bare SQL."""
    with (
        open_house(Plan(CLIENTS + 1, TABLE, core=0)) as house,
        come(house.port, CLIENTS, house.tokens, core=1) as crowd,
    ):
        _wait_for_coup(house, crowd)
        lock = lock_staged(house, crowd)
        _wait_for_coup(house, crowd)
        spread = press(house, crowd, 1.0)
        _wait_for_coup(house, crowd)
        burst = press(house, crowd, 0.0)
    rate = burst["answered"] / burst["took_s"]
    p50, p99, most = spread["answer_ms"]
    return [
        Figure(
            "lock: 00:10 to the last receipt", lock.answered_ms, "ms", 500, note=f"{lock.receipts:,} at the clients"
        ),
        Figure("lock kept, by the server", lock.kept_ms, "ms", note="from the question till it is on the disk"),
        Figure("settlement: to the last result", lock.results_ms, "ms", 1000, note="from 00:00, at the clients"),
        Figure("settlement kept, by the server", lock.settled_ms, "ms", note="decided, checked, encoded, on the disk"),
        Figure(
            "BET over one second, p99",
            p99,
            "ms",
            100,
            note=f"{spread['answered']:,} presses at the clients; p50 {p50:.0f}, most {most:.0f} ms",
        ),
        Figure(
            "end to end, of bare executemany",
            rate / bare,
            "×",
            0.25,
            True,
            f"{burst['answered']:,} presses at once over sockets: {rate:,.0f} bets/s",
        ),
    ]


def lock_staged(house: House, crowd: Crowd) -> Lock:
    """Everybody stages; nobody presses BET; the close comes."""
    coup, _, closes_utc_ms = house.ask("coup")
    stage(crowd, coup, 2.0)
    before = house.ask("sums")
    heard = crowd.ask(f"listen {closes_utc_ms / 1000 + CLOSING_MS / 1000 + 1.5 - time.time():.3f}")
    after = house.ask("sums")
    first, last = heard["when"]["receipt"]
    assert first >= closes_utc_ms
    deals_utc_ms = closes_utc_ms + CLOSING_MS
    return Lock(
        last - closes_utc_ms,
        (after["lock"] - before["lock"]) * 1e3,
        heard["when"]["settled"][1] - deals_utc_ms,
        (after["settle"] - before["settle"]) * 1e3,
        heard["kinds"]["receipt"][0],
    )


def press(house: House, crowd: Crowd, seconds: float) -> dict[str, Any]:
    """Everybody stages, then everybody presses BET over so many seconds."""
    coup = house.ask("coup")[0]
    stage(crowd, coup, 2.0)
    crowd.ask("listen 0.5")
    told = crowd.ask(f'say {seconds} {{"type":"submit","request_id":"b{coup}-{{I}}","coup":{coup}}}')
    if told["kinds"]["receipt"][0] != CLIENTS:
        raise SystemExit(f"not every BET was a bet: {told['kinds']}")
    return told


def stage(crowd: Crowd, coup: int, seconds: float) -> None:
    """One chip of everybody."""
    words = f'"type":"stage","request_id":"s{coup}-{{I}}","coup":{coup},"area":"player","amount_minor":2000'
    told = crowd.ask(f"say {seconds} {{{words}}}")
    if told["kinds"].get("staged", [0])[0] != CLIENTS:
        raise SystemExit(f"not every chip lies: {told['kinds']}")


def _wait_for_coup(house: House, crowd: Crowd) -> None:
    """Until a coup has just opened."""
    known = house.ask("coup")
    while house.ask("coup")[0] == known[0]:
        crowd.ask("listen 0.2")
