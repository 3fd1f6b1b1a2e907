"""How old somebody is, which grade he is in, what he weighs."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import trimmed
from inquirer.questions.copula import is_past, phrased
from inquirer.questions.frame import Asked, helper
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

DECADES = {"teens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties"}


@rule("age", True)
def of_decade(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my parents are in their sixties."""
    last = clause.words[first.end - 1].lower
    numbered = len(last) == 3 and last[:2].isdigit() and last.endswith("s")
    if first.kind != "pp" or clause.words[first.start].lower != "in" or not (last in DECADES or numbered):
        return
    if clause.words[first.body].lower in {"my", "our", "their", "his", "her"}:
        be, _ = helper(clause, voice)
        subject = voice.subject(clause)
        text = f"How old {be} {subject}?"
        yield phrased(clause, (first.body, first.end), text, f"how old {subject} {be}", 0.85)


@rule("grade", True)
def of_grade(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """i am in the third grade, in my second year."""
    low = [x.lower for x in clause.words[first.body : first.end]]
    if first.kind != "pp" or clause.words[first.start].lower != "in" or is_past(clause):
        return
    thing = next((x for x in ("grade", "year") if x in low), "")
    numbered = any(x in w.ORDINALS - {"next", "last"} or x[0].isdigit() or x in w.NUMBERS for x in low)
    if thing and numbered and len(low) < 4 and low[0] not in {"a", "this", "that"}:
        be, _ = helper(clause, voice)
        subject = voice.subject(clause)
        body = trimmed(clause.words, first.body, first.end)
        yield phrased(
            clause,
            (body, first.end),
            f"What {thing} {be} {subject} in?",
            f"what {thing} {subject} {be} in",
            0.85,
        )


def is_weight(low: list[str]) -> bool:
    return low[-1] in {"pounds", "lbs", "kilos", "kg"} and len(low) <= 3


def aged(clause: Clause) -> bool:
    """Whether the clause says how old somebody is or was."""
    real = [p for p in clause.phrases if p.kind != "adv"]
    return bool(real) and real[0].kind == "np" and is_age(clause, real[0])


def is_age(clause: Clause, first: Phrase) -> bool:
    words = clause.words[first.start : first.end]
    low = [x.lower for x in words]
    numbers = [i for i in range(first.start, first.end) if clause.tags[i] == "CD"]
    if not numbers or any(x in {"feet", "ft", "foot", "inches", "pounds", "lbs", "tall"} for x in low):
        return False
    if low[-1] in {"old"}:
        return True
    rest = [
        x
        for x, t in zip(low, clause.tags[first.start : first.end], strict=True)
        if t != "CD" and x not in {"about", "almost", "only", "over", "now", "just"}
    ]
    following = [p for p in clause.phrases if p.start >= first.end and p.kind != "sub"][:1]
    return (
        not rest
        and (not following or following[0].kind in {"adv", "rest"})
        and low[-1].rstrip("s").isdigit() | (low[-1] in w.NUMBERS)
    )
