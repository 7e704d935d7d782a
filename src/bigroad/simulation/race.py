"""The race for the lock: a crowd that bets within 20 ms of the close, on a calm floor in virtual time."""

import random
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
import structlog.testing

from bigroad.app.lobby import TablePlan
from bigroad.rules.paytables import STANDARD
from bigroad.rules.wagers import Area
from bigroad.simulation.faults import Weather
from bigroad.simulation.log import Log
from bigroad.simulation.process import ServerProcess
from bigroad.simulation.store import DurableStore, Watching
from bigroad.simulation.told import Told
from bigroad.simulation.truth import Truth
from bigroad.simulation.wire import Connection
from bigroad.simulation.world import NS_PER_MS, NS_PER_S, Breach, World, now
from bigroad.table.phases import Phase
from bigroad.table.terms import AreaLimit, Terms, Timing
from bigroad.wire.client_messages import Stage, Submit
from bigroad.wire.server_events import Patron, TableTerms

TABLE = "race"
CROWD = 200
STAKE_MINOR = 1_000
NEAR_NS = 20 * NS_PER_MS
ROUND_NS = 60 * NS_PER_S
_encoder = msgspec.json.Encoder()


@dataclass(slots=True)
class Race:
    """What became of the bets: accepted before the close, submitted by the table at the close, or refused."""

    asked: int = 0
    accepted: int = 0
    automatic: int = 0
    refused: int = 0
    rounds: int = 0
    refusals: dict[str, int] = field(default_factory=dict)
    breach: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


class _Racer:
    """A patron with one socket. told: what each request was answered with. receipt: of the coup, as told."""

    def __init__(self, patron: Patron) -> None:
        self.patron = patron
        self.requests = 0
        self.told: dict[str, list[dict[str, Any]]] = {}
        self.receipt: dict[str, Any] | None = None
        self.locked: dict[str, Any] | None = None
        self.connection: Connection | None = None
        self.is_greeted = False

    def request_id(self) -> str:
        self.requests += 1
        return f"{self.patron.patron_id}-{self.requests}"

    def hear(self, connection: Connection, message: dict[str, Any]) -> None:
        """See wire.Page."""
        kind = message["type"]
        if kind == "you":
            self.is_greeted = True
        elif kind == "receipt":
            if self.receipt is not None and self.receipt["bet_seq"] != message["bet_seq"]:
                raise Breach("verdict", f"two receipts: {self.receipt}, {message}")
            self.receipt = message
        elif kind == "bets_locked":
            self.locked = message
        if message.get("request_id") is not None:
            self.told.setdefault(message["request_id"], []).append(message)

    def gone(self, connection: Connection) -> None:
        """See wire.Page."""
        raise Breach("race", "a socket was lost on a calm floor")


class _Course:
    """The table, its one process and the crowd. Implements `process.Supervisor`."""

    def __init__(self, seed: int) -> None:
        self.world, self.dice = World(), random.Random(f"{seed}:race")
        self.weather = Weather(self.world, seed)
        self.weather.clear()
        disk, entropy = DurableStore(), random.Random(f"{seed}:entropy")
        self.truth = Truth(disk, Log(self.world), lambda *request: self.process.was_late(*request))
        disk.witness = Watching(self.world, self.truth)
        told = Told(self.truth)
        self.process = ServerProcess(
            1, self.world, self.weather, disk, told, self, lambda: entropy.randbytes(32), 10**9, STAKE_MINOR
        )
        self.racers = []
        for number in range(CROWD):
            made = now(disk.create_guest(f"Patron {number}", number.to_bytes(4, "big"), 10**9, 0))
            self.racers.append(_Racer(Patron(made.patron_id, made.nickname)))
        limits = tuple(AreaLimit(area, STAKE_MINOR, 100 * STAKE_MINOR) for area in Area)
        terms = Terms(8, STANDARD, limits, Timing(1_000, 500, 50))
        looks = TableTerms(TABLE, TABLE, "multiplayer-deluxe", "emerald", "female", 8, [STAKE_MINOR], 0, 0, [])
        self.process.boot([TablePlan(looks, terms, 10**15)])
        self._wait(ROUND_NS, lambda: all(racer.is_greeted for racer in self.racers))

    def ready(self, process: ServerProcess) -> None:
        """See Supervisor."""
        desk = process.lobby.desk(TABLE)
        assert desk is not None
        for racer in self.racers:
            racer.connection = Connection(self.world, self.weather, racer, process, TABLE, racer.patron)
            self.world.at(self.world.now_ns, process.loop, racer.connection.open, desk, None, None)

    def died(self, process: ServerProcess, how: str) -> None:
        """See Supervisor."""
        raise Breach("race", f"the process died on a calm floor: {how}")

    def run_round(self, race: Race, bets: int) -> None:
        """One coup: let the crowd bet around its close, then look at what was told and what was kept."""
        until_ns = self.world.now_ns + ROUND_NS
        table = self.truth.tables[TABLE]
        coup_no = table.coup_no
        if table.phase is not Phase.OPEN or self._left_ns() < 10 * NEAR_NS:
            coup_no += 1
            self._wait(until_ns, lambda: table.coup_no == coup_no)
        for racer in self.racers:
            racer.receipt = racer.locked = None
        asked = self._send(coup_no, self.world.now_ns + self._left_ns(), bets)
        self._wait(until_ns, lambda: table.coup_no > coup_no)
        self.world.run(self.world.now_ns + 2 * NEAR_NS, lambda: False)
        race.rounds += 1
        race.asked += len(asked)
        for racer in self.racers:
            bet = table.all_bets[coup_no].get(racer.patron.patron_id)
            if (bet is None) != (racer.receipt is None):
                raise Breach("verdict", f"coup {coup_no}: told {racer.receipt}, locked {bet}")
            if bet is not None and racer.receipt is not None and racer.receipt["stakes"] != dict(bet.stakes):
                raise Breach("verdict", f"coup {coup_no}: told {racer.receipt}, locked {bet}")
            race.automatic += bet is not None and bet.automatic
            race.accepted += bet is not None and not bet.automatic
            self._verify_lock(racer, coup_no)
        for request_id, racer in asked.items():
            answers = racer.told.pop(request_id, [])
            if len(answers) != 1:
                raise Breach("verdict", f"coup {coup_no}: {request_id} was answered with {answers}")
            if answers[0]["type"] == "refused":
                race.refused += 1
                code = answers[0]["code"]
                race.refusals[code] = race.refusals.get(code, 0) + 1

    def _left_ns(self) -> int:
        """How long betting stays open."""
        closes_ns = self.process.closes_ns(TABLE)
        return closes_ns - self.process.clock.now_ns() if closes_ns is not None else 0

    def _verify_lock(self, racer: _Racer, coup_no: int) -> None:
        bets = self.truth.tables[TABLE].all_bets[coup_no].values()
        totals: Counter[str] = Counter()
        for bet in bets:
            totals.update(bet.stakes)
        locked = racer.locked
        if (
            locked is None
            or locked["coup"] != coup_no
            or locked["totals"] != dict(totals)
            or locked["bettors"] != len(bets)
        ):
            raise Breach("verdict", f"coup {coup_no}: told {locked}, locked {dict(totals)}")

    def _send(self, coup_no: int, closes_ns: int, bets: int) -> dict[str, _Racer]:
        """Half the crowd has staged before, the other half stages around the close too."""
        asked: dict[str, _Racer] = {}
        for racer in self.racers[:bets]:
            assert racer.connection is not None
            dice = self.dice
            near = sorted(closes_ns + dice.randrange(-NEAR_NS, NEAR_NS + 1) for _ in range(2))
            staged_ns = self.world.now_ns + NS_PER_MS if dice.random() < 0.5 else near[0]
            chip = Stage(racer.request_id(), coup_no, dice.choice(list(Area)).value, STAKE_MINOR)
            bet = Submit(racer.request_id(), coup_no)
            racer.connection.send(_encoder.encode(chip).decode(), staged_ns)
            racer.connection.send(_encoder.encode(bet).decode(), near[1])
            asked[bet.request_id] = racer
        return asked

    def _wait(self, until_ns: int, is_over: Any) -> None:
        if not self.world.run(until_ns, is_over):
            raise Breach("stuck", "a round does not end on a calm floor")


def race(seed: int, bets: int) -> Race:
    """Let so many bets race, `CROWD` a round. Never raises Breach: it is in the result."""
    result = Race()
    with structlog.testing.capture_logs():
        course = _Course(seed)
        try:
            while result.asked < bets:
                course.run_round(result, min(CROWD, bets - result.asked))
        except Breach as breach:
            result.breach = str(breach)
        finally:
            course.process.loop.die()
    return result
