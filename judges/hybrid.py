"""ConsisTest's pipeline: rules for short answers, word recall for other answers, and an NLI model as a check.

Its score measures consistency, so an answer that evades or misses the point is inconsistent: contradiction is 1 −
score. `mode: compat` gives the scores of the released evaluation instead, including its errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from arena.core.types import NOTHING, Case, Facts, Judgement, Kind
from judges import hybrid_compat, registry, words
from judges.base import Defaults, FactoryDefaults, Judge
from judges.revisions import of
from judges.settings import Settings

CODE = 1
POLAR = (Kind.YES_NO_TRUE, Kind.YES_NO_FALSE)


class HybridSettings(Settings):
    mode: Literal["corrected", "compat"] = "corrected"
    nli: str | dict[str, Any] = "nli"  # any judge with the classes entailment, neutral and contradiction


@dataclass
class Hybrid(Defaults):
    name: str
    revision: str
    mode: Literal["corrected", "compat"]
    nli: Judge
    tau: float = 0.5
    cacheable: bool = True

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.question, case.answer, truth(case), yes_no(case))

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        plans = [self._plan(case) for case in cases]
        asked = [index for index, plan in enumerate(plans) if plan.ask is not None]
        classes: dict[int, str] = {}
        if asked:
            judgements = await self.nli.judge([ask for plan in plans if (ask := plan.ask) is not None])
            for index, one in zip(asked, judgements, strict=True):
                if one.reason is not None:
                    plans[index] = Plan(reason=one.reason)
                else:
                    classes[index] = max(one.classes.items(), key=lambda pair: pair[1])[0]
        return [_judgement(plan, classes.get(index, "")) for index, plan in enumerate(plans)]

    def _plan(self, case: Case) -> Plan:
        if truth(case) is None:
            return Plan(reason="no_truth")
        return _as_released(case) if self.mode == "compat" else plan(case)


@dataclass(frozen=True)
class Plan:
    """The decision of the rules before the model is called, and the case that the model has to judge, if any."""

    rule: str = ""
    score: float | None = None
    """The score that the rules give; None if the model decides."""
    ask: Case | None = None
    reason: str | None = None
    released: Case | None = None


def truth(case: Case) -> str | None:
    """The reference of ConsisTest: the right answers, separated by `|`."""
    if case.expected:
        return case.expected
    return {Kind.YES_NO_TRUE: "yes", Kind.YES_NO_FALSE: "no"}.get(case.kind)


def yes_no(case: Case) -> bool:
    """Whether the question is a yes/no question and its right answer is a yes or a no."""
    if case.kind in POLAR:
        return True
    polarities = [words.polarity(one) for one in (case.expected or "").split("|")]
    return any(one is not None for one in polarities) and words.asks_yes_no(case.question)


def plan(case: Case) -> Plan:
    """Apply the rules of the paper's figure 2, extended to the short answers and numerals that people write."""
    if not case.answer.strip():
        return Plan("silent", 0.0)
    answer = words.without_questions(case.answer)
    if not answer:
        return Plan("asks_back", 0.0)
    return _closed(case, answer) if yes_no(case) else _open(case, answer)


def _closed(case: Case, answer: str) -> Plan:
    wanted = next(
        (expected for one in (truth(case) or "").split("|") if (expected := words.polarity(one)) is not None),
        case.kind is not Kind.YES_NO_FALSE,
    )
    polarity = words.polarity(answer)
    if polarity is None:
        return Plan("long_answer", None, replace(case, answer=answer))
    if polarity is not wanted:
        return Plan("wrong_short_answer", 0.0)
    more = words.after_polarity(answer)
    if not words.content(more):
        return Plan("short_answer", 1.0)
    # The text after the short answer must not contradict it.
    return Plan("short_answer_guarded", 1.0, replace(case, answer=more))


def _open(case: Case, answer: str) -> Plan:
    answer_words = set(words.tokens(answer)) | set(words.content(answer))
    recall = max(_recall(one, answer_words) for one in (truth(case) or "").split("|"))
    if recall == 0.0:
        return Plan("recall", 0.0)
    return Plan("recall_guarded", recall, replace(case, answer=answer))


def _recall(reference: str, words_found: set[str]) -> float:
    """The share of the reference's content words that the answer has. Without content words, all its words count."""
    wanted = set(words.content(reference)) or set(words.tokens(reference))
    return len(wanted & words_found) / len(wanted) if wanted else 0.0


def _as_released(case: Case) -> Plan:
    # The released evaluation uses only the fact and the response, so the model does not get the question.
    ask = replace(case, answer=hybrid_compat.cleaned(case.answer), question="", kind=Kind.WH, expected=None)
    return Plan("released", None, ask if ask.answer.strip() else None, released=case)


def _judgement(plan: Plan, nli: str) -> Judgement:
    if plan.reason is not None:
        return Judgement(None, reason=plan.reason)
    if plan.released is not None:
        try:
            score = hybrid_compat.score(
                plan.released.question,
                plan.released.answer,
                truth(plan.released) or "",
                yes_no(plan.released),
                nli or "neutral",
            )
        except hybrid_compat.Fails:
            return Judgement(None, reason="released_fails")
        if score is None:
            return Judgement(None, reason="no_score")
    elif plan.score is None:
        score = float(nli == hybrid_compat.ENTAILMENT)
    else:
        score = 0.0 if plan.ask is not None and nli == hybrid_compat.CONTRADICTION else plan.score
    evidence: dict[str, Any] = {"score": round(score, 6), "rule": plan.rule}
    return Judgement(round(1.0 - score, 6), {}, evidence | ({"nli": nli} if nli else {}))


class HybridFactory(FactoryDefaults):
    Settings = HybridSettings
    shorthand = "mode"

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        nli = registry.spec(settings.get("nli") or "nli")
        return registry.factory(nli.judge).available(nli.settings)

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            "what": "ConsisTest's rules, NLI guard and recall; contradiction is 1 − consistency",
            "needs": "the expected answer of each inquiry",
            "settings": dict(settings),
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Hybrid:
        chosen = HybridSettings.model_validate(settings)
        spec = registry.spec(chosen.nli)
        nli = registry.from_spec(spec)
        return Hybrid(
            name, of("hybrid", CODE, chosen.mode, type(nli).__name__, nli.revision), chosen.mode, nli
        )


judge = HybridFactory()
