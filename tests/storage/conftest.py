"""Small eras: what few bets show of one era, many show of many."""

import pytest


@pytest.fixture(autouse=True)
def small_eras(monkeypatch: pytest.MonkeyPatch) -> None:
    """An era ends after two bets."""
    monkeypatch.setattr("bigroad.storage.eras.ERA_BETS", 2)
