"""What patrons have asked to be protected from, followed from outside, and said a second time: every bet of a patron is
looked at again for each new one, by Python's own calendar."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from bigroad.protection.guard import Act, Change, Rule
from bigroad.simulation.world import Breach

WAIT_MS = 86_400_000


@dataclass(slots=True)
class KeptBet:
    """A bet as it was accepted, and what came back; returned_minor is its stake where it is void."""

    at_utc_ms: int
    staked_minor: int
    returned_minor: int = 0
    is_void: bool = False


@dataclass(slots=True)
class Wished:
    """One patron. limits: those in force. waits: what was asked for, and when."""

    limits: dict[Rule, int] = field(default_factory=dict)
    waits: dict[Rule, tuple[int | None, int]] = field(default_factory=dict)
    away_until_utc_ms: int = 0


class Wishes:
    """All patrons. Raises Breach where something protects less than it must."""

    def __init__(self) -> None:
        self.count = self.guarded_bets = 0
        self._patrons: dict[int, Wished] = {}
        self._bets: dict[int, dict[tuple[int, int], KeptBet]] = {}

    def wished(self, patron_id: int, change: Change) -> None:
        """A change was kept."""
        self.count += 1
        one = self._patrons.setdefault(patron_id, Wished())
        if change.rule is None:
            if (change.new or 0) < one.away_until_utc_ms:
                raise Breach("protection", f"patron {patron_id} is back early: {change}")
            one.away_until_utc_ms = change.new or 0
            return
        rule, before = change.rule, one.limits.get(change.rule)
        if change.act is Act.ASKED:
            one.waits[rule] = (change.new, change.at_utc_ms)
            return
        if before is not None and (change.new is None or change.new > before):
            wanted, asked_utc_ms = one.waits.get(rule, (0, change.at_utc_ms))
            if wanted != change.new or change.at_utc_ms - asked_utc_ms < WAIT_MS:
                raise Breach("protection", f"patron {patron_id}: {rule} was raised early: {change}")
        one.waits.pop(rule, None)
        if change.new is None:
            one.limits.pop(rule, None)
        else:
            one.limits[rule] = change.new

    def accepted(self, patron_id: int, key: tuple[int, int], staked_minor: int, at_utc_ms: int) -> None:
        """A bet was kept. key: coup and number."""
        why = self.forbids(patron_id, staked_minor, at_utc_ms)
        if why is not None:
            raise Breach("protection", f"patron {patron_id}: a bet of {staked_minor} though {why}")
        self.guarded_bets += patron_id in self._patrons
        self._bets.setdefault(patron_id, {})[key] = KeptBet(at_utc_ms, staked_minor)

    def came_back(self, patron_id: int, key: tuple[int, int], returned_minor: int, *, is_void: bool) -> None:
        """How a bet ended."""
        bet = self._bets[patron_id][key]
        bet.returned_minor, bet.is_void = returned_minor, is_void

    def is_away(self, patron_id: int, at_utc_ms: int) -> bool:
        """Time-out or exclusion."""
        one = self._patrons.get(patron_id)
        return one is not None and at_utc_ms < one.away_until_utc_ms

    def forbids(self, patron_id: int, staked_minor: int, at_utc_ms: int) -> str | None:
        """Why the patron did not want this bet, or None."""
        one = self._patrons.get(patron_id)
        if one is None:
            return None
        if at_utc_ms < one.away_until_utc_ms:
            return f"away until {one.away_until_utc_ms}"
        today = _date(at_utc_ms)
        for rule, amount in one.limits.items():
            bets = [bet for bet in self._bets.get(patron_id, {}).values() if not bet.is_void]
            counted = [bet for bet in bets if _together(rule.period, _date(bet.at_utc_ms), today)]
            if _total(rule, counted) + staked_minor > amount:
                return f"{rule} is {amount} and {_total(rule, counted)} is gone"
        return None


def _total(rule: Rule, bets: Sequence[KeptBet]) -> int:
    loses = rule.value.startswith("loss")
    return sum(bet.staked_minor - (bet.returned_minor if loses else 0) for bet in bets)


def _date(utc_ms: int) -> date:
    return datetime.fromtimestamp(utc_ms / 1000, UTC).date()


def _together(period: str, one: date, other: date) -> bool:
    if period == "day":
        return one == other
    if period == "week":
        return one.isocalendar()[:2] == other.isocalendar()[:2]
    return (one.year, one.month) == (other.year, other.month)
