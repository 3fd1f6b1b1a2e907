"""Nothing connects anywhere unless a file or command says so, and nobody's telemetry is on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.engines import ray as ray_engine
from tests.support.tournaments import text

WATCHED = """
import json, sys
called = []
sys.addaudithook(lambda event, args: called.append(repr(args[1])) if event == "socket.connect" else None)
from arena.cli import main
try:
    main()
finally:
    print(json.dumps(called))
"""


def test_a_run_of_local_bots_calls_nobody(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(text().replace("[truth]", "[truth, lexical]"))
    words = ["run", "t.yaml", "--db", "sqlite:///a.db"]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_the_hubs_telemetry_is_off() -> None:
    asked = "import arena; from huggingface_hub import constants; print(constants.HF_HUB_DISABLE_TELEMETRY)"
    plain = {name: value for name, value in os.environ.items() if "TELEMETRY" not in name}
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, env=plain
    )
    assert done.stdout.strip() == "True"


def test_rays_telemetry_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    class Started:
        def is_initialized(self) -> bool:
            return True

    monkeypatch.delenv("RAY_USAGE_STATS_ENABLED", raising=False)
    monkeypatch.setattr(ray_engine.extras, "need", lambda *_: Started())
    ray_engine.start(None)
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
