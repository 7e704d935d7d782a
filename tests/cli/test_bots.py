"""The bots' books notice what is wrong, and bots go nowhere they are not allowed."""

from collections import Counter

import pytest

from bigroad.cli.bot_books import Books, Tally
from bigroad.cli.bots import SOCKETS_PER_SOURCE, parse_url, quantile, source_address
from bigroad.cli.errors import BadUsage
from bigroad.wire.server_events import CoupDealt, Receipt, Settled
from bigroad.wire.session import HistoryCoup


def bet(coup: int = 1, balance_minor: int = 900, total_minor: int = 100, bet_seq: int = 1) -> Receipt:
    return Receipt("r", coup, bet_seq, False, {"banker": total_minor}, total_minor, balance_minor, 0)


def end(coup: int = 1, returned_minor: int = 195, before: int = 900, outcome: str | None = "banker") -> Settled:
    returned = {"banker": returned_minor} if returned_minor else {}
    return Settled(coup, outcome, {"banker": 100}, returned, 100, returned_minor, before, before + returned_minor)


def row(returned_minor: int = 195) -> HistoryCoup:
    stakes, returned = {"banker": 100}, {"banker": returned_minor}
    net = returned_minor - 100
    return HistoryCoup(
        "t", "T", "multiplayer-deluxe", 1, "settled", False, 0, 0, "banker", [], [], 0, 1, stakes, returned, 100,
        returned_minor, net, 1000, 1000 + net,
    )  # fmt: skip


def books() -> tuple[Books, Tally]:
    tally = Tally()
    made = Books(tally)
    made.balance(1000)
    return made, tally


def test_a_bet_settled_once_by_the_rules_is_fine() -> None:
    made, tally = books()
    made.receipt(bet())
    made.receipt(bet())
    assert made.open_coups == {1}
    made.settlement(end())
    made.settlement(end())
    assert made.open_coups == set()
    made.verify_whole(1095, [row()], "t")
    assert tally.errors == Counter()
    assert (tally.submitted, tally.settled, tally.staked_minor, tally.returned_minor) == (1, 1, 100, 195)


def test_a_void_coup_gives_the_stake_back() -> None:
    made, tally = books()
    made.receipt(bet())
    made.settlement(end(returned_minor=100, outcome=None))
    assert (tally.voided, tally.errors) == (1, Counter())


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([bet(balance_minor=901)], "balance after a bet"),
        ([bet(), bet(bet_seq=2)], "two bets in one coup"),
        ([end()], "settled without a bet, or twice"),
        ([bet(), end(), end(returned_minor=200)], "settled without a bet, or twice"),
        ([bet(), end(returned_minor=200)], "paid what the rules do not say"),
        ([bet(), end(returned_minor=0)], "paid what the rules do not say"),
        ([bet(), end(before=899)], "balance before the returns"),
    ],
)
def test_what_is_wrong_is_noticed(events: list[Receipt | Settled], words: str) -> None:
    made, tally = books()
    for event in events:
        if isinstance(event, Receipt):
            made.receipt(event)
        else:
            made.settlement(event)
    assert any(what.startswith(words) for what in tally.errors), tally.errors


def test_a_bet_that_is_lost_or_forgotten_is_noticed_at_the_end() -> None:
    made, tally = books()
    made.receipt(bet())
    made.verify_whole(900, [], "t")
    assert {what.split(":")[0] for what in tally.errors} == {"a bet is not in the history", "a bet was never settled"}


def test_another_balance_or_history_is_noticed_at_the_end() -> None:
    made, tally = books()
    made.receipt(bet())
    made.settlement(end())
    made.verify_whole(1000, [row(returned_minor=100)], "t")
    assert {what.split(":")[0] for what in tally.errors} == {"balance at the end", "the history tells it differently"}


def test_another_outcome_than_everybody_saw_is_noticed() -> None:
    made, tally = books()
    made.receipt(bet())
    made.settlement(end())
    dealt = _dealt("player")
    made.dealt(dealt)
    assert [what.split(":")[0] for what in tally.errors] == ["settled for another outcome than was dealt"]


def _dealt(outcome: str) -> CoupDealt:
    fields: dict[str, object] = dict.fromkeys(CoupDealt.__struct_fields__, 0)
    fields |= {"coup": 1, "outcome": outcome}
    return CoupDealt(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "remote", "expected"),
    [
        ("http://127.0.0.1:8080", False, "http://127.0.0.1:8080"),
        ("http://localhost:8080/", False, "http://127.0.0.1:8080"),
        ("http://[::1]:8080", False, "http://[::1]:8080"),
        ("https://play.example", True, "https://play.example"),
    ],
)
def test_where_bots_may_play(url: str, remote: bool, expected: str) -> None:
    target, _ = parse_url(url, "t", allow_remote=remote)
    assert (target.url, target.table) == (expected, "t")
    assert target.socket_url == expected.replace("http", "ws", 1) + "/ws/t"


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1:8080",
        "http://192.0.2.7",
        "https://play.example",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://127.0.0.1@play.example",
        "ftp://127.0.0.1",
        "127.0.0.1:8080",
        "",
    ],
)
def test_other_machines_are_not_played_against_unasked(url: str) -> None:
    with pytest.raises(BadUsage):
        parse_url(url, None, allow_remote=False)


def test_ten_thousand_patrons_come_from_loopback_addresses_of_few_sockets_each() -> None:
    counts = Counter(source_address(number) for number in range(10_000))
    assert max(counts.values()) == SOCKETS_PER_SOURCE
    for address in counts:
        parts = [int(part) for part in address.split(".")]
        assert parts[:2] == [127, 0]
        assert 1 <= parts[3] <= 254
        assert (parts[2], parts[3]) != (0, 1)


def test_quantiles_of_answers() -> None:
    assert quantile([], 0.5) is None
    ordered = [float(number) for number in range(1, 101)]
    assert (quantile(ordered, 0.5), quantile(ordered, 0.99), quantile(ordered, 1.0)) == (51.0, 100.0, 100.0)


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999", "http://127.0.0.1:x", "http://[::1", "127.0.0.1:8080", ""])
def test_a_url_that_is_none_is_bad_usage(url: str) -> None:
    with pytest.raises(BadUsage):
        parse_url(url, None, allow_remote=False)
