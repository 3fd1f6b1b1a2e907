"""Exchanges first and second person: a statement about oneself becomes part of a question to the speaker."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language.lists import listed
from inquirer.language.tokens import Token, tokens

FIRST = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you", "us": "you",
    "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
SECOND = {
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "yourselves": "ourselves",
    "u": "I",
    "ur": "my",
}
FULL = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
AGREE = {"am": "are", "'m": "are", "was": "were"}  # verb forms after `I` has become `you`
BACK = {"are": "am", "'re": "am", "were": "was"}  # verb forms after `you` has become `I`
BEGINS = {"", "but", "because", "so", "while", "what", "where", "who", "how", "why", "think", "hope", "know"}
INVERTED = {"do", "did", "are", "were", "can", "could", "will", "would", "if", "when", "that"}


def swapped(words: Sequence[Token]) -> list[str]:
    """Returns the words with first and second person exchanged. Verbs agree with their new subjects."""
    low = [w.lower for w in words]
    result: list[str] = []
    for i, word in enumerate(words):
        before = low[i - 1] if i else ""
        after = low[i + 1] if i + 1 < len(words) else ""
        result.append(_swap(word, before, after))
    return result


def _swap(word: Token, before: str, after: str) -> str:
    low = word.lower
    if low == "us" and (word.text == "US" or before == "the"):
        return "US"  # the country
    if low in FIRST:
        return FIRST[low]
    if low in SECOND:
        return SECOND[low]
    if low == "you":
        begins = before in BEGINS and after not in {"", "and", "or", ",", "too", "guys", "all"}
        subject = before not in listed("not-subject-after") and (after in listed("after-you") or begins)
        return "I" if subject or before in INVERTED else "me"
    if low in AGREE or low in BACK:
        one, table = ("i", AGREE) if low in AGREE else ("you", BACK)
        if before == one or (after == one and not low.startswith("'")):
            return table[low]
    return FULL.get(low, word.text) if before in FIRST or before == "you" else word.text


def joined(words: Sequence[str]) -> str:
    """Joins the words to one line, without spaces before punctuation and inside contractions."""
    out = ""
    for word in words:
        tight = word[:1] in ",.!?;:%)'’" or word.lower() in {"n't"}
        out += word if tight or not out or out[-1] in "($#" else f" {word}"
    return out


def swap(text: str) -> str:
    """Returns `text` from the other speaker's point of view."""
    words = tokens(text)
    return joined(swapped(words))
