"""Makes cases about a stated fact: questions, each with an answer, its label and the name of the case."""

from __future__ import annotations

from collections.abc import Iterator

from arena.training.judges.kinds import fill, has_one_answer, listed, names_one
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL
from arena.training.judges.replies import no, yes
from arena.training.judges.statements import Stated, Statements

Cases = Iterator[tuple[str, str, int, str]]
"""Question, answer, label and name of the case."""

EVASIONS = listed("evasions")
UNRELATED = listed("unrelated")


def after_denial(facts: Statements, stated: Stated) -> Cases:
    """Cases for a statement that is a denial. Answers that name the denied thing contradict it."""
    pick, kind = facts.source, stated.kind
    if pick.random() < 0.5:
        question = fill(pick.choice(kind.yn), facts.name(stated.value), stated.slots)
        yield question, no(question, pick), ENTAILMENT, "denial kept"
        yield question, yes(question, pick), CONTRADICTION, "denial broken"
    else:
        question = fill(pick.choice(kind.ask), facts.name(stated.value), stated.slots)
        form = facts.say if pick.random() < 0.5 else facts.short
        yield question, form(kind, stated.value, stated.slots), CONTRADICTION, "denial broken"
        yield question, stated.statement, ENTAILMENT, "denial kept"
    if pick.random() < 0.3:
        yield question, pick.choice(EVASIONS), NEUTRAL, "evasion"


def no_longer(facts: Statements, stated: Stated) -> Cases:
    """Cases for a question whether a former value still holds."""
    pick = facts.source
    question = fill(pick.choice(stated.kind.yn), facts.name(stated.other), stated.slots)
    if question.startswith("Do you "):
        question = pick.choice([question, question.replace("Do you ", "Do you still ", 1)])
    kept = [
        "Not anymore.",
        "No, not anymore.",
        "not any more",
        "I used to.",
        "No, that's over.",
        no(question, pick),
    ]
    broken = ["Yes, still.", "Yes, every day.", "I still do.", yes(question, pick), yes(question, pick)]
    yield question, pick.choice(kept), ENTAILMENT, "no"
    yield question, pick.choice(broken), CONTRADICTION, "yes"


def yes_no(facts: Statements, stated: Stated) -> Cases:
    """Cases for a yes-or-no question about the stated value, another value, or another fact."""
    pick, kind = facts.source, stated.kind
    any_of = "How many {x} do you have?" in kind.ask
    if any_of and pick.random() < 0.3:
        question = fill("Do you have any {x}?", "any", stated.slots)
        yield question, yes(question, pick), ENTAILMENT, "yes"
        yield question, no(question, pick), CONTRADICTION, "no"
        return
    if kind.denying and pick.random() < 0.4:
        question = fill(pick.choice(kind.denying), facts.name(stated.value), stated.slots)
        yield question, yes(question, pick), CONTRADICTION, "yes"
        yield question, no(question, pick), ENTAILMENT, "no"
        return
    draw = pick.random()
    if draw < 0.55:
        yield from _whether_stated(facts, stated)
    elif draw < 0.85:
        yield from _whether_other(facts, stated)
    else:
        foreign = facts.foreign(kind, lambda other: other.yn)
        question = pick.choice(foreign.yn)
        question = fill(question, facts.name(pick.choice(facts.values(foreign))), facts.slots(foreign))
        yield question, pick.choice([yes, no])(question, pick), NEUTRAL, "foreign"


def _whether_stated(facts: Statements, stated: Stated) -> Cases:
    pick, kind = facts.source, stated.kind
    question = fill(pick.choice(kind.yn), facts.name(stated.value, True), stated.slots)
    long = f" {facts.say(kind, stated.value, stated.slots)}" if pick.random() < 0.3 else ""
    yield question, yes(question, pick) + long, ENTAILMENT, "yes"
    denied = ""
    if pick.random() < 0.3:
        denied = f" {fill(pick.choice(kind.none), facts.name(stated.value), stated.slots)}"
    yield question, no(question, pick) + denied, CONTRADICTION, "no"


def _whether_other(facts: Statements, stated: Stated) -> Cases:
    pick, kind = facts.source, stated.kind
    question = fill(pick.choice(kind.yn), facts.name(stated.other), stated.slots)
    if kind.open:
        if "favorite" not in question:
            yield question, pick.choice([yes, no])(question, pick), NEUTRAL, "open"
        return
    long = f" {facts.say(kind, stated.other, stated.slots)}" if pick.random() < 0.3 else ""
    yield question, yes(question, pick) + long, CONTRADICTION, "yes"
    right = f" {facts.say(kind, stated.value, stated.slots)}" if pick.random() < 0.4 else ""
    yield question, no(question, pick) + right, ENTAILMENT, "no"


def open_question(facts: Statements, stated: Stated) -> Cases:
    """Cases for an open question about the value, with right, wrong and neutral answers. The question is
    sometimes left out.
    """
    pick = facts.source
    question = fill(pick.choice(stated.kind.ask), facts.name(stated.value), stated.slots)
    if pick.random() < 0.07:
        question = ""
    yield from _right(facts, stated, question)
    yield from _wrong(facts, stated, question)
    yield from _beside(facts, stated, question)


def _right(facts: Statements, stated: Stated, question: str) -> Cases:
    pick, kind, value, slots = facts.source, stated.kind, stated.value, stated.slots
    long = pick.random() < 0.45 or not question
    answer = facts.say if long else facts.short
    yield question, answer(kind, value, slots, True), ENTAILMENT, "right"
    if pick.random() < 0.5:
        answer = facts.short if long and question else facts.say
        yield question, answer(kind, value, slots), ENTAILMENT, "right"


def _wrong(facts: Statements, stated: Stated, question: str) -> Cases:
    pick, kind = facts.source, stated.kind
    draw, single = pick.random(), has_one_answer(kind, stated.statement, question)
    if draw < 0.62 and single is not None:
        answer = facts.say if pick.random() < 0.4 or not question else facts.short
        text = answer(kind, stated.other, stated.slots)
        denied = single if question else single and (names_one(text) or not kind.open)
        yield question, text, CONTRADICTION if denied else NEUTRAL, "other"
    if draw > 0.45:
        text = fill(pick.choice(kind.none), facts.name(stated.value), stated.slots)
        yield question, text, CONTRADICTION, "denied"


def _beside(facts: Statements, stated: Stated, question: str) -> Cases:
    """Neutral cases: an evasion, an answer to something else, or another question with its answer."""
    pick = facts.source
    draw = pick.random()
    if draw < 0.30:
        yield question, pick.choice(EVASIONS), NEUTRAL, "evasion"
    elif draw < 0.40:
        yield question, pick.choice(UNRELATED), NEUTRAL, "unrelated"
    elif draw < 0.55:
        yield question, facts.second(stated.kind), NEUTRAL, "unrelated"
    elif draw < 0.80 and stated.kind.slots and question:
        yield from _elsewhere(facts, stated, question)
    elif draw < 0.92:
        yield from _foreign(facts, stated)


def _elsewhere(facts: Statements, stated: Stated, question: str) -> Cases:
    """A neutral case: the same question about another slot, for example "How many dogs …" after "I have two cats"."""
    pick, kind = facts.source, stated.kind
    slots = facts.elsewhere(kind, stated.slots)
    asked = fill(pick.choice(kind.ask), facts.name(stated.value), slots)
    named = any("{" + name + "}" in template for name in slots for template in kind.ask)
    if named and asked != question:
        answer = facts.short if pick.random() < 0.6 else facts.say
        yield asked, answer(kind, stated.other, slots), NEUTRAL, "elsewhere"


def _foreign(facts: Statements, stated: Stated) -> Cases:
    """A neutral case: a question about a fact of another kind."""
    pick = facts.source
    kind = facts.foreign(stated.kind)
    slots = facts.slots(kind)
    value = pick.choice(facts.values(kind))
    question = fill(pick.choice(kind.ask), facts.name(value), slots)
    answer = facts.short if pick.random() < 0.6 else facts.say
    yield question, answer(kind, value, slots), NEUTRAL, "foreign"
