"""How long sessions of accounts last, and how often may be tried. Read by the settings."""

from typing import Annotated

import msgspec

Seconds = Annotated[int, msgspec.Meta(ge=1, le=3_650 * 86_400)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class AccountOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """idle_s: a session of an account ends when it was not used for so long; an open table counts as use. absolute_s:
    it ends so long after it began in any case. Guests' sessions do not end: the cookie is the only way to their money.

    tries_per_account, tries_per_address: wrong passwords that cost no wait. longest_wait_s: what the wait grows to.
    registrations_per_ip_per_hour: new accounts of one address. sessions_per_account: the one not used for longest
    makes way for the next. hash_memory_kib, hash_passes: what a password's hash costs (argon2id, one lane).
    """

    idle_s: Seconds = 30 * 60
    absolute_s: Seconds = 12 * 3_600
    tries_per_account: Count = 5
    tries_per_address: Count = 20
    longest_wait_s: Seconds = 900
    registrations_per_ip_per_hour: Count = 20
    sessions_per_account: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 20
    hash_memory_kib: Annotated[int, msgspec.Meta(ge=19_456, le=1_048_576)] = 19_456
    hash_passes: Annotated[int, msgspec.Meta(ge=2, le=64)] = 2
