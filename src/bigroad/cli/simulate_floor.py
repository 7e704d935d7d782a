"""`bigroad simulate-floor`: play whole floors in virtual time, and say which seed found something."""

import time
from collections import Counter
from typing import Annotated, Any

from cyclopts import Parameter, validators

from bigroad.cli import output
from bigroad.cli.errors import BadUsage
from bigroad.simulation.floor import Outcome, play
from bigroad.simulation.race import Race, race

FOUND = 1
MOST_SEED = 10**12


def simulate_floor(
    *,
    seeds: Annotated[str, Parameter(help="One seed, or a range like 1-500.")] = "1-20",
    rounds: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=100_000), help="Rounds a seed.")] = 20,
    lock_race: Annotated[
        int | None,
        Parameter(validator=validators.Number(gte=1, lte=10**8), help="Only race for the lock; so many bets."),
    ] = None,
    trace: Annotated[bool, Parameter(negative="", help="Show the last steps of a seed that found something.")] = False,
    json: Annotated[bool, Parameter(negative="", help="Print JSON: one line a seed, then the sum.")] = False,
) -> int:
    """Play the floor in virtual time, with everything going wrong that a seed has in store, and check every step.

    Tables, patrons with several tabs, processes, store, network and clock follow from the seed alone: the same seed
    gives the same steps and the same digest. After ROUNDS rounds (of all tables together) nothing goes wrong any more,
    and every round must end and every request be answered. A seed that finds a breach is told in one line that
    reproduces it; the exit status is 1 then. With --lock-race the floor is calm, and patrons bet within 20 ms of the
    close instead.
    """
    first, last = parse_seeds(seeds)
    if lock_race is not None:
        return _race(first, lock_race, as_json=json)
    began, total = time.perf_counter(), Total()
    for seed in range(first, last + 1):
        outcome = play(seed, rounds)
        total.add(outcome)
        if json:
            output.emit(as_json(outcome))
        if outcome.breach is not None:
            if not json:
                print(f"FAILED {outcome.breach}\n  bigroad simulate-floor --seeds {seed} --rounds {rounds} --trace")
            if trace:
                print(*outcome.trace, sep="\n")
    report = total.as_json(time.perf_counter() - began)
    if json:
        output.emit(report)
    else:
        print(in_words(report))
    return FOUND if total.failed else 0


def parse_seeds(text: str) -> tuple[int, int]:
    """`7` or `1-500`. Raises BadUsage."""
    first, dash, last = text.partition("-")
    numbers = (first, last if dash else first)
    if not all(number.isascii() and number.isdigit() and int(number) <= MOST_SEED for number in numbers):
        raise BadUsage(f"--seeds is to be like 7 or 1-500, and not {text[:32]!r}")
    low, high = map(int, numbers)
    if high < low:
        raise BadUsage(f"--seeds goes from the lower to the higher, and not {text[:32]!r}")
    return low, high


class Total:
    """What all seeds came to."""

    def __init__(self) -> None:
        self.numbers: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.failed: list[int] = []

    def add(self, outcome: Outcome) -> None:
        """One seed more."""
        self.numbers["seeds"] += 1
        for name in ("rounds", "voided", "bets", "automatic", "steps", "told"):
            self.numbers[name] += getattr(outcome, name)
        self.faults.update(outcome.faults)
        self.answers.update(outcome.answers)
        if outcome.breach is not None:
            self.failed.append(outcome.seed)

    def as_json(self, seconds: float) -> dict[str, Any]:
        """As JSON values."""
        return {
            **self.numbers,
            "faults": dict(sorted(self.faults.items())),
            "answers": dict(sorted(self.answers.items())),
            "failed": self.failed,
            "seconds": round(seconds, 1),
        }


def as_json(outcome: Outcome) -> dict[str, Any]:
    """One seed as JSON values."""
    names = ("seed", "rounds", "bets", "steps", "faults", "digest", "breach")
    return {name: getattr(outcome, name) for name in names}


def in_words(report: dict[str, Any]) -> str:
    """The sum for a person."""
    faults = ", ".join(f"{count} {kind}" for kind, count in report["faults"].items())
    return (
        f"{report['seeds']} seeds, {report['rounds']} rounds ({report['voided']} void), {report['bets']} bets"
        f" ({report['automatic']} automatic), {report['steps']} steps, {report['told']} messages checked,"
        f" {report['seconds']} s\n"
        f"  faults  {faults or 'none'}\n"
        f"  failed  {', '.join(map(str, report['failed'])) or 'none'}"
    )


def _race(seed: int, bets: int, *, as_json: bool) -> int:
    began = time.perf_counter()
    result: Race = race(seed, bets)
    seconds = round(time.perf_counter() - began, 1)
    if as_json:
        output.emit({"seed": seed, **result.as_json(), "seconds": seconds})
    else:
        print(
            f"{result.asked} bets within 20 ms of {result.rounds} closes: {result.accepted} accepted by hand,"
            f" {result.automatic} submitted at the close, {result.refused} refused, {seconds} s\n"
            f"  failed  {result.breach or 'none'}"
        )
    return FOUND if result.breach is not None else 0
