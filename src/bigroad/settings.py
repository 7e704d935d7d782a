"""Everything that can be set: one optional TOML file, then the environment, into one frozen `Settings`.

The environment names a key of the section `server` as BIGROAD_<KEY> and of another section as BIGROAD_<SECTION>_<KEY>,
in capitals; lists are separated by commas. PORT is taken too, as many hosts set it. Tables are set in the file only.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from bigroad.app.account_options import AccountOptions
from bigroad.profiles import load as profile_files
from bigroad.profiles.errors import SettingsError
from bigroad.profiles.profile import (
    AREAS,
    Area,
    AreaLimits,
    BettingMs,
    Button,
    Chips,
    Clock,
    ClosingMs,
    Dealer,
    Decks,
    Felt,
    Limits,
    Minor,
    Name,
    Option,
    Pace,
    Profile,
    Reveal,
    ShoeRule,
    Start,
    contradictions,
)
from bigroad.profiles.read import Source, convert, read_tree
from bigroad.web.options import LimitOptions, ServerOptions

__all__ = ["AREAS", "AreaLimits", "Settings", "SettingsError", "Table", "TableSettings", "load", "table_of"]

CONFIG_NAME = "bigroad.toml"
CONFIG_VARIABLE = "BIGROAD_CONFIG"
PROFILES_NAME = "profiles"


class GuestSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """start_minor: what a new guest gets to play with, and what `Get chips` refills to."""

    start_minor: Minor = 1_000_000


class LogSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The log of rounds, and that of the process. head_file: where the head of the former is published, in the data
    folder by default; better on another machine's disk. syslog: say each head to the system's log too. format: of the
    process's own lines; auto is text on a terminal, else json."""

    head_file: str | None = None
    syslog: bool = False
    format: Literal["auto", "json", "text"] = "auto"


class AuditSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """every_hours: so often the whole database is audited beside the running server, for the first time a minute after
    the start; 0 for never."""

    every_hours: Annotated[int, msgspec.Meta(ge=0, le=8_760)] = 24


class LimitChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another minimum or maximum of an area than the profile's."""

    min_minor: Minor | None = None
    max_minor: Minor | None = None

    def over(self, limits: AreaLimits) -> AreaLimits:
        """The profile's limits with the change."""
        return AreaLimits(self.min_minor or limits.min_minor, self.max_minor or limits.max_minor)


class LimitChanges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What changes in which area."""

    player: LimitChange = LimitChange()
    banker: LimitChange = LimitChange()
    tie: LimitChange = LimitChange()


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table: its id, its name, its profile, and what it has otherwise than the profile.

    `deal_pace` multiplies the time of every gesture: 2.0 is twice as slow.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z")]
    name: Name
    profile: str = "multiplayer-deluxe"
    felt: Felt | None = None
    felts: tuple[Felt, ...] | None = None
    dealer: Dealer | None = None
    betting_ms: BettingMs | None = None
    closing_ms: ClosingMs | None = None
    deal_pace: Pace | None = None
    decks: Decks | None = None
    shoe: ShoeRule | None = None
    reveal: Reveal | None = None
    start: Start | None = None
    areas: Annotated[tuple[Area, ...], msgspec.Meta(min_length=1, max_length=3)] | None = None
    limits: LimitChanges = LimitChanges()
    chips_minor: Chips | None = None
    bankroll_minor: Minor | None = None
    buttons: tuple[Button, ...] | None = None
    options: tuple[Option, ...] | None = None


SAME_NAMES = (
    "felt", "felts", "dealer", "deal_pace", "decks", "shoe", "reveal", "start", "areas", "chips_minor",
    "bankroll_minor", "buttons", "options",
)  # fmt: skip
"""What tables and profiles call alike."""

DEFAULT_TABLES = (
    TableSettings(id="emerald", name="Emerald Room"),
    TableSettings(id="midnight", name="Midnight Room", felt="midnight"),
    TableSettings(id="burgundy", name="Burgundy Salon", profile="deluxe"),
    TableSettings(id="express", name="Express", profile="three-d"),
    TableSettings(id="tableau", name="Tableau", profile="tableau", felt="teal"),
)


class SettingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file, with what the environment says on top.

    profiles: a folder with profiles of one's own, from where the file lies; "profiles" is used if it is there.
    """

    server: ServerOptions = ServerOptions()
    limits: LimitOptions = LimitOptions()
    guests: GuestSettings = GuestSettings()
    log: LogSettings = LogSettings()
    accounts: AccountOptions = AccountOptions()
    audit: AuditSettings = AuditSettings()
    profiles: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    tables: Annotated[tuple[TableSettings, ...], msgspec.Meta(min_length=1, max_length=100)] = DEFAULT_TABLES


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it will be: its profile with what its settings change. kind: the profile's name."""

    id: str
    name: str
    kind: str
    profile: Profile


def _default_tables() -> tuple[Table, ...]:
    return tuple(table_of(table, profile_files.builtin()[table.profile]) for table in DEFAULT_TABLES)


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it. Without any file: two shared rooms, one table of each game for one patron, and the usual limits."""

    server: ServerOptions = field(default_factory=ServerOptions)
    limits: LimitOptions = field(default_factory=LimitOptions)
    guests: GuestSettings = field(default_factory=GuestSettings)
    log: LogSettings = field(default_factory=LogSettings)
    accounts: AccountOptions = field(default_factory=AccountOptions)
    audit: AuditSettings = field(default_factory=AuditSettings)
    tables: tuple[Table, ...] = field(default_factory=_default_tables)


def table_of(table: TableSettings, profile: Profile) -> Table:
    """The table with its profile, changed where the table says otherwise."""
    changes: dict[str, Any] = {name: getattr(table, name) for name in SAME_NAMES if getattr(table, name) is not None}
    limits = {area: getattr(table.limits, area).over(profile.area_limits(area)) for area in AREAS}
    changes["limits"] = Limits(**{area: one for area, one in limits.items() if area in (table.areas or profile.areas)})
    if profile.clock is not None:
        clock = profile.clock
        changes["clock"] = Clock(table.betting_ms or clock.betting_ms, table.closing_ms or clock.closing_ms)
    return Table(table.id, table.name, table.profile, msgspec.structs.replace(profile, **changes))


def load(environment: Mapping[str, str], config: Path | None = None) -> Settings:
    """Read the settings.

    config: the file; else the one that BIGROAD_CONFIG names; else bigroad.toml in the current folder, if it is there.
    Raises SettingsError.
    """
    named = config or (Path(environment[CONFIG_VARIABLE]) if environment.get(CONFIG_VARIABLE) else None)
    path = named or Path(CONFIG_NAME)
    tree: dict[str, Any] = {}
    source = Source("defaults")
    if named is not None or path.is_file():
        tree, source = read_tree(path)
    settings_of(tree, source, path.parent)
    _apply_environment(tree, environment)
    return settings_of(tree, Source("environment"), path.parent)


def settings_of(tree: dict[str, Any], source: Source, folder: Path) -> Settings:
    """The settings from a tree of plain values. Raises SettingsError, which names the source, the line and the key."""
    file = convert(tree, SettingsFile, source)
    own = folder / (file.profiles or PROFILES_NAME)
    if file.profiles is not None and not own.is_dir():
        raise source.error("profiles", f"there is no folder {own}")
    known = profile_files.profiles(own if own.is_dir() else None)
    tables: list[Table] = []
    for number, table in enumerate(file.tables):
        here = f"tables[{number}]"
        profile = known.get(table.profile)
        if profile is None:
            names = ", ".join(sorted(known))
            raise source.error(f"{here}.profile", f"there is no profile `{table.profile}`; there are {names}")
        if table.id in [one.id for one in tables]:
            raise source.error(f"{here}.id", f"`{table.id}` is the id of two tables")
        for key in ("betting_ms", "closing_ms"):
            if getattr(table, key) is not None and profile.clock is None:
                raise source.error(f"{here}.{key}", f"no clock runs at a table of the profile `{table.profile}`")
        tables.append(table_of(table, profile))
        for key, words in contradictions(tables[-1].profile):
            raise source.error(f"{here}.{key}", words)
    for key in ("trusted_proxies", "metrics"):
        for number, network in enumerate(getattr(file.server, key)):
            try:
                ipaddress.ip_network(network, strict=False)
            except ValueError as trouble:
                words = f"`{network}` is no address and no network"
                raise source.error(f"server.{key}[{number}]", words) from trouble
    return Settings(file.server, file.limits, file.guests, file.log, file.accounts, file.audit, tuple(tables))


def _apply_environment(tree: dict[str, Any], environment: Mapping[str, str]) -> None:
    known = _variables()
    known["PORT"] = known["BIGROAD_PORT"]
    named = {name: text for name, text in environment.items() if name.startswith("BIGROAD_")}
    named.pop(CONFIG_VARIABLE, None)
    if environment.get("PORT") and "BIGROAD_PORT" not in named:
        named["PORT"] = environment["PORT"]
    for name, text in named.items():
        if name not in known:
            raise SettingsError(f"environment: {name}: there is no such setting")
        section, key, kind = known[name]
        parts: Any = [part.strip() for part in text.split(",") if part.strip()] if "tuple" in str(kind) else text
        try:
            value = msgspec.convert(parts, kind, strict=False)
        except msgspec.ValidationError as trouble:
            raise SettingsError(f"environment: {name}: {trouble}") from trouble
        tree.setdefault(section, {})[key] = value


_SECTIONS: tuple[tuple[str, Any], ...] = (
    ("server", ServerOptions),
    ("limits", LimitOptions),
    ("guests", GuestSettings),
    ("log", LogSettings),
    ("accounts", AccountOptions),
    ("audit", AuditSettings),
)


def _variables() -> dict[str, tuple[str, str, Any]]:
    """Variable to section, key and type."""
    found: dict[str, tuple[str, str, Any]] = {}
    for section, struct in _SECTIONS:
        prefix = "BIGROAD_" if section == "server" else f"BIGROAD_{section.upper()}_"
        for key, kind in get_type_hints(struct, include_extras=True).items():
            found[f"{prefix}{key.upper()}"] = (section, key, kind)
    return found
