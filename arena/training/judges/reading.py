"""Reads published questions about texts (in SQuAD's format), as cases for the reader and as answered questions
for the judge.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from arena.training.judges.texts import Guard, normal
from judges.wording import hypothesis

FILES = ("squad_dev", "squadshifts_new_wiki", "squadshifts_reddit", "squadshifts_amazon_reviews")


@dataclass(frozen=True, slots=True)
class Question:
    context: str
    question: str
    answer: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.answer)


def held_out(context: str) -> bool:
    """Whether a context is held out. A hash selects a fifth of all contexts, so that every run holds out the same
    contexts.
    """
    return hashlib.sha256(context.encode()).digest()[0] < 51


def settling(context: str) -> bool:
    """Whether a held-out context is used to set the bound for "no answer". The other half of these contexts is
    for evaluation.
    """
    return hashlib.sha256(context.encode()).digest()[1] % 2 == 0


def swapped(rows: Sequence[Question], source: random.Random) -> list[tuple[str, str]]:
    """Pair each question with another context that does not contain its answer."""
    result = []
    for row in rows:
        # Nearly all contexts may contain a short answer
        others = (source.choice(rows).context for _ in range(20))
        other = next((text for text in others if normal(row.answer) not in normal(text)), None)
        if other is not None:
            result.append((row.question, other))
    return result


def questions(data: Path, guard: Guard | None, held: bool, names: Sequence[str] = FILES) -> list[Question]:
    """Return the questions about the training contexts, or about the held-out contexts (only new-wiki has
    held-out contexts).
    """
    result = []
    for name in names:
        path = data / "qa" / f"qa_{name}.jsonl"
        if not path.exists():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            kept_apart = name.endswith("new_wiki") and held_out(row["context"])
            if kept_apart != held or (guard and guard.knows(row["question"])):
                continue
            if row["context"][row["start"] :].startswith(row["answer"]):
                result.append(Question(row["context"], row["question"].strip(), row["answer"], row["start"]))
    return result


_SPACED = re.compile(r" (?=[.,;:!?%)\]]|n't\b|'(?:s|re|ve|ll|d|m)\b)|(?<=[(\[$£€]) ")


def asked_of_sentences(data: Path, guard: Guard | None) -> list[tuple[str, str]]:
    """Return (question, sentence) pairs without a marked answer. The files are lowercased and tokenised."""
    folder = data / "qg"
    if not (folder / "src-test.txt").exists():
        return []
    lines = [
        (folder / name).read_text(encoding="utf-8").splitlines() for name in ("tgt-test.txt", "src-test.txt")
    ]
    brackets = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"'}
    result = []
    for question, sentence in zip(*lines, strict=True):
        if guard and guard.knows(question):
            continue
        plain = (" ".join(brackets.get(word, word) for word in text.split()) for text in (question, sentence))
        asked, statement = (_SPACED.sub("", text) for text in plain)
        result.append((asked, statement))
    return result


_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z\"'(\[0-9])")


_TITLE = re.compile(r"\b([A-Z]|Mr|Mrs|Dr|St|Jr|Inc|vs|No|c|ca)\.$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence. A full stop after an initial or a short title does not end a
    sentence.
    """
    cuts = [0]
    cuts += [
        match.end()
        for match in _END.finditer(text)
        if not _TITLE.search(text[max(0, match.start() - 5) : match.start()])
    ]
    return [(start, end) for start, end in pairwise([*cuts, len(text)]) if start < end]


def shortened(question: Question, around: int = 0) -> Question:
    """Shorten the context to the sentence of the answer, with `around` sentences on either side."""
    spans = sentences(question.context)
    at = next((i for i, (start, end) in enumerate(spans) if start <= question.start < end), 0)
    start = spans[max(0, at - around)][0]
    last = next((i for i, (_, end) in enumerate(spans) if question.end <= end), len(spans) - 1)
    end = spans[min(len(spans) - 1, last + around)][1]
    return Question(
        question.context[start:end].rstrip(), question.question, question.answer, question.start - start
    )


def _shape(answer: str) -> tuple[bool, bool, int]:
    return bool(re.search(r"\d", answer)), answer[:1].isupper(), min(3, len(answer.split()) // 2)


def judged(data: Path, guard: Guard, source: random.Random, evasions: Sequence[str]) -> list[Pair]:
    """Return pairs made from a sentence, a question and an answer.

    The right answer is an entailment, and the answer to a similar question is a contradiction. An evasion is
    neutral, and so is a right answer if its sentence is replaced by another sentence.
    """
    rows = questions(data, guard, held=False)
    by_context: dict[str, list[Question]] = defaultdict(list)
    by_shape: dict[tuple[str, tuple[bool, bool, int]], list[Question]] = defaultdict(list)
    for row in rows:
        by_context[row.context].append(row)
        by_shape[row.question.split()[0].lower(), _shape(row.answer)].append(row)
    pairs = []
    for row in rows:
        if len(row.answer.split()) > 12:
            continue
        short = shortened(row, source.choice((0, 0, 0, 1)))
        draw = source.random()
        if draw < 0.42:
            pairs.append(Pair(short.context, hypothesis(row.question, row.answer), ENTAILMENT, True))
        elif draw < 0.80:
            near = [
                other
                for other in by_context[row.context]
                if _shape(other.answer)[:2] == _shape(row.answer)[:2]
            ]
            like = by_shape[row.question.split()[0].lower(), _shape(row.answer)]
            for other in (*source.sample(near, min(2, len(near))), *source.sample(like, min(2, len(like)))):
                wrong, right = set(normal(other.answer).split()), set(normal(row.answer).split())
                if wrong and right and not wrong & right:
                    pairs.append(
                        Pair(short.context, hypothesis(row.question, other.answer), CONTRADICTION, True)
                    )
                    break
        elif draw < 0.95:
            other = source.choice(by_context[row.context] if source.random() < 0.5 else rows)
            away = shortened(other)
            if normal(row.answer) not in normal(away.context) and other.question != row.question:
                pairs.append(Pair(away.context, hypothesis(row.question, row.answer), NEUTRAL, True))
        else:
            pairs.append(
                Pair(short.context, hypothesis(row.question, source.choice(list(evasions))), NEUTRAL, False)
            )
    return [pair for pair in pairs if len(pair.premise) < 400]
