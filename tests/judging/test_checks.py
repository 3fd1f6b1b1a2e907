"""The checks of messages, from stored dialogues to verdicts, exports and imports."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from arena.core.errors import InputError
from arena.core.hashing import message_hash
from arena.core.types import Case, Check, Judgement, Label, Message
from arena.exchange.import_jsonl import records as read_records
from arena.judging.checks import METHODS, NEAREST, PERSON_AND_MACHINE, judgement, material
from arena.judging.runner import JudgeRunner
from arena.labelling.schemas import checked
from db import findings, statistics
from db.importing import Importing
from db.labels import Labels
from db.records import CheckRow, Unchecked
from db.repository import Repository
from judges import registry
from judges.base import PLAIN, Defaults, Scale
from tests.support.tournaments import exported, play, store, text

ALL = (Check.HISTORY, Check.PERSONA, Check.KNOWLEDGE)


def unchecked(*texts: str, persona: str | None = None, knowledge: str | None = None) -> Unchecked:
    messages: list[Message] = []
    for index, one in enumerate(texts):
        parent = messages[-1].hash if messages else None
        messages.append(Message(index, index % 2, one, message_hash(parent, index % 2, one), parent))
    wanted = frozenset(range(1, len(texts), 2))
    return Unchecked(1, tuple(messages), wanted, persona, knowledge)


def alike(first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    return np.ones((len(first), len(second)))


def test_history_holds_a_statement_against_earlier_ones_of_the_same_bot() -> None:
    talk = unchecked(
        "hello", "I have two dogs.", "I have a cat.", "Nice! I have no dogs. Do you?", "ok", "Good."
    )
    rows = material([talk], Check.HISTORY, alike)
    assert [(row.message, row.reason) for row in rows] == [
        (1, "nothing_before"),
        (3, None),
        (5, "no_statement"),
    ]
    [pair] = rows[1].pairs
    assert (pair.earlier, pair.later, pair.where) == ("I have two dogs.", "I have no dogs.", 1)


def test_of_many_earlier_statements_only_the_nearest_count() -> None:
    lines = [line for n in range(2 * NEAREST) for line in ("hm", f"I own house number {n + 20}.")]
    rows = material(
        [unchecked(*lines)], Check.HISTORY, lambda a, b: np.arange(len(a) * len(b)).reshape(len(a), -1)
    )
    assert len(rows[-1].pairs) == NEAREST
    assert {pair.where for pair in rows[-1].pairs} == {2 * n + 1 for n in range(NEAREST - 1, 2 * NEAREST - 1)}


def test_a_claim_to_be_a_machine_is_compared_though_it_is_near_in_meaning_to_nothing() -> None:
    lines = [line for n in range(2 * NEAREST) for line in ("hm", f"I own house number {n + 20}.")]
    talk = unchecked(*lines, "and?", "As an AI language model, I own nothing. I own house number 99.")
    houses = {f"I own house number {n + 20}." for n in range(2 * NEAREST)}

    def houses_are_alike(first: Sequence[str], second: Sequence[str]) -> np.ndarray:
        return np.array([[float("house" in a and "house" in b) for b in second] for a in first])

    row = material([talk], Check.HISTORY, houses_are_alike)[-1]
    assert len(row.pairs) == NEAREST
    claims = [pair for pair in row.pairs if "AI" in pair.later]
    assert len(claims) == PERSON_AND_MACHINE and {pair.earlier for pair in claims} <= houses


def test_a_check_is_absent_where_there_is_nothing_to_check_against() -> None:
    talk = unchecked("hello", "I have two dogs.")
    assert material([talk], Check.PERSONA, alike) == material([talk], Check.KNOWLEDGE, alike) == []
    own = unchecked("hello", "I have two dogs.", persona="You have no pets.", knowledge="Dogs bark.")
    [row] = material([own], Check.PERSONA, alike)
    assert [(pair.earlier, pair.where) for pair in row.pairs] == [("I have no pets.", None)]
    [row] = material([own], Check.KNOWLEDGE, alike)
    assert row.pairs[0].case.knowledge == "Dogs bark."


def test_a_message_scores_as_its_highest_pair_and_names_it() -> None:
    talk = unchecked("hello", "I have two dogs. I am a nurse.", "ok", "I have no dogs.")
    row = material([talk], Check.HISTORY, alike)[1]
    answers = [Judgement(0.9, {"contradiction": 0.9}), Judgement(0.2, {"contradiction": 0.2})]
    result = judgement(row, answers, Check.HISTORY, PLAIN)
    assert result.contradiction == 0.9 and result.evidence["earlier"] == "I have two dogs."
    assert result.evidence["message"] == 1 and result.evidence["pairs"] == 2
    strict = judgement(row, answers, Check.HISTORY, Scale(1.0, -1.0, 0.0))
    assert 0 < strict.contradiction < 0.9 and strict.evidence["score"] == 0.9
    assert judgement(row, [Judgement(None, reason="error")] * 2, Check.HISTORY, PLAIN).reason == "error"


def test_the_more_pairs_the_less_a_score_says() -> None:
    scale = Scale(1.2, -0.5, -0.3)
    scores = [scale.of(0.8, pairs) for pairs in (1, 2, 10, 100)]
    assert scores == sorted(scores, reverse=True)
    assert scale.of(0.0, 1) < scale.of(0.5, 1) < scale.of(1.0, 1) < 1.0


# ── stored ────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Dogs(Defaults):
    """Calls every pair a contradiction in which `dog` is said once only."""

    name: str = "dogs"
    revision: str = "1"
    tau: float = 0.5
    cacheable: bool = True
    seen: int = 0

    def key(self, case: Case) -> Sequence[str]:
        return case.source, case.answer

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        self.seen += len(cases)
        return [Judgement(float(("dog" in case.source) != ("dog" in case.answer))) for case in cases]


LINE = {"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "I have two dogs."},
        {"role": "user", "content": "and?"}, {"role": "assistant", "content": "I am a nurse. I like tea."},
        {"role": "user", "content": "so"}, {"role": "assistant", "content": "Good."}]}  # fmt: skip


@pytest.fixture
def logs(tmp_path: Path) -> tuple[Repository, str]:
    from arena.exchange.imports import read

    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(LINE) + "\n" for _ in range(1)), encoding="utf-8")
    repository = store(tmp_path)
    read(repository, path, "logs")
    return repository, repository.tournaments()[0].id


def sweep(repository: Repository, tournament: str, judge: Dogs, *checks: Check) -> int:
    return asyncio.run(JudgeRunner(repository, tournament, judge, checks, alike).sweep())


def test_imported_logs_gain_checks_once(logs: tuple[Repository, str]) -> None:
    repository, tournament = logs
    assert sweep(repository, tournament, Dogs(), Check.HISTORY) == 3
    again = Dogs()
    assert sweep(repository, tournament, again, Check.HISTORY) == 0 and again.seen == 0
    assert sweep(repository, tournament, Dogs(revision="2"), Check.HISTORY) == 3
    [record] = repository.records(tournament)
    own = [v for v in record.message_verdicts if v.revision == "1"]
    assert [(v.message, v.judgement.contradiction, v.judgement.reason) for v in own] == [
        (1, None, "nothing_before"), (3, 1.0, None), (5, None, "no_statement"),
    ]  # fmt: skip
    assert own[1].judgement.evidence["earlier"] == "I have two dogs."


def test_statistics_get_arrays_with_reasons(logs: tuple[Repository, str]) -> None:
    repository, tournament = logs
    sweep(repository, tournament, Dogs(), Check.HISTORY)
    [built] = repository.checks(tournament)
    assert built == CheckRow(Check.HISTORY, built.row, "dogs", "1", 0.5, METHODS[Check.HISTORY])
    played = statistics.dialogues(repository, tournament)
    result = findings.scores(repository, built, played)
    assert result.kinds == ("history",) and list(result.dialogue) == [0, 0, 0]
    assert [result.reasons[code] if code >= 0 else None for code in result.reason] == [
        "nothing_before", None, "no_statement",
    ]  # fmt: skip


def test_exports_and_imports_keep_findings(logs: tuple[Repository, str], tmp_path: Path) -> None:
    repository, tournament = logs
    sweep(repository, tournament, Dogs(), Check.HISTORY)
    exported_lines = exported(repository, tournament)
    [finding] = [f for f in json.loads(exported_lines)["findings"] if f["message"] == 3]
    assert finding["check"] == "history" and finding["evidence"]["later"] == "I am a nurse."
    other = store(tmp_path, "other.db")
    info = repository.find(tournament)
    from arena.core.types import TournamentInfo

    copy = TournamentInfo(
        info.id, info.release, info.config_hash, info.seed, info.config, repository.bots(info.id)
    )
    for _ in range(2):
        Importing(other).add(
            copy, [record for _, record in read_records(io.StringIO(exported_lines), "export")]
        )
    assert exported(other, tournament) == exported_lines


def test_runs_judge_the_checks_of_their_file(tmp_path: Path) -> None:
    repository = store(tmp_path)
    bots = ("  - {name: a, adapter: scripted, persona: You are Sam and you have two dogs.}",)
    source = text(*bots, dialogues=1, more="checks: [inquiry, history, persona]").replace(
        "[truth]", "[lexical]"
    )
    tournament, _ = play(repository, source)
    assert tournament.info.config["checks"] == ["inquiry", "history", "persona"]
    [record] = repository.records(tournament.info.id)
    messages = {m.index for m in record.messages if m.seat == 1}
    for check in (Check.HISTORY, Check.PERSONA):
        assert {v.message for v in record.message_verdicts if v.check is check} == messages


def test_the_shipped_judge_finds_another_name() -> None:
    judge = registry.create("nli", "nli")
    talk = unchecked("hello", "Hi, my name is Emily from Chicago.", "ok", "I am Sarah and I live in Boston.")
    rows = material([talk], Check.HISTORY, alike)
    judgements = asyncio.run(judge.judge([pair.case for pair in rows[1].pairs]))
    result = judgement(rows[1], judgements, Check.HISTORY, judge.scale(Check.HISTORY))
    assert result.contradiction is not None and result.contradiction > judge.tau


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"message": 99}, "points outside"),
        ({"check": "inquiry"}, "findings.1.check"),
        ({"message": 1}, "occurs twice"),
    ],
)
def test_broken_findings_are_refused(
    change: dict[str, object], words: str, logs: tuple[Repository, str]
) -> None:
    repository, tournament = logs
    sweep(repository, tournament, Dogs(), Check.HISTORY)
    line = json.loads(exported(repository, tournament))
    line["findings"][1] |= change
    with pytest.raises(InputError, match=words):
        list(read_records(io.StringIO(json.dumps(line)), "export"))


def test_people_label_findings_and_labels_travel(logs: tuple[Repository, str], tmp_path: Path) -> None:
    repository, tournament = logs
    sweep(repository, tournament, Dogs(), Check.HISTORY)
    [record] = repository.records(tournament)
    subject = f"{record.key}:3:history"
    values = {"about_speaker": "yes", "contradicts": "no"}
    label = checked(Label(subject, "finding", "finding", "ann", values))
    labels = Labels(repository)
    labels.put([label], now=1.0)
    assert labels.of(tournament) == [label]
    wrong = [replace(label, subject=f"{record.key}:{rest}") for rest in ("99:history", "3:inquiry")]
    assert labels.unknown([label, *wrong]) == wrong
    exported_lines = exported(repository, tournament)
    [finding] = [f for f in json.loads(exported_lines)["findings"] if f["message"] == 3]
    assert finding["labels"][0]["values"] == {"about_speaker": True, "contradicts": False}
    [(_, again)] = read_records(io.StringIO(exported_lines), "export")
    assert label in again.labels
