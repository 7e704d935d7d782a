"""Terms and states that many tests start from. The usual table: limits 20.00 to 25,000.00 on each area."""

from bigroad.rules.paytables import STANDARD
from bigroad.rules.wagers import Area
from bigroad.table.commands import Act, Funds, PatronCommand, Tick
from bigroad.table.events import Event
from bigroad.table.machine import first_state, step
from bigroad.table.rounds import NS_PER_MS
from bigroad.table.state import TableState
from bigroad.table.terms import AreaLimit, Terms, Timing

MIN_MINOR, MAX_MINOR = 2_000, 2_500_000
BETTING_MS, CLOSING_MS = 50_000, 10_000
UTC_MS = 1_700_000_000_000
RICH = Funds(dict.fromkeys(range(1, 100), 10**9), 10**12)


def usual_terms(**changes: object) -> Terms:
    """The terms of the multiplayer table; `pace_permille`, `betting_ms`, `closing_ms`, `decks` can be changed, and with
    `alone` those of a table for one patron: no clock, a fresh shoe for each coup."""
    timing = Timing(
        int(changes.get("betting_ms", BETTING_MS)),  # type: ignore[call-overload]
        int(changes.get("closing_ms", CLOSING_MS)),  # type: ignore[call-overload]
        int(changes.get("pace_permille", 1000)),  # type: ignore[call-overload]
    )
    limits = tuple(AreaLimit(area, MIN_MINOR, int(changes.get("max_minor", MAX_MINOR))) for area in Area)  # type: ignore[call-overload]
    decks = int(changes.get("decks", 8))  # type: ignore[call-overload]
    if not changes.get("alone"):
        return Terms(decks, STANDARD, limits, timing)
    timing = Timing(0, 0, timing.pace_permille)
    return Terms(decks, STANDARD, limits, timing, clock=False, shoe="every_round", profile="three-d")


def seed_of(number: int) -> bytes:
    """A different 32-byte seed for each number."""
    return number.to_bytes(32, "big")


def open_table(terms: Terms | None = None) -> TableState:
    """A table whose first coup opened at 0 ns."""
    return ticked(first_state(1, terms or usual_terms(), 0), 0)[0]


def ticked(state: TableState, now_ms: int, funds: Funds = RICH, seed: int = 1) -> tuple[TableState, tuple[Event, ...]]:
    """One Tick at now_ms after the start."""
    done = step(state, Tick(UTC_MS + now_ms, seed_of(seed)), now_ms * NS_PER_MS, funds)
    return done.state, done.events


class Patron:
    """A patron's hand on the table: `does(state, act, now_ms)` with a fresh request id each time."""

    def __init__(self, patron_id: int = 1, funds: Funds = RICH) -> None:
        self.patron_id, self.funds, self._count = patron_id, funds, 0

    def does(
        self,
        state: TableState,
        act: Act,
        now_ms: int = 1_000,
        request_id: str | None = None,
        coup_no: int | None = None,
    ) -> tuple[TableState, tuple[Event, ...]]:
        self._count += 1
        command = PatronCommand(
            self.patron_id,
            request_id or f"r{self.patron_id}-{self._count}",
            state.coup_no if coup_no is None else coup_no,
            act,
            UTC_MS + now_ms,
        )
        done = step(state, command, now_ms * NS_PER_MS, self.funds)
        return done.state, done.events
