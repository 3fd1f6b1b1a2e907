"""Finds the sentences of a message that state something about their speaker, which a later message can contradict."""

from __future__ import annotations

import functools
import re

from inquirer.person import swap
from judges import words
from judges.base import WEIGHTS

LONGEST, SHORTEST = 60, 3  # words; other sentences are ignored
_SELF = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|me|myself|we|we're|we've|our|ours|us)\b")
_ADDRESSED = re.compile(
    r"\b(?:you are|you're|your|you have|you've|you like|you live|you work|you love|you)\b"
)
_CLAUSES = re.compile(r"(?:;|\s-\s|,\s+(?:but|and|so|because)\s+(?=(?:i|my|we)\b))", re.I)
_MARKUP = re.compile(r"[*_`#>]+")
_LEAD = re.compile(
    r"^(?:however|but|well|still)?,?\s*i can (?:also |only |just )?(?:tell|assure) you (?:that )?", re.I
)
_OFFER = re.compile(
    r"^(?:(?:however|but|well|yes|sure|no|i'm sorry)[ ,]+)*(?:i (?:can|could|can't|cannot|can not)|"
    r"i'm (?:not )?able to|i am (?:not )?able to) (?:\w+ly |also |only |still |just )?"
    r"(?:provide|offer|assist|help|share|give you|suggest|recommend|answer|discuss)\b"
)
_LINE_ENDS = re.compile(r"(?<![.!?;\s])\s*\n")


@functools.cache
def _empty_forms() -> re.Pattern[str]:
    """A pattern of sentence beginnings, such as `I see`, that contain `I` but state nothing about the speaker."""
    path = WEIGHTS.parent / "data" / "pleasantries.txt"
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    forms = "|".join(re.escape(line) for line in lines if line and not line.startswith("#"))
    return re.compile(
        rf"^(?:(?:oh|well|yes|yeah|no|ah|haha|hi|hello|hey|so|and|but|ok|okay|wow)\b[\s,.!]*)*(?:{forms})\b"
    )


def sentences(message: str) -> list[str]:
    """The sentences of the message; a clause that begins with `but I`, `and my` or the like is a separate sentence.

    Words that only introduce a sentence, such as `However, I can tell you that`, are left out.
    """
    plain = _MARKUP.sub("", words.readable(message))
    plain = _LINE_ENDS.sub(". ", plain).replace("\n", " ")
    clauses: list[str] = []
    for sentence in words.sentences(plain):
        clauses += [_LEAD.sub("", clause.strip()) for clause in _CLAUSES.split(sentence) if clause.strip()]
    return [clause for clause in clauses if clause]


def states(sentence: str) -> bool:
    """Whether the sentence says something about its speaker that could be contradicted."""
    text = words.plain(sentence)
    if text.endswith("?") or not SHORTEST <= len(text.split()) <= LONGEST:
        return False
    if not _SELF.search(text) or _empty_forms().match(text) or _OFFER.match(text):
        return False
    return bool(words.content(text))


def assertions(message: str) -> list[str]:
    """The sentences of a message that state something about its speaker, each once."""
    return list(dict.fromkeys(sentence for sentence in sentences(message) if states(sentence)))


def of_persona(persona: str) -> list[str]:
    """The statements of a persona, turned into the first person: for example, `You are Sam.` becomes `I am Sam.`"""
    candidates = []
    for sentence in sentences(persona):
        if not _SELF.search(words.plain(sentence)) and _ADDRESSED.search(words.plain(sentence)):
            sentence = swap(sentence)
        candidates.append(sentence)
    return list(dict.fromkeys(sentence for sentence in candidates if states(sentence)))


def near_copies(first: str, second: str) -> bool:
    """Whether the second sentence repeats the first. Near copies cannot contradict each other."""
    return _gist(first) == _gist(second)


@functools.lru_cache(maxsize=8192)
def _gist(sentence: str) -> tuple[tuple[str, ...], bool, tuple[float, ...]]:
    return tuple(words.content(sentence)), words.negative(sentence), tuple(words.numbers(sentence))
