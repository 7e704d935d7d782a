"""What the HTTP API says."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from bigroad.wire.server_events import (
    Amounts,
    Counts,
    CoupDealt,
    CoupOpened,
    Mark,
    Patron,
    Roads,
    Settled,
    TableTerms,
)


class Session(msgspec.Struct, frozen=True):
    """Who the caller is. `created`: this call made a new guest. `registered`: the patron has an account."""

    patron: Patron
    balance_minor: int
    can_refill: bool
    created: bool
    server_utc_ms: int
    registered: bool = False


Name = Annotated[str, msgspec.Meta(max_length=200)]
Password = Annotated[str, msgspec.Meta(max_length=512)]


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name to sign in with and a password."""

    name: Name
    password: Password


class PasswordChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password until now, and the one from now on."""

    old: Password
    new: Password


class AccountSession(msgspec.Struct, frozen=True):
    """A session of an account. `id` names it and opens nothing; `device` is what the browser calls itself, such as
    "Firefox, Linux", empty where it says nothing; `current`: the one that asks."""

    id: str
    device: str
    begun_utc_ms: int
    seen_utc_ms: int
    current: bool


class Account(msgspec.Struct, frozen=True):
    """The caller's account; a guest has none, and no sessions in the list. `one_time`: the password is the operator's
    and ends soon. `idle_s` and `absolute_s`: how long a session lasts unused, and at the longest."""

    registered: bool
    name: str
    registered_utc_ms: int | None
    one_time: bool
    sessions: list[AccountSession]
    idle_s: int
    absolute_s: int


class Ticket(msgspec.Struct, frozen=True):
    """Lets the caller's session open one socket, within `valid_ms`. It is shown as a second subprotocol. `page`: the
    script that this server's page begins with; one that began with another is of another version."""

    ticket: str
    valid_ms: int
    page: str = ""


class OwnSeat(msgspec.Struct, frozen=True):
    """The caller's seat at a table for one patron. state: free, waits (a coup with the caller's bet is under way)."""

    state: str
    coup: int


class TableRow(msgspec.Struct, frozen=True):
    """One table of the lobby. phase: betting, closing, dealing, closed. `patrons`: how many sit there now.

    `counts` and `big_road` are those of the shoe on the table, `big_road` its last 40 columns with the first of them
    numbered 0. At a table for one patron coup, phase, counts and road are the caller's own, and nothing without a
    cookie; `own` is null elsewhere.
    """

    terms: TableTerms
    phase: str
    coup: int
    closes_utc_ms: int | None
    deals_utc_ms: int | None
    patrons: int
    counts: Counts
    big_road: list[Mark]
    own: OwnSeat | None


class HistoryCoup(msgspec.Struct, frozen=True):
    """One coup that the patron bet on. `outcome`, points and cards are empty while it runs; `state` as the ledger names
    it.

    `net_minor` is what came back less the stake, 0 while the coup runs. `balance_before_minor` is what there was to bet
    with just before this bet, `balance_after_minor` just after its return; null where that was not kept.
    """

    table: str
    table_name: str
    profile: str
    coup: int
    state: str
    automatic: bool
    at_utc_ms: int
    dealt_utc_ms: int | None
    outcome: str | None
    player_cards: list[str]
    banker_cards: list[str]
    player_points: int | None
    banker_points: int | None
    stakes: Amounts
    returned: Amounts
    staked_minor: int
    returned_minor: int
    net_minor: int
    balance_before_minor: int | None
    balance_after_minor: int | None


class HistoryPage(msgspec.Struct, frozen=True):
    """Some of the patron's coups, newest first. `next`: what `before` is to be for the following ones; null at the
    end."""

    coups: list[HistoryCoup]
    next: str | None


class CoupRecord(msgspec.Struct, frozen=True):
    """A dealt coup as it was told, to be shown again. `settled`: how the caller's bet ended, null without one.

    `dealt` has an empty `roads`, and neither number nor epoch (0), as in `opened`. Gestures are never the fast ones.
    """

    terms: TableTerms
    opened: CoupOpened
    dealt: CoupDealt
    settled: Settled | None


Part = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Volumes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Each from 0 to 1."""

    effects: Part | UnsetType = UNSET
    voice: Part | UnsetType = UNSET
    room: Part | UnsetType = UNSET


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """What a patron has chosen for the page; what was not chosen is left out. `changedUtcMs`: when, by the page's
    clock; 0 for never."""

    changed_utc_ms: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
    quality: Literal["auto", "high", "medium", "low", "flat"] | UnsetType = UNSET
    camera_moves: bool | UnsetType = UNSET
    motion: Literal["system", "reduced", "full"] | UnsetType = UNSET
    captions: bool | UnsetType = UNSET
    large_cards: bool | UnsetType = UNSET
    shapes: bool | UnsetType = UNSET
    felt: Annotated[str, msgspec.Meta(max_length=32)] | UnsetType | None = UNSET
    language: Annotated[str, msgspec.Meta(min_length=2, max_length=35)] | UnsetType = UNSET
    fast_play: bool | UnsetType = UNSET
    rebet_and_deal: bool | UnsetType = UNSET
    volumes: Volumes | UnsetType = UNSET
    muted: bool | UnsetType = UNSET
    session_clock: bool | UnsetType = UNSET
    reality_check_minutes: Annotated[int, msgspec.Meta(ge=0, le=1440)] | UnsetType = UNSET


class CoupCards(msgspec.Struct, frozen=True):
    """A dealt coup, as everybody saw it. Cards are two characters, rank and suit."""

    coup: int
    dealt_utc_ms: int
    outcome: str
    player_cards: list[str]
    banker_cards: list[str]
    player_points: int
    banker_points: int
    natural: bool
    player_pair: bool
    banker_pair: bool


class ShoeRecord(msgspec.Struct, frozen=True):
    """One shoe of a table: its boards and its coups, oldest first. `current` is the shoe on the table now; shoes are
    numbered from 1 without holes."""

    table: str
    shoe: int
    current: int
    roads: Roads
    coups: list[CoupCards]


class Problem(msgspec.Struct, frozen=True):
    """The one shape of every error of the API."""

    code: str
    message: str
    facts: dict[str, int | str] = {}
