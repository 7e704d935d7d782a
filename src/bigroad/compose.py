"""Where the parts meet: settings in, a running floor out."""

import secrets
from pathlib import Path

import structlog

from bigroad.app.clock import SystemClock
from bigroad.app.lobby import Lobby, TablePlan
from bigroad.app.ports import Bus
from bigroad.rules.paytables import STANDARD
from bigroad.rules.wagers import Area
from bigroad.settings import Settings, TableSettings
from bigroad.storage.opening import HEAD, open_book
from bigroad.table.terms import AreaLimit, Terms, Timing
from bigroad.wire.server_events import TableTerms

log = structlog.get_logger()

DATABASE = "bigroad.sqlite3"


def database_path(settings: Settings) -> Path:
    """The one file."""
    return Path(settings.server.data) / DATABASE


def head_path(settings: Settings) -> Path:
    """Where the head of the log of rounds is published."""
    return Path(settings.log.head_file) if settings.log.head_file else database_path(settings).parent / HEAD


async def open_floor(settings: Settings, bus: Bus) -> Lobby:
    """Open the store, recover every table; `Lobby.start` lets them run. Makes the data folder where it is missing."""
    path = database_path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    plans = [table_plan(table) for table in settings.tables]
    lowest = min(limit.min_minor for plan in plans for limit in plan.terms.limits)
    book = open_book(path, head_path(settings), syslog=settings.log.syslog)
    if book.trouble is not None:
        log.critical("no table deals", reason=book.trouble[0], problem=book.trouble[1])
    lobby = Lobby(
        book.store,
        bus,
        SystemClock(),
        lambda: secrets.token_bytes(32),
        settings.guests.start_minor,
        lowest,
        book.trouble[0] if book.trouble else None,
    )
    for plan in plans:
        await lobby.open_table(plan)
    return lobby


def table_plan(table: TableSettings) -> TablePlan:
    """A table's settings as the rules of its machine and the looks of its page."""
    limits = tuple(
        AreaLimit(area, table.area_limits(area).min_minor, table.area_limits(area).max_minor) for area in Area
    )
    terms = Terms(
        decks=table.decks,
        paytable=STANDARD,
        limits=limits,
        timing=Timing(table.betting_ms, table.closing_ms, table.pace_permille),
    )
    looks = TableTerms(
        table=table.id,
        name=table.name,
        profile=table.profile,
        felt=table.felt,
        dealer=table.dealer,
        decks=table.decks,
        chips_minor=list(table.chips_minor),
        betting_ms=table.betting_ms,
        closing_ms=table.closing_ms,
        areas=[],
    )
    return TablePlan(looks, terms, table.bankroll_minor)
