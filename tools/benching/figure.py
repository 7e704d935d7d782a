"""One measured figure, with the bound it has to keep."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """name: what was measured, in a few words. value in unit. limit: the bound, None where there is none; at_least: the
    bound is a floor, not a ceiling. note: how it was measured. samples: what the value was taken from."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""
    samples: tuple[float, ...] = field(default=(), repr=False)

    @property
    def kept(self) -> bool:
        """Whether the value is within its bound."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def as_json(self) -> dict[str, Any]:
        """For the JSON report."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "limit": self.limit,
            "at_least": self.at_least,
            "kept": self.kept,
            "note": self.note,
            "samples": list(self.samples),
        }
