"""What follows an adjective: allergic to cats, excited to visit rome."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.questions.frame import Asked, ask
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice


@rule("adjective", False)
def of_adjective(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """allergic to cats, good at chess: the preposition stays, its object is asked."""
    index = clause.phrases.index(first)
    if len(clause.phrases) < index + 2:
        return
    second = clause.phrases[index + 1]
    if second.kind == "inf":
        yield from _willing(clause, first, second, voice)
    if (
        second.kind == "pp"
        and clause.words[second.start].lower == "from"
        and clause.tags[second.body] == "VBG"
    ):
        made = ask(clause, voice, "Why", (second.body, second.end), [second], 0.8)
        if made:
            yield made
        return
    preposition = clause.words[second.start].lower
    last = clause.words[first.end - 1].lower
    if last in {"more", "less", "most", "sure", "likely", "able"} or (last, preposition) in {
        ("sorry", "to"),
        ("bad", "to"),
    }:
        return
    if (
        second.kind != "pp"
        or clause.tags[second.body] in {"PRP", "RB", "EX"}
        or preposition not in {"to", "of", "at", "in", "with", "about", "for", "from"}
    ):
        return
    if preposition in {"at", "in"} and last not in {
        "fluent",
        "good",
        "great",
        "bad",
        "terrible",
        "best",
        "interested",
        "involved",
        "awful",
        "amazing",
    }:
        return
    if preposition in {"for", "with", "from"} and last not in {
        "famous",
        "responsible",
        "close",
        "friendly",
        "friends",
        "known",
        "obsessed",
        "familiar",
        "happy",
        "busy",
        "good",
        "retired",
        "late",
    }:
        return
    body = trimmed(clause.words, second.body, second.end)
    if clause.tags[body] == "CD" and second.end - body == 2 and clause.words[body + 1].lower.endswith("s"):
        thing = clause.words[body + 1].lower
        made = ask(
            clause, voice, f"How many {thing}", (body, body + 1), [second], 0.85, (second, preposition)
        )
        if made:
            yield made
        return
    if clause.words[second.end - 1].lower in {"thing", "things", "stuff"}:
        return  # upset about the whole thing
    listed = second.end < clause.end and clause.words[second.end].lower in w.LANGUAGES
    if listed:
        return  # fluent in english spanish and french
    if clause.words[second.end - 1].lower in w.LANGUAGES and second.end - body == 1:
        made = ask(clause, voice, "What language", (body, second.end), [second], 0.85, (second, preposition))
        if made:
            yield made
        return
    people = head(clause.words, body, second.end) in w.PEOPLE and clause.tags[second.body] != "VBG"
    if clause.tags[second.body] == "VBG" and second.end - second.body > 6:
        return
    made = ask(
        clause, voice, "Who" if people else "What", (body, second.end), [second], 0.85, (second, preposition)
    )
    if made:
        yield made


WILLING = {
    "scared", "afraid", "excited", "ready", "willing", "eager", "able", "unable", "determined", "anxious",
    "nervous", "allowed", "proud", "desperate", "motivated",
}  # fmt: skip


def _willing(clause: Clause, first: Phrase, second: Phrase, voice: Voice) -> Iterator[Asked]:
    """excited to visit rome: what are you excited to do?"""
    said = {x.lower for x in clause.words[second.start : second.end]}
    if clause.words[first.end - 1].lower not in WILLING or second.end - second.body > 7 or len(said) < 3:
        return
    if said & {"it", "that", "this", "you", "your", "them", "here", "there", "anything", "be"}:
        return
    made = ask(clause, voice, "What", (second.body, second.end), [second], 0.75, (second, "to do"))
    if made:
        yield made
