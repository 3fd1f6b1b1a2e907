"""Why a question is better not asked of what a language model says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from arena.core.types import Kind, Question
from inquirer.language.lexicon import is_written
from inquirer.language.sentences import Sentence, sentences
from inquirer.language.tokens import Token, tokens
from inquirer.rambling.form import worded
from inquirer.rambling.surety import unsure

SURE, MEANT, ALL = ASKED = ("sure", "meant", "all")  # how much of a long reply is asked
LONG = 20  # tokens; of people's messages in PersonaChat some in a thousand are longer
STRANGE = 0.2  # share of words that nobody writes, from which a sentence is hardly English
FOREIGN, WORDS = 0.4, 3  # the same of a short message, and how many words it takes
TAIL = 4  # tokens at an end without a mark that may be half of something
CLOSING = ".!?…\"”')*"
LISTED = re.compile(r"\d\s*[-–%]|[{}\[\]<>|@#_=\\]|https?:|\(\s|\w\(")
ASKER = re.compile(r"\b(i|me|my|mine|us|our|ours|we)\b", re.IGNORECASE)
SPEAKER = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)
UNNAMED = re.compile(
    r"\b(is|are|was|were|does|do|did|has|have|had|will|would|can|could|should|might|may)n?'?t?"
    r" (he|she|it|they|this|that|these|those|there)\b",
    re.IGNORECASE,
)

EMPTY = re.compile(
    r"what (are|were|will|would|can|could|should|might|do|did|have) you"
    r"( (always|just|still|also|even|ever|actually|really))*( (do|doing|have to do|done|be))\?",
    re.IGNORECASE,
)
NEGATION = re.compile(r"(\bnot|n['’]t|\bnever) ", re.IGNORECASE)
HELPING = re.compile(r"(help|help out|assist|make sure)", re.IGNORECASE)
PLEASANT = re.compile(
    r"(help|assist|hear|know|see|say|continue|make sure|be|share|meet|support|offer|provide|happy|glad|sorry|excited|"
    r"language model|ai|assistant|chatbot|chat|talk|discuss|explore|connect|collaborate|guide|serve)\b",
    re.IGNORECASE,
)


def reason(utterance: str, question: Question, asked: str = SURE) -> str | None:
    """Why the question is not asked, if so."""
    if asked == ALL or question.kind is Kind.ABOUT_PARTNER:
        return None

    if not is_long(utterance):
        if HELPING.fullmatch(question.entity.text):
            return "pleasantry"
        return "unreadable" if _foreign(utterance) else None
    sentence = _around(utterance, question.entity.start)
    if sentence is None or _cut_off(utterance, sentence, question.entity.end):
        return "cut_off"
    said = utterance[sentence.start : sentence.end]
    if (
        _strange(utterance, sentence)
        or LISTED.search(said)
        or said.count('"') % 2
        or said.count("(") != said.count(")")
    ):
        return "unreadable"
    text = worded(question)
    if ASKER.search(text) or not SPEAKER.search(text) or UNNAMED.search(text):
        return "not_the_speaker"
    if EMPTY.fullmatch(question.text) or PLEASANT.match(question.entity.text):
        return "pleasantry"
    doubted = unsure(sentence, question) or _denied(utterance, question.entity.text)
    return "unsure" if asked == SURE and doubted else None


def _denied(utterance: str, answer: str) -> bool:
    """I am a scientist. I am not a scientist."""
    said = re.compile(rf"(\w+ ){{0,2}}{re.escape(answer)}\b", re.IGNORECASE)
    return any(said.match(utterance, end) for end in _negations(utterance))


@lru_cache(maxsize=1024)
def _negations(utterance: str) -> tuple[int, ...]:
    """Where what is denied begins."""
    return tuple(found.end() for found in NEGATION.finditer(utterance))


@lru_cache(maxsize=1024)
def is_long(utterance: str) -> bool:
    return len(tokens(utterance)) > LONG


def _around(utterance: str, place: int) -> Sentence | None:
    return next((s for s in sentences(utterance) if s.start <= place < s.end), None)


def _cut_off(utterance: str, sentence: Sentence, end: int) -> bool:
    """Whether the words stand where an utterance without an end breaks off."""
    text = utterance.rstrip()
    if sentence.mark or sentence.end < len(text) or text[-1:] in CLOSING:
        return False
    return sum(word.start >= end for word in sentence.words) < TAIL


def _strange(utterance: str, sentence: Sentence) -> bool:
    """Whether the sentence, or all around it, is hardly English."""
    return (
        max(_unknown(words) / max(1, len(words)) for words in (_words(sentence.words), _said(utterance)))
        > STRANGE
    )


def _foreign(utterance: str) -> bool:
    words = _said(utterance)
    return _unknown(words) > max(WORDS - 1, FOREIGN * len(words))


@lru_cache(maxsize=1024)
def _said(utterance: str) -> tuple[str, ...]:
    return _words(tokens(utterance))


def _words(said: Sequence[Token]) -> tuple[str, ...]:
    return tuple(w.lower for w in said if w.text[0].isalpha())


@lru_cache(maxsize=1024)
def _unknown(words: tuple[str, ...]) -> int:
    return sum(not is_written(w) for w in words)
