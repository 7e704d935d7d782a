"""Cases that both languages are held to, one JSON file each."""

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def load(name: str) -> Any:
    """The content of `tests/vectors/NAME.json`."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
