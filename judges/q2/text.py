"""Compares answers as SQuAD does, and recognises questions about a person."""

from __future__ import annotations

import re
import string

from judges.overlap import f1

__all__ = ["f1", "personal", "same", "sentences", "tokens", "untokenised"]

_ARTICLES = {"a", "an", "the"}
_MARKS = str.maketrans("", "", string.punctuation + "’‘“”")
_WORD = re.compile(r"[a-z0-9]+(?:['’](?:m|re|ve|ll|d|s|t))?")
_PERSONAL = {"i", "i'm", "i've", "i'll", "i'd", "my", "your", "you're", "you've", "you'll", "you'd"}
_BEFORE_OBJECT = {
    "to", "for", "with", "at", "of", "from", "about", "than", "like", "by", "on", "in", "around", "behind",
    "near", "without", "between", "give", "gives", "gave", "tell", "tells", "told", "show", "shows", "showed",
    "help", "helps", "helped", "make", "makes", "made", "let", "lets", "remind", "reminds", "keep", "keeps",
}  # fmt: skip


def tokens(text: str) -> list[str]:
    """Lower-case words without punctuation and articles."""
    words = text.lower().translate(_MARKS).split()
    return [word for word in words if word not in _ARTICLES]


def same(left: str, right: str) -> bool:
    """Whether two answers are equal at the token level."""
    return tokens(left) == tokens(right)


def personal(question: str) -> bool:
    """Whether the question has I, you, my or your; knowledge about the world cannot answer such a question."""
    words = _WORD.findall(question.lower().replace("’", "'"))
    if _PERSONAL.intersection(words):
        return True
    # English does not mark the object "you"; it follows a preposition or a verb that takes persons.
    return any(
        word == "you" and (index == 0 or words[index - 1] not in _BEFORE_OBJECT)
        for index, word in enumerate(words)
    )


_SPLIT_OFF = re.compile(r"\s+(['’])\s?(s|m|re|ve|ll|d|t)\b", re.IGNORECASE)
_SPLIT_NOT = re.compile(r"\s+n(['’])t\b", re.IGNORECASE)


def untokenised(text: str) -> str:
    """Undo tokenisation, because many systems print separate tokens; for example, `it ' s red .` becomes `it's red.`"""
    text = _SPLIT_NOT.sub(r"n\1t", text)
    text = _SPLIT_OFF.sub(r"\1\2", text)
    text = re.sub(r"\s+([.,!?;:%)])", r"\1", text)
    text = re.sub(r"(\d)\s*-\s*(\d)", r"\1-\2", text)
    return re.sub(r"\s+", " ", text.replace("( ", "(")).strip()


_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9a-z])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|vs|no|inc|jr|sr|co|e\.g|i\.e|u\.s)|\b[a-z])\.$", re.IGNORECASE
)


def sentences(text: str) -> list[str]:
    """Split a written text into sentences; abbreviations, initials and decimals do not end a sentence."""
    parts: list[str] = []
    at = 0
    for match in _END.finditer(text):
        part = text[at : match.start()].strip()
        if part and not _ABBREVIATED.search(part):
            parts.append(part)
            at = match.end()
    rest = text[at:].strip()
    return [*parts, rest] if rest else parts
