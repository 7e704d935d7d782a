"""The figures of one server for Prometheus, in a registry of its own: two servers in a process do not mix.

Counters and histograms are fed as things happen, each a few times a round or a request; what can be looked up (sockets,
queues, memory) is looked up when somebody asks. On the way of a broadcast nothing is done for a single socket.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import choose_encoder

from bigroad.app.ports import TableDesk
from bigroad.app.store import Changes
from bigroad.table.phases import Phase

LAG_EVERY_S = 0.25
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
JOBS = (1, 2, 5, 10, 20, 50, 100, 200, 512)


class Metrics:
    """Implements `bigroad.app.measures.Measures`, and counts what the web does."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._bets = self._counter("bets", "Bets that were booked.", "by")
        self._bet_minor = self._counter("bet_minor", "Stakes that were booked, in minor units.")
        self._rounds = self._counter("rounds", "Rounds that ended.", "end")
        self._locks = self._histogram("lock_seconds", "From the close of betting till the lock is on the disk.")
        self._settles = self._histogram("settle_seconds", "From the cards till every payout is on the disk.")
        self._steps = self._histogram("step_seconds", "A table's steps, from the question till they are on the disk.")
        self._commits = self._histogram("commit_seconds", "Transactions of the store.")
        self._jobs = self._histogram("commit_jobs", "Jobs in a transaction of the store.", JOBS)
        self._fan_outs = self._histogram("fan_out_seconds", "An event from the first socket to the last.")
        self._lag = self._histogram("loop_lag_seconds", "How late the event loop is, looked at four times a second.")
        self._refused = self._counter("refused", "Messages over sockets that were refused.", "code")
        self._turned_away = self._counter("sockets_refused", "Sockets that were refused.", "code")
        self._cut_off = self._counter(
            "connections_refused", "Connections that were ended before their request.", "code"
        )
        self._opened = self._counter("sockets_opened", "Sockets that were opened.")
        self._requests = self._counter("http_requests", "Answers over HTTP.", "status")
        self._watching: asyncio.Task[None] | None = None

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"bigroad_{name}", words, labels, registry=self.registry)

    def _histogram(self, name: str, words: str, buckets: Sequence[float] = QUICK) -> Histogram:
        return Histogram(f"bigroad_{name}", words, registry=self.registry, buckets=buckets)

    def watch(self, name: str, words: str, look: Callable[[], float]) -> None:
        """A figure that is looked up whenever somebody asks."""
        Gauge(f"bigroad_{name}", words, registry=self.registry).set_function(look)

    def watch_tables(self, desks: Callable[[], Sequence[TableDesk]]) -> None:
        """How many tables deal, and how many do not."""
        gauge = Gauge("bigroad_tables", "Tables.", ["state"], registry=self.registry)
        gauge.labels("open").set_function(lambda: sum(desk.is_open for desk in desks()))
        gauge.labels("closed").set_function(lambda: sum(not desk.is_open for desk in desks()))

    # ---- told by the app and the store

    def kept(self, changes: Changes, seconds: float) -> None:
        """See Measures."""
        self._steps.observe(seconds)
        if changes.bets:
            by_table = sum(bet.automatic for bet in changes.bets)
            self._bets.labels("table").inc(by_table)
            self._bets.labels("patron").inc(len(changes.bets) - by_table)
            self._bet_minor.inc(sum(bet.staked_minor for bet in changes.bets))
        match changes.advanced.phase if changes.advanced is not None else None:
            case Phase.LOCKED:
                self._locks.observe(seconds)
            case Phase.SETTLED:
                self._settles.observe(seconds)
                self._rounds.labels("settled").inc()
            case Phase.VOIDED:
                self._rounds.labels("voided").inc()

    def committed(self, jobs: int, seconds: float) -> None:
        """See Measures."""
        self._commits.observe(seconds)
        self._jobs.observe(jobs)

    # ---- told by the web

    def told(self, seconds: float) -> None:
        """One event went to everybody at a table."""
        self._fan_outs.observe(seconds)

    def refused(self, code: str) -> None:
        """A message was refused."""
        self._refused.labels(code).inc()

    def turned_away(self, code: str) -> None:
        """A socket was refused."""
        self._turned_away.labels(code).inc()

    def cut_off(self, code: str) -> None:
        """A connection was ended before its request was looked at."""
        self._cut_off.labels(code).inc()

    def opened(self) -> None:
        """A socket was accepted."""
        self._opened.inc()

    def answered(self, status: int) -> None:
        """A request was answered."""
        self._requests.labels(str(status)).inc()

    # ---- the event loop

    def start(self) -> None:
        """Watch the running event loop until `stop`."""
        if self._watching is None:
            self._watching = asyncio.get_running_loop().create_task(self._watch_loop())

    def stop(self) -> None:
        """Watch no more."""
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    async def _watch_loop(self) -> None:
        while True:
            due_s = time.monotonic() + LAG_EVERY_S
            await asyncio.sleep(LAG_EVERY_S)
            self._lag.observe(max(0.0, time.monotonic() - due_s))

    def text(self, accepted: str) -> tuple[bytes, str]:
        """All figures, and their content type. accepted: what the request's Accept says."""
        encode, kind = choose_encoder(accepted)
        return encode(self.registry), kind
