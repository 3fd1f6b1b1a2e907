"""The judge `q2`: it asks questions about the response and answers them from the source or the knowledge."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from arena.core import plugins
from arena.core.errors import ArenaError
from arena.core.types import NOTHING, Case, Facts, Judgement
from judges import revisions
from judges.base import Defaults, FactoryDefaults
from judges.begin.judge import pair_scorer
from judges.nli import judge as nli
from judges.q2.coreference import resolver
from judges.q2.hub import HubAsker
from judges.q2.parts import Check, Options, Parts, Reader, Score, Span, Text
from judges.q2.pipeline import scored
from judges.q2.questions import RuleAsker
from judges.q2.spans import RuleSpans
from judges.q2.text import untokenised
from judges.settings import Settings

CODE = 1
RULES, EMBEDDED = "rules", "embedded"
READER = Path(__file__).parents[1] / "weights" / "reader" / "reader.safetensors"
TAU = 0.49  # the paper calls a score of 0.5 or below inconsistent, the arena a contradiction above τ


class Q2Settings(Settings):
    questions: str = RULES  # or a folder or hub name of a T5 that generates questions
    question_form: str = "answer: {answer} context: {context}"
    reader: str = EMBEDDED  # or a folder or hub name of a SQuAD 2.0 reader
    nli: str = EMBEDDED
    coreference: str | None = None  # `rules`, or MODULE:OBJECT
    beams: int = Field(5, ge=1)
    # Both papers found little difference between the variants; small models gain from more questions and graded scores.
    every: bool = True
    graded: bool = True
    personal: Literal["auto", "drop", "keep"] = "auto"
    inference: bool = True
    discard_unanswerable: bool = False
    fallback: bool = True
    whole: bool | None = None  # none: where scores are graded by NLI
    response_first: bool = False
    against: Literal["auto", "said", "knowledge"] = "auto"


@dataclass
class Q2(Defaults):
    name: str
    settings: Q2Settings
    parts: Parts
    tau: float = TAU
    cacheable: bool = True
    lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False, compare=False)

    @functools.cached_property
    def revision(self) -> str:
        # Without the whole texts, scores and the revision are those of versions that did not have this setting.
        left_out = set() if self.whole else {"whole"}
        return revisions.of(
            "q2", CODE, self.parts.revision, self.settings.model_dump(mode="json", exclude=left_out)
        )

    @property
    def whole(self) -> bool:
        """Whether the whole texts count, too."""
        settings = self.settings
        return settings.graded and settings.inference if settings.whole is None else settings.whole

    def key(self, case: Case) -> Sequence[Any]:
        text = self.text(case)
        history = text.history if self.parts.resolver else ()
        return text.response, text.knowledge, text.asked, history, self.grounded(case)

    def grounded(self, case: Case) -> bool:
        """Whether the case is compared with knowledge, instead of with what was said."""
        if self.settings.against == "auto":
            return case.knowledge is not None and not case.question
        return self.settings.against == "knowledge"

    def text(self, case: Case) -> Text:
        if self.grounded(case):
            return Text(untokenised(case.answer), untokenised(case.knowledge or ""), case.context)
        asked = case.question.strip() or None
        return Text(untokenised(case.answer), untokenised(case.source), case.context, asked)

    def options(self, grounded: bool) -> Options:
        """The settings as options of Q².

        Questions about the person are dropped if a response is compared with knowledge, and kept otherwise.
        """
        settings = self.settings
        keep = settings.personal == "keep" or (settings.personal == "auto" and not grounded)
        return Options(
            beams=settings.beams,
            every=settings.every,
            keep_personal=keep,
            inference=settings.inference,
            graded=settings.graded,
            discard_unanswerable=settings.discard_unanswerable,
            fallback=settings.fallback,
            whole=self.whole,
            supported=grounded,  # knowledge that says nothing about a response does not support it
            response_first=settings.response_first,
        )

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        async with self.lock:
            return await asyncio.to_thread(self._judged, cases)

    def _judged(self, cases: Sequence[Case]) -> list[Judgement]:
        judgements: dict[int, Judgement] = {}
        for grounded in (True, False):
            places = [
                index
                for index, case in enumerate(cases)
                if self.grounded(case) is grounded and self._can(case)
            ]
            texts = [self.text(cases[index]) for index in places]
            for index, score in zip(places, scored(texts, self.parts, self.options(grounded)), strict=True):
                judgements[index] = judgement(score)
        return [judgements.get(index) or _unjudged(case) for index, case in enumerate(cases)]

    def _can(self, case: Case) -> bool:
        text = self.text(case)
        return bool(text.response and text.knowledge)


def judgement(score: Score) -> Judgement:
    """Return the judgement of a score: contradiction is 1 minus consistency, and every question is kept as evidence."""
    evidence = {"checks": [shown(check) for check in score.checks], "questions": score.questions}
    if score.fallback:
        evidence["fallback"] = score.fallback
    if score.whole is not None:
        evidence["whole"] = round(score.whole, 6)
    if score.value is None:
        return Judgement(None, evidence=evidence, reason="no_valid_question")
    return Judgement(round(1.0 - score.value, 6), evidence=evidence)


def shown(check: Check) -> dict[str, Any]:
    return {key: value for key, value in asdict(check).items() if value is not None}


def _unjudged(case: Case) -> Judgement:
    return Judgement(None, reason="no_knowledge" if case.answer.strip() else "empty_answer")


def parts(settings: Q2Settings) -> Parts:
    """Create the models that the settings name. Their weights are loaded at the first question."""
    asker = (
        RuleAsker() if settings.questions == RULES else HubAsker(settings.questions, settings.question_form)
    )
    name, options = (EMBEDDED, {}) if settings.reader == EMBEDDED else ("hf", {"model": settings.reader})
    scorer = pair_scorer(settings.nli)
    if scorer is None:
        raise ArenaError("Q² needs an NLI model: leave `nli` out or name one.")
    reader = LateReader(functools.partial(plugins.load("arena.readers", name), options))
    return Parts(RuleSpans(), asker, reader, scorer, resolver(settings.coreference))


@dataclass(frozen=True)
class LateReader:
    """A reader whose weights are loaded at the first question."""

    make: Callable[[], Reader]

    @functools.cached_property
    def _reader(self) -> Reader:
        return self.make()

    @property
    def revision(self) -> str:
        return self._reader.revision

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Span | None]:
        return self._reader.read(pairs) if pairs else []


class Q2Factory(FactoryDefaults):
    Settings = Q2Settings

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        try:
            parts(Q2Settings())
        except ArenaError as error:
            return False, str(error)
        if not READER.is_file():
            return (
                False,
                f"The weights of the embedded reader, {READER.name}, are missing: install the package again.",
            )
        return nli.available()

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        chosen = Q2Settings.model_validate(settings)
        return {
            "what": "Q²: question generation, question answering and NLI",
            "questions": chosen.questions,
            "reader": chosen.reader,
            "nli": chosen.nli,
            "tau": TAU,
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Q2:
        chosen = Q2Settings.model_validate(settings)
        return Q2(name, chosen, parts(chosen))


judge = Q2Factory()
