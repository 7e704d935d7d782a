"""Frames of the socket: what a patron's text means, and the bytes that carry ours."""

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from bigroad.wire.client_messages import ClientMessage, RequestId
from bigroad.wire.errors import Fault
from bigroad.wire.server_events import Refused


class _Envelope(msgspec.Struct):
    """The parts of a message that are looked at even when the rest is wrong."""

    request_id: msgspec.Raw = msgspec.Raw()
    type: msgspec.Raw = msgspec.Raw()


class _Code(msgspec.Struct):
    """What of an answer says that it is a refusal."""

    code: str | None = None


_code_decoder = msgspec.json.Decoder(_Code)
_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_envelope_decoder = msgspec.json.Decoder(_Envelope)
_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(ClientMessage))
_DETAIL_LENGTH = 200
_STRINGS = re.compile(r'"((?:[^"\\]|\\.)*+)"(\s*:)?')
TWICE: dict[str, int | str] = {"detail": "a field is there twice"}


def read(text: str | bytes) -> ClientMessage | Refused:
    """The message, or the refusal to answer it with. Never raises."""
    try:
        message = _decoder.decode(text)
        return message if _says_once(text) else refusal(Fault.BAD_MESSAGE, message.request_id, facts=TWICE)
    except msgspec.ValidationError as trouble:
        return _explain(text, str(trouble))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return refusal(Fault.NOT_JSON)


def _says_once(text: str | bytes) -> bool:
    """Whether no key of this flat object is there twice, where readers would differ about which one counts. Keys with
    escapes are refused as well: nobody needs them."""
    keys = [key for key, colon in _STRINGS.findall(text if isinstance(text, str) else text.decode()) if colon]
    return len(set(keys)) == len(keys) and not any("\\" in key for key in keys)


def request_id_in(text: str | bytes) -> str | None:
    """The request's id in whatever this is, or None where there is no usable one."""
    return _part(_envelope(text).request_id, RequestId)


def code_in(answer: bytes) -> str | None:
    """The code of an encoded refusal, None for an event of another kind."""
    return _code_decoder.decode(answer).code


def refusal(
    code: str, request_id: str | None = None, coup: int | None = None, facts: Mapping[str, int | str] | None = None
) -> Refused:
    """A refusal for one socket."""
    return Refused(request_id=request_id, coup=coup, code=str(code), facts=dict(facts or {}))


def _explain(text: str | bytes, words: str) -> Refused:
    envelope = _envelope(text)
    request_id, kind = _part(envelope.request_id, RequestId), _part(envelope.type, str)
    if kind is not None and kind not in _TYPES:
        return refusal(Fault.UNKNOWN_MESSAGE, request_id)
    if words.endswith("at `$.amount_minor`"):
        return refusal(Fault.BAD_AMOUNT, request_id)
    return refusal(Fault.BAD_MESSAGE, request_id, facts={"detail": words[:_DETAIL_LENGTH]})


def _envelope(text: str | bytes) -> _Envelope:
    try:
        return _envelope_decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _Envelope()


def _part(raw: msgspec.Raw, kind: Any) -> str | None:
    try:
        part: str = msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeError):
        return None
    return part


def text_frame(body: bytes) -> bytes:
    """One whole, unmasked WebSocket text frame (RFC 6455, 5.2). Its bytes are the same for every client."""
    length = len(body)
    if length < 126:
        return b"\x81" + length.to_bytes(1, "big") + body
    if length < 65536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + body
    return b"\x81\x7f" + length.to_bytes(8, "big") + body
