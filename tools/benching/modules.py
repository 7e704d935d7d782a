"""Which modules `make bench` runs, in which order, and how long each may take."""

from typing import NamedTuple


class Module(NamedTuple):
    """A module of this package with `def run() -> list[Figure]`. most_s: it is ended after so many seconds. extra: only
    by name, as it needs more than ten minutes or a browser."""

    name: str
    most_s: int
    extra: bool = False


MODULES = (
    Module("fanout", 240),
    Module("sizes", 60),
    Module("storm", 120),
    Module("soak", 240),
    Module("last_second", 120),
    Module("settlement", 60),
    Module("history", 200),
    Module("roads", 10),
    Module("history_long", 1800, extra=True),
)
