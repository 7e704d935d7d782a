"""Settings of all tests."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from tests.server import Server

settings.register_profile("bigroad", deadline=None, derandomize=True, database=None)
settings.load_profile("bigroad")

SIDES = {
    "scene": ("e2e/test_pictures", "e2e/test_scene"),
    "clocks": ("e2e/test_shared", "e2e/test_sound"),
    "pages": ("e2e/",),
    "crowd": ("load/", "crash/", "machine/"),
}
"""What takes turns with its like: 3D tables drawn in software, pages that wait for a table's clock, other pages, crowds
of processes."""
ALONE = ("simulation/test_floor", "app/test_simulation", "storage/test_every_call_fails", "storage/test_killed")
"""Whose tests are long, and have nothing in common: each of them goes to whoever has time for it."""


def place(nodeid: str) -> str:
    """Where a test stands, from the folder of all tests on."""
    return nodeid.removeprefix("tests/")


HANGS_S = 300
"""A test that has not ended by then never will: it fails, and says what it was waiting for. No measure of speed."""


def bounded(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """The test, given up when it hangs."""

    @functools.wraps(test)
    async def within_bounds(**given: Any) -> None:
        async with asyncio.timeout(HANGS_S):
            await test(**given)

    return within_bounds


class Sides(LoadScopeScheduling):  # type: ignore[misc]
    """Where tests run side by side, a file stays together, and those of one side take turns."""

    def _split_scope(self, nodeid: str) -> str:
        if place(nodeid).startswith(ALONE):
            return nodeid
        path = nodeid.partition("::")[0]
        return next((name for name, starts in SIDES.items() if place(path).startswith(starts)), path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Sides:
    return Sides(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sides begin first, then what is long: short files fill what is left. No test waits for ever."""
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.obj = bounded(item.obj)
    firsts = [*SIDES.values(), ALONE]
    items.sort(
        key=lambda item: next(
            (rank for rank, starts in enumerate(firsts) if place(item.nodeid).startswith(starts)), len(firsts)
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """A failed test says what its servers said."""
    report = yield
    if report.failed and call.when != "teardown":
        told = [(server.url, server.tail) for server in Server.made]
        report.sections += [(f"server {url}", tail) for url, tail in told if tail]
    return report
