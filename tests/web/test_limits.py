"""Buckets, seats and addresses, with time as a value."""

import pytest

from bigroad.web.limits import Bucket, Buckets, Seats, address_key
from bigroad.web.origin import Proxies


def test_a_bucket_lets_a_burst_through_then_its_rate() -> None:
    bucket = Bucket(per_second=20, burst=40, now_s=0)
    assert sum(bucket.take(0) for _ in range(100)) == 40
    assert sum(bucket.take(1) for _ in range(100)) == 20
    assert sum(bucket.take(1000) for _ in range(100)) == 40


def test_a_bucket_is_full_once_nothing_is_missing() -> None:
    bucket = Bucket(per_second=1, burst=2, now_s=0)
    assert bucket.is_full(0)
    bucket.take(0)
    assert not bucket.is_full(0.5)
    assert bucket.is_full(1)


def test_full_buckets_are_forgotten() -> None:
    buckets = Buckets(per_second=1, burst=1)
    for number in range(Buckets.SWEEP_AT):
        assert buckets.take(number, 0)
    assert buckets.take("new", 10)
    assert len(buckets._buckets) == 1


def test_seats_are_given_back() -> None:
    seats = Seats(2)
    assert [seats.take("a") for _ in range(3)] == [True, True, False]
    assert seats.take("b")
    seats.give_back("a")
    assert [seats.take("a") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
    ],
)
def test_what_counts_as_one_address(address: str, key: str) -> None:
    assert address_key(address) == key


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        ((), "192.0.2.7", ["203.0.113.1"], "192.0.2.7"),
        (("10.0.0.0/8",), "192.0.2.7", ["203.0.113.1"], "192.0.2.7"),
        (("10.0.0.0/8",), "10.0.0.1", ["203.0.113.1"], "203.0.113.1"),
        (("10.0.0.0/8",), "10.0.0.1", ["203.0.113.9, 203.0.113.1, 10.0.0.2"], "203.0.113.1"),
        (("10.0.0.0/8",), "10.0.0.1", ["203.0.113.9", "203.0.113.1"], "203.0.113.1"),
        (("10.0.0.0/8",), "10.0.0.1", ["203.0.113.1, <script>"], "10.0.0.1"),
        (("10.0.0.0/8",), "10.0.0.1", [], "10.0.0.1"),
        (("10.0.0.0/8",), "10.0.0.1", ["10.0.0.5, 10.0.0.2"], "10.0.0.5"),
    ],
)
def test_who_sent_it_behind_trusted_proxies(
    trusted: tuple[str, ...], peer: str, forwarded: list[str], address: str
) -> None:
    scope = {"client": (peer, 1)}
    assert Proxies(trusted).address(scope, {"x-forwarded-for": forwarded}) == address
