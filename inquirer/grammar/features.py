"""What the score of a question rests on: a few facts about the question, its clause and its message."""

from __future__ import annotations

from functools import lru_cache

from inquirer.grammar.fitness import MODALS, supposed, tangled
from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.lexicon import is_named, is_pictured, is_written
from inquirer.language.lists import listed
from inquirer.language.sentences import Sentence, sentences
from inquirer.language.tokens import tokens

DOUBTS = {"if", "whether", "pretend", "imagine", "wish", "suppose", "unless"}
POINTING = {"it", "that", "this", "them", "there", "here", "one", "ones", "those", "these", "so", "such"}
OTHERS = {"he", "she", "they", "him", "her", "his", "their"}
ASSISTING = {
    "help",
    "assist",
    "ai",
    "language",
    "model",
    "chat",
    "chatbot",
    "assistant",
    "today",
    "questions",
}
QUESTION_WORDS = {"What", "Who", "Where", "When", "Why", "How", "Which", "Since", "At", "Could"}
LONG = 20  # tokens from which a message is a long one

Features = dict[str, float]


def features(reading: Reading, utterance: str, text: str, answer: tuple[int, int], match: float) -> Features:
    """Numbers between 0 and about 3; what is not there is 0."""
    found = {**_sizes(reading, utterance, text, answer, match), **_signs(reading, utterance, text, answer)}
    if text.partition(" ")[0] not in QUESTION_WORDS:
        found[f"yes-no {_sort(reading)}"] = 1.0
    found[f"tag {reading.clause.tags[answer[1] - 1][:2]}"] = 1.0
    return {name: float(value) for name, value in found.items() if value}


def _sort(reading: Reading) -> str:
    """What sort of fact a yes/no-question is about: `do you like` goes wrong less often than `are they`."""
    if reading.verb in listed("tastes") or reading.clause.lemma in listed("tastes"):
        return "liking"
    return f"{'being' if reading.clause.copular else 'doing'} {'own' if reading.own else 'other'}"


def _sizes(reading: Reading, utterance: str, text: str, answer: tuple[int, int], match: float) -> Features:
    """Lengths, and who does what."""
    clause, (start, end) = reading.clause, answer
    sentence = _sentence(utterance, clause.words[clause.start].start)
    question = [t.lower for t in tokens(text)]
    here = clause.words[clause.start : clause.end]
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
        "mine": reading.mine,
        "somebody else": not reading.own and not reading.mine,
        "subject words": min(len(reading.subject), 6) / 3,
        "subject borrowed": bool(clause.borrowed),
        "helpers": len(clause.auxiliaries),
        "modal": bool(MODALS & set(reading.helpers)),
        "past": reading.past,
        "chained": reading.chained,
    }


def _signs(reading: Reading, utterance: str, text: str, answer: tuple[int, int]) -> Features:
    """What makes a question doubtful, and what its answer is like."""
    clause, (start, end) = reading.clause, answer
    words = clause.words
    sentence = _sentence(utterance, words[clause.start].start)
    question = [t.lower for t in tokens(text)]
    said = [x.lower for x in words[start:end]]
    before = {x.lower for x in words[:start]}
    here = [x.lower for x in words[clause.start : clause.end]]
    unknown = sum(not _known(x.text) for x in words[clause.start : clause.end] if x.text[0].isalpha())
    return {
        "negated": clause.negation is not None,
        "tangled": tangled(reading),
        "supposed": supposed(reading),
        "doubted": bool(DOUBTS & before) or ("not" in before and "sure" in before),
        "points": bool(POINTING & set(question)),
        "unnamed": bool(OTHERS & set(question)),
        "addressed": bool({"you", "your", "u"} & set(here)),
        "asker": bool({"i", "me", "my"} & set(question)),
        "joined": clause.joiner not in {"", ",", "and", "but"},
        "later clause": clause.start > 0,
        "unknown words": min(unknown, 4),
        "unread": any(p.kind == "rest" for p in clause.phrases),
        "phrases": min(len(clause.phrases), 6) / 2,
        "light verb": reading.verb in listed("light-verbs"),
        "liking": reading.verb in listed("tastes") or clause.lemma in listed("tastes"),
        "definite": start > 0 and words[start - 1].lower in {"the", "this", "that", "these", "those"},
        "listed": bool({"and", "or", ","} & set(said)),
        "answer named": is_named(said[-1]) or (words[end - 1].text[:1].isupper() and start > 0),
        "answer pictured": is_pictured(said[-1]) or is_pictured(said[-1].removesuffix("s")),
        "answer empty": bool({said[0], said[-1]} & (w.EMPTY_HEADS | w.PERSONS | listed("vague"))),
        "answer goes on": _goes_on(reading, end),
        "no stop": sentence is not None and not sentence.mark and sentence.end >= len(utterance.rstrip()),
        "marks": any(mark in utterance for mark in ('"', "“", "(", ":", "*", "#", "[")),
        "assisting": bool(ASSISTING & set(here)),
        "capital inside": any(x.text.isupper() and len(x.text) > 2 for x in words),
    }


def _goes_on(reading: Reading, end: int) -> bool:
    """Whether words follow the answer in its clause that are neither a time nor a joiner."""
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
