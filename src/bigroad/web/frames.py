"""Frames of the socket: what a patron's text means, and the bytes that carry ours."""

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import msgspec.inspect

try:
    from websockets.speedups import apply_mask
except ImportError:  # no wheel for this machine
    from websockets.utils import apply_mask

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
        return message if _says_once(text, message) else refusal(Fault.BAD_MESSAGE, message.request_id, facts=TWICE)
    except msgspec.ValidationError as trouble:
        return _explain(text, str(trouble))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return refusal(Fault.NOT_JSON)


def _quotes(kind: Any) -> int:
    """The fewest quotes of a valid message of this kind: two around each key that must be there and each string."""
    shape: Any = msgspec.inspect.type_info(kind)
    needed = [field.type for field in shape.fields if field.required]
    texts = sum(isinstance(of, msgspec.inspect.StrType) for of in needed)
    return 2 * (len(needed) + texts) + 4  # the tag is a key and a string


_QUOTES = {kind: _quotes(kind) for kind in get_args(ClientMessage)}


def _says_once(text: str | bytes, message: ClientMessage) -> bool:
    """Whether no key of this flat object is there twice, where readers would differ about which one counts. Keys with
    escapes are refused as well: nobody needs them."""
    text = text if isinstance(text, str) else text.decode()
    if "\\" not in text and text.count('"') == _QUOTES[type(message)]:
        return True  # it has what it must have, so that nothing is left for a second time
    keys = [key for key, colon in _STRINGS.findall(text) if colon]
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


WHOLE_TEXT, MASKED, TWO_BYTES = 0x81, 0x80, 126


def whole_texts(data: bytes, most_bytes: int) -> list[str] | None:
    """The messages of bytes that are whole, final, masked text frames of so many bytes each at most, and nothing else.
    None for all other bytes: those are the library's to understand or to refuse."""
    texts: list[str] = []
    at, end = 0, len(data)
    while at < end:
        if end - at < 6 or data[at] != WHOLE_TEXT:
            return None
        length, at = data[at + 1] - MASKED, at + 2
        if length == TWO_BYTES:
            length, at = int.from_bytes(data[at : at + 2], "big"), at + 2
        elif not 0 <= length < TWO_BYTES:
            return None
        begin = at + 4
        mask, at = data[at:begin], begin + length
        if at > end or length > most_bytes:
            return None
        try:
            texts.append(apply_mask(data[begin:at], mask).decode())
        except UnicodeDecodeError:
            return None
    return texts
