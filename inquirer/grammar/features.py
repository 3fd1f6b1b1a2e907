"""Computes the features for a question's score: facts about the question, its clause and its message."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from inquirer.grammar.fitness import HOPES, MODALS, supposed, tangled
from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.lexicon import is_named, is_pictured, is_written
from inquirer.language.lists import listed
from inquirer.language.sentences import Sentence, sentences
from inquirer.language.tags import BE, HAVE
from inquirer.language.tokens import tokens
from inquirer.language.verbs import known

DOUBTS = {"if", "whether", "pretend", "imagine", "wish", "suppose", "unless"}
POINTING = {"it", "that", "this", "them", "there", "here", "one", "ones", "those", "these", "so", "such"}
OTHERS = {"he", "she", "they", "him", "her", "his", "their"}
QUESTION_WORDS = {"What", "Who", "Where", "When", "Why", "How", "Which", "Since", "At", "Could"}
STATES = listed("states") | w.FEELINGS | listed("said-to-please")
DEGREES = {"too", "so", "such", "enough"}
COMPARED = {"more", "most", "less", "least", "better", "best", "much", "lot"}
SHARED = {"together", "other", "others", "same", "else"}
THINKING = {"know", "think", "say", "guess", "mean", "hear", "see", "find"}
LONG = 20  # number of tokens above which a message is long

Features = dict[str, float]


def features(reading: Reading, utterance: str, text: str, answer: tuple[int, int], match: float) -> Features:
    """Returns the features. Their values are between 0 and about 3, and a missing feature is 0."""
    result = {
        **_sizes(reading, utterance, text, answer, match),
        **_signs(reading, utterance, answer),
        **_wording(reading, text),
        **_clause(reading, answer),
        **_rest(reading),
        **_message(utterance),
    }
    first = text.partition(" ")[0]
    if first not in QUESTION_WORDS:
        result[f"yes-no {_sort(reading)}"] = 1.0
        result[f"yes-no {first.lower()}"] = 1.0
    return {name: float(value) for name, value in result.items() if value}


def _wording(reading: Reading, text: str) -> Features:
    """Features for words that make the question vague."""
    question = [t.lower for t in tokens(text)]
    long_words = [x for x in question if len(x) > 3]
    return {
        "degree": bool(DEGREES & set(question)),
        "compared": bool(COMPARED & set(question)),
        "shared": bool(SHARED & set(question)) or reading.subject == ["we"],
        "the": min(question.count("the"), 2),
        "repeats": len(set(long_words)) < len(long_words),
        "points": bool(POINTING & set(question)),
        "unnamed": bool(OTHERS & set(question)),
    }


def _clause(reading: Reading, answer: tuple[int, int]) -> Features:
    """Features for the kinds of words and phrases in the clause."""
    clause, (start, end) = reading.clause, answer
    words, tags, phrases, first = clause.words, clause.tags, reading.phrases, reading.first
    here = {x.lower for x in words[clause.start : clause.end]}
    helpers, kinds = set(reading.helpers), {p.kind for p in phrases}
    last = words[end - 1].lower
    return {
        f"tag {tags[end - 1][:2]}": 1,
        f"verb tag {tags[clause.verb]}": 1,
        f"first {first.kind if first else 'nothing'}": 1,
        f"verb {reading.verb}": 1,
        f"finite {clause.lemma}": 1,
        **{f"answer {name}": last in listed(name) for name in sorted(listed("classes"))},
        "runs on": clause.start > 0 and clause.joiner in {"", ","} and words[clause.start - 1].text != ",",
        "state": reading.is_be and first is not None and bool(set(reading.low(first)) & STATES),
        "being so": reading.is_be and reading.own and first is not None and first.kind == "adj",
        "going on": tags[clause.verb] == "VBG" and bool(helpers & BE),
        "just now": bool(here & {"just", "now", "currently", "today", "tonight"}),
        "perfect": bool(helpers & HAVE),
        "would": bool(helpers & {"would", "'d"}),
        "number": all(tag == "CD" for tag in tags[start:end]),
        "nothing told": not {"np", "pp", "ing", "adj"} & kinds,
        "two objects": any(a.kind == b.kind == "np" and a.end == b.start for a, b in pairwise(phrases)),
        "to do": "inf" in kinds,
        "when": "sub" in kinds,
        "thinking": bool(THINKING & {clause.lemma, reading.verb}),
        "hoped": bool(HOPES & {x.lower for x in words[max(0, clause.start - 2) : clause.verb]}),
        "few": bool({"few", "little", "some"} & {x.lower for x in words[max(0, start - 1) : end]}),
        "subject left out": any(x.start == x.end for x in words),
        "verb unknown": reading.verb not in known(),
    }


def _rest(reading: Reading) -> Features:
    """Features for words that the grammar could not place and that the question leaves out."""
    clause = reading.clause
    rest = next((p for p in clause.phrases if p.kind == "rest"), None)
    if rest is None:
        return {}
    opener = clause.words[rest.start].lower
    sort = "joiner" if opener in listed("clause-breaks") else clause.tags[rest.start][:2]
    return {
        f"left out {'relative' if opener in w.RELATIVE else sort}": 1,
        "left out": min(rest.end - rest.start, 10) / 5,
        "unread": 1,
    }


@lru_cache(maxsize=1024)
def _message(utterance: str) -> Features:
    """Features for whom the message is about, and for its share of unusual words.

    The share of unusual words is high when a small model rambles.
    """
    words = [x for s in sentences(utterance) for x in s.words]
    low = [x.lower for x in words]
    share = 10 / max(len(words), 1)
    unknown = sum(x.text[0].isalpha() and not _known(x.text) for x in words)
    return {
        "message of you": min(sum(x in {"you", "your", "yours"} for x in low) * share, 2),
        "message of me": min(sum(x in {"i", "my"} for x in low) * share, 2),
        "message unknown": min(unknown * share, 2),
        "sentences": min(len(sentences(utterance)), 8) / 4,
    }


def _sort(reading: Reading) -> str:
    """Returns the sort of fact that a yes/no question asks for.

    Some sorts of questions are more reliable: "do you like" goes wrong less often than "are they".
    """
    if reading.verb in listed("tastes") or reading.clause.lemma in listed("tastes"):
        return "liking"
    return f"{'being' if reading.clause.copular else 'doing'} {'own' if reading.own else 'other'}"


def _sizes(reading: Reading, utterance: str, text: str, answer: tuple[int, int], match: float) -> Features:
    """Features for lengths and for the roles in the clause."""
    clause, (start, end) = reading.clause, answer
    sentence = _sentence(utterance, clause.words[clause.start].start)
    question = [t.lower for t in tokens(text)]
    here = clause.words[clause.start : clause.end]
    first = reading.first if reading.is_be else None
    owned = (
        first is not None and reading.low(first)[0] in {"my", "our"} and not set(reading.subject) & w.PERSONS
    )  # purple is my favorite color
    return {
        "message words": min(_count(utterance), 80) / 40,
        "message is long": _count(utterance) > LONG,
        "sentence words": min(len(sentence.words) if sentence else 0, 60) / 20,
        "clause words": min(len(here), 30) / 10,
        "question words": min(len(question), 20) / 8,
        "question is short": len(question) <= 4,
        "answer words": min(end - start, 12) / 4,
        "answer is one word": end - start == 1,
        "entity fits": match,
        "own": reading.own,
        "mine": reading.mine or owned,
        "somebody else": not (reading.own or reading.mine or owned),
        "subject words": min(len(reading.subject), 6) / 3,
        "subject borrowed": bool(clause.borrowed) and clause.joiner in {"and", "but"},
        "helpers": len(clause.auxiliaries)
        - (clause.negation is None and reading.helpers in (["do"], ["did"])),
        "modal": bool(MODALS & set(reading.helpers)),
        "past": reading.past,
        "chained": reading.chained,
    }


def _signs(reading: Reading, utterance: str, answer: tuple[int, int]) -> Features:
    """Features for signs of a doubtful question and for properties of its answer."""
    clause, (start, end) = reading.clause, answer
    words = clause.words
    sentence = _sentence(utterance, words[clause.start].start)
    span = [x.lower for x in words[start:end]]
    before = {x.lower for x in words[:start]}
    here = [x.lower for x in words[clause.start : clause.end]]
    unknown = sum(not _known(x.text) for x in words[clause.start : clause.end] if x.text[0].isalpha())
    return {
        "negated": clause.negation is not None,
        "tangled": tangled(reading),
        "supposed": supposed(reading),
        "doubted": bool(DOUBTS & before) or ("not" in before and "sure" in before),
        "addressed": bool({"you", "your", "u"} & set(here)),
        "joined": clause.joiner not in {"", ",", "and", "but"},
        "later clause": clause.start > 0,
        "unknown words": min(unknown, 4),
        "phrases": min(len(clause.phrases), 6) / 2,
        "light verb": reading.verb in listed("light-verbs"),
        "liking": reading.verb in listed("tastes") or clause.lemma in listed("tastes"),
        "definite": start > 0 and words[start - 1].lower in {"the", "this", "that", "these", "those"},
        "listed": bool({"and", "or", ","} & set(span)),
        "answer named": is_named(span[-1]) or (words[end - 1].text[:1].isupper() and start > 0),
        "answer pictured": is_pictured(span[-1]) or is_pictured(span[-1].removesuffix("s")),
        "answer empty": bool({span[0], span[-1]} & (w.EMPTY_HEADS | w.PERSONS | listed("vague"))),
        "answer goes on": _goes_on(reading, end),
        "no stop": sentence is not None and not sentence.mark and sentence.end >= len(utterance.rstrip()),
        "unfinished": sentence is not None and _unfinished(utterance, sentence),
    }


def _unfinished(utterance: str, sentence: Sentence) -> bool:
    """Whether the message lacks a stop only at its end, which suggests a model's reply that was cut off."""
    last = not sentence.mark and sentence.end >= len(utterance.rstrip())
    return last and any(s.mark in {".", "!"} for s in sentences(utterance))


def _goes_on(reading: Reading, end: int) -> bool:
    """Whether the clause continues after the answer with a word other than an adverb or a conjunction."""
    clause = reading.clause
    if end >= clause.end:
        return False
    return clause.words[end].text[0].isalnum() and clause.tags[end] not in {"CC", "RB"}


@lru_cache(maxsize=1024)
def _sentence(utterance: str, place: int) -> Sentence | None:
    return next((s for s in sentences(utterance) if s.start <= place < s.end), None)


@lru_cache(maxsize=1024)
def _count(utterance: str) -> int:
    return len(tokens(utterance))


def _known(word: str) -> bool:
    return word[:1].isupper() or is_written(word.lower())
