"""The whole database, audited beside the running server: in a process of its own, which gives way to every other.

What is found stops the table that it was found at, loudly, and no other. What is no table's is said as loudly, and
stops nothing: it is for the operator to judge.
"""

import asyncio
import contextlib
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog

from bigroad.settings import Settings
from bigroad.storage.errors import AuditFailed
from bigroad.web.metrics import Metrics

FIRST_S = 60.0
"""After the start: not in the way of being ready."""
S_PER_HOUR = 3_600
SOUND, UNSOUND, UNKNOWN = 1, 0, -1

log = structlog.get_logger()


class BackgroundAudit:
    """halt: stops a table, by its id, or a seat of one. config: the file of the settings, if one was named."""

    def __init__(
        self, settings: Settings, config: Path | None, halt: Callable[[str, Exception], None], metrics: Metrics
    ) -> None:
        self._every_hours = settings.audit.every_hours
        self._words = ["--data", settings.server.data, *(["--config", str(config)] if config is not None else [])]
        self._halt = halt
        self._verdict = UNKNOWN
        self._watching: asyncio.Task[None] | None = None
        metrics.watch("audit", "The last audit of the whole: 1 sound, 0 not, -1 none yet.", lambda: self._verdict)

    def start(self) -> None:
        """Audit a while from now, and again and again. Needs a running event loop."""
        if self._every_hours:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """No more; what is under way is given up."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)

    async def _watch(self) -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            await self.once()
            await asyncio.sleep(self._every_hours * S_PER_HOUR)

    async def once(self) -> None:
        """One audit, from its start to what follows from it. Never raises."""
        try:
            found = await self._ask()
        except (OSError, msgspec.MsgspecError) as trouble:
            log.error("audit_not_done", problem=str(trouble))
            return
        if found.pop("sound"):
            self._verdict = SOUND
            log.info("audit_sound", **found)
            return
        self._verdict = UNSOUND
        problem = AuditFailed(found["invariant"], found["where"], found["why"])
        log.critical("audit_failed", problem=str(problem), table=problem.table, help="`bigroad audit` says it again")
        if problem.table is not None:
            self._halt(problem.table, problem)

    async def _ask(self) -> dict[str, Any]:
        nice = ["nice", "-n", "19"] if shutil.which("nice") else []
        command = [*nice, sys.executable, "-m", "bigroad", "audit", "--json", *self._words]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        try:
            told, _ = await process.communicate()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        return msgspec.json.decode(told, type=dict[str, Any])
