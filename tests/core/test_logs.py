"""Log lines: off unless asked for, on standard error, and free of what a terminal would obey."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import main
from arena.core import logs
from arena.core.errors import InputError
from tests.support.tournaments import text


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    yield
    for name in logs.ROOTS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.NOTSET)


def run(tmp_path: Path, *flags: str) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(text(dialogues=1, turns=1))
    with pytest.raises(SystemExit) as end:
        main(["run", str(file), "--db", f"sqlite:///{tmp_path / 'arena.db'}", *flags])
    assert end.value.code == 0


def test_verbose_says_what_is_done_and_nothing_is_said_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARENA_LOG", raising=False)
    run(tmp_path)
    assert "INFO" not in capsys.readouterr().err
    run(tmp_path, "--release", "r2", "--verbose")
    assert "INFO arena.play.orchestrator: 4 dialogues to play" not in capsys.readouterr().out


def test_the_environment_chooses_the_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_LOG", "debug")
    run(tmp_path)
    output = capsys.readouterr().err
    assert "INFO arena.play.cast: loaded the bot 'steady'" in output and " DEBUG " in output


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(InputError, match="ARENA_LOG is 'loud': give one of debug, info, warning, error"):
        logs.configure(False, {"ARENA_LOG": "loud"})


def test_log_lines_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(True, {})
    logging.getLogger("arena.test").info("a bot said %s", "\x1b[2Jgone")
    assert "\x1b" not in capsys.readouterr().err
