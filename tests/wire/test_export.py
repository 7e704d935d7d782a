"""The TypeScript types are those of the Python wire."""

import re
from pathlib import Path

from bigroad.wire.export import main, typescript

GENERATED = Path(__file__).parents[2] / "client" / "src" / "wire" / "generated.ts"


def test_the_committed_types_are_fresh() -> None:
    assert GENERATED.read_text(encoding="utf-8") == typescript()


def test_a_stale_file_is_noticed(tmp_path: Path) -> None:
    stale = tmp_path / "generated.ts"
    assert main([str(stale), "--check"]) == 1
    assert main([str(stale)]) == 0
    assert main([str(stale), "--check"]) == 0
    stale.write_text(stale.read_text(encoding="utf-8").replace("seq", "sequence"), encoding="utf-8")
    assert main([str(stale), "--check"]) == 1


def test_every_named_type_is_declared() -> None:
    text = typescript()
    declared = set(re.findall(r"^export (?:interface|type|const) (\w+)", text, re.M))
    code = re.sub(r"//[^\n]*|/\*\*.*?\*/|\"[^\"\n]*\"", "", text, flags=re.S)
    used = set(re.findall(r"\b[A-Z]\w+\b", code)) - {"Record", "SUBPROTOCOL", "TICKET_PREFIX", "WORDS"}
    words = {match for match in used if match.isupper()}
    assert used - words <= declared
