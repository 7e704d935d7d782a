"""Where the parts meet: settings in, a running floor out."""

import secrets
from pathlib import Path

import structlog

from bigroad.app.accounts import Accounts
from bigroad.app.clock import SystemClock
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.ports import Bus
from bigroad.rules.paytables import STANDARD
from bigroad.rules.wagers import Area
from bigroad.settings import Settings, Table
from bigroad.storage.opening import HEAD, open_book
from bigroad.table.terms import AreaLimit, Terms, Timing
from bigroad.table.timing import Reveal
from bigroad.web.metrics import Metrics
from bigroad.wire.server_events import TableTerms

log = structlog.get_logger()

HELP = {
    "restored": "`bigroad accept-restore` takes the older database up",
    "broken": "`bigroad verify-log` says more; put a sound backup in its place",
}
DATABASE = "bigroad.sqlite3"


def database_path(settings: Settings) -> Path:
    """The one file."""
    return Path(settings.server.data) / DATABASE


def head_path(settings: Settings) -> Path:
    """Where the head of the log of rounds is published."""
    return Path(settings.log.head_file) if settings.log.head_file else database_path(settings).parent / HEAD


async def open_floor(settings: Settings, bus: Bus, metrics: Metrics | None = None) -> Lobby:
    """Open the store, recover every table; `Lobby.start` lets them run. Makes the data folder where it is missing."""
    metrics = metrics or Metrics()
    path = database_path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    plans = [table_plan(table) for table in settings.tables]
    lowest = min(limit.min_minor for plan in plans for limit in plan.terms.limits)
    book = open_book(path, head_path(settings), syslog=settings.log.syslog, measures=metrics)
    metrics.watch("store_waiting", "Jobs that wait for a transaction of the store.", lambda: book.store.waiting)
    if book.trouble is not None:
        log.critical("no table deals", reason=book.trouble[0], problem=book.trouble[1], help=HELP[book.trouble[0]])
    clock = SystemClock()
    set_by = "By how much the wall clock was set since the start."
    metrics.watch("wall_ahead_seconds", set_by, lambda: clock.wall_ahead_ms() / 1_000)
    lobby = Lobby(
        book.store,
        bus,
        clock,
        lambda: secrets.token_bytes(32),
        settings.guests.start_minor,
        lowest,
        book.trouble[0] if book.trouble else None,
        Accounts(book.store.accounts, clock, settings.accounts),
    )
    for plan in plans:
        await lobby.open_table(plan)
    return lobby


def table_plan(table: Table) -> TablePlan:
    """A table as the rules of its machine and the looks of its page."""
    profile, clock = table.profile, table.profile.clock
    betting_ms, closing_ms = (clock.betting_ms, clock.closing_ms) if clock is not None else (0, 0)
    limits = tuple(
        AreaLimit(area, profile.area_limits(area).min_minor, profile.area_limits(area).max_minor)
        for area in Area
        if area.value in profile.areas
    )
    terms = Terms(
        decks=profile.decks,
        paytable=STANDARD,
        limits=limits,
        timing=Timing(betting_ms, closing_ms, profile.pace_permille),
        clock=clock is not None,
        shoe=profile.shoe,
        reveal=Reveal(profile.reveal),
        profile=table.kind,
    )
    looks = TableTerms(
        table=table.id,
        name=table.name,
        profile=table.kind,
        felt=profile.felt,
        dealer=profile.dealer,
        decks=profile.decks,
        chips_minor=list(profile.chips_minor),
        betting_ms=betting_ms,
        closing_ms=closing_ms,
        areas=[],
        felts=list(profile.felts),
        seats=profile.seats,
        clock=clock is not None,
        shoe=profile.shoe,
        reveal=profile.reveal,
        start=profile.start,
        buttons=list(profile.buttons),
        options=list(profile.options),
    )
    return TablePlan(looks, terms, profile.bankroll_minor)
