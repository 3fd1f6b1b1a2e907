"""The few forms of question that are asked of a long reply.

Whatever has none of them is left alone: of a language model's prose nearly everything that can be asked is better
not asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from arena.core.types import Kind, Question
from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.lexicon import is_named, is_written
from inquirer.language.verbs import base
from inquirer.questions.copula import IDENTIFYING
from inquirer.questions.lists import PREPOSITIONAL_VERBS
from inquirer.rambling.answers import (
    ABSTRACT,
    THINGS,
    exists,
    is_age,
    is_character,
    is_feeling,
    is_job,
    is_married,
    is_name,
    is_seen,
    is_spot,
    is_thing,
    is_told,
    is_whole,
)
from inquirer.rambling.form import Form, taken_apart, worded

YES_NO = {Kind.YES_NO_TRUE, Kind.YES_NO_FALSE}
PLACED = {
    "be", "bear", "camp", "come", "drive", "eat", "fly", "get", "go", "grow", "head", "hike", "live", "move", "perform",
    "play", "relocate", "return", "run", "settle", "shop", "sit", "sleep", "stay", "study", "swim", "teach", "train",
    "travel", "volunteer", "walk", "work",
}  # fmt: skip
DONE = w.VERBS | {
    "adopt", "attend", "bake", "break", "brew", "bring", "build", "buy", "call", "celebrate", "clean", "climb",
    "collect", "cook", "create", "dance", "draw", "drink", "drive", "eat", "exercise", "explore", "finish",
    "fix", "foster", "graduate", "grow", "hike", "hunt", "invent", "join", "knit", "learn", "listen", "live",
    "look", "major", "marry", "mow", "order", "own", "pack", "paint", "perform", "plant", "play", "practice",
    "prepare", "race", "raise", "read", "rescue", "retire", "ride", "run", "sell", "sew", "shop", "sing",
    "ski", "sleep", "speak", "spend", "study", "surf", "swim", "teach", "train", "travel", "visit",
    "volunteer", "walk", "wash", "watch", "wear", "work", "write",
}  # fmt: skip
WANTED = {"adore", "dislike", "enjoy", "hate", "like", "love", "prefer"}
DESIRES = WANTED | {"decide", "go", "hope", "learn", "need", "plan", "start", "try", "use", "want"}
HAD = {"have", "own", "get", "adopt", "buy", "raise"}
ABLE = {
    "afraid", "allergic", "bad", "excited", "fond", "good", "interested", "passionate", "proud", "scared", "terrified",
    "tired",
}  # fmt: skip
MOVED = {("fascinate", "by"), ("inspire", "by"), ("obsess", "with")}
# with their preposition plain only of a place or a person
ELSEWHERE = {"at", "in", "for", "with", "by", "on", "from"}
TIED = MOVED | {
    (verb, preposition)
    for verb, preposition in PREPOSITIONAL_VERBS
    if preposition not in ELSEWHERE or (verb, preposition) in {
        ("work", "on"), ("look", "for"), ("wait", "for"), ("major", "in"), ("specialize", "in"), ("believe", "in"),
        ("save", "for"), ("focus", "on"), ("struggle", "with"), ("suffer", "from"), ("train", "for"),
        ("compete", "in"), ("apply", "for"), ("search", "for"),
    }
}  # fmt: skip
NEAR = {"currently", "now", "recently", "soon", "today", "tomorrow", "tonight", "yesterday"}
OFTEN = {"always", "often", "really", "sometimes", "usually"} | NEAR
MUCH = {"absolutely", "definitely", "quite", "rather", "really", "so", "still", "totally", "truly", "very"}
BESIDE = {"like", "live", "marry", "meet", "play", "travel", "visit", "work", "love", "go"}
PARTS = {
    "color",
    "instrument",
    "instruments",
    "language",
    "languages",
    "sport",
    "sports",
    "animal",
    "animals",
    "place",
}
HAIR = {"hair", "eyes", "car", "dress", "room"}
TIMELY = w.TIMES | w.TIME_UNITS | w.MONTHS | w.DAYS | w.SEASONS | NEAR
LATELY = {"currently", "lately", "now", "recently", "soon"}
DEED = 7  # words of an answer that is something done
TAIL = 4  # words behind the verb that tell which time is meant
WHOLE_TAIL = 6  # the same of a yes/no-question, which names the answer
POINTING = {
    "anything", "each", "else", "everything", "far", "favorite", "her", "here", "herself", "him", "himself", "it",
    "its", "itself", "me", "mine", "one", "ones", "other", "others", "own", "same", "something", "such", "that",
    "their", "them", "themselves", "there", "these", "this", "those", "too", "us", "you", "your", "yours", "yourself",
}  # fmt: skip
NAME = re.compile(r"what (is |are )?your( \w+)?( \w+'s)? names?( is| are)?")
AGE = re.compile(r"how old (are |is )?you(r \w+)?( are| is)?|what is your age|what your age is")
JOB = re.compile(r"what (do |does |did )?you(r \w+)?( used? to)? (do|does|did) for a living")
FEELING = re.compile(r"how (are you feeling|you are feeling)")
MARRIED = re.compile(r"what is your relationship status")
DESCRIBED = re.compile(r"how (would you|you would) describe yourself")
STOCK: tuple[tuple[re.Pattern[str], Callable[[Form, str], bool]], ...] = (
    (NAME, is_name), (AGE, is_age), (JOB, is_job), (FEELING, is_feeling), (DESCRIBED, is_character),
    (MARRIED, is_married),
)  # fmt: skip


def is_plain(question: Question, clause: Clause, behind: str) -> bool:
    """Whether the question has one of the forms; `behind` is the word after the answer."""
    text, form = worded(question), taken_apart(question, clause)
    if form is None or "a lot" in text or set(form.answer) & POINTING:
        return False
    for pattern, fits in STOCK:
        if pattern.fullmatch(text):
            return fits(form, behind)
    if set(form.asked + form.before + form.tail) & POINTING - {"favorite"}:
        return False
    if question.kind in YES_NO:
        return _is_fact(form)
    return any(fits(form) for fits in FORMS) or (_is_tied(form) and is_told(form, behind))


def _is_led_up(form: Form) -> bool:
    """Whether nothing but plain adverbs and wishes stand before the verb: what are you going to watch?"""
    wished = form.helper != "would" or {"like", "love"} & {form.verb, *form.before}
    return bool(wished) and all(x in OFTEN or x in {"to", "been"} or base(x) in DESIRES for x in form.before)


def _is_short(form: Form) -> bool:
    """Whether at most a preposition and a time follow the verb."""
    tail = [x for x in form.tail if x not in NEAR]
    return len(tail) <= 1 and set(tail) <= w.PREPOSITIONS


def _of_place(form: Form) -> bool:
    """where do you live?"""
    if form.asked != ("where",) or form.verb not in PLACED or not _is_led_up(form):
        return False
    if form.verb == "get" and form.tail not in {("home", "from"), ("back", "from")}:
        return False
    if not (is_thing(form) or is_spot(form) or (is_whole(form) and form.place)):
        return False
    if form.verb == "be":
        named = form.place or is_named(form.answer[-1]) or "from" not in form.tail
        return form.subject == ("you",) and form.near and named and set(form.tail) <= NEAR | {"from"}
    if form.verb == "go" and base(form.answer[0]) in DONE - w.PLACES:
        return False  # i'm going to sing
    return set(form.tail) <= NEAR | {"back", "from", "home", "to", "up"}


def _of_time(form: Form) -> bool:
    """when did you move to chicago? how long have you been working as a nurse?"""
    if form.asked not in {("when",), ("how", "long"), ("how", "often")} or len(form.tail) > TAIL:
        return False
    timed = (
        any(word in TIMELY or word[:1].isdigit() for word in form.answer) and form.answer[-1] not in LATELY
    )
    free = form.verb in PLACED | DONE and not set(form.tail) & (ABSTRACT | w.ADVERBS)
    hung = form.tail[-1:] and form.tail[-1] in w.PREPOSITIONS
    if hung or (form.verb == "marry" and form.asked[0] == "how" and "been" not in form.before):
        return False
    return timed and free and _is_led_up(form) and all(map(is_written, form.tail))


def _of_deed(form: Form) -> bool:
    """what do you love doing?"""
    wished = [x for x in form.before if x not in OFTEN and x not in {"to", "been"}]
    led = bool(wished) and all(base(x) in DESIRES for x in wished)
    does = base(form.answer[0]) in DONE | PLACED - {"be"} and not set(form.answer) & ABSTRACT
    known = exists(form) and "," not in form.said and form.answer[-1] not in w.PREPOSITIONS | w.ADVERBS
    if form.answer in {("go",), ("come",), ("make",), ("get",)}:
        return False
    return (
        form.verb == "do" and form.asked == ("what",) and led and does and known and len(form.answer) <= DEED
    )


def _of_liking(form: Form) -> bool:
    """what kind of music do you like?"""
    if form.verb not in WANTED or form.tail or not _is_led_up(form) or not is_thing(form):
        return False
    if form.asked == ("who",):
        return form.answer[-1] in w.FAMILY | {"family"}
    return form.asked == ("what",) or form.asked[-1] in w.CATEGORIES | PARTS


def _of_having(form: Form) -> bool:
    """how many dogs do you have? what color hair do you have?"""
    if form.verb not in HAD or form.tail or not _is_led_up(form):
        return False
    if form.asked[:2] == ("how", "many"):
        counted = form.asked[-1]
        return len(form.asked) == len(("how", "many", "dogs")) and (
            counted in w.PEOPLE | {"jobs"} or is_seen(counted)
        )
    if form.asked[:2] == ("what", "color"):
        return form.asked[-1] in HAIR and form.answer[-1] in w.COLORS
    if form.asked == ("what",) and form.verb not in {"have", "own"}:
        return is_thing(form)
    return form.asked[-1] in {"animal", "animals", "pet", "pets", "instrument"} and is_thing(form)


def _of_doing(form: Form) -> bool:
    """what did you cook? what are you looking for?"""
    made = form.verb == "make" and form.asked[-1] in w.CATEGORIES
    if (
        not (form.verb in DONE or made)
        or form.verb in w.EMPTY_HEADS
        or not (_is_led_up(form) and _is_short(form))
    ):
        return False
    if form.tail == ("as",):
        return is_job(form)
    if form.asked == ("who",):
        return form.verb in BESIDE and form.answer[-1] in w.PEOPLE | w.FAMILY
    about = form.asked == ("what",) or form.asked[-1] in w.CATEGORIES | PARTS
    return about and form.answer[-1] not in w.PEOPLE | w.PLACES and is_thing(form)


def _of_state(form: Form) -> bool:
    """what is your favorite food? what are you good at?"""
    if form.verb != "be" or form.asked not in {("what",), ("who",)} or not is_whole(form):
        return False
    if not (form.noun or form.answer[-1].endswith("ing") or form.answer[-1] in THINGS):
        return False
    if form.subject == ("you",):
        if form.tail == ("into",):
            return is_thing(form)
        able = len(form.tail) == 2 and form.tail[0] in ABLE and form.tail[1] in w.PREPOSITIONS
        return able and is_thing(form)
    if set(form.answer) & TIMELY or not ("favorite" in form.subject or form.subject[-1] in IDENTIFYING):
        return False
    return not form.tail or (form.answer[-1] in THINGS and form.tail[:2] == ("kind", "of"))


FORMS: Sequence[Callable[[Form], bool]] = (
    _of_place, _of_time, _of_deed, _of_liking, _of_having, _of_doing, _of_state,
)  # fmt: skip


def _is_tied(form: Form) -> bool:
    """what are you struggling with? what have you always been fascinated by? what are you excited about?"""
    if form.asked != ("what",) or form.subject != ("you",) or not _is_led_up(form):
        return False
    tail = tuple(x for x in form.tail if x not in NEAR | MUCH)
    if form.verb == "be":
        return len(tail) == 2 and tail[0] in ABLE and tail[1] in w.PREPOSITIONS
    return len(tail) == 1 and (form.verb, tail[0]) in TIED


def _is_fact(form: Form) -> bool:
    """The same of a question that names its answer: do you live in ohio?"""
    if len(form.tail) > WHOLE_TAIL or not _is_led_up(form):
        return False
    counted = is_age(form)
    if form.verb == "be":
        told = (form.tail[:1] == ("from",) and is_thing(form)) or form.answer[-1] in w.JOBS or counted
        return form.subject == ("you",) and told
    return form.verb in PLACED | DONE | WANTED | HAD and (is_thing(form) or (counted and form.verb in HAD))
