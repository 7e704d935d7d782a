"""The log: one line a happening, nothing from outside can write a line of its own, and nothing secret is in it."""

import io
import json
import logging

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bigroad.cli import logs

FORGED = '\n{"event":"forged","level":"critical"}\r\n2026-11-30T00:00:00Z [critical] forged\x1b[2J\x00\u202e\u2028x'
SECRET = "canary-5d1f0c9e"


def written(form: logs.Format) -> io.StringIO:
    stream = io.StringIO()
    logs.set_up(form, stream)
    return stream


def fail(secret: str) -> None:
    kept = {"token": secret}  # what a traceback with the values of variables would show
    raise ValueError(f"bad nickname {FORGED}" if kept else "")


@pytest.mark.parametrize("form", ["json", "text"])
def test_what_comes_from_outside_writes_no_line(form: logs.Format) -> None:
    stream = written(form)
    structlog.get_logger().error("refused", nickname=FORGED, odd=[FORGED])
    logging.getLogger("other.package").warning("asked for %s", FORGED)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith(('{"event":"forged"', "2026-11-30T00:00:00Z")) for line in lines)
    if form == "json":
        assert [json.loads(line)["event"] for line in lines] == ["refused", f"asked for {FORGED}"]
        assert json.loads(lines[0])["nickname"] == FORGED
        assert json.loads(lines[1])["logger"] == "other.package"


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_says_where_and_shows_no_values(form: logs.Format) -> None:
    stream = written(form)
    for log in (structlog.get_logger(), logging.getLogger("litestar")):
        try:
            fail(SECRET)
        except ValueError:
            log.exception("broke")
    said = stream.getvalue()
    assert "test_logs.py" in said
    assert "bad nickname" in said
    assert SECRET not in said
    starts = [line for line in said.splitlines() if not line.startswith("    ")]
    assert len(starts) == 2, "a traceback is part of its line, or set in below it"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.text(max_size=30), st.sampled_from(["json", "text"]))
def test_any_words_stay_on_one_line(words: str, form: logs.Format) -> None:
    stream = written(form)
    structlog.get_logger().warning("said", words=words)
    assert len(stream.getvalue().splitlines()) == 1
