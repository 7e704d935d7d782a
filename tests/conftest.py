"""Settings of all tests."""

from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

settings.register_profile("bigroad", deadline=None, derandomize=True, database=None)
settings.load_profile("bigroad")

SIDES = {
    "scene": ("e2e/test_pictures", "e2e/test_scene", "e2e/test_shared", "e2e/test_sound"),
    "pages": ("e2e/",),
    "crowd": ("load/", "crash/"),
}
"""What takes turns with its like: 3D tables drawn in software, other pages, crowds of processes."""


class Sides(LoadScopeScheduling):  # type: ignore[misc]
    """Where tests run side by side, a file stays together, and those of one side take turns."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0].removeprefix("tests/")
        return next((name for name, starts in SIDES.items() if path.startswith(starts)), path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Sides:
    return Sides(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for browsers and crowds begins first."""
    items.sort(key=lambda item: not item.nodeid.startswith(("tests/e2e", "tests/load", "tests/crash")))
