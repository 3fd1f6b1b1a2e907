"""Questions whose answer follows a preposition, and times."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clauses import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import (
    BEHIND_OBJECT,
    LEAVING,
    LIGHT,
    PREPOSITIONAL_VERBS,
    STRANDED,
    WHOLE_IDIOMS,
)
from inquirer.questions.objects import category_of
from inquirer.questions.times import LOCATIVE, NOT_PLACES, is_place, time_word
from inquirer.questions.voice import Voice


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
    if clause.deepest in LIGHT | {"live", "be", "run", "walk", "drive"} or (
        low[0] in {"each", "all", "my"} and preposition == "on"
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
    used = clause.tags[clause.verb] in {"VBD"} or bool(clause.auxiliaries)
    start = phrase.start if word in {"How often"} or phrase.kind in {"sub", "adv"} else phrase.body
    if word in {"How often"} or phrase.kind == "sub":
        start = phrase.start
    past = clause.copular and clause.words[clause.verb].lower in {"was", "were"}
    if clause.deepest in {"be"} and word != "How long" and not past:
        return
    if (
        clause.deepest in LIGHT - {"be"}
        and not any(p.kind in {"np", "pp", "adj"} and p is not phrase for p in clause.phrases)
        and clause.deepest not in {"go", "come"}
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


def of_preposition(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    words = clause.words
    preposition = words[phrase.start].lower
    if clause.tags[phrase.body] in {"PRP", "EX"}:
        return
    body = trimmed(words, phrase.body, phrase.end)
    place = (body, phrase.end)
    core = head(words, body, phrase.end)
    low = [x.lower for x in words[body : phrase.end]]
    if low[-1] in {"though", "too", "lol"} or (
        phrase.end < clause.end
        and clause.tags[phrase.end] in {"VBN", "JJ"}
        and clause.words[phrase.end].lower not in {"last", "next"}
    ):
        return
    if core in {"company", "need", "rest", "whole"} and len(low) == 1:
        return
    if preposition in {"with", "for"} and any(p.kind == "inf" for p in clause.phrases):
        return
    if (
        core in WHOLE_IDIOMS - {"people"}
        or low[-1] in WHOLE_IDIOMS - {"people"}
        or low[-1] in w.TIME_UNITS | w.TIMES
    ):
        return
    made: Asked | None = None
    ing = clause.tags[phrase.body] == "VBG"
    previous = clause.phrases[clause.phrases.index(phrase) - 1] if clause.phrases.index(phrase) else None
    before = clause.phrases[: clause.phrases.index(phrase)]
    adjacent = all(p.kind == "adv" for p in before)
    company = (
        preposition == "with"
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
    elif ing:
        end = max([p.end for p in clause.phrases if p.start >= phrase.start and p.kind != "rest"])
        if preposition == "by" and adjacent | (previous is not None and previous.kind == "np"):
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
        if clause.deepest in {"love", "like", "want", "need", "hate"}:
            return
        if preposition in {"at", "in", "on"} and any(
            p.kind == "pp" and words[p.start].lower == "to" for p in before
        ):
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
        if clause.deepest not in LEAVING or any(p.kind == "adj" for p in clause.phrases):
            return
        left = [
            phrase,
            *(p for p in clause.phrases if p.kind == "pp" and words[p.start].lower in {"to", "in", "at"}),
        ]
        made = ask(clause, voice, "Where", place, left, 0.85, (phrase, "from"))
    elif (
        preposition in {"with", "for", "by", "to", "about", "from"}
        and core in w.PEOPLE
        and (adjacent or company)
        and core not in {"people", "person"}
    ):
        made = ask(clause, voice, "Who", place, [phrase], 0.85, (phrase, preposition))
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
        made = ask(clause, voice, word, place, [phrase], 0.85, (phrase, preposition))
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
    elif preposition == "of" and previous is not None and previous.kind == "adj":
        made = ask(clause, voice, "What", place, [phrase], 0.7, (phrase, preposition))
    if made:
        yield made
