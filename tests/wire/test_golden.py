"""Golden messages: one coup as a page hears it. The page's own tests read the same file."""

import json
from pathlib import Path

import msgspec
import pytest

from bigroad.table.phases import Phase
from bigroad.wire import server_events
from bigroad.wire.client_messages import ClientMessage
from tests.app.floor import Floor

GOLDEN = Path(__file__).parents[1] / "golden" / "coup.json"
MAKE = "PYTHONPATH=src:. python -m tests.wire.test_golden"


async def story() -> dict[str, list[object]]:
    """Ann bets, Bob only stages, and the coup is dealt and paid. What Ann is told, then what a late page is told."""
    floor = await Floor().start()
    ann, bob = await floor.guest(), await floor.guest()
    await floor.until(Phase.OPEN)
    greeting = await floor.greeted(ann)
    heard = len(floor.ear.news)
    await floor.stage(ann, "player", 50_000)
    await floor.stage(ann, "tie", 2_000)
    refused = await floor.stage(ann, "dragon", 2_000)
    await floor.stage(bob, "banker", 100_000)
    await floor.bet(ann, "player", 10_000)
    floor.sleep(200)
    await floor.runner.pump()
    await floor.until(Phase.SETTLED)
    told = [json.loads(item.body) for item in floor.ear.news[heard:] if item.patron_id in (None, ann)]
    return {"told": [*greeting, *told, refused], "late": list(await floor.greeted(ann))}


async def test_the_wire_says_what_it_said() -> None:
    assert GOLDEN.is_file(), f"make it: {MAKE}"
    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == await story(), f"the wire has changed; look, then: {MAKE}"


def golden_events() -> list[dict[str, object]]:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return [*golden["told"], *golden["late"]]


def test_golden_events_have_exactly_the_fields_of_their_types() -> None:
    decoder = msgspec.json.Decoder(server_events.ServerEvent)
    for event in golden_events():
        raw = json.dumps(event).encode()
        again = json.loads(msgspec.json.encode(decoder.decode(raw)))
        assert again == event


def test_the_story_has_every_kind_of_message_that_a_plain_coup_brings() -> None:
    kinds = {event["type"] for event in golden_events()}
    assert kinds >= {
        "welcome", "snapshot", "you", "staged", "receipt", "refused", "settled", "totals",
        "bets_locked", "coup_dealt",
    }  # fmt: skip


CLIENT = [
    '{"type":"stage","request_id":"a","coup":1,"area":"player","amount_minor":2000}',
    '{"type":"unstage","request_id":"a","coup":1}',
    '{"type":"clear","request_id":"a","coup":1}',
    '{"type":"double","request_id":"a","coup":1}',
    '{"type":"rebet","request_id":"a","coup":1,"times":2,"submit":true,"fast":false}',
    '{"type":"submit","request_id":"a","coup":1,"fast":true}',
    '{"type":"ping","request_id":"a","client_ms":15}',
]


@pytest.mark.parametrize("text", CLIENT)
def test_client_messages_keep_their_bytes(text: str) -> None:
    message = msgspec.json.decode(text, type=ClientMessage)
    assert msgspec.json.encode(message).decode() == text


@pytest.mark.parametrize("request_id", ["a\\n", "a b", "", "\\u00e9", "a" * 65])
def test_a_request_id_is_printable_ascii_without_blanks(request_id: str) -> None:
    text = f'{{"type":"submit","request_id":"{request_id}","coup":1}}'
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ClientMessage)


if __name__ == "__main__":
    import asyncio

    GOLDEN.write_text(json.dumps(asyncio.run(story()), indent=1) + "\n", encoding="utf-8")
