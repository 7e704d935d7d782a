"""The history as CSV (RFC 4180), safe to open in a spreadsheet: no cell of words can be read as a formula."""

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime

from bigroad.wire.session import HistoryCoup

AREAS = ("player", "tie", "banker")
HEAD = (
    "Bet at (UTC)",
    "Table",
    "Game",
    "Coup (number)",
    "State",
    "Outcome",
    "Player cards",
    "Player points",
    "Banker cards",
    "Banker points",
    *(f"Stake on {area.capitalize()} (units)" for area in AREAS),
    *(f"Returned on {area.capitalize()} (units)" for area in AREAS),
    "Staked (units)",
    "Returned (units)",
    "Net (units)",
    "Balance before (units)",
    "Balance after (units)",
    "Bet by the table",
)
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_head() -> bytes:
    """The byte order mark that spreadsheets want, and the names of the columns with their units."""
    return "\ufeff".encode() + _lines([HEAD])


def csv_lines(coups: Iterable[HistoryCoup]) -> bytes:
    """One line a coup."""
    return _lines(_row(coup) for coup in coups)


def _row(coup: HistoryCoup) -> tuple[str, ...]:
    at = datetime.fromtimestamp(coup.at_utc_ms / 1000, UTC)
    return (
        at.strftime("%Y-%m-%d %H:%M:%S"),
        safe(coup.table_name),
        safe(coup.profile),
        str(coup.coup),
        safe(coup.state),
        safe(coup.outcome or ""),
        safe(" ".join(coup.player_cards)),
        _number(coup.player_points),
        safe(" ".join(coup.banker_cards)),
        _number(coup.banker_points),
        *(units(coup.stakes.get(area, 0)) for area in AREAS),
        *(units(coup.returned.get(area, 0)) for area in AREAS),
        units(coup.staked_minor),
        units(coup.returned_minor),
        units(coup.net_minor),
        "" if coup.balance_before_minor is None else units(coup.balance_before_minor),
        "" if coup.balance_after_minor is None else units(coup.balance_after_minor),
        "yes" if coup.automatic else "no",
    )


def safe(words: str) -> str:
    """Words that no spreadsheet takes for a formula: what could begin one gets an apostrophe in front."""
    return f"'{words}" if words.startswith(_RISKY) else words


def units(minor: int) -> str:
    """Minor units as a plain decimal number: -150 → "-1.50"."""
    whole, cents = divmod(abs(minor), 100)
    return f"{'-' if minor < 0 else ''}{whole}.{cents:02}"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _lines(rows: Iterable[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()
