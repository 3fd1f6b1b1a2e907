"""The Python API: tournaments of functions and adapters, results as data frames, running event loops."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.cli import main

RULES = {"entities": "rules", "questions": "rules"}


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'arena.db'}"


def config(*bots: Any, **more: Any) -> dict[str, Any]:
    return {
        "release": "r1",
        "turns": 3,
        "dialogues_per_pair": 2,
        "openers": ["hello"],
        "bots": list(bots)
        or [
            {"name": "steady", "adapter": "scripted"},
            {"name": "moody", "adapter": "scripted", "fickleness": 0.5, "sheet_seed": 2},
        ],
        "inquirer": RULES,
        "judges": ["truth"],
        **more,
    }


def test_every_public_name_is_there_and_explained() -> None:
    assert sorted(set(arena.__all__)) == sorted(arena.__all__)
    for name in arena.__all__:
        assert getattr(arena, name).__doc__, name
    assert set(arena.__all__) <= set(dir(arena))
    assert not hasattr(arena, "walk")


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, arena; print([m for m in sys.modules if m.split('.')[0] in ('numpy', 'torch', 'sqlalchemy')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_errors_are_the_projects_own(db: str) -> None:
    with pytest.raises(arena.InputError, match="there is no key 'bost'; did you mean 'bots'"):
        arena.run(config(bost=[]), db=db)
    with pytest.raises(arena.InputError, match="There is no tournament 'r9'"):
        arena.run(config(), db=db, progress=False)
        arena.open("r9", db=db)
    with pytest.raises(arena.InputError, match=r"There is no file nowhere\.yaml"):
        arena.run("nowhere.yaml", db=db)
    with pytest.raises(arena.ArenaError):
        arena.open("r1", db="nonsense")


@pytest.mark.parametrize("shape", ["mapping", "text", "path"])
def test_a_configuration_is_a_mapping_a_text_or_a_path(shape: str, tmp_path: Path, db: str) -> None:
    text = json.dumps(config(), indent=1)  # JSON is YAML
    file = tmp_path / "tournament.yaml"
    file.write_text(text)
    given = {"mapping": config(), "text": text, "path": file}[shape]
    result = arena.run(given, db=db, progress=False)
    assert result.release == "r1" and result.summary["dialogues"]["done"] == 8
    assert arena.run(config(), db=db, progress=False).id == result.id


def test_api_and_commands_print_the_same_documents(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = arena.run(config(), db=db, progress=False)
    arena.run(config(release="r2", seed=3), db=db, progress=False)

    def command(*words: str) -> Any:
        with pytest.raises(SystemExit):
            main([*words, "--db", db, "--json"])
        return json.loads(capsys.readouterr().out)

    assert dict(result.leaderboard().document) == command("leaderboard", "r1")
    assert dict(result.stability(rounds=50).document) == command("stability", "r1", "--rounds", "50")
    assert dict(result.agreement().document) == command("agreement", "r1")
    assert dict(arena.compare("r1", "r2", db=db).document) == command("compare", "r1", "r2")


def test_results_are_data_frames(db: str) -> None:
    result = arena.run(config(), db=db, progress=False)
    board = result.leaderboard()
    assert set(board.frame.index) == {"steady", "moody"} and board.frame["contradiction_rate"].dtype == float
    assert board.matrix.loc["steady", "moody"] == board.document["matrix"]["steady"]["moody"]["rate"]
    verdicts, findings = result.verdicts(), result.findings(check="inquiry")
    assert len(verdicts) == len(findings) == result.summary["inquiries"] > 0
    judged = verdicts[verdicts["kind"].isin(["wh", "yes_no_true"]) & (verdicts["tested"] == "moody")]
    assert judged["contradicts"].sum() == board.frame.loc["moody", "contradictions"]
    assert len(result.dialogues()) == 8 and set(result.dialogues()["status"]) == {"done"}
    assert len(result.messages()) == 8 * 6
    assert result.labels().empty and result.findings(check="history").empty
    assert list(result.judge("lexical").index) == ["lexical"]
    assert set(result.verdicts()["judge"]) == {"truth", "lexical"} and set(
        result.verdicts("truth")["judge"]
    ) == {"truth"}


def test_messages_judged_under_other_checks_are_findings(db: str) -> None:
    @arena.bot("changes", revision="1")
    def changes(history: list[str]) -> str:
        return ("I have two dogs.", "I have no dogs.")[len(history) // 2 % 2]

    result = arena.run(config(changes, checks=["inquiry", "history"], judges=["nli"]), db=db, progress=False)
    actual, verdicts = result.findings(check="history"), result.verdicts("nli")
    judged = verdicts[verdicts["check"] == "history"]
    assert len(actual) == len(judged) > 0 and set(judged["finding"]) == set(actual["finding"])
    flagged = judged[judged["contradicts"]]
    assert set(flagged["earlier"]) | set(flagged["later"]) == {"I have two dogs.", "I have no dogs."}
    assert result.leaderboard(check="history").document["check"] == "history"
    for call in (result.leaderboard, result.agreement, result.findings):
        with pytest.raises(arena.InputError, match="did you mean 'history'"):
            call(check="histori")


def test_results_show_themselves_in_notebooks_and_hostile_names_stay_text(db: str) -> None:
    name = "<b>bold</b>"
    bots = (
        {"name": name, "adapter": "scripted"},
        {"name": "moody", "adapter": "scripted", "fickleness": 0.5},
    )
    result = arena.run(config(*bots), db=db, progress=False)
    again = arena.run(config(*bots, release="r2", seed=1), db=db, progress=False)
    shown = [result, result.leaderboard(), result.stability(rounds=20), result.agreement()]
    for one in (*shown, arena.compare(result, again), arena.inquire("I have two dogs.", **RULES)):
        page = one._repr_html_()
        assert "<table>" in page and name not in page and repr(one)
    assert "&lt;b&gt;bold" in result.leaderboard()._repr_html_()


def test_plots_are_figures(db: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = arena.run(config(), db=db, progress=False)
    chart = result.leaderboard().plot()
    assert chart.figure.axes and chart._repr_svg_().lstrip().startswith("<")
    assert result.stability(rounds=20).plot().figure.axes
    assert [path.name for path in chart.save(tmp_path / "ranks.svg")] == [
        *("ranks.svg", "ranks.png", "ranks.csv"),
    ]


def test_a_result_is_written_to_files(tmp_path: Path, db: str) -> None:
    result = arena.run(config(), db=db, progress=False)
    result.export(tmp_path / "all.jsonl")
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 8
    with pytest.raises(arena.InputError, match="There is no format 'xlsx'"):
        result.export(tmp_path / "all.xlsx", "xlsx")


# ── functions as bots ─────────────────────────────────────────────────────────────────────────────


def test_functions_and_coroutines_are_bots(db: str) -> None:
    @arena.bot("plain", revision="1")
    def plain(history: list[str]) -> str:
        return f"I have two dogs. You said {history[-1]!r}."

    @arena.bot("waits", revision="1")
    async def waits(history: list[str]) -> str:
        await asyncio.sleep(0)
        return f"I live in Rome. This is message {len(history)}."

    result = arena.run(config(plain, waits), db=db, progress=False)
    assert result.summary["dialogues"]["done"] == 8
    messages = result.messages()
    assert messages[messages["bot"] == "plain"]["text"].str.contains("I have two dogs|hello").all()
    assert plain(["hi"]) == "I have two dogs. You said 'hi'."


def test_a_revision_finds_old_dialogues_and_none_does_not(db: str) -> None:
    def play(revision: str | None) -> int:
        calls = []

        @arena.bot("mine", revision=revision)
        def mine(history: list[str]) -> str:
            calls.append(history)
            return "I have two dogs."

        arena.run(config(mine), db=db, progress=False)
        return len(calls)

    assert play("1") > 0
    assert play("1") == 0
    assert play("2") > 0
    assert play(None) > 0
    assert play(None) > 0


def test_a_function_that_raises_fails_its_dialogues_only(db: str) -> None:
    @arena.bot("broken", revision="1")
    def broken(history: list[str]) -> str:
        raise ValueError("no idea")

    result = arena.run(config(broken, {"name": "steady", "adapter": "scripted"}), db=db, progress=False)
    assert result.summary["failures"] == {"raised": 6}
    assert result.summary["dialogues"] == {"planned": 8, "done": 2, "failed": 6, "skipped": 0}


def test_a_function_of_another_process_is_named(db: str) -> None:
    entry = {"name": "gone", "adapter": "function", "function": "gone", "revision": "7"}
    with pytest.raises(arena.MissingPart, match=r"arena.bot\('gone', revision='7'\)"):
        arena.run(config(entry), db=db, progress=False)


# ── event loops, signals, stopping ────────────────────────────────────────────────────────────────


async def test_both_doors_work_in_a_running_event_loop(db: str) -> None:
    first = arena.run(config(), db=db, progress=False)  # as in a notebook
    second = await arena.run_async(config(release="r2"), db=db, progress=False)
    assert first.summary["dialogues"]["done"] == second.summary["dialogues"]["done"] == 8


def test_signal_handlers_of_the_caller_stay(db: str) -> None:
    heard = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    during: list[Any] = []

    @arena.bot("looks")
    def looks(history: list[str]) -> str:
        during.append((signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)))
        return "I have two dogs."

    def handler(number: int, frame: Any) -> None:
        heard.append(number)

    signal.signal(signal.SIGINT, handler)
    try:
        arena.run(config(looks), db=db, progress=False)
        assert signal.getsignal(signal.SIGINT) is handler
        assert set(during) == {(handler, before[signal.SIGTERM])}
    finally:
        signal.signal(signal.SIGINT, before[signal.SIGINT])


def test_ctrl_c_stores_what_is_finished(db: str) -> None:
    calls = []
    enough = threading.Event()

    @arena.bot("slow", revision="1")
    def slow(history: list[str]) -> str:
        calls.append(1)
        if len(calls) == 40:
            enough.set()
        return "I have two dogs."

    def interrupt() -> None:
        enough.wait()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        arena.run(config(slow, dialogues_per_pair=200), db=db, progress=False, concurrency=2)
    done = arena.open("r1", db=db).summary["dialogues"]
    assert 0 < done["done"] < 200 and done["failed"] == 0
