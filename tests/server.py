"""A real server in its own process, on a real file, that a test can stop, kill and start again."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
import weakref
from pathlib import Path
from typing import ClassVar

REPOSITORY = Path(__file__).parents[1]
OPEN = "Bigroad is open."
PATIENCE_S = 120
"""Only bounds a hang: a busy machine takes its time."""


def free_port() -> int:
    """A port that nobody listens on, below those that outgoing connections are given: it stays free till it is used.
    Tests that run side by side look in ranges of their own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
    for port in random.SystemRandom().sample(range(20_000 + 1_500 * worker, 21_500 + 1_500 * worker), 200):
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise OSError("no free port")


class Said:
    """What a process prints, line by line as it comes: it is never held up by a pipe that nobody reads."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._lines: list[str] = []
        self._news = threading.Condition()
        self._over = False
        self._reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()

    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                with self._news:
                    self._lines.append(line)
                    self._news.notify_all()
        with self._news:
            self._over = True
            self._news.notify_all()

    def heard(self, words: str) -> bool:
        """Wait until it has said them, or has nothing more to say."""
        with self._news:
            self._news.wait_for(lambda: self._over or any(words in line for line in self._lines), PATIENCE_S)
            return any(words in line for line in self._lines)

    def whole(self) -> str:
        """Everything, once the process has ended."""
        self._reader.join(PATIENCE_S)
        return self.so_far()

    def so_far(self, lines: int = 0) -> str:
        """The last lines of it, or all."""
        with self._news:
            return "".join(self._lines[-lines:])


class Server:
    """`bigroad serve` with one table `emerald`. Times in milliseconds; pace multiplies the deal's gestures."""

    made: ClassVar["weakref.WeakSet[Server]"] = weakref.WeakSet()
    """All that a test may have to do with."""

    def __init__(self, folder: Path, betting_ms: int, closing_ms: int, pace: float, extra: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None
        self._said: Said | None = None
        self.made.add(self)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bigroad.toml").write_text(
            f'[[tables]]\nid = "emerald"\nname = "Emerald Room"\n'
            f"betting_ms = {betting_ms}\nclosing_ms = {closing_ms}\ndeal_pace = {pace}\n{extra}",
            encoding="utf-8",
        )

    @property
    def database(self) -> Path:
        return self.folder / "data" / "bigroad.sqlite3"

    @property
    def tail(self) -> str:
        """The last lines that it has said since it was started."""
        return self._said.so_far(40) if self._said is not None else ""

    @property
    def resident_kb(self) -> int:
        """Memory of the running server."""
        assert self._process is not None
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    def start(self) -> "Server":
        """Start and wait until it says that it is open."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("BIGROAD_")}
        environment |= {"PORT": str(self.port), "PYTHONPATH": str(REPOSITORY / "src"), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "bigroad", "serve", "--config", "bigroad.toml", "--data", "data"]
        self._process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._said = Said(self._process)
        if not self._said.heard(OPEN):
            self.kill()
            raise AssertionError(f"the server did not start:\n{self._said.so_far()}")
        return self

    def kill(self) -> None:
        """Pull the plug."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """Ctrl-C; answers what it said."""
        return self._end(signal.SIGINT)

    def stop_impatiently(self) -> str:
        """Ctrl-C, and again as soon as the server says that it is stopping."""
        if self._process is not None and self._said is not None:
            self._process.send_signal(signal.SIGINT)
            self._said.heard("Stopping.")
        return self._end(signal.SIGINT)

    def get(self, path: str, cookie: str = "") -> bytes:
        request = urllib.request.Request(self.url + path, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    def _end(self, how: signal.Signals) -> str:
        process, self._process = self._process, None
        if process is None or self._said is None:
            return ""
        process.send_signal(how)
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return self._said.whole()
