"""Everything that can be set: one optional TOML file, then the environment, into one frozen `Settings`.

The environment names a key of the section `server` as BIGROAD_<KEY> and of another section as BIGROAD_<SECTION>_<KEY>,
in capitals; lists are separated by commas. PORT is taken too, as many hosts set it. Tables are set in the file only.
"""

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

import msgspec

from bigroad.rules.errors import BigroadError
from bigroad.web.options import LimitOptions, ServerOptions

CONFIG_NAME = "bigroad.toml"
CONFIG_VARIABLE = "BIGROAD_CONFIG"
AREAS = ("player", "banker", "tie")
MAX_MINOR = 2**53 - 1

Minor = Annotated[int, msgspec.Meta(ge=1, le=MAX_MINOR)]


class SettingsError(BigroadError):
    """A setting is wrong; the message names the file or variable, and the key."""

    code: ClassVar[str] = "BAD_SETTINGS"


class GuestSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """start_minor: what a new guest gets to play with, and what `Get chips` refills to."""

    start_minor: Minor = 1_000_000


class LogSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The log of rounds. head_file: where its head is published, in the data folder by default; better on another
    machine's disk. syslog: say each head to the system's log too."""

    head_file: str | None = None
    syslog: bool = False


class AreaLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How little and how much one patron may bet on one area."""

    min_minor: Minor = 2_000
    max_minor: Minor = 2_500_000


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table. `deal_pace` multiplies the time of every gesture: 2.0 is twice as slow."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z")]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    profile: Literal["multiplayer-deluxe"] = "multiplayer-deluxe"
    felt: Literal["emerald", "midnight", "burgundy", "onyx", "teal"] = "emerald"
    dealer: Literal["female", "male"] = "female"
    betting_ms: Annotated[int, msgspec.Meta(ge=500, le=600_000)] = 50_000
    closing_ms: Annotated[int, msgspec.Meta(ge=200, le=600_000)] = 10_000
    deal_pace: Annotated[float, msgspec.Meta(ge=0.05, le=10)] = 1.0
    decks: Annotated[int, msgspec.Meta(ge=1, le=8)] = 8
    limits: dict[Literal["player", "banker", "tie"], AreaLimits] = msgspec.field(default_factory=dict)
    chips_minor: Annotated[tuple[Minor, ...], msgspec.Meta(min_length=1, max_length=10)] = (
        2_000,
        10_000,
        50_000,
        100_000,
        500_000,
        2_500_000,
    )
    bankroll_minor: Minor = 1_000_000_000

    @property
    def pace_permille(self) -> int:
        """The deal's pace in thousandths, rounded to the nearest."""
        return round(self.deal_pace * 1000)

    def area_limits(self, area: str) -> AreaLimits:
        """The limits of an area, the usual ones where the settings name none."""
        return next((limits for name, limits in self.limits.items() if name == area), AreaLimits())


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it. Without any file: two tables, everything else as the defaults say."""

    server: ServerOptions = ServerOptions()
    limits: LimitOptions = LimitOptions()
    guests: GuestSettings = GuestSettings()
    log: LogSettings = LogSettings()
    tables: Annotated[tuple[TableSettings, ...], msgspec.Meta(min_length=1, max_length=100)] = (
        TableSettings(id="emerald", name="Emerald Room"),
        TableSettings(id="midnight", name="Midnight Room", felt="midnight"),
    )


def load(environment: Mapping[str, str], config: Path | None = None) -> Settings:
    """Read the settings.

    config: the file; else the one that BIGROAD_CONFIG names; else bigroad.toml in the current folder, if it is there.
    Raises SettingsError.
    """
    named = config or (Path(environment[CONFIG_VARIABLE]) if environment.get(CONFIG_VARIABLE) else None)
    path = named or Path(CONFIG_NAME)
    tree: dict[str, Any] = {}
    if named is not None or path.is_file():
        tree = _read(path)
        convert(tree, str(path))
    _apply_environment(tree, environment)
    return convert(tree, "environment")


def _read(path: Path) -> dict[str, Any]:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, Any])
    except OSError as trouble:
        raise SettingsError(f"{path}: {trouble.strerror or trouble}") from trouble
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise SettingsError(f"{path}: not TOML: {trouble}") from trouble


def convert(tree: dict[str, Any], source: str) -> Settings:
    """Settings from a tree of plain values. Raises SettingsError, which names the source and the key."""
    try:
        settings = msgspec.convert(tree, Settings)
    except msgspec.ValidationError as trouble:
        words, _, place = str(trouble).partition(" - at `$")
        key = place.rstrip("`").lstrip(".")
        raise SettingsError(f"{source}: {key}: {words}" if key else f"{source}: {words}") from trouble
    for key, words in _contradictions(settings):
        raise SettingsError(f"{source}: {key}: {words}")
    return settings


def _contradictions(settings: Settings) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    ids = [table.id for table in settings.tables]
    for number, table in enumerate(settings.tables):
        here = f"tables[{number}]"
        if table.id in ids[:number]:
            found.append((f"{here}.id", f"`{table.id}` is the id of two tables"))
        if list(table.chips_minor) != sorted(set(table.chips_minor)):
            found.append((f"{here}.chips_minor", "chips must ascend"))
        for area in AREAS:
            limits = table.area_limits(area)
            if limits.min_minor > limits.max_minor:
                found.append((f"{here}.limits.{area}", "min_minor is more than max_minor"))
    for number, proxy in enumerate(settings.server.trusted_proxies):
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError:
            found.append((f"server.trusted_proxies[{number}]", f"`{proxy}` is no address and no network"))
    return found


def _apply_environment(tree: dict[str, Any], environment: Mapping[str, str]) -> None:
    known = _variables()
    values = {"BIGROAD_PORT": environment["PORT"]} if environment.get("PORT") else {}
    values |= {name: value for name, value in environment.items() if name.startswith("BIGROAD_")}
    values.pop(CONFIG_VARIABLE, None)
    for name, text in values.items():
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
)


def _variables() -> dict[str, tuple[str, str, Any]]:
    """Variable to section, key and type."""
    found: dict[str, tuple[str, str, Any]] = {}
    for section, struct in (
        ("server", ServerOptions),
        ("limits", LimitOptions),
        ("guests", GuestSettings),
        ("log", LogSettings),
    ):
        prefix = "BIGROAD_" if section == "server" else f"BIGROAD_{section.upper()}_"
        for key, kind in get_type_hints(struct, include_extras=True).items():
            found[f"{prefix}{key.upper()}"] = (section, key, kind)
    return found
