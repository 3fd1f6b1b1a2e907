"""Runs that outlive whoever started them: real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.config.resolve import parse
from arena.core.errors import InputError
from arena.play import launch
from arena.play.launch import Runs, State
from db.pages import Pages
from tests.support import tournaments as play
from tests.ui.browser import until


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    play.store(tmp_path)
    return Runs(tmp_path / "runs", f"sqlite:///{tmp_path / 'arena.db'}")


def ended(runs: Runs, id: str) -> Callable[[], bool]:
    return lambda: not runs.get(id).alive


def test_a_run_ends_by_itself(runs: Runs, tmp_path: Path) -> None:
    text = play.text(dialogues=2)
    tournament = parse(text)
    run = runs.start(text, tournament.info.id, "r1")
    assert run.alive
    until(ended(runs, run.id), 90, "the end of the run")
    assert runs.get(run.id).state is State.DONE
    assert Pages(play.store(tmp_path)).states(tournament.info.id).done == 8
    assert "8 of 8 dialogues done" in runs.get(run.id).log()
    assert "arena leaderboard r1" in runs.get(run.id).last_line()
    assert [r.id for r in runs.list()] == [run.id]


def test_one_tournament_has_one_run(runs: Runs) -> None:
    text = play.text(dialogues=2)
    id = parse(text).info.id
    first = runs.start(text, id, "r1")
    assert runs.start(text, id, "r1").id == first.id
    until(ended(runs, first.id), 90, "the end of the run")
    assert len(runs.list()) == 1


def test_it_outlives_its_starter_and_is_cancelled_and_resumed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    text = play.text(turns=40, dialogues=600)
    file = tmp_path / "t.yaml"
    file.write_text(text)
    id = parse(text).info.id
    code = (
        "import sys; from pathlib import Path; from arena.play.launch import Runs\n"
        "print(Runs(Path(sys.argv[1]), sys.argv[2]).start(Path(sys.argv[3]).read_text(), sys.argv[4], 'r1').id)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "runs"), url, str(file), id],
        capture_output=True,
        text=True,
        check=True,
    )
    runs = Runs(tmp_path / "runs", url)
    run = runs.get(output.stdout.strip())
    store = play.store(tmp_path)
    until(lambda: Pages(store).states(id).done > 0, 120, "the first dialogue")
    assert runs.get(run.id).state is State.RUNNING
    runs.cancel(run.id)
    until(ended(runs, run.id), 60, "the run's end")
    assert runs.get(run.id).state is State.STOPPED
    before = Pages(store).states(id)
    assert 0 < before.done < before.planned and before.running == 0
    runs.resume(run.id)
    until(lambda: Pages(store).states(id).done > before.done, 120, "more dialogues")
    runs.cancel(run.id, now=True)
    until(ended(runs, run.id), 60, "the run's end")
    assert runs.get(run.id).state is State.DIED and runs.get(run.id).starts == 2


def test_a_wrong_file_is_refused_in_one_sentence(runs: Runs) -> None:
    run = runs.start("bots: []", "none", "r1")
    until(ended(runs, run.id), 90, "the end of the run")
    result = runs.get(run.id)
    assert result.state is State.REFUSED and result.last_line().startswith("Error: ")


def test_a_slow_start_is_no_death(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "STARTING", -1.0)
    text = play.text(dialogues=1)
    run = runs.start(text, parse(text).info.id, "r1")
    assert run.state is State.RUNNING, "before the process has come to itself"
    until(ended(runs, run.id), 90, "the end of the run")
    assert runs.get(run.id).state is State.DONE
    assert not list(run.folder.glob("*.half"))


def test_an_end_between_two_looks_is_no_death(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    text = play.text(dialogues=1)
    run = runs.start(text, parse(text).info.id, "r1")
    until(ended(runs, run.id), 90, "the end of the run")
    left = (run.folder / "exit.json").read_text()
    (run.folder / "exit.json").unlink()

    def lives(pid: int, started: str | None) -> bool:
        (run.folder / "exit.json").write_text(left)
        return False

    monkeypatch.setattr(launch, "_lives", lives)
    assert runs.get(run.id).state is State.DONE


def test_a_process_number_given_out_again_is_nobody(runs: Runs) -> None:
    text = play.text(dialogues=1)
    run = runs.start(text, parse(text).info.id, "r1")
    until(ended(runs, run.id), 90, "the end of the run")
    (run.folder / "exit.json").unlink()
    (run.folder / "process.json").write_text(json.dumps({"pid": os.getpid(), "started": "1"}))
    assert runs.get(run.id).state is State.DIED


def test_runs_on_other_databases_are_not_shown(runs: Runs, tmp_path: Path) -> None:
    run = runs.start("bots: []", "none", "r1")
    other = Runs(tmp_path / "runs", f"sqlite:///{tmp_path / 'other.db'}")
    assert other.list() == []
    with pytest.raises(InputError):
        other.get(run.id)
    with pytest.raises(InputError):
        runs.get("../../etc")
    until(ended(runs, run.id), 90, "the end of the run")
