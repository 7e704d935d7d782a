"""What the HTTP API says and takes about the protection of patrons."""

from typing import Annotated, Literal

import msgspec

from bigroad.protection.guard import Act, Rule
from bigroad.wire.client_messages import AmountMinor


class PendingLimit(msgspec.Struct, frozen=True):
    """A limit that is to be higher, or gone (null). It can be confirmed from `ready_utc_ms` on, and taken back at any
    time; until it is confirmed the limit stays as it is."""

    amount_minor: int | None
    ready_utc_ms: int


class PlayLimit(msgspec.Struct, frozen=True):
    """One limit in force. `spent_minor`: lost on balance (below 0: won), or staked, stakes under way included;
    `left_minor`: what may still be staked. At `until_utc_ms` it begins anew."""

    rule: Rule
    amount_minor: int
    spent_minor: int
    left_minor: int
    until_utc_ms: int
    pending: PendingLimit | None


class ProtectionChange(msgspec.Struct, frozen=True):
    """One change, as it is kept. `rule` is null for time-outs and exclusions, whose `old` and `new` are their ends in
    UTC milliseconds, 0 for none, 9007199254740991 for one without an end; else they are amounts, null for no limit.
    `from_utc_ms`: when it holds, or can be confirmed."""

    act: Act
    rule: Rule | None
    old: int | None
    new: int | None
    at_utc_ms: int
    from_utc_ms: int


class Protection(msgspec.Struct, frozen=True):
    """What protects the patron now. `limits`: those that are set. Time-out and exclusion: their ends, null where there
    is none. `changes`: the latest, newest first."""

    server_utc_ms: int
    limits: list[PlayLimit]
    time_out_until_utc_ms: int | None
    excluded_until_utc_ms: int | None
    excluded_for_good: bool
    changes: list[ProtectionChange]


class LimitWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The amount that a limit is to have; null for no limit."""

    amount_minor: AmountMinor | None


class TimeOutWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No bets for so many hours from now: an hour to six weeks."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=1008)]


class ExclusionWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No play for so many months from now, six or more; null for good. `confirmed`: the patron was told in plain words
    that nothing undoes it, and said yes."""

    months: Annotated[int, msgspec.Meta(ge=6, le=600)] | None
    confirmed: Literal[True]


class Sitting(msgspec.Struct, frozen=True):
    """How long the patron has been playing, and what came of it: stakes and returns of coups whose results have been
    shown at `server_utc_ms`. Half an hour away ends it."""

    server_utc_ms: int
    started_utc_ms: int
    staked_minor: int
    returned_minor: int
    net_minor: int
