"""Every example of the documents is run, word for word.

`python` blocks run by themselves: as a session where they have prompts, else as a script. `console` blocks run in a
shell and print what stands below each command; there `...` stands for anything, and blanks at the end of a line do not
count. Commands that name http://127.0.0.1:8080 play against a quick server of their own. `toml` blocks are settings
that load. `yaml` blocks are of Prometheus. `text` blocks are
pictures, and the two commands that would build the page and run these very tests.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml  # type: ignore[import-untyped]

from bigroad.bus.local import LocalBus
from bigroad.profiles.load import profile_of
from bigroad.profiles.read import Source
from bigroad.settings import settings_of
from bigroad.web.app import create_app
from bigroad.web.metrics import Metrics
from tests.docs.documents import ROOT, Block, blocks
from tests.server import Server
from tests.web.rig import Options, TalkingFloor

SERVER = "http://127.0.0.1:8080"


def of(language: str) -> list[Block]:
    """The blocks in one language, each at least once somewhere."""
    found = [block for block in blocks() if block.language == language]
    assert found, f"no example in {language}"
    return found


def test_every_block_is_in_a_language_that_is_run() -> None:
    assert {block.language for block in blocks()} == {"python", "console", "toml", "yaml", "text"}


@pytest.mark.parametrize("block", of("python"), ids=str)
def test_python(block: Block) -> None:
    if block.text.startswith(">>>"):
        session = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block.document), block.line)
        told: list[str] = []
        assert doctest.DocTestRunner().run(session, out=told.append).failed == 0, "".join(told)
    else:
        assert "assert" in block.text, "an example says what comes of it"
        exec(compile(block.text, str(block), "exec"), {"__name__": "example"})


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `bigroad` is this source."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "bigroad").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bigroad "$@"\n')
    (folder / "bigroad").chmod(0o755)
    own = {name: value for name, value in os.environ.items() if not name.startswith("BIGROAD_") and name != "PORT"}
    path = f"{folder}{os.pathsep}{own.get('PATH', '')}"
    source = str(ROOT / "src")
    return {**own, "PATH": path, "PYTHONPATH": source, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose rounds take a second or two."""
    quick = Server(tmp_path_factory.mktemp("server"), betting_ms=500, closing_ms=200, pace=0.05)
    yield quick.start().url
    quick.stop()


def commands(block: Block) -> list[tuple[str, str]]:
    """Each command of a console block with the output below it."""
    parts = re.split(r"^\$ (.*(?:\\\n.*)*)\n", block.text, flags=re.MULTILINE)
    assert parts[0] == "", "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("block", of("console"), ids=str)
def test_console(block: Block, shell: dict[str, str], request: pytest.FixtureRequest, tmp_path: Path) -> None:
    for command, wanted in commands(block):
        if SERVER in command:
            command = command.replace(SERVER, request.getfixturevalue("server"))
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=shell,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        pattern = ".*".join(map(re.escape, without_ends(wanted).split("...")))
        assert re.fullmatch(pattern, without_ends(done.stdout), re.DOTALL), done.stdout


def without_ends(text: str) -> str:
    """The text without blanks at the ends of lines, and without empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


@pytest.mark.parametrize("block", of("toml"), ids=str)
def test_toml(block: Block) -> None:
    if "[[tables]]" in block.text or "[server]" in block.text:
        settings_of(msgspec.toml.decode(block.text), Source(str(block), block.text), Path())
    else:
        profile_of(msgspec.toml.decode(block.text), Source(str(block), block.text))


@pytest.mark.parametrize("block", of("yaml"), ids=str)
def test_yaml(block: Block) -> None:
    assert yaml.safe_load(block.text)


def test_every_figure_that_is_described_is_there() -> None:
    bus, metrics = LocalBus(), Metrics()
    create_app(TalkingFloor(bus), bus, Options(), metrics=metrics)
    for figure in ("store_waiting", "wall_ahead_seconds", "audit"):
        metrics.watch(figure, "as `compose` does", lambda: 0)
    families = list(metrics.registry.collect())
    there = {sample.name for family in families for sample in family.samples}
    there |= {f"{family.name}_total" for family in families if family.type == "counter"}
    there |= {family.name for family in families}
    named = set(re.findall(r"\b(?:bigroad|process)_[a-z_]+", (ROOT / "docs" / "operating.md").read_text("utf-8")))
    assert "bigroad_sockets" in named
    assert named <= there


@pytest.mark.parametrize("block", of("text"), ids=str)
def test_text_hides_no_command(block: Block) -> None:
    lines = block.text.split("\n")
    make = [line for line in lines if line.startswith("make ")]
    assert set(make) <= {"make run", "make test"}
    assert not any(re.match(r"(\$|>>>|bigroad |python|from |import )", line) for line in lines)
