"""The reader of frames: whatever comes in, a message or a refusal, never an exception, and never half of it."""

import json
import os
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigroad.web.frames import read
from bigroad.wire.client_messages import MAX_MINOR, Message, Stage
from bigroad.wire.errors import WORDS
from bigroad.wire.server_events import Refused

MANY = int(os.environ.get("BIGROAD_FUZZ_EXAMPLES", "100"))
"""So many examples of each kind; more for a long run."""

CODES = {str(code) for code in WORDS}
STAGE = {"type": "stage", "request_id": "r1", "coup": 1, "area": "player", "amount_minor": 2000}
VALID: list[dict[str, Any]] = [
    STAGE,
    {"type": "submit", "request_id": "r1", "coup": 1, "fast": True},
    {"type": "rebet", "request_id": "r1", "coup": 1, "times": 2, "submit": True},
    {"type": "unstage", "request_id": "r1", "coup": 1},
    {"type": "ping", "request_id": "r1", "client_ms": 1},
]
numbers = st.integers() | st.integers(-(10**400), 10**400) | st.floats()
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def judged(text: str | bytes) -> Message | Refused:
    answer = read(text)
    if isinstance(answer, Refused):
        assert answer.code in CODES
        msgspec.json.encode(answer)  # it can be told
    else:
        assert isinstance(answer, Message)
    return answer


@settings(max_examples=MANY)
@given(st.text(max_size=300) | st.binary(max_size=300))
def test_any_text_is_answered(text: str | bytes) -> None:
    judged(text)


@settings(max_examples=MANY)
@given(st.sampled_from(VALID), st.dictionaries(st.sampled_from([*STAGE, "times", "fast", "card", "x"]), values))
def test_a_message_with_other_values_is_taken_whole_or_refused(
    message: dict[str, Any], changed: dict[str, Any]
) -> None:
    sent = {**message, **changed}
    answer = judged(json.dumps(sent))
    if isinstance(answer, Message):
        told = msgspec.to_builtins(answer)
        assert {name: told[name] for name in sent} == sent, "what was meant is what is taken"
        if isinstance(answer, Stage):
            assert type(sent["amount_minor"]) is int
            assert 1 <= sent["amount_minor"] <= MAX_MINOR


@settings(max_examples=MANY)
@given(st.sampled_from(VALID), st.data())
def test_a_message_with_bytes_changed_is_answered(message: dict[str, Any], data: st.DataObject) -> None:
    text = bytearray(json.dumps(message).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        part = data.draw(st.binary(max_size=4) | st.sampled_from([b"[" * 500, b'"', b"1" * 400, b"\\ud800", b"\xff"]))
        text[at : at + data.draw(st.integers(0, 3))] = part
    judged(bytes(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"submit","request_id":"r1","coup":1,"coup":2}',
        '{"type":"submit","type":"clear","request_id":"r1","coup":1}',
        '{"request_id":"r1","request_id":"r2","type":"submit","coup":1}',
        '{"type":"submit","request_id":"r1","coup":1,"\\u0063oup":2}',
        '{"type":"stage","request_id":"r1","coup":1,"area":"player","amount_minor":2000,"amount_minor" : 9000}',
    ],
)
def test_a_field_that_is_there_twice_is_refused(text: str) -> None:
    answer = read(text)
    assert isinstance(answer, Refused)
    assert answer.code == "BAD_MESSAGE"


def test_words_that_look_like_a_field_are_words() -> None:
    answer = read('{"type":"stage","request_id":"\\"coup\\":","coup":1,"area":"\\"coup\\" : ","amount_minor":2000}')
    assert isinstance(answer, Stage)


@pytest.mark.parametrize("depth", [2, 7, 1_000, 100_000])
def test_nothing_nested_is_taken(depth: int) -> None:
    for opens, closes in (("[", "]"), ('{"a":', "}")):
        answer = judged('{"type":"submit","request_id":"r1","coup":1,"fast":' + opens * depth + closes * depth + "}")
        assert isinstance(answer, Refused)
