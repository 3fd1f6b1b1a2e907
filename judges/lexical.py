"""A judge that compares words by rules: numbers, negation, yes and no, other names, evasion.

It does not know meanings: it takes `a physician` after `a doctor` for a contradiction, and it misses contradictions in
which the words overlap. It works everywhere and is the baseline for models. Its probabilities are fixed values of its
rules, not calibrated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import NOTHING, Case, Facts, Judgement, Kind
from judges import words
from judges.base import CLASSES, Defaults, FactoryDefaults
from judges.settings import Settings

# (entailment, neutral, contradiction) of each rule
GRADES = {
    "evasion": (0.05, 0.90, 0.05),
    "same_polarity": (0.85, 0.10, 0.05),
    "other_polarity": (0.05, 0.05, 0.90),
    "same_number": (0.85, 0.10, 0.05),
    "other_number": (0.03, 0.07, 0.90),
    "none_of_some": (0.03, 0.07, 0.90),
    "some_of_none": (0.05, 0.15, 0.80),
    "same_words": (0.85, 0.10, 0.05),
    "negated": (0.05, 0.15, 0.80),
    "other_words": (0.05, 0.30, 0.65),
    "nothing_to_compare": (0.10, 0.80, 0.10),
}


@dataclass
class Lexical(Defaults):
    name: str
    revision: str = "lexical-1"
    tau: float = 0.5
    cacheable: bool = True

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.question, case.answer, case.expected, _polar_kind(case.kind))

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [judged(case) for case in cases]


def judged(case: Case) -> Judgement:
    if not case.answer.strip():
        return Judgement(None, reason="empty_answer")
    rule, evidence = _rule(case)
    classes = dict(zip(CLASSES, GRADES[rule], strict=True))
    return Judgement(classes["contradiction"], classes, {"rule": rule, **evidence})


def _rule(case: Case) -> tuple[str, dict[str, Any]]:
    if words.evasive(case.answer):
        return "evasion", {}
    answer = words.without_questions(case.answer)
    polarity = words.polarity(answer)
    asked_yes_no = _polar_kind(case.kind) is not None or words.asks_yes_no(case.question)
    if asked_yes_no:
        wanted = _wanted(case)
        if polarity is not None and wanted is not None:
            return ("same_polarity" if polarity == wanted else "other_polarity"), {
                "said": polarity,
                "wanted": wanted,
            }
    return _facts(case, answer, polarity, asked_yes_no)


def _facts(case: Case, answer: str, polarity: bool | None, asked_yes_no: bool) -> tuple[str, dict[str, Any]]:
    truth = case.expected if case.expected and not asked_yes_no else case.source
    by_number = _by_number(case, answer, truth, polarity is False or words.denies_any(answer))
    return by_number or _by_words(case, answer, truth, asked_yes_no)


def _by_number(case: Case, answer: str, truth: str, denied: bool) -> tuple[str, dict[str, Any]] | None:
    counts = words.plain(case.question).startswith(("how many", "how old", "how much", "how long"))
    theirs, ours = set(words.numbers(answer)), set(words.numbers(truth))
    if counts and ours - {0.0} and denied:
        return "none_of_some", {"truth": sorted(ours)}
    if ours and theirs and (counts or len(ours) == 1):
        evidence = {"truth": sorted(ours), "answer": sorted(theirs)}
        return ("same_number" if ours & theirs else "other_number"), evidence
    if counts and theirs - {0.0} and not ours and words.negative(truth):
        return "some_of_none", {"answer": sorted(theirs)}
    return None


def _by_words(case: Case, answer: str, truth: str, asked_yes_no: bool) -> tuple[str, dict[str, Any]]:
    asked = set(words.content(case.question))
    known, new = set(words.content(truth)), set(words.content(answer))
    shared = (known & new) - asked or (known & new if asked_yes_no else set())
    # One negation makes shared words contradict each other; with a negation on both sides they agree.
    if shared:
        if words.negative(answer) != words.negative(case.source):
            return "negated", {"shared": sorted(shared)}
        return "same_words", {"shared": sorted(shared)}
    if not asked_yes_no and 0 < len(known - asked) <= 4 and 0 < len(new - asked) <= 4:
        return "other_words", {"truth": sorted(known), "answer": sorted(new - asked)}
    return "nothing_to_compare", {}


def _polar_kind(kind: Kind) -> str | None:
    return str(kind) if kind in (Kind.YES_NO_TRUE, Kind.YES_NO_FALSE) else None


def _wanted(case: Case) -> bool | None:
    """Return the right answer to a yes/no question, if it is known or the source states it, else None."""
    if case.kind is Kind.YES_NO_TRUE:
        return True
    if case.kind is Kind.YES_NO_FALSE:
        return False
    polarity = words.polarity(case.expected) if case.expected else None
    if polarity is not None:
        return polarity
    asked, known = set(words.content(case.question)), set(words.content(case.source))
    if asked and asked <= known:
        return words.negative(case.source) == words.negative(case.question)
    return None


class LexicalFactory(FactoryDefaults):
    Settings = Settings

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "rules on words; nothing to install"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        return {
            "what": "rules on words: numbers, negation, yes/no, other names, evasion",
            "classes": list(CLASSES),
            "limits": "knows no meaning; its probabilities are grades of its rules, not calibrated",
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Lexical:  # noqa: ARG002
        return Lexical(name)


judge = LexicalFactory()
