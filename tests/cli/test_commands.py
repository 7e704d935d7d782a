"""`bigroad coup` and `bigroad roads`, called as a process would call them but within this one."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from bigroad.cli import main
from tests.vectors import load


class Ran(NamedTuple):
    """What a command line came to."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """Standard output as JSON, line by line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command line, with these bytes on standard input."""

    def run(*words: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(words)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(status, captured.out, captured.err)

    return run


HEAD = '"2C","8S","TS","TD"'


def test_coup_to_the_byte(run: Run) -> None:
    ran = run("coup", "--shoe", "2C 8S TS TD", "--bet", "banker=100", "--bet", "tie=20", "--json")
    assert ran == Ran(
        0,
        '{"player_cards":["2C","TS"],"banker_cards":["8S","TD"],"player_points":2,"banker_points":8,"natural":true,'
        '"outcome":"banker","cards_used":4,"returned_minor":{"banker":195,"tie":0}}\n',
        "",
    )


def test_cards_that_are_not_needed_are_left_alone(run: Run) -> None:
    ran = run("coup", "--shoe", "2C 8S TS TD AC AC AC", "--json")
    assert ran.objects[0]["cards_used"] == 4
    assert ran.objects[0]["returned_minor"] == {}


def test_coup_for_people(run: Run) -> None:
    ran = run("coup", "--shoe", "2C 8S TS TD", "--bet", "banker=100")
    assert ran.status == 0
    for word in ("Banker wins", "2♣", "T♠", "8♠", "T♦", "195"):
        assert word in ran.out
    assert "Tie" in run("coup", "--shoe", "2C 2S TS TD 4C 4D").out


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("TOO_FEW_CARDS", ["--shoe", "2C 8S TS"]),
        ("TOO_FEW_CARDS", ["--shoe", ""]),
        ("TOO_FEW_CARDS", ["--shoe", "2C 2S TS TD"]),
        ("UNKNOWN_CARD", ["--shoe", "2C 8S 10S TD"]),
        ("UNKNOWN_CARD", ["--shoe", "2c 8S TS TD"]),
        ("TOO_MANY_COPIES", ["--shoe", "2C 8S TS TD " + "AC " * 9]),
        ("UNKNOWN_AREA", ["--shoe", "2C 8S TS TD", "--bet", "dragon=5"]),
        ("UNKNOWN_AREA", ["--shoe", "2C 8S TS TD", "--bet", "=5"]),
        ("DUPLICATE_KEY", ["--shoe", "2C 8S TS TD", "--bet", "tie=5", "--bet", "tie=5"]),
        ("BAD_USAGE", ["--shoe", "2C 8S TS TD", "--bet", "tie"]),
        ("BAD_USAGE", ["--shoe", "2C 8S TS TD", "--bet"]),
        ("BAD_USAGE", ["--shoe", "2C 8S TS TD", "--shoe", "2C 8S TS TD"]),
        ("BAD_USAGE", ["--shoe"]),
        ("BAD_USAGE", []),
        ("BAD_USAGE", ["x"]),
        ("BAD_USAGE", ["--bogus"]),
        ("BAD_USAGE", ["-", "--shoe", "2C 8S TS TD"]),
        *(
            ("BAD_AMOUNT", ["--shoe", "2C 8S TS TD", "--bet", f"tie={amount}"])
            for amount in ("0", "-5", "1.5", "1e3", "NaN", "inf", "", "+5", " 5", "05", "٣", "0x10", "9" * 6000, 2**53)
        ),
    ],
)
def test_refused_coups(run: Run, code: str, words: list[str]) -> None:
    ran = run("coup", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"bigroad: {code}: ")
    assert ran.err.count("\n") == 1
    ran = run("coup", "--json", *words)
    assert (ran.status, ran.out) == (2, "")
    told = json.loads(ran.err)
    assert told["error"]["code"] == code
    assert told["error"].keys() == {"code", "message"}


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("NOT_JSON", b""),
        ("NOT_JSON", b"nonsense"),
        ("NOT_JSON", b'{"shoe":[' + HEAD.encode() + b'],"bets":{"tie":01}}'),
        ("NOT_JSON", b"[" * 100_000 + b"]" * 100_000),
        ("NOT_JSON", b'{"shoe":' * 100_000),
        ("NOT_JSON", b'{"shoe":[]} {}'),
        ("NOT_JSON", b'\xef\xbb\xbf{"shoe":[]}'),
        ("NOT_UTF8", b'{"shoe":["\xff"]}'),
        ("BAD_FIELD", b"[]"),
        ("BAD_FIELD", b"null"),
        ("BAD_FIELD", b"{}"),
        ("BAD_FIELD", b'{"shoe":"2C 8S TS TD"}'),
        ("BAD_FIELD", b'{"shoe":[1,2,3,4]}'),
        ("BAD_FIELD", b'{"shoe":[' + HEAD.encode() + b'],"bets":[]}'),
        ("BAD_FIELD", b'{"shoe":[' + HEAD.encode() + b'],"bets":null}'),
        ("UNKNOWN_FIELD", b'{"shoe":[' + HEAD.encode() + b'],"bet":{}}'),
        ("UNKNOWN_CARD", b'{"shoe":["\\ud800"]}'),
        ("UNKNOWN_AREA", b'{"shoe":[' + HEAD.encode() + b'],"bets":{"\\ud800":1}}'),
        ("DUPLICATE_KEY", b'{"shoe":[],"shoe":[]}'),
        ("DUPLICATE_KEY", b'{"shoe":[' + HEAD.encode() + b'],"bets":{"tie":1,"tie":1}}'),
        ("TOO_FEW_CARDS", b'{"shoe":["2C"]}'),
        ("TOO_MANY_COPIES", b'{"shoe":["2C","2C","2C","2C","2C","2C","2C","2C","2C"]}'),
        *(
            ("BAD_AMOUNT", b'{"shoe":[' + HEAD.encode() + b'],"bets":{"tie":' + amount + b"}}")
            for amount in (
                *(b"0", b"-1", b"0.5", b"1.0", b"1e2", b'"5"', b"true", b"null", b"[1]", b"{}"),
                *(b"NaN", b"-Infinity", b"1e999", b"9007199254740992", b"9" * 100_000),
            )
        ),
    ],
)
def test_a_bad_line_is_told_and_the_rest_goes_on(run: Run, code: str, line: bytes) -> None:
    good = b'{"shoe":[' + HEAD.encode() + b'],"bets":{"banker":100}}'
    ran = run("coup", "-", stdin=b"\n".join([good, line, good]))
    assert ran.status == 2
    assert ran.err == ""
    first, second, third = ran.objects
    assert first == third
    assert first["returned_minor"] == {"banker": 195}
    assert second["error"]["code"] == code
    assert second["error"]["line"] == 2
    assert len(second["error"]["message"]) < 200


def test_lines_end_as_they_like_and_no_line_is_no_error(run: Run) -> None:
    assert run("coup", "-", stdin=b"") == Ran(0, "", "")
    ran = run("coup", "-", stdin=b'{"shoe":[' + HEAD.encode() + b']}\r\n{"shoe":[' + HEAD.encode() + b"]}")
    assert ran.status == 0
    assert len(ran.objects) == 2


def test_all_hands_in_one_stream(run: Run) -> None:
    hands = load("hands")["hands"]
    stdin = "\n".join(json.dumps({"shoe": hand["shoe_head"], "bets": {"player": 20}}) for hand in hands)
    ran = run("coup", "-", stdin=stdin.encode())
    assert ran.status == 0
    for hand, found in zip(hands, ran.objects, strict=True):
        want = hand["expected"]
        assert found["player_cards"] == want["player_cards"]
        assert found["banker_cards"] == want["banker_cards"]
        assert found["outcome"] == want["outcome"]
        assert found["returned_minor"] == {"player": {"player": 40, "banker": 0, "tie": 20}[want["outcome"]]}


def test_all_roads_in_one_stream(run: Run) -> None:
    cases = load("roads")["cases"]
    ran = run("roads", "-", "--json", stdin="\n".join(case["sequence"] for case in cases).encode())
    assert ran.status == 0
    for case, found in zip(cases, ran.objects, strict=True):
        assert found == {key: case[key] for key in case if key not in ("id", "title", "tags")}


def test_roads_of_a_word(run: Run) -> None:
    ran = run("roads", "bbP", "--json")
    assert ran.status == 0
    assert ran.objects[0]["sequence"] == "BBP"
    assert ran.objects[0]["counts"] == {"hands": 3, "banker": 2, "player": 1, "tie": 0}
    assert run("roads", "T", "--json").objects[0]["big_road"]["cells"] == [
        {"row": 0, "col": 0, "colour": None, "ties": 1}
    ]


@pytest.mark.parametrize("sequence", ["T", "B", "TTBPTPBPBPBPPPPPPPPPPPP", "BP" * 300, "B" * 300 + "P", "B" + "T" * 20])
def test_roads_for_people(run: Run, sequence: str) -> None:
    ran = run("roads", sequence)
    assert ran.status == 0
    for word in ("Bead Plate", "Big Road", "Big Eye Boy", "Small Road", "Cockroach Road", "coups: Banker"):
        assert word in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("EMPTY_SEQUENCE", [""]),
        ("UNKNOWN_OUTCOME", ["BPX"]),
        ("UNKNOWN_OUTCOME", ["B P"]),
        ("UNKNOWN_OUTCOME", ["\udcff"]),
        ("BAD_USAGE", []),
        ("BAD_USAGE", ["BP", "PB"]),
        ("BAD_USAGE", ["BP", "--bogus"]),
        ("BAD_USAGE", ["-BP"]),
    ],
)
def test_refused_roads(run: Run, code: str, words: list[str]) -> None:
    ran = run("roads", *words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"bigroad: {code}: ")
    told = json.loads(run("roads", *words, "--json").err)
    assert told["error"]["code"] == code


def test_bad_lines_of_roads(run: Run) -> None:
    stdin = b"BP\n\nBXP\n\xff\nPB"
    ran = run("roads", "-", "--json", stdin=stdin)
    assert ran.status == 2
    found = [
        (line["error"]["code"], line["error"]["line"]) if "error" in line else line["sequence"] for line in ran.objects
    ]
    assert found == ["BP", ("EMPTY_SEQUENCE", 2), ("UNKNOWN_OUTCOME", 3), ("NOT_UTF8", 4), "PB"]
    drawn = run("roads", "-", stdin=stdin)
    assert drawn.status == 2
    assert drawn.out.count("Big Road") == 2
    assert [line.split(":")[1:3] for line in drawn.err.splitlines()] == [
        [" line 2", " EMPTY_SEQUENCE"],
        [" line 3", " UNKNOWN_OUTCOME"],
        [" line 4", " NOT_UTF8"],
    ]


def test_a_hundred_thousand_coups(run: Run) -> None:
    sequence = "BBPTPBPPPB" * 10_000
    ran = run("roads", "-", "--json", stdin=sequence.encode())
    assert ran.status == 0
    assert '"counts":{"hands":100000,"banker":40000,"player":50000,"tie":10000}' in ran.out[:100_200]
    assert run("roads", sequence).status == 0


class Gone(io.StringIO):
    """A standard output whose reader went away; it is noticed when the buffer is handed over."""

    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.parametrize("words", [["roads", "BP"], ["roads", "BP", "--json"], ["coup", "--shoe", "2C 8S TS TD"]])
def test_a_lost_reader_is_noticed_here_and_nowhere_else(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    """Drawing libraries that flush on their own must not get to it first."""
    monkeypatch.setattr(sys, "stdout", Gone())
    assert main(words) == 141


def test_help_and_version(run: Run) -> None:
    assert "roads" in run("--help").out
    assert "AREA=STAKE" in run("coup", "--help").out
    assert run("--version").status == 0
    ran = run("nonsense")
    assert ran.status == 2
    assert ran.err.startswith("bigroad: BAD_USAGE: ")
