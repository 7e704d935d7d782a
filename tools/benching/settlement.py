"""10,000 bets settled in one transaction: the store beside set-based SQL that does the same work."""

import statistics
import tempfile
from pathlib import Path

from benching import rows
from benching.figure import Figure

RUNS = 9


def run() -> list[Figure]:
    """Ours and bare in turn, each on a copy of one database; their rows are compared."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made.sqlite3")
        rows.make(made)
        rows.dealt(made)
        ours, bare = [], []
        for _ in range(RUNS):
            hand, store = rows.copied(made, "bare.sqlite3"), rows.copied(made, "ours.sqlite3")
            bare.append(rows.by_hand(hand, rows.bare_settling))
            ours.append(rows.by_store(store, rows.settling()))
            if not rows.books_agree(hand, store):
                raise SystemExit("the store and the bare SQL have not done the same work")
            hand.unlink()
            store.unlink()
    times = [one / limit for one, limit in zip(ours, bare, strict=True)]
    words = f"{rows.PATRONS:,} bets, one transaction; bare {statistics.median(bare) * 1e3:.0f} ms"
    return [
        Figure("settlement, × bare set SQL", statistics.median(times), "×", 1.3, note=words, samples=tuple(times)),
        Figure("settlement kept by the store", statistics.median(ours) * 1e3, "ms", note="from hand-over to the disk"),
    ]
