"""arena bench: every part measures something, and a bench that is told to end does so quietly."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.cli.test_bots import facts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "known"),
    [
        ("orchestrator", {"dialogues": 400}),
        ("nli", {}),
    ],
)
def test_a_part(part: str, known: dict[str, object]) -> None:
    document = facts("bench", "--only", part, "--quick")
    assert document["machine"]["cores"] >= 1
    assert known.items() <= document[part].items()
    assert all(value > 0 for name, value in document[part].items() if "per_second" in name)


@pytest.mark.slow
def test_told_to_end_while_a_model_works_it_says_so_and_ends() -> None:
    call = [sys.executable, "-m", "arena", "bench", "--only", "growth", "--quick", "--dialogues", "2"]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "turn 1" in line:
            process.send_signal(signal.SIGTERM)
            break
    rest = process.stderr.read()
    assert process.wait(60) == 130
    assert rest.strip().splitlines()[-1].startswith("Stopped; what was stored stays.")
