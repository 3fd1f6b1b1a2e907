"""Computes the features for a question's score (facts about the question, its clause and its message) and the score.

The score estimates how likely a person would ask the question, by a logistic regression on the features.
`arena.training.inquirer.score` fits it on questions that people rated. The coefficients are in `weights/score.json`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from inquirer.grammar.fitness import supposed, tangled
from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.sentences import sentences
from inquirer.language.tokens import tokens
from inquirer.language.verbs import known
from inquirer.language.words import is_named, is_pictured, is_written

STRESSED = {"do": "VBP", "does": "VBZ", "did": "VBD"}  # tags of verbs that a helper only stresses

WEIGHTS = Path(__file__).parents[1] / "weights" / "score.json"

CLASSES = [(f"answer {name}", w.listed(name)) for name in sorted(w.CLASSES)]

Features = dict[str, float]


def score(rule: str, features: Mapping[str, float]) -> float:
    """Returns the probability that the question is appropriate."""
    intercept, weights = _model()
    total = intercept + weights.get(f"rule {rule}", 0.0)
    total += sum(weights.get(name, 0.0) * value for name, value in features.items())
    return round(1 / (1 + math.exp(-total)), 4)


def score_revision() -> str:
    """Returns a revision that changes with the weights."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:8]


@cache
def _model() -> tuple[float, Mapping[str, float]]:
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return float(stored["intercept"]), stored["weights"]


def features(reading: Reading, utterance: str, text: str, answer: tuple[int, int], match: float) -> Features:
    """Returns the features. Their values are between 0 and about 3, and a missing feature is 0."""
    result = {
        **_of_question(reading, text, match),
        **_of_clause(reading),
        **_of_answer(reading, answer),
        **_of_rest(reading),
        "sentences": min(len(sentences(utterance)), 8) / 4,
        "no stop": _without_stop(utterance, reading.clause.words[reading.clause.start].start),
    }
    return {name: float(value) for name, value in result.items() if value}


def _of_question(reading: Reading, text: str, match: float) -> Features:
    """Features for words that make the question vague."""
    question = [t.lower for t in tokens(text)]
    low, long_words = set(question), [x for x in question if len(x) > 3]
    return {
        "question words": min(len(question), 20) / 8,
        "question is short": len(question) <= 4,
        "shared": bool(low & {"together", "other", "others", "same", "else"}) or reading.subject == ["we"],
        "repeats": len(set(long_words)) < len(long_words),
        "points": bool(low & (w.VAGUE | {"it", "them", "so", "such"})),
        "unnamed": bool(low & {"he", "she", "they", "him", "her", "his", "their"}),
        "entity fits": match,
    }


def _of_clause(reading: Reading) -> Features:
    """Features for subject, verb and phrases of the clause."""
    clause, first, helpers = reading.clause, reading.first, set(reading.helpers)
    words, here = clause.words, set(clause.lows(clause.start, clause.end))
    before = {x.lower for x in words[: clause.start]} | {x.lower for x in words[clause.start : clause.verb]}
    owned = reading.stated is not None and reading.low(reading.stated)[0] in {"my", "our"}
    mine = reading.mine or (owned and not set(reading.subject) & w.PERSONS)  # purple is my favorite color
    states = w.STATES | w.FEELINGS | w.SAID_TO_PLEASE
    unknown = sum(
        x.text[0].isalpha() and not x.text[0].isupper() and not is_written(x.text.lower())
        for x in words[clause.start : clause.end]
    )
    stressed = STRESSED.get(" ".join(reading.helpers), clause.tags[clause.verb])  # i do enjoy it
    return {
        f"verb {reading.verb}": 1,
        f"finite {clause.lemma}": 1,
        f"verb tag {clause.tags[clause.verb] if reading.denied else stressed}": 1,
        f"first {first.kind if first else 'nothing'}": 1,
        "verb unknown": reading.verb not in known(),
        "light verb": reading.verb in w.LIGHT_VERBS,
        "liking": bool({reading.verb, clause.lemma} & w.TASTES),
        "thinking": bool({reading.verb, clause.lemma} & w.THINKING),
        "mine": mine,
        "somebody else": not (reading.own or mine),
        "subject borrowed": bool(clause.borrowed) and clause.joiner in {"and", "but"},
        "subject left out": any(x.start == x.end for x in words),
        "modal": bool(w.MODALS & helpers),
        "would": bool(helpers & {"would", "'d"}),
        "negated": reading.denied,
        "just done": "just" in here and reading.past,
        "state": reading.is_be and first is not None and bool(set(reading.low(first)) & states),
        "to do": any(p.kind == "inf" for p in reading.phrases),
        "tangled": tangled(reading),
        "supposed": supposed(reading),
        "doubted": bool(w.DOUBTS & before) or {"not", "sure"} <= before,
        "addressed": bool({"you", "your", "u"} & here),
        "joined": clause.joiner not in {"", ",", "and", "but"},
        "later clause": clause.start > 0,
        "unknown words": min(unknown, 4),
    }


def _of_answer(reading: Reading, answer: tuple[int, int]) -> Features:
    """Features for the words of the answer."""
    (start, end), words, tags = answer, reading.clause.words, reading.clause.tags
    span = [x.lower for x in words[start:end]]
    last, before = span[-1], {x.lower for x in words[max(0, start - 1) : start]}
    return {
        f"tag {tags[end - 1][:2]}": 1,
        **{name: 1 for name, words_of_class in CLASSES if last in words_of_class},
        "number": all(tag == "CD" for tag in tags[start:end]),
        "few": bool({"few", "little", "some"} & {*before, *span}),
        "definite": bool({"the", "this", "that", "these", "those"} & before),
        "listed": bool({"and", "or", ","} & set(span)),
        "answer named": is_named(last) or (words[end - 1].text[:1].isupper() and start > 0),
        "answer pictured": is_pictured(last) or is_pictured(last.removesuffix("s")),
        "answer empty": bool({span[0], last} & (w.EMPTY_HEADS | w.PERSONS | w.VAGUE)),
    }


def _of_rest(reading: Reading) -> Features:
    """Features for words that the grammar could not place and that the question leaves out."""
    clause = reading.clause
    rest = next((p for p in clause.phrases if p.kind == "rest"), None)
    if rest is None:
        return {}
    opener = clause.low(rest.start)
    sort = "joiner" if opener in w.CLAUSE_BREAKS else clause.tags[rest.start][:2]
    return {
        f"left out {'relative' if opener in w.RELATIVE else sort}": 1,
        "left out": min(rest.end - rest.start, 10) / 5,
        "unread": 1,
    }


@lru_cache(maxsize=1024)
def _without_stop(utterance: str, place: int) -> bool:
    """Whether the sentence at this place ends the message without a mark."""
    sentence = next((s for s in sentences(utterance) if s.start <= place < s.end), None)
    return sentence is not None and not sentence.mark and sentence.end >= len(utterance.rstrip())
