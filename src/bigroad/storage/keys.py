"""Secrets outside the database: the key that signs the log of rounds, and the one that seals the seeds of open coups.

Each is a file of its own, made at first start, for its owner's eyes only.
"""

import contextlib
import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bigroad.storage.errors import KeyUnusable

KEY_BYTES = 32
_SEED_TAG = b"\x00\x00\x00\x0ebigroad/seed/1"
_MARK_TAG = b"\x00\x00\x00\x13bigroad/seed/1/mark"


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


class SeedSeal:
    """Keeps the seed of a coup that is not dealt yet from whoever reads the database, or a copy of it.

    sealed = 0x01 ‖ ( seed XOR HMAC-SHA256(secret, LP("bigroad/seed/1") ‖ u64 table ‖ u64 coup) )

    A seed is sealed once, with a stream of its own; its commitment shows that it was opened rightly.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sealed(self, table_no: int, coup_no: int, seed: bytes) -> bytes:
        """33 bytes that say nothing without the secret."""
        return b"\x01" + self._mask(table_no, coup_no, seed)

    def opened(self, table_no: int, coup_no: int, kept: bytes) -> bytes:
        """The seed; what is not sealed is answered as it is."""
        return self._mask(table_no, coup_no, kept[1:]) if is_sealed(kept) else kept

    @property
    def mark(self) -> bytes:
        """8 bytes that tell this seal from others and say nothing of its secret."""
        return hmac.digest(self._secret, _MARK_TAG, "sha256")[:8]

    def _mask(self, table_no: int, coup_no: int, text: bytes) -> bytes:
        place = table_no.to_bytes(8, "big") + coup_no.to_bytes(8, "big")
        stream = hmac.digest(self._secret, _SEED_TAG + place, "sha256")
        return bytes(left ^ right for left, right in zip(text, stream, strict=True))


def is_sealed(kept: bytes) -> bool:
    """Is this a seed that cannot be read without the secret?"""
    return len(kept) == 33 and kept[0] == 1


def load_secret(path: Path) -> bytes | None:
    """The secret of that file, or None where there is no file. Raises KeyUnusable for a file that holds none."""
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
    return secret


def make_secret(path: Path) -> bytes:
    """A new secret in a new file that only its owner may read (0600), on the disk before this returns.

    The file appears whole or not at all. Raises KeyUnusable where it cannot be made, or is there already.
    """
    secret, fresh = os.urandom(KEY_BYTES), path.with_name(path.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secret.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(fresh, path)
        fresh.unlink()
        sync_folder(path.parent)
    except OSError as problem:
        raise KeyUnusable(f"{path}: cannot be made: {problem}") from problem
    return secret


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
