"""Rules for denials: what somebody does not like, eat or want."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.askable import object_of
from inquirer.grammar.frame import Asked, sentence
from inquirer.grammar.kinds import category
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
OPEN = {"any", "anymore", "either", "much", "him", "her", "anything", "everything"} | w.EMPTY_HEADS


def _open(r: Reading) -> bool:
    """Whether the clause does not say exactly what it denies, for example "not much", "not any of it"."""
    return r.pointing(r.clause.phrases) or any(set(r.low(p)) & OPEN for p in r.clause.phrases)


@RULES.add(
    "denied",
    matches="what somebody does not like, eat, drink …",
    asks="What don't you eat?",
    single=False,
    examples={
        "i don't eat meat": "What food don't you eat?",
        "i don't like dogs": "What animal don't you like?",
    },
    reads="denied",
)
def denied(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if (
        phrase is None
        or r.verb not in listed("denied-verbs")
        or r.chained
        or _open(r)
        or not (r.own or r.person)
    ):
        return
    if r.helpers and r.helpers[0] in {"do", "does", "did", "ca", "can"} and len(r.phrases) == 1:
        word = category(r.clause, *r.place(phrase), r.verb) or "What"
        yield r.ask(word, phrase, [phrase], negated=True)


@RULES.add(
    "not-wanted",
    matches="what somebody does not like or want to do",
    asks="What don't you like to do?",
    single=False,
    examples={
        "i don't like to cook": "What don't you like to do?",
        "i don't like golfing": "What don't you like doing?",
    },
    reads="denied",
)
def not_wanted(r: Reading) -> Iterator[Asked]:
    if (
        r.clause.lemma not in {"like", "love", "want", "enjoy"}
        or not r.own
        or r.helpers not in (["do"], ["did"])
    ):
        return
    if _open(r):
        return
    start, last = r.clause.chain
    first = r.first
    if r.chained and r.verb not in {"be", "go", "do", "know"}:
        infinitive = r.clause.words[start].lower == "to"
        place = (start + infinitive, max([last, *[p.end for p in r.phrases if p.kind in {"np", "pp"}][:2]]))
    elif not r.chained and first is not None and first.kind == "ing":
        infinitive, place = False, (first.start, first.end)
    else:
        return
    doing, you = "to do" if infinitive else "doing", r.voice.you
    text = sentence("What", f"{r.helpers[0]}n't", you, r.clause.lemma, doing)
    yield r.write(place, text, sentence("what", you, f"{r.helpers[0]}n't", r.clause.lemma, doing))


@RULES.add(
    "not-being",
    matches="what somebody is not afraid of, a fan of, into",
    asks="What aren't you a fan of?",
    single=False,
    examples={
        "i am not a fan of jazz": "What aren't you a fan of?",
        "i am not into cars": "What aren't you into?",
        "i am not afraid of heights": "What aren't you afraid of?",
    },
    reads="denied",
)
def not_being(r: Reading) -> Iterator[Asked]:
    if not r.is_be or not r.own or not r.phrases or len(r.phrases) > 2 or _open(r):
        return
    parts = _denied_of(r, r.phrases[-1])
    if parts is None:
        return
    place, lead, preposition = parts
    was = r.past
    be = ("wasn't I" if was else "am I not") if r.voice.partner else ("weren't you" if was else "aren't you")
    stated = f"{r.voice.you} {('was' if r.voice.partner else 'were') if was else r.voice.are} not"
    yield r.write(place, sentence("What", be, lead, preposition), sentence("what", stated, lead, preposition))


def _denied_of(r: Reading, last: Phrase) -> tuple[tuple[int, int], str, str] | None:
    """Returns the answer, the words to ask with the answer, and the preposition.

    For example "a fan of jazz", "afraid of spiders", "into sports".
    """
    low = r.low(last)
    if last.kind == "np" and "fan" in low and "of" in low:
        at = last.start + low.index("of")
        return (at + 1, last.end), r.say(last.start, at), "of"
    if last.kind != "pp":
        return None
    if len(r.phrases) == 2 and r.phrases[0].kind == "adj" and low[0] in {"of", "to", "at", "with"}:
        words = r.clause.words[r.phrases[0].start : r.phrases[0].end]
        adjective = [x for x in words if x.lower not in {"too", "really", "that"}]
        return r.place(last), r.voice.say(adjective), low[0]
    return (r.place(last), "", "into") if len(r.phrases) == 1 and low[0] == "into" else None
