"""The judge `begin`: five classes of grounded responses, by a trained model or by rules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from arena.core.types import NOTHING, Case, Facts, Judgement
from judges import revisions
from judges.base import Defaults, FactoryDefaults
from judges.begin import rules
from judges.begin.classifier import Trained, context
from judges.begin.evidence import Support, overlap, pieces, support
from judges.begin.taxonomy import FIVE, THREE, collapsed_classes
from judges.nli import EMBEDDED, NliSettings, Scorer
from judges.nli import judge as nli
from judges.settings import Settings

CODE = 1
RULES = "rules"
UNTRAINED = "zero-training rules over overlap, NLI and genericness"


class BeginSettings(Settings):
    model: str = RULES  # or a folder that `arena train begin` wrote
    nli: str = EMBEDDED  # the NLI model that the rules use; `none` for no model
    ways: Literal[3, 5] = 5


@dataclass
class Begin(Defaults):
    name: str
    revision: str
    ways: int
    trained: Trained | None
    scorer: Scorer | None
    tau: float = 0.5
    cacheable: bool = True
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False, compare=False)

    def key(self, case: Case) -> Sequence[Any]:
        return grounding(case), previous(case), case.answer

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        asked = [index for index, case in enumerate(cases) if case.answer.strip() and grounding(case).strip()]
        chosen = [cases[index] for index in asked]
        async with self.lock:
            judgements = await asyncio.to_thread(self._trained if self.trained else self._by_rules, chosen)
        by_index = dict(zip(asked, judgements, strict=True))
        return [by_index.get(index) or _unjudged(case) for index, case in enumerate(cases)]

    def _trained(self, cases: Sequence[Case]) -> list[Judgement]:
        assert self.trained is not None
        rows = self.trained.score([(context(grounding(c), previous(c)), c.answer) for c in cases])
        return [self._judgement(dict(zip(self.trained.labels, row, strict=True)), {}) for row in rows]

    def _by_rules(self, cases: Sequence[Case]) -> list[Judgement]:
        seen = [overlap(case.answer, grounding(case), previous(case)) for case in cases]
        supports = self._supported(cases)
        judgements = []
        for case, each, nli_says in zip(cases, seen, supports, strict=True):
            evidence = {
                "method": UNTRAINED,
                "attributable": round(rules.attributable(each, nli_says), 6),
                "words_in_knowledge": round(each.share, 3),
                "content_in_knowledge": round(each.content, 3),
                "new_words": each.new,
            }
            judgements.append(self._judgement(rules.classes(case.answer, each, nli_says), evidence))
        return judgements

    def _supported(self, cases: Sequence[Case]) -> list[Support | None]:
        """Score each response against every piece of its knowledge by NLI, with all pairs in one call."""
        if self.scorer is None or not cases:
            return [None] * len(cases)
        owners, pairs = [], []
        for index, case in enumerate(cases):
            for piece in pieces(grounding(case)):
                owners.append(index)
                pairs.append((piece, case.answer))
        rows: list[list[Sequence[float]]] = [[] for _ in cases]
        for index, row in zip(owners, self.scorer.score(pairs), strict=True):
            rows[index].append(row)
        return [support(each) for each in rows]

    def _judgement(self, classes: Mapping[str, float], evidence: Mapping[str, Any]) -> Judgement:
        shown = dict(classes) if self.ways == 5 and len(classes) == len(FIVE) else collapsed_classes(classes)
        rounded = {label: round(value, 6) for label, value in shown.items()}
        likeliest = max(rounded, key=lambda label: rounded[label])
        return Judgement(rounded["contradiction"], rounded, {"label": likeliest, **evidence})


def grounding(case: Case) -> str:
    """The text that should support the response: its knowledge or, without knowledge, the source."""
    return case.knowledge if case.knowledge is not None else case.source


def previous(case: Case) -> str:
    """The turn that the response answers: the question or, without a question, the last turn of the context."""
    return case.question or (case.context[-1] if case.context else "")


def _unjudged(case: Case) -> Judgement:
    return Judgement(None, reason="no_knowledge" if case.answer.strip() else "empty_answer")


class BeginFactory(FactoryDefaults):
    Settings = BeginSettings
    shorthand = "model"

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        present, detail = nli.available()
        return present, f"{UNTRAINED}; {detail}"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        chosen = BeginSettings.model_validate(settings)
        what = UNTRAINED if chosen.model == RULES else f"the classifier in {chosen.model}"
        return {"what": f"BEGIN's taxonomy by {what}", "classes": list(FIVE if chosen.ways == 5 else THREE)}

    def create(self, name: str, settings: Mapping[str, Any]) -> Begin:
        chosen = BeginSettings.model_validate(settings)
        if chosen.model != RULES:
            trained = Trained(Path(chosen.model))
            revision = revisions.of("begin", CODE, trained.revision, chosen.ways)
            return Begin(name, revision, chosen.ways, trained, None)
        scorer = pair_scorer(chosen.nli)
        scorer_revision = scorer.revision if scorer else "none"
        return Begin(
            name, revisions.of("begin", CODE, scorer_revision, chosen.ways), chosen.ways, None, scorer
        )


def pair_scorer(model: str) -> Scorer | None:
    """The NLI scorer of this model, loaded as by the judge `nli`; None for the name `none`."""
    if model == "none":
        return None
    settings = NliSettings(model=model).model_dump() if model != EMBEDDED else {}
    return nli.create("nli", settings).scorer


judge = BeginFactory()
