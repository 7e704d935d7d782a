"""Five hundred seeds of twenty rounds, and the same bytes from the same seed."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from bigroad.cli import main
from bigroad.simulation.faults import Fault
from bigroad.simulation.floor import play
from bigroad.simulation.race import race

SOURCE = Path(__file__).parents[2] / "src"
ROUNDS = 20
PART = 100


@pytest.mark.parametrize("first", range(1, 501, PART))
def test_a_hundred_seeds_with_everything_that_goes_wrong(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    faults: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(first, first + PART):
        outcome = play(seed, ROUNDS)
        assert outcome.breach is None, (
            f"{outcome.breach}\nbigroad simulate-floor --seeds {seed} --rounds {ROUNDS} --trace"
        )
        assert outcome.rounds >= ROUNDS
        faults.update(outcome.faults)
        numbers.update(rounds=outcome.rounds, steps=outcome.steps, bets=outcome.bets, told=outcome.told)
    with capsys.disabled():
        print(
            f"\nseeds {first}-{first + PART - 1}: {dict(numbers)}, {time.process_time() - began:.1f} s: {dict(faults)}"
        )
    assert faults.keys() == {kind.value for kind in Fault}, "every kind of fault strikes"
    assert numbers["bets"] > 2 * PART


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    here = [play(seed, ROUNDS) for seed in (7, 8, 7)]
    assert here[0] == here[2]
    assert here[0].digest != here[1].digest
    for hash_seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(SOURCE)}
        command = [sys.executable, "-m", "bigroad", "simulate-floor", "--seeds", "7-8", "--json"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["digest"] for line in told[:2]] == [here[0].digest, here[1].digest]


def test_a_seed_that_finds_something_says_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bigroad.ledger import book

    monkeypatch.setattr(book, "void", lambda *_: [])
    assert main(["simulate-floor", "--seeds", "1-40", "--rounds", "20", "--trace"]) == 1
    said = capsys.readouterr().out
    (line, *_) = [line for line in said.splitlines() if line.startswith("  bigroad simulate-floor")]
    assert main(line.split()[1:]) == 1
    assert said.splitlines()[0] == capsys.readouterr().out.splitlines()[0], "the same breach again"
    assert "fault " in said


@pytest.mark.parametrize("seeds", ["", "x", "5-1", "1-2-3", "-1", "1-", str(10**13)])
def test_seeds_that_make_no_sense_are_refused(seeds: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate-floor", f"--seeds={seeds}"]) == 2
    assert "BAD_USAGE" in capsys.readouterr().err


def test_ten_thousand_bets_around_the_close_have_one_verdict_each(capsys: pytest.CaptureFixture[str]) -> None:
    """A hundred thousand by `bigroad simulate-floor --lock-race 100000`."""
    began = time.process_time()
    result = race(1, 10_000)
    with capsys.disabled():
        print(f"\nlock race: {result.as_json()}, {time.process_time() - began:.1f} s")
    assert result.breach is None
    assert result.asked == 10_000
    assert min(result.accepted, result.automatic, result.refused) > 1_000
    assert result.refusals.keys() <= {"BETS_CLOSED", "NOTHING_STAGED", "STALE_COUP"}
