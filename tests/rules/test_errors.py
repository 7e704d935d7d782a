"""Every error of the pure rooms has a code of its own, and is named in the tree at the top of its module."""

from collections.abc import Iterator
from types import ModuleType

import bigroad.cli.errors
import bigroad.fairness.errors
import bigroad.roads.errors
import bigroad.rules.errors
from bigroad.rules.errors import BigroadError

MODULES = [bigroad.rules.errors, bigroad.fairness.errors, bigroad.roads.errors, bigroad.cli.errors]


def _errors(module: ModuleType) -> Iterator[type[BigroadError]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, BigroadError) and value.__module__ == module.__name__:
            yield value


def test_codes_are_distinct_and_drawn_in_the_tree() -> None:
    seen: dict[str, str] = {}
    for module in MODULES:
        found = list(_errors(module))
        assert len(found) >= 3
        for kind in found:
            assert kind.code not in seen, f"{kind.__name__} and {seen[kind.code]} share a code"
            seen[kind.code] = kind.__name__
            assert kind.__name__ in (module.__doc__ or "")
            if not kind.__subclasses__():
                assert kind.code in (module.__doc__ or "")
                assert kind.code == kind.code.upper()


def test_an_error_keeps_its_facts() -> None:
    error = BigroadError("no such thing", area="dragon", coup=3)
    assert str(error) == error.message == "no such thing"
    assert error.facts == {"area": "dragon", "coup": 3}
