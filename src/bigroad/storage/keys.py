"""The key that signs the log of rounds: a file outside the database, made at first start, for its owner's eyes only."""

import contextlib
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bigroad.storage.errors import KeyUnusable

KEY_BYTES = 32


class LogKey:
    """Signs with Ed25519. Implements `bigroad.ledger.chain.Signer`."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self._public = self._key.public_key().public_bytes_raw()

    @property
    def public_key(self) -> bytes:
        """See Signer."""
        return self._public

    def sign(self, message: bytes) -> bytes:
        """See Signer."""
        return self._key.sign(message)


def load_key(path: Path) -> LogKey | None:
    """The key of that file, or None where there is no file. Raises KeyUnusable for a file that holds no key."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as problem:
        raise KeyUnusable(f"{path}: cannot be read: {problem}") from problem
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise KeyUnusable(f"{path}: not a key of {2 * KEY_BYTES} hexadecimal digits")
    return LogKey(secret)


def make_key(path: Path) -> LogKey:
    """A new key in a new file that only its owner may read (0600), on the disk before this returns.

    Raises KeyUnusable where the file cannot be made, or is there already.
    """
    secret = os.urandom(KEY_BYTES)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secret.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError as problem:
        raise KeyUnusable(f"{path}: cannot be made: {problem}") from problem
    return LogKey(secret)


def is_signature(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Is it that key's signature of that message? Implements `bigroad.ledger.chain.Check`."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Have the folder's entries on the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
