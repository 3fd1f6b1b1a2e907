"""arena validate and arena interrogate from the command line, on small files in the published formats."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.cli.named import bot, judges, mapping
from arena.core.errors import InputError
from arena.engines.local import Local
from arena.validation.consistest import Context, Sample, load
from arena.validation.interrogation import CHUNK, ask, request
from bots import registry
from bots.base import Reply, ReplyRequest, RunOptions
from db import Database, Repository, connect
from db.interrogations import Answer, Interrogations
from tests.support.tournaments import MOODY, STEADY, text
from tests.validation.test_consistest import DIALOGUES, HISTORY, PERSONA


def arena(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    return int(stop.value.code or 0)


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert arena(*words, "--json") == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


PAIRS = """earlier_utterance\tquestion\tlater_utterance\tcontradiction
I have two kids.\tHow many kids do you have?\tI have three kids.\t1
I have two kids.\tHow many kids do you have?\tI have two kids.\t0
I like tea.\t\tI do not like tea.\t1
I like tea.\t\tI like tea a lot.\t0
"""


def test_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    words = (
        "validate",
        "pairs",
        "--data",
        str(tmp_path / "pairs.tsv"),
        "--judge",
        "lexical",
        "--rounds",
        "20",
    )
    answer = document(capsys, *words)
    assert answer["dataset"] == "pairs" and answer["n"] == 4
    row = answer["judges"]["lexical"]
    assert row["accuracy"] == 1.0 and row["auc"] == 1.0 and set(row["intervals"]) >= {"auc", "f1", "accuracy"}
    assert arena(*words) == 0
    assert "lexical" in capsys.readouterr().out


def test_judges_of_one_kind_go_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    words = ["validate", "pairs", "--data", str(tmp_path / "pairs.tsv"), "--rounds", "20"]
    answer = document(
        capsys, *words, "--judge", "overlap", "--judge", "{judge: begin, name: mine, nli: none}"
    )
    assert set(answer["judges"]) == {"overlap", "mine"}
    assert arena(*words, "--judge", "lexical", "--judge", "lexical") == 2
    assert "give one a name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dataset", "where"),
    [
        ("q2", "q-squared"), ("begin", "BEGIN-dataset"), ("consistest", "consistest"), ("dnli", "dialogue_nli"),
        ("decode", "decode"), ("usr", "usr"), ("nli", "snli"),
    ],
)  # fmt: skip
def test_without_the_data_it_says_where_it_is_published(
    dataset: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena("validate", dataset, "--data", str(tmp_path / "none"), "--judge", "lexical") == 2
    output = capsys.readouterr().err
    assert where in output and "Traceback" not in output


def test_begin_plots_and_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["knowledge\tmessage\tresponse\tbegin_label"]
    lines += ["the cat sat on the mat\thi\tthe cat sat\tFully attributable"] * 6
    lines += ["the cat sat on the mat\thi\ta dog ran away\tNot fully attributable"] * 6
    (tmp_path / "begin.tsv").write_text("\n".join(lines) + "\n")
    words = (
        "validate",
        "begin",
        "--data",
        str(tmp_path),
        "--judge",
        "{judge: begin, nli: none}",
        "--rounds",
        "20",
    )
    answer = document(capsys, *words)
    assert answer["judges"]["begin"]["auc"] == 1.0 and answer["n"] == 12
    assert document(capsys, *words, "--limit", "8")["n"] == 8


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    folder = tmp_path / "consistest"
    folder.mkdir()
    for name, content in (("persona_qas", PERSONA), ("history_qas", HISTORY), ("valid", DIALOGUES)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def test_interrogate(benchmark: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("interrogate", "echo", "--data", str(benchmark), "--judge", "overlap")
    db = ("--db", f"sqlite:///{tmp_path / 'i.db'}")
    answer = document(capsys, *words, *db)
    assert answer["bot"] == "echo" and answer["n"] == 6
    assert set(answer["persona"]) == set(answer["history"]) == {"wh", "yes_no"}
    assert document(capsys, *words, *db) == answer
    assert document(capsys, *words, *db, "--limit", "2")["n"] == 2
    assert document(capsys, *words, *db, "--context", "fact")["context"] == "fact"
    assert arena(*words, *db) == 0
    assert "paper: BART-base" in capsys.readouterr().out


def test_new_samples_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chats = tmp_path / "chats.jsonl"
    chats.write_text(json.dumps({"messages": ["hi", "i have two dogs.", "nice", "i live in rome."]}) + "\n")
    assert arena("interrogate", "--refresh", str(chats), "--data", str(tmp_path / "new")) == 0
    assert load(tmp_path / "new")
    assert arena("interrogate", "--data", str(tmp_path / "new")) == 2
    assert "BOT is missing" in capsys.readouterr().err


class Mortal:
    """A real bot that dies after so many requests."""

    def __init__(self, inner: Any, lives: int) -> None:
        self.inner, self.lives, self.asked = inner, lives, 0

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        if self.asked >= self.lives:
            raise KeyboardInterrupt
        self.asked += len(requests)
        replies: list[Reply] = await self.inner.reply(requests)
        return replies

    async def close(self) -> None:
        await self.inner.close()


def many(folder: Path, count: int) -> list[Sample]:
    from dataclasses import replace

    samples = load(folder)
    return [replace(samples[place % len(samples)], key=f"k{place}") for place in range(count)]


def test_a_killed_interrogation_goes_on(
    benchmark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = many(benchmark, 3 * CHUNK)
    spec = bot("scripted")
    answers = Interrogations(Database(connect(f"sqlite:///{tmp_path / 'i.db'}")), spec.identity, "standard")
    created: list[Mortal] = []
    real = registry.create

    def create(lives: int) -> Any:
        def create(*given: Any) -> Mortal:
            created.append(Mortal(real(*given), lives))
            return created[-1]

        return create

    def go() -> dict[str, Answer]:
        return asyncio.run(
            ask(spec, samples, Context.STANDARD, answers, RunOptions(), Local(), lambda _: None)
        )

    monkeypatch.setattr(registry, "create", create(CHUNK))
    with pytest.raises(KeyboardInterrupt):
        go()
    monkeypatch.setattr(registry, "create", create(10**6))
    resumed = go()
    assert created[1].asked == 2 * CHUNK and len(resumed) == 3 * CHUNK
    assert go() == resumed and len(created) == 2
    fresh = Interrogations(Database(connect(f"sqlite:///{tmp_path / 'j.db'}")), spec.identity, "standard")
    assert (
        asyncio.run(ask(spec, samples, Context.STANDARD, fresh, RunOptions(), Local(), lambda _: None))
        == resumed
    )


def test_answers_are_kept_once_and_failures_can_be_asked_again(tmp_path: Path) -> None:
    answers = Interrogations(Database(connect(f"sqlite:///{tmp_path / 'i.db'}")), "bot", "standard")
    answers.store({"a": Answer("one"), "b": Answer(None, "timeout")})
    answers.store({"a": Answer("two")})
    assert answers.answers(["a", "b", "c"]) == {"a": Answer("one"), "b": Answer(None, "timeout")}
    assert answers.forget_failures() == 1 and set(answers.answers(["a", "b"])) == {"a"}
    assert Interrogations(answers._engine, "bot", "fact").answers(["a"]) == {}


def test_the_bot_sees_persona_history_and_question(benchmark: Path) -> None:
    sample = next(s for s in load(benchmark) if s.question == "Where do you live?" and s.distance == 0)
    asked = request(sample, Context.STANDARD)
    assert asked.knowledge == "i am old .\ni have two cats ."
    assert [(line.text, line.mine) for line in asked.history] == [
        ("hi", False), ("i live in rome", True), ("Where do you live?", False)
    ]  # fmt: skip
    assert asked.fork


def test_names_of_bots_and_judges(tmp_path: Path) -> None:
    assert mapping("nli") is None and mapping("{judge: nli}") == {"judge": "nli"}
    assert bot("{adapter: scripted, fickleness: 0.5, name: me}").name == "me"
    file = tmp_path / "t.yaml"
    file.write_text(text(STEADY, MOODY))
    assert bot(f"{file}:moody").settings["fickleness"] == 0.3
    with pytest.raises(InputError, match="moody"):
        bot(f"{file}:mody")
    assert [judge.name for judge in judges(["lexical", {"judge": "overlap", "name": "o"}], Local())] == [
        "lexical",
        "o",
    ]
    assert isinstance(Repository(connect("sqlite://")).engine.url.database, (str, type(None)))
