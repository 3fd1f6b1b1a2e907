"""Rules for activities: what somebody likes to do, does, did or wants to be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from inquirer.grammar.frame import Asked, sentence
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.verbs import base, known

SKIPPED = {"to do": 1, "how to do": 2, "doing": 0}  # words of the chain that do not belong to the answer


def _end(r: Reading) -> int:
    """Returns the end of the activity. The activity includes its first objects, but no time."""
    kinds = {"np", "pp", "adv", "adj", "ing"}
    ends = [p.end for p in r.clause.phrases if p.kind in kinds and not r.time(p)]
    end = max([r.clause.chain[1], r.clause.verb + 1, *ends[:2]])
    dropped = w.DROPPED_TAIL | {"everyday", "soon"}
    while end > r.clause.verb + 1 and r.clause.low(end - 1) in dropped:
        end -= 1
    return end


@rule("doing", single=False, denied=True)
def doing(r: Reading) -> Iterator[Asked | None]:
    """A verb of liking, wanting, meaning or knowing how, with what one does."""
    (start, last), first, clause = r.clause.chain, r.first, r.clause
    if r.chained:
        ending = {"to": "to do", "how": "how to do"}.get(clause.low(start), "doing")
    elif first is not None and first.kind == "ing":
        ending, start, last = "doing", first.start, first.end
    else:
        return
    if _is_meant(r, ending) and not r.points:
        alone = replace(clause, chain=(clause.verb + 1, clause.verb + 1), phrases=())
        place = (start + SKIPPED[ending], max(last, _end(r)))
        yield replace(r, clause=alone).ask("What", place, [], ending=ending)


def _is_meant(r: Reading, ending: str) -> bool:
    """Whether the first verb says that somebody likes, wants, means or knows how to do the second."""
    lemma, verb = r.clause.lemma, r.verb
    if r.denied:
        is_liked = lemma in {"like", "love", "want", "enjoy"} and verb not in {"be", "go", "do"}
        return is_liked and r.own and r.helpers[:1] in (["do"], ["did"])
    if ending != "to do":
        how = ending == "how to do" and verb not in {"do", "be", "get"}
        return not r.helpers and (how or (ending == "doing" and lemma in w.TASTES | {"miss"}))
    if lemma not in w.INTENDING - {"tend", "get"} or verb not in known() - {"be"} - w.REPORTING:
        return False
    if lemma == "go" and not r.helpers:
        return False
    chain = {base(x.lower) for x in r.clause.words[slice(*r.clause.chain)]}
    if lemma == "use" and chain & (w.TASTES | {"live", "have", "work"}):
        return False  # "i used to like to talk": liking is not an activity
    idle = not r.phrases or verb in {"go", "do", "get", "say", "admit", "agree"}
    return lemma not in {"have", "need"} or not idle


@rule("to-be", single=None)
def to_be(r: Reading) -> Iterator[Asked | None]:
    """Somebody wants, hopes or trains to be something."""
    first = r.first
    if not r.chained or r.verb not in {"be", "become"} or r.clause.lemma not in w.WISHING or first is None:
        return
    described = first.kind == "adj" and len(r.phrases) == 1 and r.low(first)[-1] not in w.WILLING
    named = first.kind == "np" and r.low(first)[0] in {"a", "an"} and r.clause.lemma != "use"  # that is a job
    if (described or named) and not r.points:
        yield r.ask("What", first, [first])


@rule("done", single=False)
def done(r: Reading) -> Iterator[Asked | None]:
    """Somebody spends time doing something, is made to do it, or is able or afraid to do it."""
    for before, phrase in pairwise(r.phrases):
        kept = _kept(r, before, phrase)
        if kept and not r.pointing([phrase]):
            yield r.ask("What", (phrase.body, phrase.end), [phrase], kept=(phrase, kept))


def _kept(r: Reading, before: Phrase, phrase: Phrase) -> str:
    """Returns the words that stand for the activity in the question, or an empty text."""
    last = r.low(before)[-1]
    if phrase.kind == "ger":
        return "doing" if r.verb == "spend" and last in w.TIME_UNITS | {"time"} else ""
    if phrase.kind == "bare":
        return "do" if r.low(before)[0] not in {"you", "it", "that"} else ""
    fits = not {"be", "anything", "help", "see", "hear"} & set(r.low(phrase))
    fits = fits and phrase.kind == "inf" and 1 < phrase.end - phrase.body < 8
    return "to do" if fits and r.is_be and before.kind == "adj" and last in w.WILLING else ""


@rule("did", single=None)
def did(r: Reading) -> Iterator[Asked]:
    """What somebody did at a time that is stated."""
    times = [p for p in r.phrases if r.time(p) == "When" and p.kind == "np" and r.low(p)[-1] != "ago"]
    acts = r.own or r.person or r.core in w.PETS
    if not r.past or r.helpers or not times or not acts or r.chained or r.points:
        return
    if r.phrases[0] not in times and r.verb not in w.STATIC_VERBS:
        when = r.say(times[0].start, times[0].end)
        text = sentence("What did", r.subject_text, "do", when)
        yield r.write((r.clause.verb, _end(r)), text, sentence("what", r.subject_text, "did", when))
