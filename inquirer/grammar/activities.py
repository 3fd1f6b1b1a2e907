"""Rules for activities: what somebody likes to do, does, did or wants to be."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked, helper, sentence
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clauses import REPORTING
from inquirer.language.lists import listed
from inquirer.language.verbs import base, known

RULES = Rules()
TASTES = listed("tastes")
CEASING = {"start", "stop", "quit"}
FREE = {("free", "time"), ("spare", "time"), ("off", "time"), ("for", "fun"), ("for", "exercise"), ("for", "work"),
        ("on", "weekends"), ("the", "weekend"), ("the", "weekends"), ("for", "money")}  # fmt: skip
MODALS = {"'ll": "will", "'d": "would", "will": "will", "can": "can", "could": "could", "would": "would"}


def _end(r: Reading, most: int = 2) -> int:
    """Returns the end of the activity. The activity includes its first objects, but no time."""
    kinds = {"np", "pp", "adv", "adj", "ing"}
    ends = [p.end for p in r.clause.phrases if p.kind in kinds and not r.time(p)]
    end = max([r.clause.chain[1], r.clause.verb + 1, *ends[:most]])
    while end > r.clause.verb + 1 and r.clause.words[end - 1].lower in listed("dropped-tail") | {
        "everyday",
        "soon",
    }:
        end -= 1
    return end


def _points(r: Reading) -> bool:
    return r.pointing(p for p in r.clause.phrases if p.kind != "rest")


@RULES.add(
    "to-do",
    matches="a verb of liking, wanting or meaning with `to`",
    asks="What do you like to do?",
    single=False,
    examples={
        "i like to ride horses": "What do you like to do?",
        "i'm going to cook dinner": "What are you going to do?",
        "i want to visit rome": "What do you want to do?",
    },
)
def to_do(r: Reading) -> Iterator[Asked]:
    first, last = r.clause.chain
    if not r.chained or r.clause.words[first].lower != "to" or r.verb in {"be", *REPORTING} or _points(r):
        return
    lemma = r.clause.lemma
    if lemma not in listed("intending") | {"go"} or lemma in {"be", "tend", "get"} or r.verb not in known():
        return
    chain = {base(x.lower) for x in r.clause.words[first:last]}
    if lemma == "use" and chain & (listed("tastes") | {"live", "have", "work"}):
        return  # "i used to like to talk": liking is not an activity
    if lemma == "go" and not r.helpers:
        return
    if lemma in {"have", "need"} and (
        not r.phrases or r.verb in {"go", "do", "get", "say", "admit", "agree"}
    ):
        return
    here, behind = helper(r.clause, r.voice)
    verb = "going" if lemma == "go" else behind.split(" to ")[0]
    stated = f"{here} {verb}" if r.helpers else r.clause.words[r.clause.verb].lower
    text = sentence("What", here, r.subject_text, f"{verb} to do")
    yield r.write((first + 1, max(last, _end(r))), text, f"what {r.subject_text} {stated} to do")


@RULES.add(
    "doing-liked",
    matches="a verb of liking with what one does",
    asks="What do you enjoy doing?",
    single=False,
    examples={
        "i enjoy cooking": "What do you enjoy doing?",
        "i love playing soccer": "What do you love doing?",
    },
)
def doing_liked(r: Reading) -> Iterator[Asked]:
    verb = r.clause.lemma
    if verb not in TASTES | {"miss"} or r.helpers or _points(r):
        return
    first = r.first
    if r.chained:
        place = (r.clause.chain[0], _end(r))
        if r.clause.words[place[0]].lower == "to":
            return
    elif first is not None and first.kind == "ing":
        place = (first.start, first.end)
    else:
        return
    here, _ = helper(r.clause, r.voice)
    stated = r.clause.words[r.clause.verb].lower
    text = sentence("What", here, r.subject_text, verb, "doing")
    yield r.write(place, text, f"what {r.subject_text} {stated} doing")


@RULES.add(
    "to-be",
    matches="somebody wants, hopes or trains to be something",
    asks="What do you want to be?",
    single=None,
    examples={"i want to be a doctor": "What do you want to be?"},
)
def to_be(r: Reading) -> Iterator[Asked | None]:
    wishes = {"want", "hope", "plan", "go", "study", "train", "learn", "like", "love", "aspire", "use"}
    first = r.first
    if not r.chained or r.verb not in {"be", "become"} or r.clause.lemma not in wishes or first is None:
        return
    described = first.kind == "adj" and len(r.phrases) == 1 and r.low(first)[-1] not in listed("willing")
    if (described or (first.kind == "np" and r.low(first)[0] in {"a", "an"})) and not _points(r):
        yield r.ask("What", first, [first])


@RULES.add(
    "spending",
    matches="somebody spends time doing something",
    asks="What do you spend your time doing?",
    single=False,
    examples={"i spend my time playing games": "What do you spend your time doing?"},
)
def spending(r: Reading) -> Iterator[Asked | None]:
    done = next((p for p in r.phrases if p.kind == "ger"), None)
    if r.verb != "spend" or done is None or r.phrases[0].kind != "np":
        return
    if r.low(r.phrases[0])[-1] in w.TIME_UNITS | {"time"}:
        yield r.ask("What", (done.start, done.end), [done], kept=(done, "doing"))


@RULES.add(
    "made-to-do",
    matches="somebody makes, lets or helps somebody do something",
    asks="What do your parents make you do?",
    single=False,
    examples={"my parents make me go to school": "What do your parents make you do?"},
)
def made_to_do(r: Reading) -> Iterator[Asked | None]:
    done = next((p for p in r.phrases if p.kind == "bare"), None)
    if done is not None and not r.pointing([done]) and r.low(r.phrases[0])[0] not in {"you", "it", "that"}:
        yield r.ask("What", (done.start, done.end), [done], kept=(done, "do"))


@RULES.add(
    "know-how",
    matches="somebody knows how to do something",
    asks="What do you know how to do?",
    single=False,
    examples={"i know how to juggle": "What do you know how to do?"},
)
def know_how(r: Reading) -> Iterator[Asked]:
    start, last = r.clause.chain
    if not r.chained or r.clause.words[start].lower != "how" or r.helpers or r.verb in {"do", "be", "get"}:
        return
    here, _ = helper(r.clause, r.voice)
    stated = r.clause.words[r.clause.verb].lower
    text = sentence("What", here, r.subject_text, r.clause.lemma, "how to do")
    yield r.write((start + 2, max(last, _end(r, 1))), text, f"what {r.subject_text} {stated} how to do")


def _does(r: Reading) -> bool:
    """Whether the subject is the speaker, another person or a pet."""
    return r.own or r.person or r.core in w.PETS


@RULES.add(
    "did",
    matches="what somebody did at a time that is told",
    asks="What did you do yesterday?",
    single=None,
    examples={"i cleaned the house yesterday": "What did you do yesterday?"},
)
def did(r: Reading) -> Iterator[Asked]:
    times = [p for p in r.phrases if r.time(p) == "When" and p.kind == "np" and r.low(p)[-1] != "ago"]
    if not r.past or r.helpers or not times or not _does(r) or r.chained or _points(r):
        return
    if r.phrases[0] in times or r.verb in {"be", "have", "get", "feel", "live", "like", "love", "die"}:
        return
    when = r.say(times[0].start, times[0].end)
    text = sentence("What did", r.subject_text, "do", when)
    yield r.write((r.clause.verb, _end(r)), text, sentence("what", r.subject_text, "did", when))
