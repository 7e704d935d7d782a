"""Patrons and their pages: they chip in, change their minds, press twice, ask again, reload, and talk nonsense."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from bigroad.simulation.wire import Connection
from bigroad.simulation.world import NS_PER_MS, World
from bigroad.wire.client_messages import Clear, Double, Rebet, Stage, Submit, TableCommand, Unstage
from bigroad.wire.server_events import Patron

AREAS = ("player", "banker", "tie")
NONSENSE = (
    "",
    "{}",
    "[[[[",
    '{"type":"submit"}',
    '{"type":"stage","request_id":"x","coup":1,"area":"player","amount_minor":-1}',
    '{"type":"stage","request_id":"x","coup":1,"area":"player","amount_minor":1e400}',
    '{"type":"stage","request_id":"x","coup":1,"area":"player","amount_minor":0.1}',
    '{"type":"shout","request_id":"x"}',
    '{"type":"submit","request_id":"\\ud800","coup":1}',
)
AROUND_NS = (-20 * NS_PER_MS, -NS_PER_MS, -1, 0, 0, 1, NS_PER_MS, 20 * NS_PER_MS)
"""Moments around the close at which hurried messages arrive."""
OWN_TIME_NS = 4_000 * NS_PER_MS
"""How long a patron takes where no clock runs."""
PATIENCE_NS = 3_000 * NS_PER_MS
TRIES = 3
_encoder = msgspec.json.Encoder()


class Door(Protocol):
    """The way from a page to whichever process answers."""

    world: World

    def connect(self, page: "Page", epoch: int | None, seq: int | None) -> Connection | None:
        """A connection, or None while nobody answers."""

    def closes_ns(self, table: str) -> int | None:
        """When betting closes there, in the world's time."""

    def sent(self, request_id: str, text: str) -> None:
        """A body goes out under this id."""

    def refill(self, patron_id: int) -> None:
        """Press "Get chips"."""


@dataclass(slots=True)
class Person:
    """A patron and the dice of this patron's whims. eagerness: how often a coup is played, 0 to 1."""

    patron: Patron
    dice: random.Random
    eagerness: float
    requests: int = 0

    def request_id(self) -> str:
        """A fresh one."""
        self.requests += 1
        return f"{self.patron.patron_id}-{self.requests}"


@dataclass(slots=True)
class _Asked:
    """A request without an answer yet."""

    text: str
    tries: int = 0


class Page:
    """One tab at one table. Numbered events are followed as the real page follows them: a gap means coming anew."""

    def __init__(self, door: Door, person: Person, table: str, chips_minor: tuple[int, ...]) -> None:
        self.person, self.table = person, table
        self.epoch: int | None = None
        self.seq: int | None = None
        self.unanswered: dict[str, _Asked] = {}
        self.you: dict[str, Any] | None = None
        self.answers: dict[str, int] = {}
        self.connection: Connection | None = None
        self._door, self._chips = door, chips_minor
        self._coup = 0
        self._last: TableCommand | None = None
        self._calm = False

    # ---- coming and going

    def come(self, *, anew: bool = False) -> None:
        """Connect, and resume where the page was; anew: like a reload, knowing nothing."""
        if self.connection is not None:
            self.connection.close()
        if anew:
            self.epoch = self.seq = None
            self._coup = 0
        self.you = None
        self.connection = self._door.connect(self, self.epoch, self.seq)
        self._door.world.after(PATIENCE_NS, self._still_waiting, self.connection)

    def calm_down(self) -> None:
        """From now on: at most one plain bet a coup, and none of the nonsense."""
        self._calm = True

    def gone(self, connection: Connection) -> None:
        """See wire.Page."""
        if connection is self.connection:
            self.connection = None
            self._later(self.person.dice.randrange(50, 1_500), self._return)

    def _return(self) -> None:
        if self.connection is None:
            self.come()

    def _still_waiting(self, connection: Connection | None) -> None:
        """Nobody greeted this page in time: try once more."""
        if self.connection is connection and self.you is None:
            self.come()

    # ---- hearing

    def hear(self, connection: Connection, message: dict[str, Any]) -> None:
        """See wire.Page."""
        if connection is not self.connection:
            return
        kind, seq = message["type"], message.get("seq")
        request_id = message.get("request_id")
        if request_id is not None:
            self._answered(request_id, message)
        elif kind == "snapshot":
            self._see_snapshot(message)
        elif kind == "you":
            self.you = message
            for asked in list(self.unanswered.values()):
                connection.send(asked.text)
        elif seq is not None:
            self._follow(message, seq)
        elif kind == "session_ended":
            connection.close()
            self.gone(connection)

    def _see_snapshot(self, message: dict[str, Any]) -> None:
        self.epoch, self.seq = message["epoch"], message["seq"]
        opened = message["opened"]
        if message["closed"] is not None:
            self._leave_closed()
        elif opened is not None and message["locked"] is None and message["voided"] is None:
            self._play(opened["coup"])

    def _follow(self, message: dict[str, Any], seq: int) -> None:
        if self.epoch is None or self.seq is None or message["epoch"] < self.epoch:
            return
        if message["type"] == "table_closed":
            self._leave_closed()
        elif message["epoch"] == self.epoch and seq <= self.seq:
            return
        elif message["epoch"] != self.epoch or seq != self.seq + 1:
            self.come()
        else:
            self.seq = seq
            if message["type"] == "coup_opened":
                self._play(message["coup"])

    def _leave_closed(self) -> None:
        connection = self.connection
        if connection is not None:
            connection.close()
            self.gone(connection)

    def _answered(self, request_id: str, message: dict[str, Any]) -> None:
        asked = self.unanswered.get(request_id)
        code = message.get("code", message["type"])
        if asked is None:
            return
        self.answers[code] = self.answers.get(code, 0) + 1
        if code in ("STORE_UNAVAILABLE", "INTERNAL", "TABLE_CLOSED"):
            asked.tries += 1
            if asked.tries <= TRIES or self._calm:
                return
        if code == "BALANCE_TOO_LOW":
            self._door.refill(self.person.patron.patron_id)
        del self.unanswered[request_id]

    # ---- playing

    def _play(self, coup: int) -> None:
        """Decide what to do in this coup."""
        if coup == self._coup:
            return
        self._coup = coup
        dice, closes_ns = self.person.dice, self._door.closes_ns(self.table)
        if not self._calm and dice.random() > self.person.eagerness:
            return
        window_ns = max(1, closes_ns - self._door.world.now_ns) if closes_ns is not None else OWN_TIME_NS
        if self._calm:
            chip = Stage(self.person.request_id(), coup, dice.choice(AREAS), self._chips[0])
            for message in (chip, Submit(self.person.request_id(), coup)):
                self._later(dice.randrange(max(1, window_ns // (2 * NS_PER_MS))), self._send, message)
            return
        for _ in range(dice.randrange(1, 5)):
            whim = dice.choice(WHIMS)
            self._later(int(window_ns * dice.random()) // NS_PER_MS, whim, self, coup)

    def _send(self, message: TableCommand, at_ns: int | None = None) -> None:
        if self.connection is None:
            return
        self._last = message
        text = _encoder.encode(message).decode()
        self._door.sent(message.request_id, text)
        self.connection.send(text, at_ns)
        if message.request_id not in self.unanswered:
            self.unanswered[message.request_id] = _Asked(text)
            self._later(PATIENCE_NS // NS_PER_MS, self._again, message.request_id)

    def _again(self, request_id: str) -> None:
        """No answer yet: ask again with the same id."""
        asked = self.unanswered.get(request_id)
        if asked is None:
            return
        if self.connection is not None and self.you is not None:
            asked.tries += 1
            if asked.tries > TRIES and not self._calm:
                del self.unanswered[request_id]
                return
            self.connection.send(asked.text)
        self._later(PATIENCE_NS // NS_PER_MS, self._again, request_id)

    def _stage(self, coup: int) -> None:
        dice = self.person.dice
        self._send(Stage(self.person.request_id(), coup, dice.choice(AREAS), dice.choice(self._chips)))

    def _submit(self, coup: int) -> None:
        self._send(Submit(self.person.request_id(), coup))

    def _submit_twice(self, coup: int) -> None:
        bet = Submit(self.person.request_id(), coup)
        self._send(bet)
        self._send(bet if self.person.dice.random() < 0.5 else Submit(self.person.request_id(), coup))

    def _second_thoughts(self, coup: int) -> None:
        dice, request_id = self.person.dice, self.person.request_id()
        kind = dice.randrange(4)
        if kind == 3:
            self._send(Rebet(request_id, coup, dice.randrange(1, 3), dice.random() < 0.3, dice.random() < 0.5))
        else:
            self._send((Unstage, Clear, Double)[kind](request_id, coup))

    def _around_the_close(self, coup: int) -> None:
        closes_ns, dice = self._door.closes_ns(self.table), self.person.dice
        if closes_ns is not None and closes_ns > self._door.world.now_ns:
            at_ns = closes_ns + dice.choice(AROUND_NS)
            self._send(Stage(self.person.request_id(), coup, dice.choice(AREAS), self._chips[0]), at_ns)
            self._send(Submit(self.person.request_id(), coup), closes_ns + dice.choice(AROUND_NS))

    def _retry(self, coup: int) -> None:
        """The last request once more, as it was, or with another body under its id."""
        last, dice = self._last, self.person.dice
        if last is None:
            return
        if dice.random() < 0.5:
            self._send(last)
        else:
            self._send(Stage(last.request_id, coup, dice.choice(AREAS), self._chips[-1]))

    def _reload(self, coup: int) -> None:
        self.come(anew=self.person.dice.random() < 0.5)

    def _nonsense(self, coup: int) -> None:
        dice = self.person.dice
        if dice.random() < 0.5:
            self._send(Stage(self.person.request_id(), max(1, coup + dice.choice((-1, 0, 1))), "moon", 2**53 - 1))
        elif self.connection is not None:
            self.connection.send(dice.choice(NONSENSE))

    def _get_chips(self, coup: int) -> None:
        self._door.refill(self.person.patron.patron_id)

    def _later(self, delay_ms: int, call: Callable[..., None], *args: Any) -> None:
        self._door.world.after(delay_ms * NS_PER_MS, call, *args)


WHIMS: tuple[Callable[[Page, int], None], ...] = (
    Page._stage,
    Page._stage,
    Page._stage,
    Page._stage,
    Page._submit,
    Page._submit,
    Page._submit_twice,
    Page._second_thoughts,
    Page._second_thoughts,
    Page._around_the_close,
    Page._around_the_close,
    Page._retry,
    Page._reload,
    Page._nonsense,
    Page._get_chips,
)
