"""What is counted while the tables run. The app and the store say what they did; who keeps the figures is the web's."""

from typing import Protocol

from bigroad.app.store import Changes


class Measures(Protocol):
    """Told of what was done, after it was done. Must be quick and must not raise."""

    def kept(self, changes: Changes, seconds: float) -> None:
        """The store kept a table's step; so long it took from the question to the answer, the wait included."""

    def committed(self, jobs: int, seconds: float) -> None:
        """One transaction has ended, with so many jobs in it. Called from the store's own thread."""


class Silence:
    """Keeps no figures."""

    def kept(self, changes: Changes, seconds: float) -> None:
        """See Measures."""

    def committed(self, jobs: int, seconds: float) -> None:
        """See Measures."""


UNMEASURED = Silence()
