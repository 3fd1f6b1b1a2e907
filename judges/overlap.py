"""Baselines that compare words, n-grams or vectors; they show that similar texts need not agree.

Each baseline computes a similarity from 0 to 1; its contradiction is 1 minus the similarity.
"""

from __future__ import annotations

import asyncio
import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from arena.core.errors import ArenaError
from arena.core.types import NOTHING, Case, Facts, Judgement
from judges.base import Defaults, FactoryDefaults
from judges.revisions import of
from judges.settings import Settings

if TYPE_CHECKING:
    from judges.vectors import Vectors

CODE = 1
Pairs = Sequence[tuple[str, str]]  # what was said, the answer
Measure = Callable[[Pairs], list[float]]


class OverlapSettings(Settings):
    against: Literal["source", "expected"] = "source"  # ConsisTest's F1 compares with the fact (`expected`)


class VectorSettings(OverlapSettings):
    model: str = "embedded"
    revision: str | None = None


@dataclass
class Overlap(Defaults):
    name: str
    revision: str
    measure: Measure
    against: Literal["source", "expected"]
    tau: float = 0.5
    cacheable: bool = True

    def key(self, case: Case) -> Sequence[Any]:
        return (self._reference(case), case.answer)

    def _reference(self, case: Case) -> str:
        return case.source if self.against == "source" else case.expected or ""

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        reasons = [_reason(self._reference(case), case.answer, self.against) for case in cases]
        pairs = [
            (self._reference(case), case.answer)
            for case, reason in zip(cases, reasons, strict=True)
            if not reason
        ]
        measured = iter(await asyncio.to_thread(self.measure, pairs) if pairs else [])
        return [
            Judgement(None, reason=reason) if reason else _judgement(next(measured)) for reason in reasons
        ]


def _reason(reference: str, answer: str, against: str) -> str | None:
    if not answer.strip():
        return "empty_answer"
    if not reference.strip():
        return "empty_source" if against == "source" else "no_truth"
    return None


def _judgement(likeness: float) -> Judgement:
    likeness = min(1.0, max(0.0, likeness))
    return Judgement(round(1.0 - likeness, 6), {}, {"score": round(likeness, 6)})


def token_f1(pairs: Pairs) -> list[float]:
    """SQuAD's token F1: in lower case, without punctuation and articles, and with repeated words counted."""
    return [f1(first, second) for first, second in pairs]


def f1(first: str, second: str) -> float:
    one, other = _bag(first), _bag(second)
    shared = (one & other).total()
    if not shared:
        return float(not one and not other)
    precision, recall = shared / other.total(), shared / one.total()
    return 2 * precision * recall / (precision + recall)


def _bag(text: str) -> Counter[str]:
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return Counter(re.sub(r"\b(?:a|an|the)\b", " ", bare).split())


def bleu(pairs: Pairs) -> list[float]:
    """Sentence BLEU of the answer, computed by sacrebleu; a short answer lowers the maximum n-gram order."""
    from sacrebleu import BLEU

    scorer = BLEU(effective_order=True)
    return [scorer.sentence_score(second, [first]).score / 100 for first, second in pairs]


def greedy_f1(vectors: Vectors) -> Measure:
    """BERTScore's F1, without idf weights and rescaling.

    Each token is matched with the most similar token of the other text.
    """

    def measure(pairs: Pairs) -> list[float]:
        texts = sorted({text for pair in pairs for text in pair})
        matrices = dict(zip(texts, vectors.words(texts), strict=True))
        scores = []
        for first, second in pairs:
            one, other = matrices[first], matrices[second]
            if not len(one) or not len(other):
                scores.append(0.0)
                continue
            near = one @ other.T
            precision, recall = float(near.max(0).mean()), float(near.max(1).mean())
            scores.append(2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0)
        return scores

    return measure


def cosine(vectors: Vectors) -> Measure:
    """Cosine similarity of sentence vectors; negative values count as 0."""

    def measure(pairs: Pairs) -> list[float]:
        texts = sorted({text for pair in pairs for text in pair})
        rows = dict(zip(texts, vectors.sentences(texts), strict=True))
        return [float(rows[first] @ rows[second]) for first, second in pairs]

    return measure


class OverlapFactory(FactoryDefaults):
    Settings: type[OverlapSettings] = OverlapSettings

    def __init__(self, kind: str, what: str, measure: Measure) -> None:
        self.kind, self.what, self._measure = kind, what, measure

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "nothing to fetch"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": self.what, "limits": "likeness, not agreement", "settings": dict(settings)}

    def create(self, name: str, settings: Mapping[str, Any]) -> Overlap:
        chosen = self.Settings.model_validate(settings)
        return Overlap(name, of(self.kind, CODE, chosen.against), self._measure, chosen.against)


class VectorFactory(FactoryDefaults):
    Settings = VectorSettings
    shorthand = "model"

    def __init__(self, kind: str, what: str, measure: Callable[[Vectors], Measure]) -> None:
        self.kind, self.what, self._measure = kind, what, measure

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        from bots.encoders.bases import MINILM

        try:
            MINILM.folder()
        except ArenaError as error:
            return False, str(error)
        return True, "the encoder under the embedded judge, or any other"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": self.what, "limits": "likeness, not agreement", "settings": dict(settings)}

    def create(self, name: str, settings: Mapping[str, Any]) -> Overlap:
        from judges.vectors import Vectors

        chosen = VectorSettings.model_validate(settings)
        vectors = Vectors(chosen.model, chosen.revision)
        revision = of(self.kind, CODE, chosen.against, vectors.revision)
        return Overlap(name, revision, self._measure(vectors), chosen.against)


overlap_judge = OverlapFactory("overlap", "F1 of the words that answer and source share", token_f1)
bleu_judge = OverlapFactory("bleu", "sentence BLEU (sacrebleu) of the answer against the source", bleu)
similarity_judge = VectorFactory("similarity", "BERTScore-like greedy matching of token vectors", greedy_f1)
cosine_judge = VectorFactory("cosine", "cosine of sentence vectors", cosine)
