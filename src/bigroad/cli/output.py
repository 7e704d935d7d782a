"""Standard output and standard error, and how results and refusals look there."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from bigroad.cli.errors import BadUsage, NotUtf8
from bigroad.rules.errors import BigroadError

if TYPE_CHECKING:
    from rich.console import RenderableType


def prepare() -> None:
    """Make the standard streams take every character, whatever the locale, and exist, whatever the caller closed."""
    sys.stdout = _tolerant(sys.stdout, sys.__stdout__)
    sys.stderr = _tolerant(sys.stderr, sys.__stderr__)


def _tolerant(stream: IO[str] | None, own: IO[str] | None) -> IO[str]:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if stream is own:
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    return stream


def flush() -> None:
    """Hand everything to the reader, so that its absence is noticed here and not when Python ends."""
    sys.stdout.flush()


def give_up() -> None:
    """Let nothing more reach a standard output that does not take it."""
    if sys.stdout is sys.__stdout__:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def compact(value: object) -> str:
    """One line of JSON, ASCII only."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def emit(value: object) -> None:
    """Print one line of JSON, at once."""
    sys.stdout.write(compact(value) + "\n")
    sys.stdout.flush()


def draw(*pictures: "RenderableType") -> None:
    """Print pictures for people, in colour where the terminal has any."""
    from rich.console import Console

    flush()  # rich flushes too when it has captured, and would end the process itself if the reader has gone
    console = Console(file=sys.stdout, highlight=False)
    with console.capture() as captured:
        for picture in pictures:
            console.print(picture)
    sys.stdout.write(captured.get())


def error_object(error: BigroadError, line: int | None = None) -> dict[str, object]:
    """The one JSON shape of a refusal; `line` counts input lines from 1."""
    body: dict[str, object] = {"code": error.code, "message": error.message}
    if line is not None:
        body["line"] = line
    return {"error": body}


def tell(error: BigroadError, *, as_json: bool, line: int | None = None) -> None:
    """Say on standard error what was refused."""
    where = "" if line is None else f" line {line}:"
    words = compact(error_object(error, line)) if as_json else f"bigroad:{where} {error.code}: {error.message}"
    print(words, file=sys.stderr)


def one_line(text: str) -> str:
    """The text without line breaks, cut at 300 characters."""
    return " ".join(text.split())[:300]


def verify_no_option(argument: str) -> None:
    """Raises BadUsage for an argument that was meant as an option. A dash alone means standard input."""
    if argument.startswith("-") and argument != "-":
        raise BadUsage(f"there is no option {argument[:32]!r}")


def each_line(do: Callable[[str], None], *, as_json: bool) -> int:
    """Do something with each line of standard input, without its line break; answers the exit status.

    A line that is refused is told in its place (with as_json on standard output, else on standard error), and the rest
    goes on; the status is then 2.
    """
    status = 0
    for number, raw in enumerate(_lines(), 1):
        try:
            do(_text(raw))
        except BigroadError as error:
            status = 2
            if as_json:
                emit(error_object(error, number))
            else:
                flush()
                tell(error, as_json=False, line=number)
    return status


def _lines() -> Iterator[bytes]:
    if sys.stdin is not None:
        yield from sys.stdin.buffer


def _text(raw: bytes) -> str:
    try:
        return raw.rstrip(b"\r\n").decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUtf8(f"byte {error.start + 1} of the line is no UTF-8", byte=error.start + 1) from None
