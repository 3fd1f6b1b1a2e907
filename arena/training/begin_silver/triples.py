"""Reads grounded turns (evidence, previous turn, response) from a file or from question-answer data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from judges.q2.grammar import clauses, sentences, tagged
from judges.q2.text import sentences as text_sentences

QA_FILES = ("qa_squad_dev.jsonl", "qa_squadshifts_new_wiki.jsonl")
MOST_OF_A_CONTEXT = 8


@dataclass(frozen=True, slots=True)
class Triple:
    evidence: str
    previous: str
    response: str
    topic: str = ""
    """A topic, which is equal for conversations about the same thing."""


def read(path: Path) -> list[Triple]:
    """Read triples from a JSONL file, or from a folder of question-answer files."""
    if path.is_dir():
        return list(from_qa(path))
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}): give a JSONL file of grounded turns.") from None
    triples = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            triples.append(_triple(path, number, line))
    return triples


def _triple(path: Path, number: int, line: str) -> Triple:
    try:
        row: Mapping[str, Any] = json.loads(line)
        values = [row["evidence"], row["previous"], row["response"]]
        if all(isinstance(value, str) for value in values) and values[0].strip() and values[2].strip():
            return Triple(values[0], values[1], values[2], str(row.get("topic") or ""))
    except (json.JSONDecodeError, KeyError, TypeError):
        pass
    raise InputError(
        f"{path}, line {number}: a grounded turn is a JSON object with the texts "
        "'evidence', 'previous' and 'response'."
    )


def from_qa(folder: Path) -> Iterator[Triple]:
    """Build a triple from each question-answer pair: the sentences around the answer, the question, and the
    clause with the answer.
    """
    paths = [folder / name for name in QA_FILES if (folder / name).is_file()]
    if not paths:
        raise InputError(f"{folder} holds neither {' nor '.join(QA_FILES)}: give a folder that does.")
    taken: dict[str, int] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            topic = row["context"][:80]
            triple = _of_answer(row, topic)
            if triple and taken.get(topic, 0) < MOST_OF_A_CONTEXT:
                taken[topic] = taken.get(topic, 0) + 1
                yield triple


def _of_answer(row: Mapping[str, Any], topic: str) -> Triple | None:
    text, start = row["context"], int(row["start"])
    around = list(_sentences(text))
    index = next((i for i, (low, high) in enumerate(around) if low <= start < high), None)
    if index is None:
        return None
    low, high = around[index]
    end = around[min(index + 1, len(around) - 1)][1]
    clause = _answering_clause(text[low:high], row["answer"])
    if clause is None or not 5 <= len(clause.split()) <= 28:
        return None
    evidence = " ".join(text[low:end].split())
    return (
        Triple(evidence, row["question"].strip(), clause, topic) if 8 <= len(evidence.split()) <= 90 else None
    )


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for sentence in text_sentences(text):
        low = text.find(sentence, at)
        at = low + len(sentence)
        yield low, at


PRONOUNS = {"NNS": "they"}


def _answering_clause(sentence: str, answer: str) -> str | None:
    """Return the clause with the answer. Its subject becomes a pronoun if the answer is not in the subject."""
    for tokens in sentences(sentence):
        tags = tagged(tokens)
        for clause in clauses(tokens, tags):
            own = [word for word in clause.words if word.start >= 0]
            low, high = min(w.start for w in own), max(w.end for w in own)
            span = sentence[low:high]
            if answer not in span or clause.verb == 0 or span.count("(") != span.count(")"):
                continue
            subject_end = clause.words[clause.verb - 1].end
            subject = sentence[low:subject_end]
            if answer not in subject and 1 < clause.verb <= 6:
                pronoun = PRONOUNS.get(clause.tags[clause.verb - 1], "it")
                span = f"{pronoun}{sentence[subject_end:high]}"
            return span[:1].upper() + span[1:].rstrip(" ,;:") + "."
    return None


def by_topic(triples: Iterable[Triple]) -> dict[str, list[Triple]]:
    topics: dict[str, list[Triple]] = {}
    for triple in triples:
        topics.setdefault(triple.topic, []).append(triple)
    return topics
