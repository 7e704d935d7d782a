"""The one shape of every error over HTTP, and the status that each code has there."""

import secrets
from typing import Any

import msgspec
import structlog

from bigroad.wire.errors import WORDS, Code, Fault
from bigroad.wire.session import Problem

log = structlog.get_logger()

STATUS: dict[str, int] = {
    Fault.BAD_REQUEST: 400,
    Fault.NAME_LENGTH: 400,
    Fault.NAME_CHARACTERS: 400,
    Fault.NAME_RESERVED: 400,
    Fault.PASSWORD_LENGTH: 400,
    Fault.PASSWORD_TOO_EASY: 400,
    Fault.NO_SESSION: 401,
    Fault.BAD_ORIGIN: 403,
    Fault.BAD_TICKET: 403,
    Fault.SIGN_IN_REFUSED: 403,
    Fault.NOT_FOUND: 404,
    Fault.UNKNOWN_TABLE: 404,
    Fault.METHOD_NOT_ALLOWED: 405,
    Fault.REFILL_NOT_YET: 409,
    Fault.NOTHING_PENDING: 409,
    Fault.NOT_YET_READY: 409,
    Fault.STANDS_ALREADY: 409,
    Fault.NAME_TAKEN: 409,
    Fault.ALREADY_REGISTERED: 409,
    Fault.NOT_REGISTERED: 409,
    Fault.FRAME_TOO_LARGE: 413,
    Fault.RATE_LIMITED: 429,
    Fault.TOO_MANY_SOCKETS: 429,
    Fault.TOO_MANY_GUESTS: 429,
    Fault.TOO_MANY_CONNECTIONS: 429,
    Fault.TOO_SLOW: 408,
    Fault.HEADERS_TOO_LARGE: 431,
    Fault.HOUSE_FULL: 503,
    Fault.TOO_MANY_TRIES: 429,
    Fault.SIGN_IN_BUSY: 429,
    Fault.TOO_MANY_ACCOUNTS: 429,
    Fault.INTERNAL: 500,
    Fault.STORE_UNAVAILABLE: 503,
}
_CODES: dict[str, Code] = {str(code): code for code in WORDS}


class Refuse(Exception):
    """Ends a request with a code."""

    def __init__(self, code: Fault, **facts: int | str) -> None:
        super().__init__(str(code))
        self.code = code
        self.facts = facts


def code_of(trouble: BaseException) -> tuple[str, dict[str, int | str]]:
    """The stable code that an exception carries, with its facts; else INTERNAL, logged under a `ref`."""
    code, facts = getattr(trouble, "code", None), getattr(trouble, "facts", {})
    if isinstance(code, str) and code in _CODES:
        return str(code), dict(facts) if isinstance(facts, dict) else {}
    ref = secrets.token_hex(4)
    log.error("internal_error", ref=ref, exc_info=trouble)
    return str(Fault.INTERNAL), {"ref": ref}


def problem(code: str, facts: dict[str, int | str] | None = None) -> Problem:
    """A code with its English words, filled from the facts."""
    facts = facts or {}
    words = WORDS[_CODES[code]]
    for name, value in facts.items():
        words = words.replace("{" + name + "}", str(value))
    return Problem(code=code, message=words, facts=facts)


def plain_answer(code: str, facts: dict[str, int | str] | None = None) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Status, headers and body of a problem, for those who speak bare ASGI."""
    body = msgspec.json.encode(problem(code, facts))
    headers: list[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    return STATUS.get(code, 400), headers, body


async def send_problem(
    send: Any, code: str, facts: dict[str, int | str] | None = None, *, prefix: str = "http"
) -> None:
    """Answer a request, or with the prefix "websocket.http" a handshake, with a problem."""
    status, headers, body = plain_answer(code, facts)
    await send({"type": f"{prefix}.response.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body})
