"""The states of a round, and which may follow which."""

from enum import StrEnum


class Phase(StrEnum):
    """OPEN takes bets; LOCKED waits for 00:00; DEALT has cards; SETTLED has paid; CLOSED and VOIDED have ended."""

    OPEN = "open"
    LOCKED = "locked"
    DEALT = "dealt"
    SETTLED = "settled"
    CLOSED = "closed"
    VOIDED = "voided"


ENDED = frozenset({Phase.CLOSED, Phase.VOIDED})

NEXT: dict[Phase, frozenset[Phase]] = {
    Phase.OPEN: frozenset({Phase.LOCKED, Phase.VOIDED}),
    Phase.LOCKED: frozenset({Phase.DEALT}),
    Phase.DEALT: frozenset({Phase.SETTLED}),
    Phase.SETTLED: frozenset({Phase.CLOSED}),
    Phase.CLOSED: frozenset(),
    Phase.VOIDED: frozenset(),
}
