"""What follows `to be`: names, ages, jobs, colours, characters, favourites."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inquirer.language import words as w
from inquirer.language.clauses import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.language.tagger import seen
from inquirer.questions.frame import Asked, ask, helper
from inquirer.questions.jobs import paid, works
from inquirer.questions.times import is_place, place_word, time_word
from inquirer.questions.voice import Voice

IDENTIFYING = frozenset(
    [
        "name",
        "dream",
        "goal",
        "hobby",
        "hobbies",
        "passion",
        "major",
        "profession",
        "occupation",
        "job",
        "weakness",
        "specialty",
        "hometown",
        "nickname",
        "birthday",
        "pleasure",
        "plan",
        "wish",
        "fear",
        "color",
        "team",
        "band",
        "song",
        "motto",
        "nationality",
        "religion",
        "address",
        "age",
        "height",
        "size",
        "weight",
        "title",
        "enjoyment",
        "escape",
        "inspiration",
        "idol",
        "hero",
        "obsession",
        "addiction",
        "thing",
        "drink",
        "food",
        "sport",
        "names",
        "interests",
        "interest",
        "goals",
        "language",
        "talent",
        "skill",
        "power",
        "superpower",
        "strength",
        "flaw",
        "joy",
        "field",
        "dreams",
        "breed",
        "zodiac",
        "career",
        "degree",
        "subject",
        "pastime",
        "type",
        "ambition",
        "stage",
        "brand",
        "guilty",
        "career",
    ]
)
STATES = w.FEELINGS | {"good", "great", "fine", "ok", "okay", "well", "alright"}


def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """Everything that can be asked about a clause with `to be`."""
    if not clause.phrases:
        return
    real = [p for p in clause.phrases if p.kind != "adv"]
    if not real:
        return
    first = real[0]
    words = [x.lower for x in clause.subject_words]
    yield from _decade(clause, first, voice)
    yield from _hue(clause, first, voice)
    yield from _grade(clause, first, voice)
    yield from _company(clause, voice)
    yield from _working_for(clause, voice)
    yield from _the_one(clause, first, voice)
    yield from _good_place(clause, first, voice)
    if voice.own(clause):
        yield from _of_self(clause, first, voice)
    elif words[0] in {"my", "our"} and words[-2:] == ["and", "i"]:
        yield from _both(clause, first, voice)
    elif words[0] in {"my", "our"} or words[0] in {"he", "she", "they"} or _reference(clause):
        yield from _of_mine(clause, first, voice)
    else:
        yield from _defined(clause, first, voice)
    if _reference(clause) and words[0] not in {"his", "her", "their", "the", "both", "all"}:
        yield from _defined(clause, first, voice)
    yield from _weather(clause, first)
    yield from _turned(clause, first, voice)
    yield from _places(clause, voice)


DECADES = {"teens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties"}


def _decade(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my parents are in their sixties."""
    last = clause.words[first.end - 1].lower
    numbered = len(last) == 3 and last[:2].isdigit() and last.endswith("s")
    if first.kind != "pp" or clause.words[first.start].lower != "in" or not (last in DECADES or numbered):
        return
    if clause.words[first.body].lower in {"my", "our", "their", "his", "her"}:
        be, _ = helper(clause, voice)
        subject = voice.subject(clause)
        text = f"How old {be} {subject}?"
        yield _made(clause, (first.body, first.end), text, f"how old {subject} {be}", 0.85)


def _the_one(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """variety is the spice of life, a lamp is the wallpaper for my computer: the subject is the answer."""
    start, end = clause.subject
    words, tags = clause.words, clause.tags
    if clause.borrowed or end <= start or first.kind != "np" or words[first.start].lower != "the":
        return
    subject = [x.lower for x in words[start:end]]
    if tags[start] in {"PRP", "EX", "DT"} or set(subject) & (w.PERSONS | w.EMPTY_HEADS | {"you", "your"}):
        return
    behind = [p for p in clause.phrases if p.start >= first.end and p.kind != "adv"]
    inner = [x.lower for x in words[first.start : first.end]]
    core = head(words, first.start, first.end)
    told = (
        (len(inner) > 2 and works(core, inner[-1]) and not behind)
        or "of" in inner
        or (behind and behind[0].kind == "pp" and words[behind[0].start].lower in {"to", "for"})
    )
    ranked = len(inner) > 2 and tags[first.start + 1] in {"JJS"} and behind
    if not (told or ranked) or core in w.EMPTY_HEADS | {
        "best",
        "same",
        "one",
        "way",
        "bomb",
        "kind",
        "type",
        "end",
    }:
        return
    if {x.lower for p in behind for x in words[p.start : p.end]} & {
        "you",
        "your",
        "it",
        "them",
        "that",
        "this",
    }:
        return
    be, more = helper(clause, voice)
    tail_ = voice.say(words[first.start : first.end])
    rest = " ".join(voice.say(words[p.start : p.end]) for p in behind if p.kind in {"pp", "inf"})
    asked = "Who" if core in w.PERSON_NOUNS | w.JOBS or works(core, core) else "What"
    be = {"are": "is", "were": "was"}.get(be, be) if not core.endswith("s") else be
    if be in {"is", "was", "would", "must", "will"}:
        text = " ".join(x for x in (be, more, tail_, rest) if x)
        place = (trimmed(words, start, end), end)
        yield _made(clause, place, f"{asked} {text}?", f"{asked.lower()} {text}", 0.65)


def _good_place(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """alaska is a great place to rest: what is a great place to rest?"""
    start, end = clause.subject
    index = clause.phrases.index(first)
    behind = clause.phrases[index + 1 : index + 2]
    low = [x.lower for x in clause.words[first.start : first.end]]
    if clause.borrowed or end <= start or not behind or behind[0].kind != "inf" or low[0] != "a":
        return
    if (
        low[-1] not in {"place", "way", "thing", "time"}
        or clause.tags[start] in {"PRP", "DT", "EX"}
        or _past(clause)
    ):
        return
    said = {x.lower for x in clause.words[behind[0].start : behind[0].end]}
    if said & {"it", "them", "that", "you"} or {x.lower for x in clause.words[start:end]} & w.PERSONS:
        return
    rest = voice.say(clause.words[first.start : behind[0].end])
    place = (trimmed(clause.words, start, end), end)
    yield _made(clause, place, f"What is {rest}?", f"what is {rest}", 0.7)


def _grade(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """i am in the third grade, in my second year."""
    low = [x.lower for x in clause.words[first.body : first.end]]
    if first.kind != "pp" or clause.words[first.start].lower != "in" or _past(clause):
        return
    thing = next((x for x in ("grade", "year") if x in low), "")
    numbered = any(x in w.ORDINALS - {"next", "last"} or x[0].isdigit() or x in w.NUMBERS for x in low)
    if thing and numbered and len(low) < 4 and low[0] not in {"a", "this", "that"}:
        be, _ = helper(clause, voice)
        subject = voice.subject(clause)
        body = trimmed(clause.words, first.body, first.end)
        yield _made(
            clause,
            (body, first.end),
            f"What {thing} {be} {subject} in?",
            f"what {thing} {subject} {be} in",
            0.85,
        )


def _company(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """here with my boyfriend: who are you with?"""
    for phrase in clause.phrases:
        core = head(clause.words, phrase.body, phrase.end)
        beside = phrase.kind == "pp" and clause.words[phrase.start].lower == "with"
        placed = all(p.kind in {"pp", "adv"} for p in clause.phrases)
        if beside and placed and core in w.PEOPLE | w.PETS and voice.own(clause) and not clause.auxiliaries:
            be, _ = helper(clause, voice)
            place = (trimmed(clause.words, phrase.body, phrase.end), phrase.end)
            yield _made(clause, place, f"Who {be} {voice.you} with?", f"who {voice.you} {be} with", 0.75)


def _working_for(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """an engineer working for boeing: who do you work for?"""
    done = next((p for p in clause.phrases if p.kind == "ger"), None)
    if done is None or not voice.own(clause) or _past(clause) or done.end - done.start < 3:
        return
    low = [x.lower for x in clause.words[done.start : done.end]]
    if low[0] != "working" or low[1] not in {"for", "at", "in"} or (low[2] in {"my", "a"} and low[1] == "in"):
        return
    asked, end = ("Who", "for") if low[1] == "for" else ("Where", "")
    do = "do I" if voice.partner else "do you"
    text = " ".join(x for x in (asked, do, "work", end) if x) + "?"
    stated = " ".join(x for x in (asked.lower(), voice.you, "work", end) if x)
    yield _made(clause, (trimmed(clause.words, done.start + 2, done.end), done.end), text, stated, 0.8)


def _hue(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """death is grey."""
    start, end = clause.subject
    low = [x.lower for x in clause.words[start:end]]
    if clause.borrowed or not low or low[0] in {"my", "our", "his", "her", "their", "the", "both", "all"}:
        return
    colored = (
        first.kind in {"adj", "np"}
        and clause.words[first.end - 1].lower in w.COLORS
        and first.end - first.start < 3
    )
    plain = clause.tags[end - 1] in {"NN", "NNS"} and not set(low) & (
        w.PERSONS | w.EMPTY_HEADS | w.COLORS | {"color"}
    )
    if colored and plain and len(low) < 4 and not clause.auxiliaries and seen(low[-1]):
        be, _ = helper(clause, voice)
        text = voice.subject(clause)
        yield _made(
            clause, (first.start, first.end), f"What color {be} {text}?", f"what color {text} {be}", 0.75
        )


def _working_there(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my family in somalia were farmers."""
    core = head(clause.words, first.start, first.end)
    if not (works(core, core) or works(core.removesuffix("s"), core)) or clause.auxiliaries:
        return
    subject = voice.subject(clause)
    be = clause.words[clause.verb].lower
    do = "did" if be in {"was", "were"} else "do" if be == "are" else "does"
    place = (trimmed(clause.words, first.start, first.end), first.end)
    text = f"What {do} {subject} do for a living?"
    yield _made(clause, place, text, f"what {subject} {do} for a living", 0.8)


def _both(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my wife and i are doctors."""
    core = head(clause.words, first.start, first.end)
    be = clause.words[clause.verb].lower
    if first.kind == "np" and works(core.removesuffix("s"), core) and be in {"are", "were", "'re"}:
        do = "did" if be == "were" else "do"
        subject = voice.subject(clause)
        text = f"What {do} {subject} do for a living?"
        place = (trimmed(clause.words, first.start, first.end), first.end)
        yield _made(clause, place, text, f"what {subject} {do} for a living", 0.85)


def _reference(clause: Clause) -> bool:
    """The subject names somebody or something by itself."""
    subject = clause.subject_words
    low = subject[0].lower
    if low in {"both", "all", "one", "some", "most"} and len(subject) > 3 and subject[1].lower == "of":
        return subject[2].lower in {"my", "our"}
    name = (
        len(subject) == 1 and subject[0].lower.isalpha() and clause.tags[clause.subject[0]] in {"NNP", "NN"}
    )
    if name and not clause.borrowed and (low in w.NAMES or not seen(low)):
        return clause.words[clause.verb].lower in {"is", "was", "'s"}
    return low in {"his", "her", "their", "the"} and len(subject) > 1


def _made(clause: Clause, phrase: tuple[int, int], direct: str, indirect: str, score: float) -> Asked:
    return Asked(phrase[0], phrase[1], direct, f"Could you tell me {indirect}?", score, clause)


def _single(clause: Clause) -> bool:
    """Whether nothing but adverbs and another clause follows the first phrase."""
    return len([p for p in clause.phrases if p.kind not in {"adv", "rest"}]) == 1


def _past(clause: Clause) -> bool:
    return clause.words[clause.verb].lower in {"was", "were"} or bool(clause.auxiliaries)


def _of_self(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
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
    bare = (
        first.end - first.start == 1
        and last in w.RELIGIONS | w.NATIONALITIES | w.DIETS | w.MARITAL | w.FEELINGS
    )
    if first.kind == "np" and not bare:
        core = head(clause.words, first.start, first.end)
        past_age = _past(clause) and clause.words[clause.verb].lower == "was" and _age(clause, first)
        if _age(clause, first) and not _past(clause):
            yield _made(clause, place, f"How old {are} {you}?", f"how old {you} {are}", 0.95)
        elif past_age and any(p.kind == "sub" for p in clause.phrases):
            made = ask(clause, voice, "How old", place, [first], 0.9)
            if made:
                yield made
        elif low[:4] == ["a", "stay", "at", "home"] or low[:2] == ["a", "stay"]:
            do = "do I do" if voice.partner else "do you do"
            end = max(p.end for p in clause.phrases if p.kind in {"np", "pp"})
            yield _made(clause, (start, end), f"What {do} for a living?", f"what {your} job is", 0.85)
        elif _weight(low):
            weigh = "do I weigh" if voice.partner else "do you weigh"
            yield _made(clause, place, f"How much {weigh}?", f"how much {you} weigh", 0.9)
        elif low[-1] == "tall" or low[-1] in {"feet", "ft", "foot"}:
            yield _made(clause, place, f"How tall {are} {you}?", f"how tall {you} {are}", 0.9)
        elif (
            paid(low, core, last) and not _past(clause) and not {"former", "retired", "ex", "big"} & set(low)
        ):
            do = "do I do" if voice.partner else "do you do"
            yield _made(clause, place, f"What {do} for a living?", f"what {your} job is", 0.95)
        elif works(core, last) and clause.words[clause.verb].lower == "was" and core != "student":
            yield _was_working(clause, voice, place)
        elif last in w.GENDERS and len(low) <= 2 and not _past(clause):
            yield _made(clause, place, f"What is {your} gender?", f"what {your} gender is", 0.7)
        elif _called(clause, first) and not _past(clause):
            yield _made(clause, place, f"What is {your} name?", f"what {your} name is", 0.85)
        elif "fan" in low and "of" in low:
            at = next(i for i in range(first.start, first.end) if clause.words[i].lower == "of")
            lead = clause.words[first.start : at]
            if at + 1 < first.end:
                yield _made(
                    clause,
                    (trimmed(clause.words, at + 1, first.end), first.end),
                    f"What {are} {you} {voice.say(lead)} of?",
                    f"what {you} {are} {voice.say(lead)} of",
                    0.85,
                )
        elif core == "major" and len(low) > 1 and "double" not in low:
            be = "was" if _past(clause) else "is"
            yield _made(
                clause, (place[0], place[1] - 1), f"What {be} {your} major?", f"what {your} major {be}", 0.8
            )
        elif (
            core in {"mother", "father", "mom", "dad", "parent"}
            and "of" in low
            and clause.tags[first.end - 1] == "CD"
        ):
            do = "do I have" if voice.partner else "do you have"
            yield _made(
                clause, (first.end - 1, first.end), f"How many kids {do}?", f"how many kids {you} have", 0.9
            )
    elif first.kind == "adj" or bare:
        if _called(clause, first):
            yield _made(clause, place, f"What is {your} name?", f"what {your} name is", 0.9)
        elif last in w.MARITAL and not _past(clause):
            yield _made(
                clause,
                place,
                f"What is {your} relationship status?",
                f"what {your} relationship status is",
                0.8,
            )
        elif last in {"male", "female"} and len(low) == 1 and not _past(clause):
            yield _made(clause, place, f"What is {your} gender?", f"what {your} gender is", 0.7)
        elif last in w.NATIONALITIES:
            yield _made(clause, place, f"What is {your} nationality?", f"what {your} nationality is", 0.9)
        elif last in {"blonde", "blond", "brunette"}:
            yield _made(clause, place, f"What color is {your} hair?", f"what color {your} hair is", 0.85)
        elif last in w.RELIGIONS:
            yield _made(clause, place, f"What is {your} religion?", f"what {your} religion is", 0.9)
        elif last in w.DIETS and not _past(clause):
            follow = "do I follow" if voice.partner else "do you follow"
            yield _made(
                clause, place, f"What kind of diet {follow}?", f"what kind of diet {you} follow", 0.85
            )
        elif low[-2:] == ["self", "employed"] or last in {"unemployed", "retired", "self-employed"}:
            yield _made(
                clause, place, f"What is {your} employment status?", f"what {your} employment status is", 0.75
            )
        elif (
            _single(clause)
            and last in w.CHARACTERS
            and last
            not in STATES | {"cold", "hot", "warm", "nice", "great", "cool", "awesome", "old", "young"}
            and not _past(clause)
        ):
            describe = "would I describe myself" if voice.partner else "would you describe yourself"
            yield _made(
                clause,
                place,
                f"How {describe}?",
                f"how {you} would describe {'myself' if voice.partner else 'yourself'}",
                0.75,
            )
        elif last in w.FEELINGS and _single(clause) and not _past(clause):
            yield _made(clause, place, f"How {are} {you} feeling?", f"how {you} {are} feeling", 0.7)
        yield from _after_adjective(clause, first, voice)
    if first.kind == "np":
        yield from _employed(clause, first, core if not bare else "", voice)


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
        if not _past(clause):
            yield _made(clause, (body, phrase.end), text, f"where {voice.you} {voice.are} from", 0.9)
    elif (
        preposition in {"in", "at"} and works(core, core) and is_place(clause, body, phrase.end, preposition)
    ):
        made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.75)
        if made:
            yield made


def _after_adjective(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
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
    if last in {"more", "less", "most", "sure", "likely", "able"}:
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
    "scared", "afraid", "excited", "ready", "willing", "eager", "able", "unable", "determined", "anxious", "nervous",
    "allowed", "proud", "desperate", "motivated",
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


def _was_working(clause: Clause, voice: Voice, place: tuple[int, int]) -> Asked:
    return _made(clause, place, f"What did {voice.you} do for a living?", f"what {voice.your} job was", 0.85)


def _weight(low: list[str]) -> bool:
    return low[-1] in {"pounds", "lbs", "kilos", "kg"} and len(low) <= 3


def _called(clause: Clause, first: Phrase) -> bool:
    """i am ben: a name and nothing more."""
    further = [p for p in clause.phrases[1:] if clause.words[p.start].lower != "here"]
    if first.end - first.start > 2 or further or clause.adverbs:
        return False
    word = clause.words[first.start].lower
    if word in KNOWN or not word.isalpha():
        return False
    if first.end - first.start == 1 and (
        word in w.NAMES
        or (
            _strange(word)
            and word[-3:] not in {"ing", "ish", "ous", "ful"}
            and word[-2:] not in {"ed", "er", "ly"}
        )
    ):
        return True
    if first.end - first.start != 2:
        return False
    proper = clause.tags[first.start : first.end] == ("NNP", "NNP")
    second = clause.words[first.end - 1].lower
    return (proper and (word in w.NAMES or _strange(word))) or (_strange(word) and _strange(second))


def _strange(word: str) -> bool:
    """No word of the tagger's: after `i am`, alone, most likely a name."""
    return (
        not seen(word)
        and len(word) < 10
        and word[:5] not in {"under", "overw"}
        and not word.startswith(("over", "non"))
    )


KNOWN = (
    w.CITIES
    | w.NATIONALITIES
    | w.RELIGIONS
    | w.FEELINGS
    | w.CHARACTERS
    | w.MONTHS
    | w.DAYS
    | w.DIETS
    | w.MARITAL
    | w.GENDERS
    | w.COLORS
    | w.FOODS
    | w.PLACES
    | w.JOBS
    | w.PEOPLE
    | w.FOODS
    | w.ADVERBS
    | STATES
    | frozenset(
        [
            "disabled",
            "retired",
            "unemployed",
            "ready",
            "sure",
            "done",
            "home",
            "here",
            "there",
            "alone",
            "busy",
            "bilingual",
            "adopted",
            "deaf",
            "blind",
        ]
    )
)


def aged(clause: Clause) -> bool:
    """Whether the clause says how old somebody is or was."""
    real = [p for p in clause.phrases if p.kind != "adv"]
    return bool(real) and real[0].kind == "np" and _age(clause, real[0])


def _age(clause: Clause, first: Phrase) -> bool:
    words = clause.words[first.start : first.end]
    low = [x.lower for x in words]
    numbers = [i for i in range(first.start, first.end) if clause.tags[i] == "CD"]
    if not numbers or any(x in {"feet", "ft", "foot", "inches", "pounds", "lbs", "tall"} for x in low):
        return False
    if low[-1] in {"old"}:
        return True
    rest = [
        x
        for x, t in zip(low, clause.tags[first.start : first.end], strict=True)
        if t != "CD" and x not in {"about", "almost", "only", "over", "now", "just"}
    ]
    following = [p for p in clause.phrases if p.start >= first.end and p.kind != "sub"][:1]
    return (
        not rest
        and (not following or following[0].kind in {"adv", "rest"})
        and low[-1].rstrip("s").isdigit() | (low[-1] in w.NUMBERS)
    )


def _of_mine(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my dog is brown, her name is max."""
    subject = clause.subject_words
    core = subject[-1].lower
    shown = [x.lower for x in clause.words[first.start : first.end]]
    early = [clause.words[p.start].lower for p in clause.phrases if p.end <= first.start]
    beside = any(a == "," and b in {"the", "my"} for a, b in pairwise(shown))
    if "about" in early or beside or shown[-1] == "bit":
        return
    placed = {x.lower for x in subject} & {"in", "at", "from", "with"}
    if placed and first.kind == "np" and head(clause.words, *clause.subject) in w.PEOPLE:
        yield from _working_there(clause, first, voice)
    if core == "i" or placed or {"you", "your"} & set(shown):
        return
    if len(shown) == 1 and clause.tags[first.start] == "NN" and clause.words[clause.verb].lower == "are":
        return
    text = voice.subject(clause)
    be, behind = helper(clause, voice)
    modal = behind == "be" and (core in IDENTIFYING or "favorite" in [x.lower for x in subject])
    if (
        modal
        and first.kind in {"np", "ing"}
        and be in {"would", "might", "will", "must"}
        and len(subject) > 1
    ):
        body = trimmed(clause.words, first.start, first.end) if first.kind == "np" else first.start
        yield _made(clause, (body, first.end), f"What {be} {text} be?", f"what {text} {be} be", 0.85)
    if behind or (
        clause.borrowed
        and be == "are"
        and len(subject) > 1
        and not core.endswith(("s", "children", "people"))
    ):
        return
    low = [x.lower for x in clause.words[first.start : first.end]]
    start = trimmed(clause.words, first.start, first.end) if first.kind == "np" else first.start
    place = (start, first.end)
    person = core in w.PEOPLE or (len(subject) == 1 and core in {"he", "she", "they"})
    favorite = bool({"favorite", "favourite", "fav", "fave"} & {x.lower for x in subject})
    if core in {"favorite", "favourite", "fav"}:
        thing = _class_of(clause, start, first.end) if first.kind in {"np", "adj", "ing"} else ""
        thing = thing or (voice.topic if first.kind in {"np", "adj"} and be in {"is", "was"} else "")
        if thing:
            text = f"{voice.your} favorite {thing}"
            yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.85)
        elif be == "is" and len(subject) == 2 and _singled_out(clause, first):
            text = f"{voice.your} favorite"
            yield _made(clause, place, f"Which one is {text}?", f"which one {text} is", 0.6)
        return
    if first.kind == "np" and first.body == first.start and clause.tags[first.start] != "PRP":
        inner = head(clause.words, first.start, first.end)
        if core not in IDENTIFYING and all(x in w.COLORS | {"and"} for x in low):
            yield _made(clause, place, f"What color {be} {text}?", f"what color {text} {be}", 0.9)
        elif _age(clause, first):
            yield _made(clause, place, f"How old {be} {text}?", f"how old {text} {be}", 0.9)
        elif (
            person
            and (
                paid(low, inner, low[-1])
                or (be in {"are", "were"} and works(low[-1].removesuffix("s"), inner))
            )
            and low[0] not in {"my", "our"}
            and "former" not in low
        ):
            do = "did" if be in {"was", "were"} else "do" if be == "are" else "does"
            yield _made(
                clause,
                place,
                f"What {do} {text} do for a living?",
                f"what {text} {do} for a living",
                0.9,
            )
        elif (
            favorite
            and len(subject) > 2
            and (core in w.PERSON_NOUNS or works(core, core))
            and inner not in {"band", "team"}
        ):
            yield _made(clause, place, f"Who {be} {text}?", f"who {text} {be}", 0.95)
        elif (favorite and len(subject) > 2) or core in IDENTIFYING:
            yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.95)
        elif (
            len(subject) == 1
            and {inner, low[-1]} & w.PEOPLE
            and low[0] in {"my", "our"}
            and be in {"is", "are"}
        ):
            yield _made(clause, place, f"Who {be} {text}?", f"who {text} {be}", 0.7)
        elif core in {"he", "she"} and ({inner, low[-1], *low} & w.BREEDS) and be == "is":
            text = "What kind of dog" if not {"tabby", "siamese", "calico"} & set(low) else "What kind of cat"
            yield _made(clause, place, f"{text} is {core}?", f"{text[:1].lower()}{text[1:]} {core} is", 0.75)
        elif core in {"dog", "cat", "horse", "pet", "puppy", "kitten"} and inner not in w.PEOPLE:
            kind = "animal" if core == "pet" else core
            yield _made(
                clause, place, f"What kind of {kind} {be} {text}?", f"what kind of {kind} {text} {be}", 0.7
            )
        elif core in {"car", "truck", "bike", "vehicle"}:
            yield _made(
                clause, place, f"What kind of {core} {be} {text}?", f"what kind of {core} {text} {be}", 0.75
            )
        elif (
            not person
            and len(subject) > 1
            and subject[0].lower in {"my", "our"}
            and clause.tags[first.end - 1] not in {"PRP"}
            and core not in w.PETS | {"life", "day", "house", "place", "weekend", "week"}
            and (low[0] not in {"a", "an", "the"} or len(subject) > 2)
        ):
            yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.6)
    elif first.kind == "adj":
        last = low[-1]
        degreed = len(low) > 1 and clause.tags[first.start] == "RB"
        if degreed and core in IDENTIFYING and last not in w.COLORS and be in {"is", "are"}:
            yield _made(clause, place, f"What {be} {text} like?", f"what {text} {be} like", 0.65)
        elif (core in IDENTIFYING and low[-1] not in w.CHARACTERS) or (
            last in w.COLORS and (favorite or core in {"color", "colour"})
        ):
            yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.95)
        elif last in w.COLORS:
            with_it = [
                p for p in clause.phrases if p.start == first.end and clause.words[p.start].lower == "with"
            ]
            place = (place[0], with_it[0].end) if with_it else place
            yield _made(clause, place, f"What color {be} {text}?", f"what color {text} {be}", 0.95)
        elif (
            favorite
            and len(subject) > 2
            and len(low) == 1
            and last not in w.CHARACTERS
            and core not in w.PERSON_NOUNS
        ):
            yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.85)
        elif last in w.NATIONALITIES and person:
            yield _made(
                clause, place, f"What nationality {be} {text}?", f"what nationality {text} {be}", 0.85
            )
        elif person and len(subject) == 2 and last in w.MARITAL and be == "is" and _single(clause):
            whose = f"{text}'s relationship status"
            yield _made(clause, place, f"What is {whose}?", f"what {whose} is", 0.8)
        elif person and last in w.FEELINGS and _single(clause) and be in {"is", "are"}:
            yield _made(clause, place, f"How {be} {text} feeling?", f"how {text} {be} feeling", 0.7)
        elif last in w.CHARACTERS and _single(clause) and (len(subject) > 1 or person):
            yield _made(clause, place, f"What {be} {text} like?", f"what {text} {be} like", 0.75)
        yield from _after_adjective(clause, first, voice)
    elif first.kind == "ing" and (favorite or core in IDENTIFYING):
        yield _made(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.9)
    elif first.kind == "pp" and favorite and len(subject) > 2:
        return
    if not first and behind:
        return


def _singled_out(clause: Clause, phrase: Phrase) -> bool:
    named = phrase.kind == "np" and clause.tags[phrase.start] not in {"PRP", "DT", "PRP$"}
    return named and clause.words[phrase.start].lower not in w.EMPTY_HEADS | {"when"}


def to_be_that(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my dream is to travel: the infinitive is the answer."""
    subject = clause.subject_words
    low = [x.lower for x in subject]
    if low[0] not in {"my", "our"} or clause.chain[1] <= clause.chain[0]:
        return
    if subject[-1].lower in IDENTIFYING or "favorite" in low:
        text = voice.subject(clause)
        first = clause.words[clause.verb].lower
        be = {"'s": "is"}.get(first, first)
        start = clause.chain[0] + (clause.words[clause.chain[0]].lower == "to")
        end = max([p.end for p in clause.phrases if p.kind != "rest"], default=clause.chain[1])
        thing = f"{text} to do" if low[-1] == "thing" and "favorite" in low else text
        yield _made(clause, (start, end), f"What {be} {thing}?", f"what {thing} {be}", 0.9)


def _turned(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """pizza is my favorite food, horror movies are my passion: the subject is the answer."""
    words = clause.words[first.start : first.end]
    if (
        first.kind != "np"
        or words[0].lower not in {"my", "our"}
        or len(words) < 2
        or clause.words[clause.verb].lower in {"'m", "am"}
        or clause.borrowed
        or not clause.subject_words
    ):
        return
    subject = clause.words[clause.subject[0] : clause.subject[1]]
    if len(subject) == 1 and subject[0].lower in w.PERSONS | {"one", "i"}:
        return
    last = words[-1].lower
    low = [x.lower for x in words]
    favorite = bool({"favorite", "favourite", "fav"} & set(low)) and last not in {
        "favorite",
        "favourite",
        "favorites",
        "fav",
    }
    start = trimmed(clause.words, *clause.subject)
    if not favorite and last in {"favorite", "favourite", "favorites", "fav"} and len(low) <= 3:
        thing = _class(clause, start) or voice.topic
        if thing:
            text = f"{voice.your} favorite {thing}"
            yield _made(clause, (start, clause.subject[1]), f"What is {text}?", f"what {text} is", 0.85)
        elif len(low) == 2 and last != "favorites":
            text = f"{voice.your} favorite"
            yield _made(
                clause, (start, clause.subject[1]), f"Which one is {text}?", f"which one {text} is", 0.6
            )
        return
    if not favorite and last not in IDENTIFYING | ROLES:
        return
    if subject[-1].lower in {"today", "tomorrow", "yesterday"} and last in {"birthday", "anniversary"}:
        be, _ = helper(clause, voice)
        yield _made(
            clause,
            (start, clause.subject[1]),
            f"When {be} {voice.say(words)}?",
            f"when {voice.say(words)} {be}",
            0.85,
        )
        return
    if subject[-1].lower in {"ago", "later"} or {x.lower for x in subject} & w.TIME_UNITS:
        return
    if any(x.text == "," for x in words):
        return
    text = voice.say(words)
    be, more = helper(clause, voice)
    if clause.auxiliaries:
        be, text = be, f"{more} {text}"
    asked = "Who" if last in w.PERSON_NOUNS else "What"
    plural = last.endswith("s") and not last.endswith("ss")
    singular = "is" if be == "are" and not plural else be
    yield _made(
        clause,
        (start, clause.subject[1]),
        f"{asked} {singular} {text}?",
        f"{asked.lower()} {text} {singular}",
        0.9,
    )


ROLES = frozenset(
    [
        "friend", "choice", "reason", "wallpaper", "neighbor", "roommate", "boss", "mentor", "partner",
        "rival", "enemy", "companion", "ancestor", "priority", "motivation", "favorites", "religion", "outlet",
        "coping", "comfort", "therapy", "stress", "church", "workout", "breakfast", "lunch", "snack", "excuse",
        "secret", "problem", "issue", "concern", "style", "ringtone", "nemesis", "muse", "crush",
    ]
)  # fmt: skip


WEATHER = frozenset(
    [
        "hot",
        "cold",
        "warm",
        "sunny",
        "rainy",
        "windy",
        "humid",
        "raining",
        "snowing",
        "freezing",
        "chilly",
        "cloudy",
        "snowy",
        "cool",
        "stormy",
        "foggy",
    ]
)


def _weather(clause: Clause, first: Phrase) -> Iterator[Asked]:
    """the weather is nice: how is the weather?"""
    low = [x.lower for x in clause.subject_words]
    if low[-1] != "weather" or first.kind != "adj" or _past(clause):
        return
    place = (trimmed(clause.words, first.start, first.end), first.end)
    yield _made(clause, place, "What is the weather like?", "what the weather is like", 0.85)


def _defined(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """paella is a fish stew: what is paella?"""
    start, end = clause.subject
    if not clause.borrowed and clause.tags[start] in {"NN", "NNS", "JJ"} and end > start:
        yield from _after_adjective(clause, first, voice)
    if (
        clause.borrowed
        or end <= start
        or end - start > 2
        or clause.tags[start] not in {"NN", "NNP"}
        or _past(clause)
    ):
        return
    words = clause.words
    if clause.tags[start] != "NNP" and seen(words[start].lower) and words[start].lower not in w.NAMES:
        return
    if clause.words[clause.verb].lower not in {"is", "'s"}:
        return
    bare = end - start == 1 and clause.tags[first.start] in {"JJ", "NN"} and first.end - first.start > 1
    if (
        first.kind != "np"
        or not (words[first.start].lower in {"a", "an"} or bare)
        or words[start].lower in w.PEOPLE | w.PERSONS | w.TIMES | w.EMPTY_HEADS
    ):
        return
    if {words[first.end - 1].lower, head(words, first.start, first.end)} & (
        w.EMPTY_HEADS | {"must", "fan", "favorite", "plus", "blast"}
    ):
        return
    name = voice.say(words[start:end])
    asked = (
        "Who"
        if words[start].lower in w.NAMES and words[first.end - 1].lower not in w.ANIMALS | w.BREEDS
        else "What"
    )
    place = (trimmed(words, first.start, first.end), first.end)
    yield _made(clause, place, f"{asked} is {name}?", f"{asked.lower()} {name} is", 0.6)


def _class(clause: Clause, start: int) -> str:
    return _class_of(clause, start, clause.subject[1])


def _class_of(clause: Clause, start: int, end: int) -> str:
    """What these words are one of: pasta is a food, watching films a thing to do."""
    low = [x.lower for x in clause.words[start:end]]
    if clause.tags[start] == "VBG" or low[0] in w.HOBBIES:
        return "thing to do"
    for group, name in (
        (w.FOODS, "food"), (w.DRINKS, "drink"), (w.SPORTS, "sport"), (w.COLORS, "color"), (w.ANIMALS,
        "animal"),
        (w.GENRES, "kind of music"), (w.MONTHS, "month"), (w.SEASONS, "season"), (w.HOBBIES, "thing to do"),
    ):  # fmt: skip
        if low[-1] in group:
            return name
    if low[-1] in w.CATEGORIES and len(low) > 1:
        return f"kind of {low[-1]}"
    return ""


def _places(clause: Clause, voice: Voice) -> Iterator[Asked]:
    for place, phrase in enumerate(clause.phrases[:3]):
        if (place and any(p.kind not in {"pp", "adv"} for p in clause.phrases[:place])) or time_word(
            clause, phrase
        ):
            continue
        if phrase.kind != "pp":
            continue
        preposition = clause.words[phrase.start].lower
        if clause.tags[phrase.body] in {"PRP", "VBG"}:
            continue
        body = trimmed(clause.words, phrase.body, phrase.end)
        if (
            preposition == "from"
            and clause.tags[body] != "VBG"
            and is_place(clause, body, phrase.end, "from")
        ):
            made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.95, (phrase, "from"))
        elif preposition in {"in", "at", "on", "near"} and is_place(clause, body, phrase.end, preposition):
            if any(clause.words[p.start].lower == "from" for p in clause.phrases[:place]):
                continue
            places = [p for p in clause.phrases if p.kind == "pp"]
            reach = phrase.end
            for other in places:
                if other.start == reach and clause.words[other.start].lower in {"in", "near", "at"}:
                    reach = other.end
            made = ask(clause, voice, place_word(preposition), (body, reach), places, 0.85)
        elif preposition == "to" and clause.auxiliaries and clause.words[clause.verb].lower == "been":
            made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.8)
        elif preposition == "into":
            made = ask(clause, voice, "What", (body, phrase.end), [phrase], 0.85, (phrase, "into"))
        else:
            continue
        if made:
            yield made
