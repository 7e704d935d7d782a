"""The history with ten million bets: some gigabytes and minutes, so only by `make bench-history`."""

from benching.figure import Figure
from benching.history import measure


def run() -> list[Figure]:
    """See above."""
    return measure(10_000_000)
