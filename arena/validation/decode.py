"""DECODE: loads its dialogues, and compares judges with the paper's systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena.core.errors import InputError
from arena.core.hashing import message_hash
from arena.core.types import SPEAKER, TESTED, Case, Check, Judgement, Message
from arena.judging.checks import Material, Similarity, judgement, material
from arena.validation.base import Report, binary, standing
from arena.validation.pairs import Pair, of_row
from arena.validation.rows import Row, existing, rows
from arena.validation.scoring import Scored
from db.records import Unchecked
from judges.assertions import assertions, near_copies
from judges.base import Scale

WHERE = "https://parl.ai (task `decode`)"
NAMES = ("dev_pairs_part.tsv", "dev_pairs.tsv", "test.jsonl", "dev.jsonl")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The last utterance of a dialogue and the earlier utterances of the same speaker. `evidence` marks the
    earlier utterances that the last one contradicts.
    """

    earlier: tuple[str, ...]
    last: str
    contradiction: bool
    evidence: tuple[int, ...]
    """The indices in `earlier` of the utterances that the last one contradicts."""


def load(path: Path) -> tuple[list[Pair], list[Dialogue]]:
    """Load pairs from a TSV file and dialogues from the released JSON lines. From a folder, load all files of
    these kinds.
    """
    existing(path, WHERE)
    paths = [path / name for name in NAMES if (path / name).is_file()] if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} holds none of {', '.join(NAMES)}: DECODE is published at {WHERE}.")
    pairs: list[Pair] = []
    dialogues: list[Dialogue] = []
    for one in paths:
        for row in rows(one):
            if "turns" in row.values:
                dialogues.append(_dialogue(row))
            else:
                pairs.append(of_row(row))
    return pairs, dialogues


def _dialogue(row: Row) -> Dialogue:
    try:
        turns: Sequence[Any] = row.values["turns"]
        speaker = turns[-1]["agent_id"]
        own = [index for index, turn in enumerate(turns[:-1]) if turn["agent_id"] == speaker]
        marked = set(row.values.get("aggregated_contradiction_indices") or ())
        return Dialogue(
            earlier=tuple(str(turns[index]["text"]) for index in own),
            last=str(turns[-1]["text"]),
            contradiction=bool(row.values["is_contradiction"]),
            evidence=tuple(at for at, index in enumerate(own) if index in marked),
        )
    except (KeyError, IndexError, TypeError):
        raise row.wrong("needs 'turns' with 'agent_id' and 'text', and 'is_contradiction'") from None


def cases(dialogue: Dialogue) -> list[Case]:
    """Pair the last utterance with each earlier utterance of its speaker. The strongest contradiction counts."""
    return [Case(source=message, question="", answer=dialogue.last) for message in dialogue.earlier]


FOUR = ("auc", "f1", "accuracy", "best_accuracy", "tau", "coverage")
EVIDENCE = ("evidence_f1", "evidence_precision", "evidence_recall", "strict_accuracy")
HISTORY = "history"


@dataclass(frozen=True, slots=True)
class DialogueScore:
    """The result for one dialogue: its score, and the earlier utterances that the judge calls contradicted."""

    score: float | None
    evidence: frozenset[int]


def by_utterances(items: Sequence[Dialogue], run: Scored) -> list[DialogueScore]:
    """Score dialogues by DECODE's own method. The last utterance is compared with each earlier utterance of its
    speaker, and the highest score counts.

    A dialogue without earlier utterances has no contradiction.
    """
    rows: list[DialogueScore] = []
    at = 0
    for item in items:
        own = run.contradictions[at : at + len(item.earlier)]
        at += len(item.earlier)
        known = {index: score for index, score in enumerate(own) if score is not None}
        if not item.earlier:
            rows.append(DialogueScore(0.0, frozenset()))
        elif not known:
            rows.append(DialogueScore(None, frozenset()))
        else:
            marked = frozenset(index for index, score in known.items() if score > run.tau)
            rows.append(DialogueScore(max(known.values()), marked))
    return rows


def talk(number: int, item: Dialogue) -> Unchecked:
    """Present the speaker's utterances as messages of a bot under test. The last message is to be checked."""
    messages: list[Message] = []
    for text in (*item.earlier, item.last):
        for seat, line in ((SPEAKER, ""), (TESTED, text)):
            parent = messages[-1].hash if messages else None
            messages.append(Message(len(messages), seat, line, message_hash(parent, seat, line), parent))
    return Unchecked(number, tuple(messages), frozenset({len(messages) - 1}), None, None)


def history(items: Sequence[Dialogue], similarity: Similarity) -> list[Material]:
    """Return the pairs of sentences that the check `history` forms from each dialogue."""
    return material([talk(n, item) for n, item in enumerate(items)], Check.HISTORY, similarity)


def history_cases(rows: Sequence[Material]) -> list[Case]:
    return [pair.case for row in rows for pair in row.pairs]


def by_history(rows: Sequence[Material], run: Scored, scale: Scale) -> list[DialogueScore]:
    """Score dialogues by the check `history`: statements are compared with the nearest earlier statements, and
    scores are calibrated.
    """
    results: list[DialogueScore] = []
    at = 0
    for row in rows:
        own = run.judgements[at : at + len(row.pairs)]
        at += len(row.pairs)
        whole = judgement(row, own, Check.HISTORY, scale)
        score = 0.0 if row.reason is not None else whole.contradiction
        results.append(DialogueScore(score, _marked(row, own, run.tau, scale)))
    return results


def _marked(row: Material, own: Sequence[Judgement], tau: float, scale: Scale) -> frozenset[int]:
    return frozenset(
        pair.where // 2
        for pair, message in zip(row.pairs, own, strict=True)
        if pair.where is not None
        and message.contradiction is not None
        and scale.of(message.contradiction, len(row.pairs)) > tau
    )


def kept_by_filters(
    pairs: Sequence[Pair], items: Sequence[Dialogue], rows: Sequence[Material]
) -> dict[str, Any]:
    """Return the share of contradictions that pass the filters of the check `history`."""
    wrong = [pair for pair in pairs if pair.contradiction]
    there = [
        any(
            not near_copies(first, second)
            for first in assertions(pair.earlier)
            for second in assertions(pair.later)
        )
        for pair in wrong
    ]
    whole = [bool(row.pairs) for item, row in zip(items, rows, strict=True) if item.contradiction]
    marked = [
        any(pair.where is not None and pair.where // 2 in item.evidence for pair in row.pairs)
        for item, row in zip(items, rows, strict=True)
        if item.contradiction and item.evidence
    ]
    return {
        name: {"recall": float(np.mean(passed)) if passed else None, "n": len(passed)}
        for name, passed in (("pairs", there), ("dialogues", whole), ("evidence", marked))
    }


def dialogues(
    report: Report,
    items: Sequence[Dialogue],
    runs: Sequence[tuple[str, float, Sequence[DialogueScore]]],
    rounds: int,
    seed: int,
) -> None:
    """Add the table of judges. Each judge compares whole utterances, and also uses the check `history`."""
    labels = [item.contradiction for item in items]
    table: dict[str, dict[str, Any]] = {}
    for name, tau, results in runs:
        row = binary(labels, [one.score for one in results], tau, None, rounds, seed)
        row |= evidence(items, results, tau)
        table[name] = row
        judge, _, way = name.partition(", ")
        entry = report.judges.setdefault(judge, dict(row) if not way else {})
        entry.setdefault("series", {})[way or "dialogues"] = row
    report.n += len(items)
    title = f"Contradictions in whole dialogues ({len(items)})"
    report.tables.append(standing(title, table, (*FOUR, *EVIDENCE), {}))


def evidence(
    items: Sequence[Dialogue], results: Sequence[DialogueScore], tau: float
) -> dict[str, float | None]:
    """Figures over the dialogues whose contradicted utterances are marked. DECODE's strict accuracy requires that
    exactly these utterances are found.
    """
    marked = [(item, one) for item, one in zip(items, results, strict=True) if item.evidence]
    if not marked:
        return dict.fromkeys(EVIDENCE)
    hits = sum(len(one.evidence & set(item.evidence)) for item, one in marked)
    sentences = sum(len(one.evidence) for _, one in marked)
    wanted = sum(len(item.evidence) for item, _ in marked)
    precision, recall = hits / sentences if sentences else 0.0, hits / wanted
    strict = [
        (one.score is not None and one.score > tau) == item.contradiction
        and (not item.contradiction or one.evidence == set(item.evidence))
        for item, one in zip(items, results, strict=True)
        if item.evidence or not item.contradiction
    ]
    return {
        "evidence_precision": precision,
        "evidence_recall": recall,
        "evidence_f1": 2 * precision * recall / (precision + recall) if hits else 0.0,
        "strict_accuracy": float(np.mean(strict)),
    }
