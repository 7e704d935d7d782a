"""The bus of one process."""

from collections.abc import Sequence

from structlog.testing import capture_logs

from bigroad.app.ports import News
from bigroad.bus.local import LocalBus


def test_every_listener_of_the_table_hears_everything_in_order() -> None:
    bus, heard, other = LocalBus(), list[bytes](), list[bytes]()
    bus.subscribe("a", lambda news: heard.extend(item.body for item in news))
    bus.subscribe("b", lambda news: other.extend(item.body for item in news))
    bus.publish("a", [News(b"1"), News(b"2")])
    bus.publish("a", [])
    bus.publish("a", [News(b"3")])
    assert (heard, other) == ([b"1", b"2", b"3"], [])


def test_who_ended_hears_no_more_and_may_end_twice() -> None:
    bus, heard = LocalBus(), list[bytes]()

    def listen(news: Sequence[News]) -> None:
        heard.extend(item.body for item in news)

    first, second = bus.subscribe("a", listen), bus.subscribe("a", listen)
    first()
    first()
    bus.publish("a", [News(b"1")])
    second()
    bus.publish("a", [News(b"2")])
    assert heard == [b"1"]


def test_one_that_leaves_while_it_is_told_takes_nothing_from_others() -> None:
    bus, heard = LocalBus(), list[bytes]()
    end = bus.subscribe("a", lambda news: end())
    bus.subscribe("a", lambda news: heard.extend(item.body for item in news))
    bus.publish("a", [News(b"1")])
    assert heard == [b"1"]


def test_one_that_raises_is_logged_and_the_others_hear_it() -> None:
    bus, heard = LocalBus(), list[bytes]()

    def broken(news: Sequence[News]) -> None:
        raise RuntimeError

    bus.subscribe("a", broken)
    bus.subscribe("a", lambda news: heard.extend(item.body for item in news))
    with capture_logs() as logs:
        bus.publish("a", [News(b"1")])
    assert heard == [b"1"]
    assert [entry["event"] for entry in logs] == ["listener_failed"]
