"""Questions about the doing behind a preposition: how, why, what is thought about."""

from __future__ import annotations

from inquirer.questions.frame import Asked, ask
from inquirer.questions.noun import Noun, opening
from inquirer.questions.rule import rule
from inquirer.questions.stranding import stranded
from inquirer.questions.voice import Voice

PURSUING = {
    ("believe", "in"), ("think", "about"), ("think", "of"), ("plan", "on"), ("look", "to"), ("work", "on"),
    ("dream", "of"), ("dream", "about"), ("adjust", "to"), ("talk", "about"), ("specialize", "in"), ("focus", "on"),
    ("worry", "about"), ("insist", "on"), ("commit", "to"), ("major", "in"),
}  # fmt: skip
BLAMING = {"fire", "arrest", "ground", "punish", "tease", "expel", "suspend", "ban"}


@rule("deed")
def of_deed(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i relax by painting: how? i was fired for stealing: why?"""
    clause, phrase = thing.clause, thing.phrase
    if not thing.gerund:
        return None
    if thing.adjacent and (clause.deepest, thing.opener) in PURSUING and len(thing.low) < 7:
        return _pursuit(thing, voice)
    behind = [p for p in clause.phrases if p.start >= phrase.start]
    place = (phrase.body, max(p.end for p in behind if p.kind != "rest"))
    made: Asked | None = None
    completed = thing.previous is not None and thing.previous.kind in {"np", "adj"}
    if thing.opener == "by" and (thing.adjacent or completed):
        made = ask(clause, voice, "How", place, behind, 0.8)
    elif thing.opener == "for" and clause.deepest in BLAMING:
        made = ask(clause, voice, "Why", place, behind, 0.85)
    return [made] if made else []


def _pursuit(thing: Noun, voice: Voice) -> list[Asked]:
    """thinking about moving to ohio: what are you thinking about?"""
    clause = thing.clause
    pointing = bool({"it", "that", "this", "you", "your", "them"} & set(thing.said))
    if pointing or clause.phrases[-1] is not thing.phrase:
        return []
    if clause.deepest == "look" and not any(opening(clause, p) == "forward" for p in clause.phrases):
        return []
    return stranded(thing, voice, "What", 0.75)
