"""A real server in its own process, on a real file, that a test can stop, kill and start again."""

import os
import random
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
OPEN = "Bigroad is open."


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


class Server:
    """`bigroad serve` with one table `emerald`. Times in milliseconds; pace multiplies the deal's gestures."""

    def __init__(self, folder: Path, betting_ms: int, closing_ms: int, pace: float, extra: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bigroad.toml").write_text(
            f'[[tables]]\nid = "emerald"\nname = "Emerald Room"\n'
            f"betting_ms = {betting_ms}\nclosing_ms = {closing_ms}\ndeal_pace = {pace}\n{extra}",
            encoding="utf-8",
        )

    @property
    def database(self) -> Path:
        return self.folder / "data" / "bigroad.sqlite3"

    def start(self) -> "Server":
        """Start and wait until it says that it is open."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("BIGROAD_")}
        environment |= {"PORT": str(self.port), "PYTHONPATH": str(REPOSITORY / "src"), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "bigroad", "serve", "--config", "bigroad.toml", "--data", "data"]
        self._process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said = self._read_until(OPEN)
        if OPEN not in said:
            self.kill()
            raise AssertionError(f"the server did not start:\n{said}")
        return self

    def kill(self) -> None:
        """Pull the plug."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """Ctrl-C; answers what it said on the way out."""
        return self._end(signal.SIGINT)

    def stop_impatiently(self) -> str:
        """Ctrl-C, and again as soon as the server says that it is stopping."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
        return self._read_until("Stopping.") + self._end(signal.SIGINT)

    def get(self, path: str, cookie: str = "") -> bytes:
        request = urllib.request.Request(self.url + path, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return bytes(answer.read())

    def _read_until(self, words: str) -> str:
        said = ""
        if self._process is not None and self._process.stdout is not None:
            for line in self._process.stdout:
                said += line
                if words in line:
                    break
        return said

    def _end(self, how: signal.Signals) -> str:
        process, self._process = self._process, None
        if process is None:
            return ""
        process.send_signal(how)
        said, _ = process.communicate(timeout=30)
        return said
