"""What the speaker says of himself with `to be`."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.questions.adjectives import of_adjective
from inquirer.questions.ages import is_age, is_weight
from inquirer.questions.copula import STATES, is_past, is_single, phrased
from inquirer.questions.frame import Asked, ask, helper
from inquirer.questions.introductions import is_name
from inquirer.questions.jobs import paid, works
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_oneself
from inquirer.questions.times import is_place, time_word
from inquirer.questions.voice import Voice

DEGREES = {"avid", "big", "diehard", "great", "huge", "longtime", "massive", "real", "super", "true"}
UNPAID = {"student", "volunteer"}  # done, and not for a living


@rule("company")
def of_company(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """here with my boyfriend: who are you with?"""
    for phrase in clause.phrases:
        core = head(clause.words, phrase.body, phrase.end)
        beside = phrase.kind == "pp" and clause.words[phrase.start].lower == "with"
        placed = all(p.kind in {"pp", "adv"} for p in clause.phrases)
        if beside and placed and core in w.PEOPLE | w.PETS and voice.own(clause) and not clause.auxiliaries:
            be, _ = helper(clause, voice)
            place = (trimmed(clause.words, phrase.body, phrase.end), phrase.end)
            yield phrased(clause, place, f"Who {be} {voice.you} with?", f"who {voice.you} {be} with", 0.75)


@rule("employer", True)
def of_employer(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """an engineer working for boeing: who do you work for?"""
    done = next((p for p in clause.phrases if p.kind == "ger"), None)
    if done is None or not voice.own(clause) or is_past(clause) or done.end - done.start < 3:
        return
    low = [x.lower for x in clause.words[done.start : done.end]]
    if low[0] != "working" or low[1] not in {"for", "at", "in"} or (low[2] in {"my", "a"} and low[1] == "in"):
        return
    asked, end = ("Who", "for") if low[1] == "for" else ("Where", "")
    do = "do I" if voice.partner else "do you"
    text = " ".join(x for x in (asked, do, "work", end) if x) + "?"
    stated = " ".join(x for x in (asked.lower(), voice.you, "work", end) if x)
    yield phrased(clause, (trimmed(clause.words, done.start + 2, done.end), done.end), text, stated, 0.8)


@rule("fan", False)
def of_fan(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """i'm a big giants fan: what are you a big fan of?"""
    low = [x.lower for x in clause.words[first.start : first.end]]
    named = next((i for i, x in enumerate(low) if x not in DEGREES | {"a", "an"}), len(low))
    if first.kind != "np" or low[-1] != "fan" or named > len(low) - 2 or is_past(clause):
        return
    what = " ".join(["a", *(x for x in low[:named] if x in DEGREES), "fan of"])
    be, _ = helper(clause, voice)
    whom, place = voice.subject(clause), (first.start + named, first.end - 1)
    yield phrased(clause, place, f"What {be} {whom} {what}?", f"what {whom} {be} {what}", 0.85)


@rule("self", of_oneself)
def of_self(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    words = clause.words[first.start : first.end]
    low = [x.lower for x in words]
    start = trimmed(clause.words, first.start, first.end) if first.kind == "np" else first.start
    place = (start, first.end)
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    if first.kind == "np" and len(helpers) == 1 and helpers[0] in {"would", "'d", "will", "'ll"}:
        made = ask(clause, voice, "What", place, [first], 0.7)
        if (
            made
            and clause.tags[start] != "CD"
            and low[0] not in {"my", "the", "this"}
            and low[-1] not in w.EMPTY_HEADS | w.TIME_UNITS
        ):
            yield made
        return
    if first.kind == "pp" and low[0] == "on" and low[-1] == "team" and len(low) > 3:
        team = (trimmed(clause.words, first.body, first.end), first.end)
        made = ask(clause, voice, "What team", team, [first], 0.85, (first, "on"))
        if made:
            yield made
    you, your, are = voice.you, voice.your, voice.are
    last = low[-1]
    sort = w.RELIGIONS | w.NATIONALITIES | w.DIETS
    bare = len(low) == 1 and last in sort | w.MARITAL | w.FEELINGS
    bare |= len(low) == 2 and low[0] in {"a", "an"} and last in sort  # a canadian
    if first.kind == "np" and not bare:
        core = head(clause.words, first.start, first.end)
        several = clause.tags[first.end - 1] == "NNS" and "VBG" not in clause.tags[first.start : first.end]
        if clause.subject_words[0].lower == "we" and several:
            core, last = core.removesuffix("s"), last.removesuffix("s")  # we are farmers
        past_age = is_past(clause) and clause.words[clause.verb].lower == "was" and is_age(clause, first)
        if is_age(clause, first) and not is_past(clause):
            yield phrased(clause, place, f"How old {are} {you}?", f"how old {you} {are}", 0.95)
        elif past_age and any(p.kind == "sub" for p in clause.phrases):
            made = ask(clause, voice, "How old", place, [first], 0.9)
            if made:
                yield made
        elif low[:4] == ["a", "stay", "at", "home"] or low[:2] == ["a", "stay"]:
            do = "do I do" if voice.partner else "do you do"
            end = max(p.end for p in clause.phrases if p.kind in {"np", "pp"})
            yield phrased(clause, (start, end), f"What {do} for a living?", f"what {your} job is", 0.85)
        elif is_weight(low):
            weigh = "do I weigh" if voice.partner else "do you weigh"
            yield phrased(clause, place, f"How much {weigh}?", f"how much {you} weigh", 0.9)
        elif low[-1] == "tall" or low[-1] in {"feet", "ft", "foot"}:
            yield phrased(clause, place, f"How tall {are} {you}?", f"how tall {you} {are}", 0.9)
        elif (
            paid(low, core, last)
            and not is_past(clause)
            and not {"former", "retired", "ex", "big"} & set(low)
        ):
            do = "do I do" if voice.partner else "do you do"
            aside = [x.lower for p in clause.phrases for x in clause.words[p.start : p.end]][-3:]
            if aside == ["on", "the", "side"]:
                yield phrased(clause, place, f"What {do} on the side?", f"what {you} do on the side", 0.95)
            elif last in UNPAID:
                yield phrased(clause, place, f"What {do}?", f"what {you} do", 0.95)
            else:
                yield phrased(clause, place, f"What {do} for a living?", f"what {your} job is", 0.95)
        elif works(core, last) and clause.words[clause.verb].lower == "was" and core != "student":
            yield _was_working(clause, voice, place)
        elif last in w.GENDERS and len(low) <= 2 and not is_past(clause):
            yield phrased(clause, place, f"What is {your} gender?", f"what {your} gender is", 0.7)
        elif is_name(clause, first) and not is_past(clause):
            yield phrased(clause, place, f"What is {your} name?", f"what {your} name is", 0.85)
        elif "fan" in low and "of" in low:
            at = next(i for i in range(first.start, first.end) if clause.words[i].lower == "of")
            lead = clause.words[first.start : at]
            if at + 1 < first.end:
                yield phrased(
                    clause,
                    (trimmed(clause.words, at + 1, first.end), first.end),
                    f"What {are} {you} {voice.say(lead)} of?",
                    f"what {you} {are} {voice.say(lead)} of",
                    0.85,
                )
        elif core == "major" and len(low) > 1 and "double" not in low:
            be = "was" if is_past(clause) else "is"
            yield phrased(
                clause, (place[0], place[1] - 1), f"What {be} {your} major?", f"what {your} major {be}", 0.8
            )
        elif (
            core in {"mother", "father", "mom", "dad", "parent"}
            and "of" in low
            and clause.tags[first.end - 1] == "CD"
        ):
            do = "do I have" if voice.partner else "do you have"
            yield phrased(
                clause, (first.end - 1, first.end), f"How many kids {do}?", f"how many kids {you} have", 0.9
            )
    elif first.kind == "adj" or bare:
        if is_name(clause, first):
            yield phrased(clause, place, f"What is {your} name?", f"what {your} name is", 0.9)
        elif last in w.MARITAL and not is_past(clause):
            yield phrased(
                clause,
                place,
                f"What is {your} relationship status?",
                f"what {your} relationship status is",
                0.8,
            )
        elif last in {"male", "female"} and len(low) == 1 and not is_past(clause):
            yield phrased(clause, place, f"What is {your} gender?", f"what {your} gender is", 0.7)
        elif last in w.NATIONALITIES:
            yield phrased(clause, place, f"What is {your} nationality?", f"what {your} nationality is", 0.9)
        elif last in {"blonde", "blond", "brunette"}:
            yield phrased(clause, place, f"What color is {your} hair?", f"what color {your} hair is", 0.85)
        elif last in w.RELIGIONS:
            yield phrased(clause, place, f"What is {your} religion?", f"what {your} religion is", 0.9)
        elif last in w.DIETS and not is_past(clause):
            follow = "do I follow" if voice.partner else "do you follow"
            yield phrased(
                clause, place, f"What kind of diet {follow}?", f"what kind of diet {you} follow", 0.85
            )
        elif low[-2:] == ["self", "employed"] or last in {"unemployed", "retired", "self-employed"}:
            yield phrased(
                clause, place, f"What is {your} employment status?", f"what {your} employment status is", 0.75
            )
        elif (
            is_single(clause)
            and last in w.CHARACTERS
            and last
            not in STATES | {"cold", "hot", "warm", "nice", "great", "cool", "awesome", "old", "young"}
            and not is_past(clause)
        ):
            describe = "would I describe myself" if voice.partner else "would you describe yourself"
            yield phrased(
                clause,
                place,
                f"How {describe}?",
                f"how {you} would describe {'myself' if voice.partner else 'yourself'}",
                0.75,
            )
        elif last in w.FEELINGS and is_single(clause) and not is_past(clause):
            yield phrased(clause, place, f"How {are} {you} feeling?", f"how {you} {are} feeling", 0.7)
        yield from of_adjective(clause, first, voice)
    if first.kind == "np":
        yield from _employed(clause, first, core if not bare else "", voice)


@rule("place", True)
def _employed(clause: Clause, first: Phrase, core: str, voice: Voice) -> Iterator[Asked]:
    """a coach in delhi: where are you a coach? chrissy from ohio: where are you from?"""
    index = clause.phrases.index(first)
    following = clause.phrases[index + 1 : index + 2]
    if not following or following[0].kind != "pp":
        return
    phrase = following[0]
    preposition = clause.words[phrase.start].lower
    body = trimmed(clause.words, phrase.body, phrase.end)
    if clause.tags[phrase.body] in {"PRP", "VBG"} or time_word(clause, phrase):
        return
    if preposition == "from" and is_place(clause, body, phrase.end, "from"):
        text = f"Where {voice.are} {voice.you} from?"
        if not is_past(clause):
            yield phrased(clause, (body, phrase.end), text, f"where {voice.you} {voice.are} from", 0.9)
    elif (
        preposition in {"in", "at"} and works(core, core) and is_place(clause, body, phrase.end, preposition)
    ):
        made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.75)
        if made:
            yield made


def _was_working(clause: Clause, voice: Voice, place: tuple[int, int]) -> Asked:
    return phrased(
        clause, place, f"What did {voice.you} do for a living?", f"what {voice.your} job was", 0.85
    )
