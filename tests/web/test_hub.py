"""The fan-out: order, joining in between, and a reader that does not read."""

import asyncio

import pytest
from websockets.asyncio.client import ClientConnection

from bigroad.app.ports import News
from bigroad.bus.local import LocalBus
from bigroad.web import hub as hubs
from bigroad.web.frames import text_frame
from bigroad.web.hub import Hub
from bigroad.web.line import Line
from tests.web.rig import TABLE, House, StoreAway, hear, hear_the_end, open_house, until


class Paper:
    """A line that writes down what it is sent."""

    def __init__(self, patron_id: int = 1) -> None:
        self.patron_id = patron_id
        self.since = 0
        self.paused = False
        self.missed_s: float | None = None
        self.closing = False
        self.queued = 0
        self.frames: list[bytes] = []
        self.ended: tuple[int, str] | None = None

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)

    def buffered(self) -> int:
        return self.queued

    def end(self, code: int, reason: str) -> None:
        self.ended, self.closing = (code, reason), True


def frames(*bodies: bytes) -> list[bytes]:
    return [text_frame(body) for body in bodies]


async def settle_down() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def sit(hub: Hub, paper: Paper, *bodies: bytes) -> Paper:
    hub.join(TABLE, paper, bodies)  # type: ignore[arg-type]
    return paper


async def test_news_comes_in_order_public_and_private_alike() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    mine, other = sit(hub, Paper(1), b"hello"), sit(hub, Paper(2))
    bus.publish(TABLE, [News(b"1"), News(b"2", patron_id=1), News(b"3")])
    bus.publish(TABLE, [News(b"4", patron_id=2), News(b"5")])
    await settle_down()
    assert mine.frames == frames(b"hello", b"1", b"2", b"3", b"5")
    assert other.frames == frames(b"1", b"3", b"4", b"5")


async def test_who_joins_while_news_is_waiting_hears_only_what_follows() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    early = sit(hub, Paper(1))
    bus.publish(TABLE, [News(b"old"), News(b"old private", patron_id=1)])
    late = sit(hub, Paper(1), b"snapshot with old")
    bus.publish(TABLE, [News(b"new"), News(b"new private", patron_id=1)])
    await settle_down()
    assert early.frames == frames(b"old", b"old private", b"new", b"new private")
    assert late.frames == frames(b"snapshot with old", b"new", b"new private")


async def test_a_private_word_passes_a_volatile_crowd_but_no_public_event() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    order: list[tuple[int, bytes]] = []

    class Noting(Paper):
        def write(self, frame: bytes) -> None:
            order.append((self.patron_id, frame))

    for patron_id in range(hubs.SLICE * 3):
        sit(hub, Noting(patron_id))
    bus.publish(TABLE, [News(b"totals", volatile=True), News(b"receipt", patron_id=5)])
    bus.publish(TABLE, [News(b"dealt"), News(b"settled", patron_id=5)])
    await settle_down()
    seen = [frame for _, frame in order]
    assert seen.index(text_frame(b"receipt")) == hubs.SLICE
    mine = [frame for patron_id, frame in order if patron_id == 5]
    assert mine == frames(b"totals", b"receipt", b"dealt", b"settled")
    last_dealt = max(place for place, frame in enumerate(seen) if frame == text_frame(b"dealt"))
    assert seen.index(text_frame(b"settled")) > last_dealt


async def test_a_crowd_is_told_in_slices_with_turns_for_others_in_between() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    papers = [sit(hub, Paper(number)) for number in range(hubs.SLICE * 4)]
    bus.publish(TABLE, [News(b"x")])
    told: list[int] = []
    while not told or told[-1] < len(papers):
        await asyncio.sleep(0)
        told.append(sum(len(paper.frames) for paper in papers))
    assert told == [hubs.SLICE * (number + 1) for number in range(4)]


async def test_a_crowds_receipts_come_in_slices_and_in_order_too() -> None:
    """10,000 of them at a lock: others get a turn of the event loop after each slice."""
    bus, many = LocalBus(), 4 * hubs.SLICE + 1
    hub = Hub(bus, 1000)
    papers = [sit(hub, Paper(number)) for number in range(1, many + 1)]
    bus.publish(TABLE, [*(News(b"%d" % paper.patron_id, paper.patron_id) for paper in papers), News(b"locked")])
    seen = []
    while not papers[-1].frames:
        await asyncio.sleep(0)
        seen.append(sum(bool(paper.frames) for paper in papers))
    assert max(after - before for before, after in zip([0, *seen], seen, strict=False)) == hubs.SLICE
    await settle_down()
    assert [paper.frames for paper in papers] == [frames(b"%d" % paper.patron_id, b"locked") for paper in papers]


async def test_news_passes_by_who_is_behind_until_greeted_again() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    slow, quick = sit(hub, Paper(1)), sit(hub, Paper(2))
    slow.paused = True
    bus.publish(TABLE, [News(b"totals", volatile=True)])
    await settle_down()
    slow.paused = False
    bus.publish(TABLE, [News(b"dealt"), News(b"settled", patron_id=1)])
    await settle_down()
    assert (slow.frames, hub.behind()) == ([], 1)
    sit(hub, slow, b"snapshot")
    bus.publish(TABLE, [News(b"opened"), News(b"receipt", patron_id=1)])
    await settle_down()
    assert slow.frames == frames(b"snapshot", b"opened", b"receipt")
    assert quick.frames == frames(b"totals", b"dealt", b"opened")
    assert (hub.behind(), hub.sockets()) == (0, 2)


async def test_who_takes_nothing_for_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    slow = sit(hub, Paper())
    slow.paused = True
    bus.publish(TABLE, [News(b"1"), News(b"2")])
    await settle_down()
    assert slow.ended is None
    monkeypatch.setattr(hubs, "PATIENCE_S", -1.0)
    bus.publish(TABLE, [News(b"3")])
    await settle_down()
    assert slow.ended == (1013, "too_slow")
    assert slow.frames == frames(b'{"type":"session","reason":"too_slow"}')


async def test_who_does_not_read_the_answers_to_what_it_asks_is_closed_past_the_limit() -> None:
    hub = Hub(LocalBus(), 1000)
    slow = sit(hub, Paper())
    slow.paused, slow.queued = True, 900
    hub.send(slow, b"refused")  # type: ignore[arg-type]
    assert slow.frames == frames(b"refused")
    slow.queued = 999
    hub.send(slow, b"refused")  # type: ignore[arg-type]
    assert slow.ended == (1013, "too_slow")


async def test_a_broken_line_keeps_nobody_from_the_next_news() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)

    class Broken(Paper):
        def write(self, frame: bytes) -> None:
            raise RuntimeError("torn")

    sit(hub, Broken(1))
    whole = sit(hub, Paper(2))
    bus.publish(TABLE, [News(b"1"), News(b"2", patron_id=2)])
    await settle_down()
    assert whole.frames == frames(b"1", b"2")


async def test_an_empty_table_is_not_listened_to() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    paper = sit(hub, Paper())
    hub.leave(TABLE, paper)  # type: ignore[arg-type]
    hub.leave(TABLE, paper)  # type: ignore[arg-type]
    bus.publish(TABLE, [News(b"x")])
    await settle_down()
    assert paper.frames == []
    assert bus._listeners == {}


async def test_one_reader_that_stops_reading_holds_no_other_up_and_is_greeted_again_when_it_reads_on() -> None:
    """Real sockets: 20 that read, one whose window fills; it costs no memory, and hears how things stand afterwards."""
    async with open_house() as house:
        stalled = await house.sit(max_queue=1)
        stalled.transport.pause_reading()
        readers = [await house.sit() for _ in range(20)]
        body = b'{"type":"x","pad":"' + b"x" * 30_000 + b'"}'
        sent = 0
        while not house.app.hub.behind():
            house.bus.publish(TABLE, [News(body)])
            await asyncio.gather(*(hear(line) for line in readers))
            sent += 1
        for _ in range(20):
            house.bus.publish(TABLE, [News(body), News(b'{"type":"own"}', patron_id=1)])
            await asyncio.gather(*(hear(line) for line in readers))
        assert house.app.hub.buffered() < 2 * len(body)
        stalled.transport.resume_reading()
        kinds: list[str] = []
        while not kinds or kinds[-1] != "welcome":
            kinds.append((await hear(stalled))["type"])
        assert kinds == ["x"] * sent + ["welcome"]
        assert house.desk.greeted == [(None, None)] * 22
        await until(lambda: house.desk.left == [1])
        house.bus.publish(TABLE, [News(b'{"type":"next"}'), News(b'{"type":"own"}', patron_id=1)])
        assert [(await hear(stalled))["type"] for _ in range(2)] == ["next", "own"]
        assert (house.app.hub.sockets(), house.app.hub.behind()) == (21, 0)
        for line in (stalled, *readers):
            await line.close()


async def until_behind(house: House, reader: ClientConnection) -> None:
    """Tell everybody so much that the one who does not read misses some of it."""
    more = 2
    while not house.app.hub.behind() or (more := more - 1):
        house.bus.publish(TABLE, [News(b'{"type":"x","pad":"' + b"x" * 30_000 + b'"}')])
        await hear(reader)


async def test_one_that_never_reads_on_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "PATIENCE_S", -1.0)
    async with open_house() as house:
        stalled, reader = await house.sit(max_queue=1), await house.sit()
        stalled.transport.pause_reading()
        await until_behind(house, reader)
        house.bus.publish(TABLE, [News(b'{"type":"next"}')])
        await hear(reader)
        stalled.transport.resume_reading()
        assert await hear_the_end(stalled) == 1013
        await until(lambda: house.desk.left == [1])
        await reader.close()


async def test_who_could_not_be_greeted_again_is_told_and_closed() -> None:
    async with open_house() as house:
        stalled, reader = await house.sit(max_queue=1), await house.sit()
        stalled.transport.pause_reading()
        await until_behind(house, reader)
        house.desk.greet_trouble = StoreAway()
        stalled.transport.resume_reading()
        while (last := await hear(stalled))["type"] == "x":
            pass
        assert last["code"] == "STORE_UNAVAILABLE"
        assert await hear_the_end(stalled) == 1011
        await until(lambda: house.desk.left == [1])
        await reader.close()


class Torn(Paper):
    """A line that cannot be written to any more, and does not know it."""

    def write(self, frame: bytes) -> None:
        raise OSError("torn")


async def test_a_torn_line_keeps_no_private_news_from_the_patrons_other_tab() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    sit(hub, Torn(1))
    mine = sit(hub, Paper(1))
    bus.publish(TABLE, [News(b"receipt", patron_id=1), News(b"all")])
    await settle_down()
    assert mine.frames == frames(b"receipt", b"all")


async def test_a_torn_line_keeps_no_other_from_being_closed_when_the_server_stops() -> None:
    hub = Hub(LocalBus(), 1000)
    torn, mine = sit(hub, Torn(1)), sit(hub, Paper(2))
    await hub.stop()
    assert torn.ended == mine.ended == (1012, "stopping")


async def test_a_line_that_cannot_be_greeted_has_not_joined() -> None:
    bus = LocalBus()
    hub = Hub(bus, 1000)
    with pytest.raises(OSError, match="torn"):
        sit(hub, Torn(1), b"welcome")
    assert (hub.sockets(), bus._listeners) == (0, {})


async def test_who_could_not_be_greeted_is_not_taken_for_one_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table has already let go of that socket: a second time would count the patron's other tab out."""

    send, greeted = Hub.send, []

    def torn_once(hub: Hub, line: Line, body: bytes) -> None:
        greeted.append(body)
        if len(greeted) == 1:
            raise OSError("torn")
        send(hub, line, body)

    monkeypatch.setattr(Hub, "send", torn_once)
    async with open_house() as house:
        line = await house.connect(await house.guest())
        assert (await hear(line))["code"] == "INTERNAL"
        await hear_the_end(line)
        await until(lambda: house.app.hub.sockets() == 0)
        assert (len(greeted), house.desk.left) == (2, [])
