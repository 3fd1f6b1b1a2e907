"""Natural language inference: whether what was said entails the answer, contradicts it, or does neither."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import Field

from arena.core.errors import InputError
from arena.core.types import NOTHING, Case, Check, Facts, Judgement, Kind
from bots.weights.catalogue import find
from bots.weights.store import state
from judges.base import CLASSES, ON_TOPIC, Defaults, FactoryDefaults, Scale
from judges.checkpoint import Checkpoint, first_line, look
from judges.embedded import EmbeddedScorer, Model, PairScorer, Size, embedded, threshold, weights
from judges.revisions import of
from judges.scales import scale_of
from judges.settings import Settings
from judges.statement import statement
from judges.wording import hypothesis
from judges.words import readable

if TYPE_CHECKING:
    import numpy as np

CODE = 1  # increase when the same texts and weights would give other scores
EMBEDDED = "embedded"
SHIPPED: Mapping[str, Model] = {EMBEDDED: "both", "large": "large", "small": "small"}
"""The shipped judges, by the value of the setting `model`."""
BASES: Mapping[Size, str] = {"large": "all-mpnet-base-v2", "small": "all-minilm-l6-v2"}
OWN = ".safetensors"  # a file that `arena train judge` wrote
TAU = 0.5
AIH_TAU = (
    0.15  # AIH, table 7: the best F1 and correlation with people, for the uncalibrated roberta-large-mnli
)

Format = Literal["question_answer", "statement", "answer", "aih"]


class Scorer(Protocol):
    """A model that maps text pairs to probabilities of entailment, neutral and contradiction."""

    @property
    def revision(self) -> str: ...

    @property
    def told(self) -> bool:
        """Whether the model was trained on inputs that state how many right answers a question has."""
        ...

    @property
    def statement_shift(self) -> float:
        """What is added to the log odds of a contradiction where there is no question."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray[Any, Any]: ...

    def scores(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]:
        """Return `score`, and for each pair the probability that the answer keeps to its question.

        The second value is None if the model does not predict it.
        """
        ...


class NliSettings(Settings):
    model: str = EMBEDDED
    format: Format = "question_answer"
    both: bool = False  # also score (answer, source), and take the mean
    labels: tuple[str, str, str] | None = None
    precision: Literal["auto", "fp32", "bf16", "int8"] = "auto"
    device: str = "auto"
    batch_tokens: int = Field(4096, ge=64)
    revision: str | None = None  # of a hub model


class MnliSettings(NliSettings):
    model: str = "roberta-large-mnli"
    format: Format = "aih"


class DnliSettings(NliSettings):
    model: str  # no default: there is no standard published checkpoint
    format: Format = "answer"


@dataclass
class Nli(Defaults):
    name: str
    revision: str
    tau: float
    scorer: Scorer
    format: Format
    both: bool = False
    cacheable: bool = True
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False, compare=False)

    def key(self, case: Case) -> Sequence[Any]:
        return self.pair(case)

    def pair(self, case: Case) -> tuple[str, str]:
        """The premise and the hypothesis of a case, in the configured format."""
        statement, answer = self._pair(case)
        return readable(statement), readable(answer)

    def _pair(self, case: Case) -> tuple[str, str]:
        if self.format in ("answer", "aih"):
            return case.source, case.answer
        read = statement if self.format == "statement" else hypothesis
        # For ask_twice, the source is an earlier answer, which needs its question too.
        source = read(case.question, case.source) if case.kind is Kind.ASK_TWICE else case.source
        if self.format == "question_answer" and self.scorer.told:
            return source, hypothesis(case.question, case.answer, case.single_answer)
        return source, read(case.question, case.answer)

    def scale(self, check: Check) -> Scale:
        return scale_of(self.scorer.revision, check)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        asked = [index for index, case in enumerate(cases) if case.answer.strip() and case.source.strip()]
        pairs = [self.pair(cases[index]) for index in asked]
        async with self.lock:
            rows = await asyncio.to_thread(self._scored, pairs)
        judged = {
            index: _judgement(self._shifted(row, cases[index]), pair, cases[index], topic)
            for index, pair, (row, topic) in zip(asked, pairs, rows, strict=True)
        }
        return [judged.get(index) or _empty(case) for index, case in enumerate(cases)]

    def _scored(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[float], float | None]]:
        """Return each pair's class probabilities, and the probability that the answer keeps to its question."""
        if not pairs:
            return []
        classes, topics = self.scorer.scores(pairs)
        if self.both:
            classes = (classes + self.scorer.score([(second, first) for first, second in pairs])) / 2
        rows = [[float(value) for value in row] for row in classes]
        return list(zip(rows, [None] * len(rows) if topics is None else topics.tolist(), strict=True))

    def _shifted(self, row: Sequence[float], case: Case) -> Sequence[float]:
        """Return the probabilities of a pair of statements with other odds of a contradiction."""
        shift = self.scorer.statement_shift
        if case.question or not shift:
            return row
        parts = [row[0], row[1], row[2] * math.exp(shift)]
        return [part / sum(parts) for part in parts]


def _judgement(row: Sequence[float], pair: tuple[str, str], case: Case, topic: float | None) -> Judgement:
    classes = {name: round(value, 6) for name, value in zip(CLASSES, row, strict=True)}
    evidence: dict[str, Any] = {} if pair[1] == case.answer else {"hypothesis": pair[1]}
    if topic is not None and math.isfinite(topic) and case.question:
        evidence[ON_TOPIC] = round(topic, 4)
    return Judgement(classes["contradiction"], classes, evidence)


def _empty(case: Case) -> Judgement:
    return Judgement(None, reason="empty_source" if case.answer.strip() else "empty_answer")


class NliFactory(FactoryDefaults):
    """The factory of the judge `nli`, and of the judges that differ from it only in their defaults."""

    shorthand = "model"

    def __init__(
        self, what: str, settings: type[NliSettings], tau: float, dialogue_nli: bool = False
    ) -> None:
        self.what = what
        self.Settings = settings
        self.tau = tau
        self.dialogue_nli = dialogue_nli

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        model = SHIPPED.get(str(settings.get("model", EMBEDDED)))
        if model is None:
            return True, "a checkpoint"  # the checkpoint is examined when the judge is created
        if self.dialogue_nli:
            return True, "needs `model: FOLDER` of such a checkpoint"
        if self.Settings is not NliSettings:
            return _in_cache(str(self.Settings.model_fields["model"].default))
        for size in BASES if model == "both" else [model]:
            if not weights(size).is_file():
                return False, f"{weights(size).name} is missing: install the package again"
            if state(find(BASES[size])) != "here":
                return False, f"its base is not on this machine: `arena models fetch {BASES[size]}`"
        return True, "the embedded model, or any checkpoint"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        fields = self.Settings.model_fields
        model = SHIPPED.get(str(settings.get("model", fields["model"].default)))
        tau = threshold(model) if model else self.tau
        return {"what": self.what, "classes": list(CLASSES), "tau": tau, "settings": dict(settings)}

    def create(self, name: str, settings: Mapping[str, Any]) -> Nli:
        chosen = self.Settings.model_validate(settings)
        scorer: Scorer
        tau = self.tau
        if chosen.model in SHIPPED or chosen.model.endswith(OWN):
            if chosen.format == "aih" or chosen.labels or chosen.revision or chosen.precision != "auto":
                raise InputError(
                    f"The judge '{name}' has `format: aih`, `labels`, `precision` or `revision` for the "
                    "embedded model or its kin, which have their own: leave them out, or name another `model`."
                )
            scorer = _own(chosen.model)
            tau = scorer.tau
        else:
            scorer = Checkpoint(
                look(chosen.model, chosen.revision, chosen.labels, self.dialogue_nli),
                joined="aih" if chosen.format == "aih" else "pair",
                precision=chosen.precision,
                tokens=chosen.batch_tokens,
                device=chosen.device,
            )
        kept = (scorer.revision, chosen.labels, chosen.format, chosen.both, chosen.precision)
        return Nli(name, of("nli", CODE, *kept), tau, scorer, chosen.format, chosen.both)


def _in_cache(model: str) -> tuple[bool, str]:
    from huggingface_hub import try_to_load_from_cache

    if isinstance(try_to_load_from_cache(model, "config.json"), str):
        return True, f"{model} is in the local hub cache"
    return (
        False,
        f"{model} is not in the local hub cache: it is fetched at first use, or give `model: FOLDER`",
    )


def _own(model: str) -> PairScorer:
    """Load a shipped judge, or a file in the same format that `arena train judge` wrote."""
    if model in SHIPPED:
        return embedded(SHIPPED[model])
    path = Path(model).expanduser()
    if not path.is_file():
        raise InputError(
            f"There is no file {model}: give what `arena train judge` wrote, or a model's folder."
        )
    try:
        return EmbeddedScorer(path)
    except (RuntimeError, ValueError, KeyError, OSError) as error:
        raise InputError(
            f"{model} is not a judge that `arena train judge` wrote ({first_line(error)}): "
            "for a Hugging Face model give its folder."
        ) from error


judge = NliFactory("natural language inference by the embedded model or any checkpoint", NliSettings, TAU)
mnli = NliFactory("roberta-large-mnli as AIH used it, in AIH's own pair format", MnliSettings, AIH_TAU)
dnli = NliFactory("a checkpoint fine-tuned on Dialogue NLI", DnliSettings, TAU, True)
