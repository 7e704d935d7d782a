"""Run the app on uvicorn, in the caller's event loop, until a signal says to stop."""

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import uvicorn

from bigroad.web.app import WebApp
from bigroad.web.errors import CannotListen
from bigroad.web.gate import GateProtocol
from bigroad.web.line import LineProtocol
from bigroad.web.options import WebOptions

BACKLOG = 4096
LARGEST_FRAME = 65_536
PING_S = 30.0
HINTS = {
    errno.EADDRINUSE: "; another program has it, choose one with PORT= or --port",
    errno.EADDRNOTAVAIL: "; it is no address of this machine, 127.0.0.1 or 0.0.0.0 are usual",
    errno.EACCES: "; choose one above 1023 with PORT= or --port",
}

Hook = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    """No hook."""


def listen(options: WebOptions) -> socket.socket:
    """The listening socket. Raises CannotListen when the address is taken or not ours."""
    host, port = options.server.host, options.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, port)
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except socket.gaierror as trouble:
        words = f"cannot listen on {host} port {port}: there is no such host; 127.0.0.1 or 0.0.0.0 are usual"
        raise CannotListen(words, host=host, port=port) from trouble
    except OSError as trouble:
        number = trouble.errno or 0
        words = f"cannot listen on {host} port {port}: {os.strerror(number)}{HINTS.get(number, '')}"
        raise CannotListen(words, host=host, port=port) from trouble


class Server(uvicorn.Server):
    """uvicorn's server with hooks: `started` once requests are taken, `stopping` before the sockets are closed."""

    def __init__(self, app: WebApp, options: WebOptions, started: Hook = _nothing, stopping: Hook = _nothing) -> None:
        config = uvicorn.Config(
            app,
            http=partial(GateProtocol, app.gate),  # type: ignore[arg-type]
            ws=partial(LineProtocol, app.refusal_headers),  # type: ignore[arg-type]
            ws_max_size=max(LARGEST_FRAME, options.limits.frame_bytes),
            ws_per_message_deflate=False,
            ws_ping_interval=PING_S,
            ws_ping_timeout=PING_S,
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=10,
        )
        super().__init__(config)
        self._app, self._at_start, self._at_stop = app, started, stopping

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM stop in good order; a second one stops at once. Nothing is raised again afterwards."""
        loop = asyncio.get_running_loop()
        wanted = (signal.SIGINT, signal.SIGTERM)
        try:
            for name in wanted:
                loop.add_signal_handler(name, self._signalled)
        except (RuntimeError, ValueError, NotImplementedError):
            yield  # not the main thread: whoever started us sets `should_exit`
            return
        try:
            yield
        finally:
            for name in wanted:
                loop.remove_signal_handler(name)

    def _signalled(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to take requests, then say so."""
        await asyncio.sleep(0)  # a Ctrl-C from before `capture_signals` ends it here, where nothing is open yet
        await super().startup(sockets)
        if not self.should_exit:
            self._app.start()
            await self._at_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """The floor first, so that its last news still reaches the sockets; then the sockets; then the rest."""
        await self._at_stop()
        await self._app.stop()
        await super().shutdown(sockets)


OFTEN = (20_000, 10, 100)
"""How many new objects the collector of cycles lets come before it looks, and how often it looks at older ones as well.
With ten thousand sockets a look at everything holds the event loop up for a second: it is to be seldom."""
TURN_S = 0.001
"""So long the store's thread computes before the event loop, which has something to do, gets the interpreter."""


def settle_process() -> None:
    """Have the collector leave alone what was made at the start, and look seldom; have threads take short turns. Called
    once the server is ready."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
    sys.setswitchinterval(TURN_S)


async def serve(
    app: WebApp,
    options: WebOptions,
    *,
    bound: socket.socket | None = None,
    started: Hook = _nothing,
    stopping: Hook = _nothing,
) -> None:
    """Serve until SIGINT or SIGTERM. bound: a socket of `listen`, when it is there already.

    Raises CannotListen.
    """
    server: Any = Server(app, options, started, stopping)
    await server.serve(sockets=[bound or listen(options)])
