"""The log of the process: one line a happening on standard error, ours and the libraries' alike.

What comes from outside stays on its line: control characters are escaped, so that no nickname and no header can write a
line of its own. Tracebacks say where, and never the values of variables: those may be secrets.
"""

import logging
import sys
from typing import Any, Literal, TextIO

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, Processor

Format = Literal["auto", "json", "text"]
"""auto: text on a terminal, else json."""


def set_up(form: Format = "auto", stream: TextIO | None = None) -> None:
    """Write the log of this process so, from now on. stream: standard error unless said otherwise."""
    stream = stream or sys.stderr
    as_text = form == "text" or (form == "auto" and stream.isatty())
    first: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info
        if as_text
        else structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
    ]
    last: Processor = text_line if as_text else structlog.processors.JSONRenderer(default=repr)
    structlog.configure(
        processors=[*first, last], logger_factory=structlog.PrintLoggerFactory(stream), cache_logger_on_first_use=False
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=last, foreign_pre_chain=[_name, *first]))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _name(_: Any, __: str, event: EventDict) -> EventDict:
    """Which library says it."""
    record: logging.LogRecord = event["_record"]
    event["logger"] = record.name
    return event


def text_line(_: Any, __: str, event: EventDict) -> str:
    """A line to read: time, level, what happened, the rest as names and values; below it a traceback, set in."""
    event = {name: value for name, value in event.items() if not name.startswith("_")}
    trace = str(event.pop("exception", ""))
    stamp, level, happened = event.pop("timestamp", ""), event.pop("level", ""), printable(str(event.pop("event", "")))
    facts = "".join(f" {name}={value!r}" for name, value in event.items())
    below = "".join(f"\n    {printable(line)}" for line in trace.split("\n") if line)
    return f"{stamp} [{level}] {happened}{facts}{below}"


def printable(words: str) -> str:
    """The words with everything escaped that is no plain sign: controls, marks of direction, separators of lines."""
    return words if words.isprintable() else repr(words)[1:-1]
