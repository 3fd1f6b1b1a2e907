"""What somebody likes to do, does, did, wants to be: something done is the answer."""

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
    """Where what is done ends: with its first objects, without a time."""
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
        return  # i used to like to talk: liking is not a deed
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
    "begun",
    matches="somebody started, stopped or quit doing something",
    asks="What did you quit doing?",
    single=False,
    examples={"i stopped eating meat": "What did you stop doing?"},
)
def begun(r: Reading) -> Iterator[Asked]:
    verb, (first, _) = r.clause.lemma, r.clause.chain
    if verb not in CEASING or r.helpers or not r.chained or r.clause.words[first].lower == "to" or _points(r):
        return
    here, _ = helper(r.clause, r.voice)
    when = next((r.say(p.start, p.end) for p in r.phrases if r.time(p) == "When" and p.end - p.start < 6), "")
    stated = r.clause.words[r.clause.verb].lower
    text = sentence("What", here, r.subject_text, verb, "doing", when)
    yield r.write((first, _end(r)), text, sentence("what", r.subject_text, stated, "doing", when))


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
    described = first.kind == "adj" and len(r.phrases) == 1
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


@RULES.add(
    "leisure",
    matches="what somebody does in a time that is told",
    asks="What do you do in your free time?",
    single=False,
    examples={
        "in my free time i paint": "What do you do in your free time?",
        "i dance on weekends": "What do you do on weekends?",
    },
)
def leisure(r: Reading) -> Iterator[Asked]:
    if r.helpers or r.past or not _does(r) or r.verb in listed("idle-verbs"):
        return
    frame = next((p for p in r.phrases if p.kind == "pp" and tuple(r.low(p)[-2:]) in FREE), None)
    frame = frame or next((p for p in r.phrases if r.time(p) == "How often" and p.end - p.start < 4), None)
    if frame is None or r.pointing(p for p in r.phrases if p is not frame):
        return
    when = r.say(frame.start, frame.end)
    do = "do" if r.clause.tags[r.clause.verb] == "VBP" else "does"
    reach = [p.end for p in r.clause.phrases if p is not frame and p.kind in {"np", "pp"} and not r.time(p)][
        :2
    ]
    end = max([r.clause.chain[1], r.clause.verb + 1, *reach])
    if frame.start > r.clause.verb:
        end = min(end, frame.start)
    yield r.write(
        (r.clause.verb, end), f"What {do} {r.subject_text} do {when}?", f"what {r.subject_text} {do} {when}"
    )


def _does(r: Reading) -> bool:
    """Whether the subject is somebody who does things."""
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


@RULES.add(
    "doing-now",
    matches="what somebody is doing",
    asks="What are you doing?",
    single=None,
    examples={"i am listening to jazz": "What are you doing?"},
)
def doing_now(r: Reading) -> Iterator[Asked]:
    now = r.clause.tags[r.clause.verb] == "VBG" and len(r.helpers) == 1 and not r.chained
    if not now or not r.own or r.verb in listed("stative") | {"do"} or not r.phrases or _points(r):
        return
    later = any(r.time(p) or r.low(p)[-1] == "soon" for p in r.clause.phrases)
    if r.helpers[0] in {"was", "were"} or later or r.clause.adverbs[1:]:
        return
    you, are = r.voice.you, r.voice.are
    yield r.write((r.clause.verb, _end(r)), f"What {are} {you} doing?", f"what {you} {are} doing")


@RULES.add(
    "able",
    matches="what somebody can, will or would rather do",
    asks="What can you do?",
    single=False,
    examples={"i can juggle": "What can you do?", "i'd rather swim": "What would you rather do?"},
)
def able(r: Reading) -> Iterator[Asked]:
    if len(r.helpers) != 1 or r.helpers[0] not in MODALS or not r.own or r.chained or _points(r):
        return
    rather = "rather" if any(r.clause.words[a].lower == "rather" for a in r.clause.adverbs) else ""
    if r.verb in listed("idle-verbs") | {"go", "be"} or (r.helpers[0] in {"'d", "would"} and not rather):
        return
    when = next(
        (r.say(p.start, p.end) for p in r.phrases if r.time(p) == "When" and p.kind in {"np", "adv"}), ""
    )
    modal = MODALS[r.helpers[0]]
    text = sentence("What", modal, r.subject_text, rather, "do", when)
    yield r.write((r.clause.verb, _end(r)), text, sentence("what", r.subject_text, modal, rather, "do", when))


@RULES.add(
    "what-happened",
    matches="something broke, somebody died or was hurt",
    asks="What happened to your phone?",
    single=True,
    examples={"my phone broke last week": "What happened to your phone last week?"},
)
def what_happened(r: Reading) -> Iterator[Asked]:
    alone = not r.helpers and r.past and r.clause.lemma in listed("befalling")
    suffered = r.helpers in (["was"], ["were"]) and r.clause.lemma in listed("suffered")
    if not (alone or suffered) or not (r.mine or r.own or r.person) or len(r.subject) > 4 or r.chained:
        return
    others = [p for p in r.clause.phrases if not r.time(p)]
    if any(p.kind in {"np", "rest", "inf"} or r.low(p)[0] == "up" for p in others) or r.pointing(others):
        return
    whom = {"he": "him", "she": "her", "they": "them", "i": r.voice.you, "we": r.voice.you}.get(r.subject[0])
    whom = "me" if whom == "I" else whom or r.subject_text
    times = [p for p in r.phrases if r.time(p) == "When" and p.end - p.start < 6]
    when = r.say(times[0].start, times[0].end) if times else ""
    end = max([r.clause.verb + 1, *[p.end for p in others if p.kind in {"pp", "adv", "adj"}][:1]])
    text = sentence("What happened to", whom, when)
    yield r.write((r.clause.verb, end), text, text)
