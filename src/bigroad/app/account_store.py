"""What accounts ask of a store. Every method is one transaction and raises StoreError when the store fails."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Login(NamedTuple):
    """An account. password: its hash. one_time_until_utc_ms: set while the password is the operator's."""

    patron_id: int
    name: str
    password: str
    registered_utc_ms: int
    one_time_until_utc_ms: int | None


class AccountSession(NamedTuple):
    """A session of an account. key: the hash of its token. device: browser and system in words."""

    key: bytes
    begun_utc_ms: int
    seen_utc_ms: int
    device: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A new session and the known browser it comes from: hashes of their tokens. device_words for the list."""

    key: bytes
    device_key: bytes
    device_words: str
    at_utc_ms: int


class Ended(NamedTuple):
    """What an act has ended. done: whether it was done at all; False where somebody else was faster."""

    done: bool
    keys: Sequence[bytes] = ()


class AccountStore(Protocol):
    """Names, passwords, sessions."""

    async def register(self, patron_id: int, name: str, looks: Collection[str], password: str, entry: Entry) -> Ended:
        """Make the guest an account; its session is replaced by the entry's. Not done where a look is taken already,
        or the patron has an account."""

    async def login(self, look: str) -> Login | None:
        """The account whose name looks so."""

    async def login_of(self, patron_id: int) -> Login | None:
        """The patron's account; None for a guest."""

    async def enter(self, login: Login, entry: Entry, leaving: bytes | None, most: int) -> Ended:
        """Begin a session, as long as the password is still that of `login`; end the session `leaving`, and those not
        used for longest beyond `most`."""

    async def end(self, patron_id: int, keys: Collection[bytes]) -> Ended:
        """End sessions of the patron."""

    async def end_all(self, patron_id: int) -> Ended:
        """End every session of the patron, and forget the known browsers."""

    async def change_password(self, login: Login, password: str, entry: Entry) -> Ended:
        """Keep another password, as long as it is still that of `login`. Every session ends and every known browser is
        forgotten, but for the entry's."""

    async def rehash(self, login: Login, password: str) -> None:
        """Keep another hash of the same password, as long as it is still that of `login`."""

    async def sessions(self, patron_id: int) -> Sequence[AccountSession]:
        """The patron's sessions, the one used last first."""

    async def device(self, device_key: bytes) -> int | None:
        """Whose known browser this is."""

    async def touch(self, keys: Collection[bytes], at_utc_ms: int, before_utc_ms: int) -> Collection[bytes]:
        """These sessions are in use: noted where the last use was at `before_utc_ms` or earlier. Answers those that are
        still there."""

    async def sweep(self, begun_before_utc_ms: int, seen_before_utc_ms: int, most: int) -> Sequence[bytes]:
        """Delete sessions of accounts that are over, `most` at a time; answers which."""
