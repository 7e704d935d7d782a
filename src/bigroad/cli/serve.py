"""`bigroad serve`: open the tables and serve them until Ctrl-C."""

import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bigroad import settings as bigroad_settings
from bigroad.bus.local import LocalBus
from bigroad.cli import logs
from bigroad.cli.background_audit import BackgroundAudit
from bigroad.compose import database_path, open_floor
from bigroad.settings import Settings, SettingsError
from bigroad.web.app import create_app
from bigroad.web.metrics import Metrics
from bigroad.web.serve import listen, settle_process
from bigroad.web.serve import serve as serve_web

MOST_FILES = 1_048_576
MOST_PORT = 65_535
EVERYWHERE = ("0.0.0.0", "::")


def serve(
    *,
    config: Annotated[Path | None, Parameter(help="Settings; else bigroad.toml in this folder.")] = None,
    host: Annotated[str | None, Parameter(help="Address to listen on; 127.0.0.1 keeps other machines out.")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on.")] = None,
    data: Annotated[Path | None, Parameter(help="Folder of the database.")] = None,
) -> int:
    """Serve the page and the tables until Ctrl-C.

    Options come before the environment (PORT, BIGROAD_…), which comes before the file.
    """
    settings = read_settings(config, host, port, data)
    logs.set_up(settings.log.format)
    _prepare_process()
    bound = listen(settings)
    if sys.platform == "win32":
        asyncio.run(_serve(settings, bound, config))
    else:
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(settings, bound, config))
    return 0


def read_settings(config: Path | None, host: str | None, port: int | None, data: Path | None) -> Settings:
    """The settings, with what the command line says on top. Raises SettingsError."""
    if port is not None and not 0 <= port <= MOST_PORT:
        raise SettingsError(f"--port {port}: a port is a number from 0 to {MOST_PORT}")
    environment = dict(os.environ)
    for name, value in (("BIGROAD_HOST", host), ("BIGROAD_PORT", port), ("BIGROAD_DATA", data)):
        if value is not None:
            environment[name] = str(value)
    return bigroad_settings.load(environment, config)


async def _serve(settings: Settings, bound: socket.socket, config: Path | None) -> None:
    bus = LocalBus()
    metrics = Metrics()
    floor = await open_floor(settings, bus, metrics)
    app = create_app(floor, bus, settings, metrics=metrics)
    audit = BackgroundAudit(settings, config, floor.halt, metrics)

    async def started() -> None:
        floor.start()
        audit.start()
        settle_process()
        say(*opening_words(settings, bound.getsockname()[1], built=app.page.is_built))

    async def stopping() -> None:
        await audit.stop()
        say("", "Stopping.", *(f"  {sentence}" for sentence in await floor.stop()))

    await serve_web(app, settings, bound=bound, started=started, stopping=stopping)
    say("Stopped. Everything is kept; start again the same way.")


def say(*lines: str) -> None:
    """Words for whoever started the server, at once even through a pipe."""
    print(*lines, sep="\n", flush=True)


def opening_words(settings: Settings, port: int, *, built: bool) -> list[str]:
    """Where the page is, what is played, where it is kept, and what to do next."""
    lines = ["", "Bigroad is open.", ""]
    lines += [f"  {where:9} {url}" for where, url in _addresses(settings, port)]
    lines.append(f"  data      {database_path(settings).resolve()}")
    for number, table in enumerate(settings.tables):
        limits, clock = [table.profile.area_limits(area) for area in table.profile.areas], table.profile.clock
        low, high = min(limit.min_minor for limit in limits), max(limit.max_minor for limit in limits)
        timing = f"for one patron, as fast as you like, {table.kind}"
        if clock is not None:
            timing = f"{seconds(clock.betting_ms)} s to bet, {seconds(clock.closing_ms)} s to the deal"
        lines.append(f"  {'tables' if number == 0 else '':9} {table.name}: {timing}, {major(low)} to {major(high)}")
    if not built:
        lines += ["", "  The page is not built: `make run` builds it. The API and the sockets work."]
    lines += ["", "Next: open the page, take a seat, put a chip on the table and press Bet.", "Ctrl-C stops.", ""]
    return lines


def _addresses(settings: Settings, port: int) -> list[tuple[str, str]]:
    server = settings.server
    if server.public_url is not None:
        return [("page", server.public_url)]
    if server.host not in EVERYWHERE:
        return [("page", f"http://{server.host}:{port}")]
    found = [("page", f"http://localhost:{port}")]
    near = _address_in_network()
    if near is not None:
        found.append(("", f"http://{near}:{port}  (a phone in the same network)"))
    return found


def _address_in_network() -> str | None:
    """This machine's address in its network: the one that a datagram would leave from. None is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def seconds(milliseconds: int) -> str:
    """50000 → "50"; 1500 → "1.5"."""
    return f"{milliseconds / 1000:g}"


def major(minor: int) -> str:
    """Minor units in major ones: 2500000 → "25,000"; 150 → "1.50"."""
    whole, cents = divmod(minor, 100)
    return f"{whole:,}.{cents:02}" if cents else f"{whole:,}"


def _prepare_process() -> None:
    """As many sockets as the machine allows."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
