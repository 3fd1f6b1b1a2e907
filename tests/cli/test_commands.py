"""The program as a user meets it: JSON on stdout, sentences on stderr, exit codes."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import COMMANDS, main
from tests.support.tournaments import STEADY, text

HEAVY = {"torch", "transformers", "stanza", "parlai", "streamlit", "ray", "matplotlib", "spacy", "pandas"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'arena.db'}"


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    output = capsys.readouterr()
    return int(stop.value.code or 0), output.out, output.err


def ran(capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str, source: str = "") -> dict[str, Any]:
    file = tmp_path / "t.yaml"
    file.write_text(source or text())
    code, out, _ = call(capsys, "run", str(file), "--db", url, "--json")
    facts: dict[str, Any] = json.loads(out)
    facts["code"] = code
    return facts


def test_run_prints_the_designs_json(capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str) -> None:
    facts = ran(capsys, tmp_path, url)
    assert facts["dialogues"] == {"planned": 12, "done": 12, "failed": 0, "skipped": 0}
    assert facts["tournament"] == facts["config_hash"][:12] and facts["release"] == "r1"
    assert facts["code"] == 0 and facts["inquiries"] == facts["verdicts"] > 0
    assert facts["replies"] >= 12 * 7 and facts["replies_per_second"] > 0 and facts["seconds"] > 0


def test_on_a_terminal_a_run_ends_with_the_command_for_its_ranking(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "t.yaml"
    for source, name in ((text(), "r1"), (text(turns=5), None)):
        file.write_text(source)
        with monkeypatch.context() as terminal:
            terminal.setattr(sys.stderr, "isatty", lambda: True)
            code, _, err = call(capsys, "run", str(file), "--db", url)
        _, _, command = err.rstrip().splitlines()[-1].rpartition("The ranking: arena ")
        assert code == 0 and (name is None or f"leaderboard {name} " in command)
        assert call(capsys, *shlex.split(command))[0] == 0


def test_failed_dialogues_make_the_exit_code_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str
) -> None:
    facts = ran(capsys, tmp_path, url, text("  - {name: f, adapter: faulty, raises: 1.0}"))
    assert facts["code"] == 1 and facts["failures"] == {"raised": 3}


def test_a_dry_run_counts_the_calls_and_plays_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str
) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(text())
    code, out, _ = call(capsys, "run", str(file), "--db", url, "--dry-run", "--json")
    facts = json.loads(out)
    assert code == 0 and (facts["dialogues"], facts["replies"], facts["inquiries"]) == (12, 84, 48)
    assert not (tmp_path / "arena.db").exists()


def test_an_export_comes_back_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str) -> None:
    ran(capsys, tmp_path, url)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert call(capsys, "export", "r1", "--db", url, "--out", str(first))[0] == 0
    code, out, _ = call(capsys, "import", str(first), "--db", other, "--json")
    assert code == 0 and json.loads(out)["tournaments"][0]["new"] == 12
    assert call(capsys, "export", "r1", "--db", other, "--out", str(second))[0] == 0
    assert first.read_bytes() == second.read_bytes()
    boards = [json.loads(call(capsys, "leaderboard", "r1", "--db", db, "--json")[1]) for db in (url, other)]
    for board in boards:
        board.pop("effort")  # seconds of the machine that played it
    assert boards[0] == boards[1]
    for line in first.read_text().splitlines():
        dialogue = json.loads(line)
        assert {"dialogue", "speaker", "tested", "release", "seed", "messages", "inquiries"} <= set(dialogue)
        assert {"index", "bot", "text", "hash", "parent"} <= set(dialogue["messages"][0])


def test_a_cut_or_changed_export_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str
) -> None:
    ran(capsys, tmp_path, url)
    file = tmp_path / "a.jsonl"
    call(capsys, "export", "r1", "--db", url, "--out", str(file))
    lines = file.read_text().splitlines()
    other = f"sqlite:///{tmp_path / 'other.db'}"
    for broken, sentence in (
        (lines[0].replace("hello", "hullo"), "line 1: the chain breaks at message 0"),
        (lines[0][:500], "line 1: not valid JSON"),
    ):
        file.write_text(broken)
        code, _, err = call(capsys, "import", str(file), "--db", other)
        assert code == 2 and sentence in err


def test_doctor_and_bots_list_tell_facts(capsys: pytest.CaptureFixture[str], url: str) -> None:
    code, out, _ = call(capsys, "doctor", "--db", url, "--json")
    checks = json.loads(out)["checks"]
    assert code == 0 and all(set(check) == {"name", "ok", "detail", "cure"} for check in checks)
    assert {"python", "torch", "adapter scripted", "judge truth"} <= {check["name"] for check in checks}
    assert all(check["ok"] or check["cure"] for check in checks)
    code, out, _ = call(capsys, "bots", "list", "--json")
    bots = {bot["name"]: bot for bot in json.loads(out)["bots"]}
    assert code == 0 and all(set(bot) >= {"name", "adapter", "available", "detail"} for bot in bots.values())
    assert {"echo", "scripted", "hf", "openai", "parlai", "http"} <= {bot["adapter"] for bot in bots.values()}


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["lederboard"], "did you mean 'leaderboard'?"),
        (["chat"], "did you mean 'bots chat'?"),
        (["leaderboard", "x"], "There is no database"),
        (["run"], "Missing argument"),
        (["run", "nowhere.yaml"], "There is no file nowhere.yaml"),
        (["run", "."], "is a folder"),
        (["bots", "try", "hf"], "the key 'model' is missing"),
        (["bots", "try", "scripted", "--set", "ficklenes=1"], "did you mean 'fickleness'?"),
        (["bots", "try", "scripted", "--set", "fickleness=much"], "fickleness must be a number"),
        (["export", "x", "--format", "pdf", "--out", "x"], "'pdf' is not one of"),
        (["db", "check", "--db", "mysql://x"], "not supported"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_two(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    value: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    code, _, err = call(capsys, *words)
    assert code == 2 and value in err and "Traceback" not in err


def test_a_suggested_command_names_a_database_that_it_would_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.cli.common import at

    monkeypatch.delenv("ARENA_DB", raising=False)
    assert at("sqlite:///arena.db") == "" and at("sqlite:///my demo.db") == " --db 'sqlite:///my demo.db'"
    monkeypatch.setenv("ARENA_DB", "sqlite:///own.db")
    assert at("sqlite:///own.db") == "" and at("sqlite:///arena.db") == " --db sqlite:///arena.db"


def test_something_unexpected_needs_debug_for_its_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(db: str | None) -> None:
        raise ZeroDivisionError("half\x1b[31m")

    monkeypatch.setattr("arena.doctor.examine", broken)
    code, _, err = call(capsys, "doctor")
    assert code == 2 and err.count("\n") == 1 and "\x1b" not in err and "--debug" in err
    with pytest.raises(ZeroDivisionError):
        main(["doctor", "--debug"])


@pytest.mark.parametrize(
    "words", [[], *([name] for name in COMMANDS)], ids=lambda words: " ".join(words) or "arena"
)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    source = f"""
import sys
from arena.cli import main
try:
    main({[*words, "--help"]!r})
except SystemExit as stop:
    assert not stop.code
heavy = {HEAVY!r} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Usage: arena" in done.stdout


def test_the_database_url_comes_from_the_environment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'env.db'}")
    assert call(capsys, "db", "upgrade")[0] == 0
    assert (tmp_path / "env.db").exists()


def test_text_of_bots_cannot_speak_to_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str
) -> None:
    name = "=cmd|' /C calc'!A0<script>alert(1)</script>[red]"
    source = text(STEADY.replace("steady", json.dumps(name)), STEADY)
    ran(capsys, tmp_path, url, source)
    code, out, _ = call(capsys, "leaderboard", "r1", "--db", url)
    assert code == 0 and "<script>" in out and "\x1b[31m" not in out


@pytest.mark.parametrize(
    "words",
    [
        ("run", "t.yaml"),
        ("judge", "r1"),
        ("inquire", "lines.txt", "--entities", "rules"),
        ("interrogate", "echo", "--data", "."),
        ("validate", "pairs", "--data", "lines.txt"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_an_address_without_the_engine_it_belongs_to_is_refused(
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("persona_qas", "history_qas", "valid"):
        (tmp_path / f"{name}.json").write_text("{}")
    (tmp_path / "t.yaml").write_text(text())
    (tmp_path / "lines.txt").write_text("I have two dogs.\n")
    code, out, output = call(capsys, *words, "--address", "host:6379")
    assert code == 2 and out == "" and "--engine" in output
    assert not (tmp_path / "arena.db").exists()


def test_an_engine_for_what_runs_no_model_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, output = call(capsys, "validate", "aih", "--tournament", "r1", "--engine", "ray")
    assert code == 2 and "leave out --engine" in output
