"""The papers' tables from judgements whose figures are known beforehand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arena.core.types import Judgement
from arena.validation import begin, consistest_table, decode, dnli, nli, pairs, q2, q2_table, scoring, usr
from arena.validation.base import Report, kept, plain
from arena.validation.consistest import Context, Sample, Source
from arena.validation.consistest_answers import Scored as Answer
from arena.validation.pairs import Pair
from arena.validation.rows import Inference
from arena.validation.scoring import Scored, consistency
from arena.validation.show import draw, show
from judges.base import PLAIN


def run(name: str, contradictions: list[float | None], tau: float = 0.5) -> Scored:
    return Scored(
        name, tau, tuple(Judgement(c, reason=None if c is not None else "silent") for c in contradictions)
    )


def told(label: str, names: tuple[str, ...] = ("entailment", "neutral", "contradiction")) -> Judgement:
    classes = {name: 0.8 if name == label else 0.2 / (len(names) - 1) for name in names}
    return Judgement(classes["contradiction"], classes)


def q2_data() -> q2.Data:
    items = tuple(
        q2.Item(system, good, f"response {n} {good}", f"knowledge {n}", "m", f"topic {n}", str(n), "0", "g")
        for n in range(40)
        for system, good in (("dodeca", True), ("memnet", False))
    )
    return q2.Data(items, (), tuple(q2.Pair(2 * n, 2 * n + 1) for n in range(40)))


def test_q2_report_of_a_perfect_and_a_blind_judge() -> None:
    data = q2_data()
    perfect = run("perfect", [0.0 if item.consistent else 1.0 for item in data.items])
    blind = run("blind", [0.5] * len(data.items))
    report = q2_table.report(data, [perfect, blind], {}, rounds=30, seed=1)
    best, worst = report.judges["perfect"], report.judges["blind"]
    assert best["auc"] == best["accuracy"] == best["held_out_accuracy"] == best["spearman"] == 1.0
    assert worst["auc"] == 0.5 and worst["accuracy"] == 0.5
    assert (
        best["sets"]["dodeca_consistent"]["score"] == 1.0
        and best["sets"]["memnet_inconsistent"]["score"] == 0.0
    )
    assert best["series"]["robustness"][3]["score"] == pytest.approx(0.7)
    assert report.judges["ensemble"]["held_out_accuracy"] > 0.9
    json.dumps(report.document(), allow_nan=False)


def test_q2_report_counts_questions() -> None:
    data = q2_data()
    check = {"span": "a", "question": "b?", "outcome": "no_answer", "score": 0.0}
    asked = Judgement(
        1.0,
        evidence={"checks": [check, {"span": "c", "question": "I?", "outcome": "personal"}], "questions": 1},
    )
    fallen = Judgement(0.5, evidence={"checks": [], "questions": 0, "fallback": "neutral"})
    judgements = tuple(asked if place % 2 else fallen for place in range(len(data.items)))
    report = q2_table.report(data, [Scored("q2", 0.49, judgements)], {}, rounds=30, seed=1)
    row = report.judges["q2"]
    assert row["questions"] == 40 and row["no_answer"] == 1.0 and row["question_coverage"] == 0.5
    assert row["sets"]["dodeca_consistent"]["questions"] == 0


def test_begin_reports_three_kinds_of_files() -> None:
    one = begin.Item("the cat sat on the mat", "hi", "the cat sat", "fully", "")
    two = begin.Item("the cat sat on the mat", "hi", "a dog ran off", "not", "")
    data = begin.Data("wow", begin.Release.ATTRIBUTION, (one, two) * 10)
    run_ = Scored(
        "j", 0.5, tuple(told("entailment" if item.label == "fully" else "neutral") for item in data.items)
    )
    five_names = ("entailment", "hallucination", "off-topic", "generic", "contradiction")
    labels = ("entailment", "generic", "off-topic", "hallucination", "contradiction")
    five = begin.Data(
        "five", begin.Release.FIVE_WAY, tuple(begin.Item("k", "p", "r", label, "") for label in labels) * 4
    )
    fives = Scored("j", 0.5, tuple(told(item.label, five_names) for item in five.items))
    report = begin.report([data, five], {"wow": [run_], "five": [fives]}, rounds=30, seed=1)
    assert report.judges["j"]["auc"] == 1.0
    assert report.judges[begin.PLAIN]["auc"] == 1.0
    assert report.judges["j"]["series"]["wow"]["over_plain"]["difference"] == 0.0
    assert report.judges["j"]["series"]["five five_way"]["macro_f1"] == 1.0
    assert report.judges["j"]["series"]["five three_way"]["accuracy"] == 1.0
    assert "T5, MNLI+adversarial (five_way)" in report.paper


def test_pairs_and_dialogues() -> None:
    items = [Pair("a", "", "b", place % 2 == 0) for place in range(20)]
    report = pairs.report("pairs", items, [run("j", [0.9 if i.contradiction else 0.1 for i in items])], 30, 1)
    assert report.judges["j"]["f1"] == report.judges["j"]["auc"] == 1.0
    assert report.judges["j"]["confusion"]["1"]["1"] == 10
    dialogues = [decode.Dialogue(("a", "b"), "c", True, (1,)), decode.Dialogue(("a",), "c", False, ())] * 5
    scores: list[float | None] = [0.1, 0.9, 0.2] * 5
    result = decode.by_utterances(dialogues, run("j", scores))
    decode.dialogues(report, dialogues, [("j", 0.5, result)], 30, 1)
    row = report.judges["j"]["series"]["dialogues"]
    assert row["auc"] == row["evidence_f1"] == row["strict_accuracy"] == row["coverage"] == 1.0
    both = decode.by_utterances(dialogues, run("j", [0.9, 0.9, 0.2] * 5))
    answers = decode.evidence(dialogues, both, 0.5)
    assert answers["evidence_precision"] == 0.5 and answers["evidence_recall"] == 1.0
    assert answers["strict_accuracy"] == 0.5, "more was said to be contradicted than is"


def test_a_first_utterance_contradicts_nothing_and_filters_say_what_they_keep() -> None:
    first = decode.Dialogue((), "I have a dog.", False, ())
    later = decode.Dialogue(("I have no dog.", "Nice day."), "I have a dog.", True, (0,))
    assert [one.score for one in decode.by_utterances([first], run("j", []))] == [0.0]
    rows = decode.history([first, later], lambda a, b: np.ones((len(a), len(b))))
    assert [len(row.pairs) for row in rows] == [0, 1]
    checked = decode.by_history(rows, run("j", [0.8]), PLAIN)
    assert [one.score for one in checked] == [0.0, 0.8] and checked[1].evidence == {0}
    pairs = [Pair("I have no dog.", "", "I have a dog.", True), Pair("Nice day.", "", "Good.", True)]
    kept = decode.kept_by_filters(pairs, [first, later], rows)
    assert kept["pairs"] == {"recall": 0.5, "n": 2} and kept["evidence"] == {"recall": 1.0, "n": 1}


def test_inference_and_dialogue_nli() -> None:
    items = [Inference("a", "b", label) for label in ("entailment", "neutral", "contradiction")] * 8
    right = Scored("j", 0.5, tuple(told(item.label) for item in items))
    report = nli.report(items, [right], 30, 1)
    assert report.judges["j"]["accuracy"] == report.judges["j"]["macro_f1"] == 1.0
    tuned = dnli.report(items, items, [right], [right], 30, 1)
    assert tuned.judges["j"]["accuracy"] == 1.0
    assert tuned.judges["j"]["series"]["non_neutral"]["n"] == 16
    assert dnli.report(items, [], [right], [], 30, 1).judges["j"]["tau"] == 0.1


def test_fallbacks_count_as_uncovered() -> None:
    judged = Scored("q2", 0.5, (Judgement(0.2), Judgement(0.5, evidence={"fallback": "neutral"})))
    assert scoring.answered(judged) == [0.8, None]


def test_correlation_with_people() -> None:
    items = [
        usr.Item((), "k", "r", "s", {"uses_knowledge": n / 10, "maintains_context": 1.0}) for n in range(10)
    ]
    report = usr.report("topical_chat", items, [run("j", [1 - n / 10 for n in range(10)])], 30, 1)
    assert report.judges["j"]["series"]["uses_knowledge"]["all"]["spearman"] == pytest.approx(1.0)
    assert plain(report.judges["j"]["series"]["maintains_context"]["all"]["spearman"]) is None
    assert "Q2 (preprint), left_out" in report.paper


def test_consistest_scores_and_kappa() -> None:
    items = [
        Answer("f", "q", "t", "r", place % 2 == 0, float(place % 3 == 0), float(place % 3 == 0))
        for place in range(30)
    ]
    report = consistest_table.judges(items, [run("j", [1 - item.score for item in items])], 30, 1)
    assert report.judges["j"]["mse"] == 0.0
    assert report.judges["j"]["all"] == pytest.approx(1 / 3)
    assert report.more["people"]["yn"]["kappa"] == 1.0


def sample(place: int, yes_no: bool, source: Source, truth: str = "no") -> Sample:
    return Sample(str(place), str(place % 3), source, False, yes_no, 0, (), (), "f", None, "q?", (truth,))


def test_interrogation_columns_and_short_answers() -> None:
    samples = [
        sample(0, True, Source.PERSONA),
        sample(1, True, Source.PERSONA, "yes"),
        sample(2, False, Source.HISTORY),
    ]
    judgements = [
        Judgement(1.0, evidence={"rule": "wrong_short_answer"}),
        Judgement(1.0, evidence={"rule": "long_answer"}),
        None,
    ]
    document, tables = consistest_table.interrogation(
        "b", Context.STANDARD, samples, judgements, {"timeout": 1}, rounds=30, seed=1
    )
    assert document["persona"] == {"wh": None, "yes_no": 0.0} and document["n"] == 2
    assert document["yes_no_answers"]["all"] == {"total": 2, "wrong": 2, "wrong_short": 1}
    assert document["yes_no_answers"]["no"]["wrong_short"] == 1
    assert document["unjudged"] == {"timeout": 1}
    assert any("paper" in str(row[0]) for row in tables[0].rows)


def test_consistency_is_support_where_the_judge_tells_it() -> None:
    assert consistency(Judgement(0.1, {"entailment": 0.3, "neutral": 0.6, "contradiction": 0.1})) == 0.3
    assert consistency(Judgement(0.25)) == 0.75
    assert consistency(Judgement(None, reason="silent")) is None


def test_what_was_not_judged_is_counted() -> None:
    result = kept([1, 0, 1], [0.5, None, 0.7])
    assert result.coverage == pytest.approx(2 / 3) and list(result.labels) == [1, 1]
    assert run("j", [0.1, None, None]).reasons == {"silent": 2}


def test_plots_and_tables_are_files_and_lines(tmp_path: Path) -> None:
    from io import StringIO

    from rich.console import Console

    data = q2_data()
    report = q2_table.report(data, [run("j\x1b[31m", [0.5] * len(data.items))], {}, rounds=30, seed=1)
    paths = draw(report, tmp_path)
    assert [path.name for path in paths] == ["q2-precision-recall.png", "q2-robustness.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    out = StringIO()
    show(report, Console(file=out))
    assert "paper: Q2 (EMNLP)" in out.getvalue() and "\x1b" not in out.getvalue()


def test_a_document_has_no_nan() -> None:
    report = Report("x", 0, judges={"j": {"auc": float("nan"), "n": 1}})
    assert report.document()["judges"]["j"] == {"auc": None, "n": 1}
