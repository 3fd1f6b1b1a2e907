"""Why somebody likes something or not, where the next clause says how it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.grounds import is_ground
from inquirer.questions.clean import mentions_you, tangled
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import TASTES, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

APART = 4  # characters between the two, stop included
STANDING = {"stand", "bear", "tolerate", "avoid"}
# said of the day or of nothing
OUTSIDE = {
    "cold", "warm", "late", "early", "dark", "true", "good", "great", "fine", "ok", "okay", "nice", "cool", "my",
    "time", "too", "like", "not",
}  # fmt: skip


@rule("reason", False)
def questions(clause: Clause, before: Clause | None, voice: Voice) -> Iterator[Asked]:
    """i don't like clowns . they are scary : why don't you like clowns?"""
    if before is None or not is_ground(clause) or not voice.own(before):
        return
    gap = clause.words[clause.start].start - before.words[before.end - 1].end
    disliked = before.deepest in STANDING and (before.negation is not None or before.deepest == "avoid")
    if (
        not (before.deepest in TASTES or disliked)
        or not 0 <= gap <= APART
        or before.chain[1] > before.chain[0]
    ):
        return
    things = [p for p in before.phrases if p.kind in {"np", "ing"}]
    if len(things) != 1 or before.phrases[0] is not things[0] or before.auxiliaries[1:]:
        return
    thing = [x.lower for x in before.words[things[0].start : things[0].end]]
    several = (thing[-1].endswith("s") and things[0].kind == "np") or "and" in thing
    subject = clause.subject_words[0].lower
    if (
        several != (subject == "they")
        or thing[-1] in w.PEOPLE
        or set(thing) & (VAGUE | {"you", "your", "them", "they", "him", "her"})
    ):
        return
    if not _tells(clause) or tangled(clause) or mentions_you(clause, clause.start, clause.end):
        return
    end = clause.end - (clause.words[clause.end - 1].text == ",")
    made = ask(before, voice, "Why", (clause.start, end), [], 0.7, negated=before.negation is not None)
    if made:
        yield replace(made, start=clause.subject[0], end=end, clause=clause)


def _tells(clause: Clause) -> bool:
    """Whether it says something of the thing, and not of the weather or of everything."""
    said = [x.lower for p in clause.phrases for x in clause.words[p.start : p.end]]
    if (
        not said
        or {"also", "favorite"} & set(said)
        or {clause.words[i].lower for i in clause.auxiliaries} & {"would", "could", "might", "did"}
    ):
        return False
    if clause.copular:
        first = clause.phrases[0]
        described = first.kind == "adj" or (
            first.kind == "adv" and any(p.kind == "adj" for p in clause.phrases)
        )
        last = [p for p in clause.phrases if p.kind == "adj"]
        return described and not {clause.words[p.end - 1].lower for p in last} & OUTSIDE
    return clause.tags[clause.verb] in {"VBP", "VBZ"} and clause.lemma not in TASTES | {
        "have",
        "do",
        "'s",
        "s",
    }
