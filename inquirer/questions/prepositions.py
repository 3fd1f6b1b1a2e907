"""Questions whose answer follows a preposition, and times."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import (
    BEHIND_OBJECT,
    LEAVING,
    LIGHT,
    PREPOSITIONAL_VERBS,
    STRANDED,
    TASTES,
    WHOLE_IDIOMS,
)
from inquirer.questions.objects import category_of
from inquirer.questions.times import LOCATIVE, NOT_PLACES, is_place, time_word
from inquirer.questions.voice import Voice

ATTENDED = {"school", "college", "university", "church", "work"}
GOING = {"go", "travel", "head", "drive", "fly", "walk"}
NOT_HOMES = {"love", "fear", "peace", "hope", "poverty", "moment", "past", "present", "edge", "world"}


def further_places(clause: Clause, phrase: Phrase) -> list[Phrase]:
    """in a small town, in ohio: one place told twice."""
    return [
        p
        for p in clause.phrases
        if p is not phrase
        and p.kind == "pp"
        and clause.words[p.start].lower in {"in", "at", "near", "on", "outside"}
        and is_place(clause, trimmed(clause.words, p.body, p.end), p.end, clause.words[p.start].lower)
    ]


def may_be_stranded(clause: Clause, preposition: str, low: list[str]) -> bool:
    """Whether a preposition may be left behind by any verb."""
    attended = any(clause.words[p.end - 1].lower in ATTENDED for p in clause.phrases if p.kind == "pp")
    studying = (clause.deepest, preposition) == ("go", "for") and attended
    if low[-1] in {"self", "most", "least", "ways"} or clause.deepest in TASTES | {"need"}:
        return False
    if (
        (clause.deepest in LIGHT | {"live", "be"} and not studying)
        or (clause.deepest in {"run", "walk", "drive"} and preposition != "for")
        or (low[0] in {"each", "all"} and preposition == "on")
    ):
        return False
    if preposition == "for" and low[-1] in w.TIME_UNITS | {
        "fun",
        "money",
        "living",
        "free",
        "breakfast",
        "lunch",
        "dinner",
        "sure",
        "fact",
        "work",
        "christmas",
        "extra",
    }:
        return False
    return not (
        preposition == "on"
        and low[-1]
        in {
            "tv",
            "weekends",
            "own",
            "occasion",
            "computer",
            "line",
            "internet",
            "phone",
            "average",
            "purpose",
            "vacation",
            "way",
        }
    )


def when_asked(clause: Clause, phrase: Phrase, word: str, voice: Voice) -> Iterator[Asked]:
    mixed = clause.copular and any(x.lower in w.PREPOSITIONS - {"of"} for x in clause.subject_words)
    mixed |= clause.deepest in {"feel", "look", "sound"} and any(
        clause.words[p.start].lower == "like" for p in clause.phrases
    )
    mixed |= phrase.kind == "sub" and any(
        x.lower in {"mine", "yours", "that", "this"} for x in clause.words[phrase.start : phrase.end]
    )
    mixed |= (
        clause.deepest in TASTES and phrase.kind == "sub" and clause.words[phrase.start - 1].lower == "it"
    )
    real = [
        p
        for p in clause.phrases
        if p is not phrase and p.kind not in {"adv", "rest"} and not time_word(clause, p)
    ]
    mixed |= clause.copular and not real and word[:8] not in {"How long", "How many", "Since wh"}
    mixed |= (
        word == "How long"
        and bool({x.lower for x in clause.words[phrase.start : phrase.end]} & {"years", "months"})
        and clause.tags[clause.verb] == "VBG"
        and any(
            clause.words[i].lower in {"am", "'m", "is", "are", "'re", "'s"} for i in clause.auxiliaries[-1:]
        )
    )
    mixed |= clause.deepest == "use" and not any(p.kind == "np" for p in clause.phrases)
    if mixed or clause.deepest in {"hope", "think", "guess", "wish", "know", "mean"}:
        return
    used = clause.tags[clause.verb] in {"VBD"} or bool(clause.auxiliaries)
    past = any(clause.tags[i] == "VBD" for i in range(phrase.start, phrase.end))
    if (
        phrase.kind == "sub"
        and past
        and clause.tags[clause.verb] in {"VBP", "VBZ"}
        and not clause.auxiliaries
    ):
        return
    if clause.deepest == "spend" and word == "How often":
        return
    start = phrase.start if word in {"How often"} or phrase.kind in {"sub", "adv"} else phrase.body
    if word in {"How often"} or phrase.kind == "sub":
        start = phrase.start
    was = clause.copular and clause.words[clause.verb].lower in {"was", "were"}
    coming = {x.lower for x in clause.words[phrase.start : phrase.end]} & {"tomorrow", "next", "tonight"}
    if clause.deepest in {"be"} and word[:3] != "How" and not was and not coming:
        return
    if (
        clause.deepest in LIGHT - {"be"}
        and not any(p.kind in {"np", "pp", "adj"} and p is not phrase for p in clause.phrases)
        and clause.deepest not in {"go", "come"}
        and not any(clause.tags[p.start] == "RP" for p in clause.phrases)
    ):
        return
    if (
        word == "When"
        and any(clause.words[i].lower in {"have", "has", "'ve", "'s"} for i in clause.auxiliaries)
        and clause.tags[clause.verb] == "VBN"
    ):
        return
    if (
        phrase.kind == "sub"
        and clause.words[phrase.start].lower in {"before", "after"}
        and clause.tags[clause.verb] != "VBD"
    ):
        return
    score = 0.55 if word == "When" and not used and phrase.kind == "sub" else 0.85 if used else 0.7
    others = [p for p in clause.phrases if p is phrase or time_word(clause, p)]
    made = ask(clause, voice, word, (start, phrase.end), others, score)
    if made:
        yield made


def _living(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    """live close to my school in philadelphia: one question, whatever else is said of the place."""
    others = [
        p for p in clause.phrases if p is not phrase and p.kind in {"pp", "adv"} and not time_word(clause, p)
    ]
    kept = [p for p in others if p.kind == "pp" and clause.words[p.start].lower == "with"]
    places = [p for p in [phrase, *others] if p.kind == "pp" and p not in kept]
    first = min((p for p in places if p.start >= phrase.start), key=lambda p: p.start)
    if first is not phrase:
        return
    reach = phrase.end
    for other in places:
        if other.start == reach and clause.words[other.start].lower in {"in", "near", "at", "on", "of"}:
            reach = other.end
    body = trimmed(clause.words, phrase.body, phrase.end)
    made = ask(clause, voice, "Where", (body, reach), [phrase, *(p for p in others if p not in kept)], 0.9)
    if made:
        yield made


GERUNDIAL = {
    ("believe", "in"), ("think", "about"), ("think", "of"), ("plan", "on"), ("look", "to"), ("work", "on"),
    ("dream", "of"), ("dream", "about"), ("adjust", "to"), ("talk", "about"), ("specialize", "in"), ("focus", "on"),
    ("worry", "about"), ("insist", "on"), ("commit", "to"), ("major", "in"),
}  # fmt: skip


def _pursuit(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    """thinking about moving to ohio: what are you thinking about?"""
    said = {x.lower for x in clause.words[phrase.start : phrase.end]}
    preposition = clause.words[phrase.start].lower
    if said & {"it", "that", "this", "you", "your", "them"} or clause.phrases[-1] is not phrase:
        return
    if clause.deepest == "look" and not any(clause.words[p.start].lower == "forward" for p in clause.phrases):
        return
    made = ask(clause, voice, "What", (phrase.body, phrase.end), [phrase], 0.75, (phrase, preposition))
    if made:
        yield made


def _last(clause: Clause, phrase: Phrase) -> bool:
    """Whether an object stands before the phrase and only times behind it."""
    index = clause.phrases.index(phrase)
    before, behind = clause.phrases[:index], clause.phrases[index + 1 :]
    things = [p for p in before if p.kind == "np" and clause.tags[p.start] != "PRP"]
    plain = all(p.kind in {"np", "adv"} for p in before) and len(things) == 1 and before[-1].kind == "np"
    plain |= len(before) == 1 and before[0].kind == "pp" and clause.words[before[0].end - 1].lower in ATTENDED
    return plain and all(time_word(clause, p) or p.kind == "adv" for p in behind)


def _visited(clause: Clause, start: int, end: int) -> bool:
    """concerts, a show: what one goes to and what is no deed."""
    words = clause.words
    last = words[end - 1].lower
    if not all(t in {"NN", "NNS", "NNP", "JJ", "DT", "PRP$", "POS"} for t in clause.tags[start:end]):
        return False
    return last not in w.PEOPLE | w.JOBS | w.FREE_ENDS | NOT_PLACES | WHOLE_IDIOMS | {
        "bed",
        "sleep",
        "war",
        "work",
    }


def of_preposition(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    words = clause.words
    preposition = words[phrase.start].lower
    if clause.tags[phrase.body] in {"PRP", "EX"} or clause.deepest == "marry":
        return
    body = trimmed(words, phrase.body, phrase.end)
    if any(
        words[p.end - 1].lower in {"lots", "much", "more", "less"} for p in clause.phrases if p.kind == "np"
    ):
        return
    place = (body, phrase.end)
    core = head(words, body, phrase.end)
    low = [x.lower for x in words[body : phrase.end]]
    core = low[-1] if low[:2] == ["one", "of"] else core
    if low[-1] in {"though", "too", "lol"} or (
        phrase.end < clause.end
        and clause.tags[phrase.end] in {"VBN", "JJ"}
        and clause.words[phrase.end].lower not in {"last", "next", "named", "called"}
    ):
        return
    if core in {"company", "need", "rest", "whole"} and len(low) == 1:
        return
    accompanied = preposition == "with" and core in w.PEOPLE
    if preposition in {"with", "for"} and not accompanied and any(p.kind == "inf" for p in clause.phrases):
        return
    sought = {"people"} | ({"job"} if clause.deepest in {"look", "apply", "search"} else set())
    if core in WHOLE_IDIOMS - sought or low[-1] in WHOLE_IDIOMS - sought or low[-1] in w.TIME_UNITS | w.TIMES:
        return
    made: Asked | None
    home = clause.deepest == "live" and preposition in {"in", "at", "near", "on"} and core not in NOT_HOMES
    if home and clause.negation is None and is_place(clause, body, phrase.end, preposition):
        yield from _living(clause, phrase, voice)
        return
    if preposition == "from" and clause.deepest in {"get", "come", "return"}:
        turned = any(words[p.start].lower in {"back", "home"} for p in clause.phrases)
        closing = all(
            time_word(clause, p) or p.kind == "adv" for p in clause.phrases if p.start > phrase.start
        )
        counted = (
            clause.tags[phrase.body] == "CD" and words[phrase.body + 1 : phrase.body + 2][0].lower != "of"
        )
        if turned and closing and not counted and clause.tags[phrase.body] != "VBG" and low[0][-3:] != "ing":
            made = ask(clause, voice, "Where", place, [phrase], 0.75, (phrase, "from"))
            if made:
                yield made
            return
    felt = clause.deepest == "feel" and clause.tags[phrase.body] == "DT"
    if preposition == "like" and (clause.deepest in {"look", "sound", "smell", "taste"} or felt):
        made = ask(
            clause, voice, "Who" if core in w.PEOPLE else "What", place, [phrase], 0.7, (phrase, "like")
        )
        if made and clause.phrases.index(phrase) == 0:
            yield made
        return
    if preposition == "with" and clause.deepest == "live" and core in w.PEOPLE | w.PETS:
        places = [p for p in clause.phrases if p.kind in {"pp", "adv"} and p is not phrase]
        made = ask(clause, voice, "Who", place, [phrase, *places], 0.85, (phrase, "with"))
        if made:
            yield made
        return
    made = None
    before = clause.phrases[: clause.phrases.index(phrase)]
    if preposition == "after" and clause.deepest == "name" and before and before[0].kind == "np":
        made = ask(
            clause, voice, "Who" if core in w.PEOPLE else "What", place, [phrase], 0.8, (phrase, "after")
        )
        if made:
            yield made
        return
    taught = (
        preposition == "for"
        and clause.deepest == "go"
        and before
        and words[before[-1].end - 1].lower in ATTENDED
    )
    if taught and len(low) == 1:
        made = ask(clause, voice, "What", place, [phrase], 0.7, (phrase, "for"))
        if made:
            yield made
    ing = clause.tags[phrase.body] == "VBG"
    previous = clause.phrases[clause.phrases.index(phrase) - 1] if clause.phrases.index(phrase) else None
    adjacent = all(p.kind == "adv" or words[p.end - 1].lower in {"time", "basis"} for p in before)
    company = (
        preposition == "with"
        and clause.deepest != "live"
        and clause.deepest != "have"
        and all(p.kind in {"adv", "pp", "np"} for p in before)
    )
    if preposition == "as" and clause.deepest in {"work"} and voice.own(clause) and adjacent and not ing:
        if clause.tags[clause.verb] == "VBD" or clause.auxiliaries:
            made = ask(clause, voice, "What", place, [phrase], 0.85, (phrase, "as"))
        else:
            do = "do I do" if voice.partner else "do you do"
            yield Asked(
                body,
                phrase.end,
                f"What {do} for a living?",
                f"Could you tell me what {voice.your} job is?",
                0.95,
                clause,
            )
            return
    elif ing and adjacent and (clause.deepest, preposition) in GERUNDIAL and len(low) < 7:
        yield from _pursuit(clause, phrase, voice)
        return
    elif ing:
        end = max([p.end for p in clause.phrases if p.start >= phrase.start and p.kind != "rest"])
        if preposition == "by" and adjacent | (previous is not None and previous.kind in {"np", "adj"}):
            made = ask(
                clause,
                voice,
                "How",
                (phrase.body, end),
                [p for p in clause.phrases if p.start >= phrase.start],
                0.8,
            )
        elif preposition == "for" and clause.deepest in {
            "fire",
            "arrest",
            "ground",
            "punish",
            "tease",
            "expel",
            "suspend",
            "ban",
        }:
            made = ask(
                clause,
                voice,
                "Why",
                (phrase.body, end),
                [p for p in clause.phrases if p.start >= phrase.start],
                0.85,
            )
        if made:
            yield made
        return
    elif preposition in {"in", "at", "on", "near", "to", "around", "outside", "through"} and is_place(
        clause, body, phrase.end, preposition
    ):
        if clause.deepest in {"love", "like", "want", "need", "hate", "feel"}:
            return
        if any(words[p.start].lower == "forward" for p in before):
            return
        if any(p.kind == "adj" for p in before):
            return
        if preposition == "to" and clause.deepest == "come":
            return
        if preposition in {"at", "in", "on"} and any(
            p.kind == "pp" and words[p.start].lower == "to" and words[p.end - 1].lower not in ATTENDED
            for p in before
        ):
            return
        if before and words[before[-1].end - 1].lower in ATTENDED and preposition in {"in", "at"}:
            made = ask(clause, voice, "Where", place, [phrase], 0.9)
            if made:
                yield made
            return
        others = further_places(clause, phrase)
        if (
            preposition == "to"
            and low[-1] in {"school", "college", "work", "university"}
            and (others or clause.deepest in {"take", "bring"})
        ):
            return
        if any(p.start < phrase.start for p in others):
            return
        left = [phrase, *others]
        behind = [p for p in left if p.start >= phrase.start]
        reach = max(p.end for p in behind)
        if reach - phrase.start == sum(p.end - p.start for p in behind):
            place = (body, reach)
        made = ask(
            clause,
            voice,
            "Where",
            place,
            left,
            0.9 if clause.deepest in LOCATIVE or clause.tags[clause.verb] == "VBD" else 0.7,
        )
    elif preposition == "from" and is_place(clause, body, phrase.end, "from"):
        directed = all(p.kind == "adv" or words[p.start].lower == "to" for p in before)
        if (
            clause.deepest not in LEAVING - {"have"}
            or not directed
            or any(p.kind == "adj" for p in clause.phrases)
        ):
            return
        left = [
            phrase,
            *(p for p in clause.phrases if p.kind == "pp" and words[p.start].lower in {"to", "in", "at"}),
        ]
        made = ask(clause, voice, "Where", place, left, 0.85, (phrase, "from"))
    elif (
        preposition in {"with", "for", "by", "to", "about", "from"}
        and core in w.PEOPLE
        and (adjacent or company or _last(clause, phrase))
        and core not in {"people", "person"}
    ):
        made = ask(clause, voice, "Who", place, [phrase], 0.85, (phrase, preposition))
    elif preposition == "with" and core in w.PETS | w.BREEDS and low[0] in {"my", "our"} and company:
        made = ask(clause, voice, "Who", place, [phrase], 0.75, (phrase, "with"))
    elif preposition == "to" and adjacent and clause.deepest in GOING and _visited(clause, body, phrase.end):
        made = ask(clause, voice, "Where", place, [phrase], 0.75)
    elif preposition in STRANDED and adjacent and (clause.deepest, preposition) in PREPOSITIONAL_VERBS:
        if core in w.PEOPLE or (clause.deepest, preposition) == ("work", "for"):
            word = "Who"
        elif preposition == "at" and clause.deepest in {"work", "study", "teach"}:
            made = ask(clause, voice, "Where", place, [phrase], 0.85)
            if made:
                yield made
            return
        elif (
            preposition == "to"
            and clause.deepest == "listen"
            and (low[-1] in w.GENRES or (core == "music" and len(low) > 1))
        ):
            word = "What kind of music"
        else:
            word = category_of(clause, body, phrase.end, clause.deepest) or "What"
        if clause.tags[body] == "CD" and phrase.end - body == 1:
            return
        somebody = preposition == "with" and clause.tags[body : phrase.end] == ("NNP", "NNP")
        somebody |= preposition in {"with", "for"} and words[body].lower in w.NAMES
        word = "Who" if somebody and word == "What" else word
        made = ask(clause, voice, word, place, [phrase], 0.85, (phrase, preposition))
    elif (
        preposition in {"with", "from", "for", "into", "about"}
        and len(clause.auxiliaries) == 1
        and words[clause.auxiliaries[0]].lower in {"is", "are", "was", "were", "am", "'m", "'re"}
        and clause.tags[clause.verb] == "VBN"
        and adjacent
        and core not in w.PLACES | w.FREE_ENDS
    ):
        person = core in w.PEOPLE
        made = ask(clause, voice, "Who" if person else "What", place, [phrase], 0.65, (phrase, preposition))
    elif preposition == "as" and clause.deepest in {
        "dress",
        "volunteer",
        "serve",
        "start",
        "act",
        "intern",
        "go",
    }:
        made = ask(clause, voice, "What", place, [phrase], 0.75, (phrase, "as"))
    elif preposition == "by" and clause.auxiliaries and clause.tags[clause.verb] == "VBN" and adjacent:
        person = core in w.PEOPLE or words[body].lower in w.NAMES or clause.tags[body] == "NNP"
        made = ask(clause, voice, "Who" if person else "What", place, [phrase], 0.75, (phrase, "by"))
    elif (
        preposition == "at"
        and (voice.own(clause) or clause.subject_words[-1].lower in w.PEOPLE | {"he", "she", "they"})
        and clause.words[phrase.body].lower in {"a", "an", "the"}
        and core
        not in NOT_PLACES | {"age", "end", "beginning", "point", "moment", "top", "rate", "price", "cost"}
    ):
        made = ask(clause, voice, "Where", place, [phrase], 0.75)
    elif (
        preposition in {"to", "for", "about", "from", "on", "with"}
        and adjacent
        and clause.tags[body] != "CD"
        and core not in w.PLACES
        and may_be_stranded(clause, preposition, low)
    ):
        made = ask(
            clause, voice, "Who" if core in w.PEOPLE else "What", place, [phrase], 0.6, (phrase, preposition)
        )
    elif (
        preposition in {"on", "for", "in"}
        and previous is not None
        and previous.kind == "np"
        and (clause.deepest, preposition) in BEHIND_OBJECT
    ):
        made = ask(clause, voice, "What", place, [phrase], 0.75, (phrase, preposition))
    elif (
        preposition in {"for", "to", "on", "from", "with"}
        and previous is not None
        and _last(clause, phrase)
        and core not in w.PLACES | w.FREE_ENDS
        and (
            clause.deepest
            not in LIGHT - {"get", "give", "show", "find"} | TASTES | {"want", "need", "ask", "wait"}
            or (clause.deepest == "go" and words[previous.end - 1].lower in ATTENDED)
        )
        and clause.tags[body] != "CD"
        and (clause.deepest in {"get", "give", "show", "find"} or may_be_stranded(clause, preposition, low))
    ):
        somebody = preposition in {"with", "for", "to"} and clause.tags[body : phrase.end] == ("NNP", "NNP")
        asked = "Who" if somebody else "What"
        made = ask(clause, voice, asked, place, [phrase], 0.6, (phrase, preposition))
        if {"my", "our"} & set(low[1:]) and preposition == "with":
            made = None
    elif preposition == "of" and previous is not None and previous.kind == "adj":
        made = ask(clause, voice, "What", place, [phrase], 0.7, (phrase, preposition))
    if made:
        yield made
