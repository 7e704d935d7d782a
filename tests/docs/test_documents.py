"""The documents agree with each other and with the code."""

import re
from pathlib import Path

import pytest

from bigroad.ledger.transfers import TransferKind
from bigroad.rules.coup import Outcome
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import settle
from bigroad.rules.tableau import banker_draws
from bigroad.table.phases import NEXT
from bigroad.web.http import api
from bigroad.wire import document as wire_document
from bigroad.wire.errors import WORDS
from tests.docs.documents import DOCUMENTS, ROOT, anchors, links, prose, rows, text_of

SOURCES = (ROOT, ROOT / "src" / "bigroad", ROOT / "client" / "src")
named = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


@named
def test_links_lead_somewhere(document: Path) -> None:
    for link in links(document):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (document.parent / name).resolve() if name else document
        assert target.exists(), f"{link}: there is no such file"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


@named
def test_files_that_are_named_are_there(document: Path) -> None:
    for name in re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|ts|svelte|md|sql|toml))`", prose(document)):
        near = (folder / name for folder in (*SOURCES, document.parent, ROOT / "client" / "src" / "model"))
        assert any(path.exists() for path in near), name


def test_every_document_is_linked_from_another() -> None:
    linked = {
        (document.parent / link.partition("#")[0]).resolve() for document in DOCUMENTS for link in links(document)
    }
    assert [document for document in DOCUMENTS if document not in linked and document.name != "README.md"] == []


def test_the_architecture_names_every_room() -> None:
    rooms = {row[0].strip("`") for row in rows("ARCHITECTURE.md", "| room |")}
    here = {path.name for path in (ROOT / "src" / "bigroad").iterdir() if (path / "__init__.py").is_file()}
    assert here <= rooms


def test_the_protocol_is_fresh_and_names_every_message_and_code(tmp_path: Path) -> None:
    path = ROOT / "docs" / "protocol.md"
    assert wire_document.main([str(path), "--check"]) == 0, "run `make gen`"
    assert all(f"| `{code.value}` |" in text_of(path) for code in WORDS)
    copy = tmp_path / "protocol.md"
    assert wire_document.main([str(copy), "--check"]) == 1
    assert wire_document.main([str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == text_of(path)


def test_the_protocol_names_every_address() -> None:
    text = text_of(ROOT / "docs" / "protocol.md")
    for route in api(None).routes:  # type: ignore[arg-type]
        if route.path.startswith("/schema"):
            continue  # litestar's own, which the app never hands to it
        assert re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path) in text


def test_the_tableau_is_that_of_the_rules() -> None:
    words = {True: "draws", False: "stands"}
    expected = [
        [str(points), *(words[banker_draws(points, third)] for third in (None, *range(10)))] for points in range(8)
    ]
    assert rows("docs/rules.md", "| Banker's two cards |") == expected


def test_the_payouts_are_those_of_the_rules() -> None:
    table = rows("docs/rules.md", "| Area | Wins when |")
    assert [row[0].strip("`") for row in table] == [pay.area.value for pay in STANDARD.pays]
    for (_, _, pays, commission, tie), pay in zip(table, STANDARD.pays, strict=True):
        assert pays == f"{pay.numerator}:{pay.denominator}"
        assert commission == (f"{pay.commission_bps // 100} % of the win" if pay.commission_bps else "none")
        back = settle({pay.area: 100}, Outcome.TIE, STANDARD).returned_total_minor
        assert tie == ("the stake comes back" if back == 100 else "wins")


def test_the_ledger_names_every_kind_of_transfer_every_state_and_every_invariant() -> None:
    assert [row[0].strip("`") for row in rows("docs/ledger.md", "| kind |")] == [kind.name for kind in TransferKind]
    assert [row[0] for row in rows("docs/ledger.md", "| | what holds |")] == [f"I{number}" for number in range(1, 11)]
    text = text_of(ROOT / "docs" / "ledger.md")
    assert all(phase.value.upper() in text for phase in NEXT)
