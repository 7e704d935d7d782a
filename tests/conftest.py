"""Settings of all tests."""

import pytest
from hypothesis import settings

settings.register_profile("bigroad", deadline=None, derandomize=True, database=None)
settings.load_profile("bigroad")

SIDES = {
    "scene": ("e2e/test_pictures", "e2e/test_scene", "e2e/test_shared", "e2e/test_sound"),
    "pages": ("e2e/",),
    "crowd": ("load/", "crash/"),
}
"""What takes turns with its like: 3D tables drawn in software, other pages, crowds of processes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where files run side by side, each is a group of its own; those of SIDES take turns."""
    for item in items:
        path = item.nodeid.partition("::")[0]
        side = next(
            (name for name, starts in SIDES.items() if path.startswith(tuple(f"tests/{one}" for one in starts))), path
        )
        item.add_marker(pytest.mark.xdist_group(side))
    items.sort(key=lambda item: not item.nodeid.startswith(("tests/e2e", "tests/load", "tests/crash")))
