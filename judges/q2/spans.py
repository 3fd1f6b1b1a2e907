"""Finds informative spans by rules: noun phrases, names, numbers and dates of written English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from inquirer.language import words as w
from inquirer.language.tokens import Token
from judges.q2.grammar import noun_phrases, sentences, tagged
from judges.q2.parts import Span

_MONTH = "|".join(sorted(w.MONTHS))
_DATE = re.compile(
    rf"\b(?:(?:{_MONTH})(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? (?:of )?\d{{4}})?|(?:1[0-9]|20)\d\d(?:'?s)?"
    r"|(?:the )?(?:early |mid |late |middle )*\d{1,2}(?:st|nd|rd|th) centur(?:y|ies))\b",
    re.IGNORECASE,
)
_EMPTY = w.EMPTY_HEADS | {"sure", "yes", "yeah", "well", "ok", "example", "etc", "lol", "hi", "hello", "able"}


class RuleSpans:
    """A finder of spans by rules, without a model."""

    revision = "spans-1"

    def find(self, texts: Sequence[str]) -> list[list[Span]]:
        return [spans(text) for text in texts]


def spans(text: str) -> list[Span]:
    """Return each span once, in order of appearance. Sentences that are questions have no spans."""
    by_position: dict[tuple[int, int], Span] = {}
    for match in _DATE.finditer(text):
        if match.group().lower() not in {"may", "march"}:
            _add(by_position, text, match.start(), match.end())
    dates = list(by_position)
    for words in sentences(text):
        if text[words[-1].end :].lstrip()[:1] == "?":
            continue
        tags = tagged(words)
        phrases = dict(noun_phrases(words, tags))
        for start, end in phrases.items():
            if _says_something(words[start:end]):
                long = _with_of(words, tags, end, phrases)
                _add(by_position, text, words[start].start, words[end - 1].end, dates)
                if long > end:
                    _add(by_position, text, words[start].start, words[long - 1].end, dates)
            if tags[start] == "CD" and end > start + 1 and words[start].text[0].isdigit():
                last = start + 1
                while last < end and tags[last] == "CD":
                    last += 1
                _add(by_position, text, words[start].start, words[last - 1].end, dates)
    return [by_position[position] for position in sorted(by_position)]


def _with_of(words: Sequence[Token], tags: Sequence[str], end: int, phrases: Mapping[int, int]) -> int:
    """The end of the noun phrase, including a complement with `of`: for example, `capital of the united states`."""
    if end >= len(words) or words[end].lower != "of":
        return end
    start = end + 1
    while start < len(words) and tags[start] in {"DT", "PRP$"}:
        start += 1
    return phrases.get(start, end)


def _says_something(words: Sequence[Token]) -> bool:
    content = [word for word in words if word.lower not in _EMPTY and word.text[0].isalnum()]
    return bool(content) and not (len(words) == 1 and words[0].lower in w.PERSONS | w.ORDINALS)


def _add(
    by_position: dict[tuple[int, int], Span],
    text: str,
    start: int,
    end: int,
    taken: Sequence[tuple[int, int]] = (),
) -> None:
    if not any(low <= start and end <= high for low, high in taken):
        by_position.setdefault((start, end), Span(text[start:end], start, end, 1.0))
