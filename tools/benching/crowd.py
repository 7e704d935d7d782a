"""Many clients in one cheap process: `native/crowd.c`, asked line by line."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benching.native_programs import built

HEADERS = ("Sec-WebSocket-Protocol: bigroad.v1, bigroad.ticket.{TICKET}", "Cookie: bigroad={TOKEN}")


class Crowd:
    """A running crowd. ready_s: how long it took to let everybody in."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        word, _, seconds = self._line().partition(" ")
        if word != "ready":
            raise SystemExit("the crowd was not let in")
        self.ready_s = float(seconds)

    def ask(self, request: str) -> dict[str, Any]:
        """Do as asked (see crowd.c), wait for it, answer what came of it."""
        self.begin(request)
        return self.finish()

    def begin(self, request: str) -> None:
        """Ask, and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(request + "\n")
        self._process.stdin.flush()

    def finish(self) -> dict[str, Any]:
        """What came of the last request."""
        answer: dict[str, Any] = json.loads(self._line())
        return answer

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the crowd broke up")
        return line.strip()


@contextmanager
def come(
    port: int,
    clients: int,
    tokens: Path,
    *,
    core: int | None = None,
    greeting: bool = True,
    path: str = "/ws/bench",
    headers: Sequence[str] = HEADERS,
) -> Iterator[Crowd]:
    """So many clients on a table; the file of tokens has one line more than there are clients. Raises NotBuilt."""
    command = [str(built("crowd")), *(["-g"] if greeting else []), str(port), str(clients), str(tokens), path, *headers]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        if core is not None:
            os.sched_setaffinity(process.pid, {core})
        yield Crowd(process)
    finally:
        process.kill()
        process.communicate()
