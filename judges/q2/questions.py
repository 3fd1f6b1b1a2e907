"""Writes questions about written, third-person sentences by rules.

The word order is inverted, or the question word stands in place of the span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inquirer.language import words as w
from inquirer.language.tokens import Token
from inquirer.language.verbs import base
from inquirer.person import joined
from judges.q2.grammar import Clause, clauses, sentences, tagged
from judges.q2.parts import Span
from judges.words import content

_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_NAMED_TIME = "|".join(sorted(w.MONTHS - {"may", "march"} | w.DAYS))
_TIME = re.compile(rf"\b(?:{_NAMED_TIME}|(?:1[0-9]|20)\d\d|centur(?:y|ies)|decades?|\d0'?s)\b")
_NUMBER = re.compile(r"\d[\d,.]*(?: (?:hundred|thousand|million|billion))?$")
_PLACED = {"in", "at", "from", "to", "near"}
_TIMED = {"in", "on", "since", "until", "during", "from", "by", "around", "at"}


class RuleAsker:
    """An asker by rules, without a model. A clause that it cannot invert keeps its order ("it was formed where?")."""

    revision = "questions-1"

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> list[list[str]]:
        return [questions(text, span)[:most] for text, span in tasks]


def questions(text: str, span: Span) -> list[str]:
    """Distinct questions that the span answers, the most natural first, without empty ones ("What is it?")."""
    for words in sentences(text):
        if not words[0].start <= span.start < words[-1].end:
            continue
        clauses_of = clauses(words, tagged(words))
        hits = [
            c
            for c in clauses_of
            if any(word.start >= span.start and word.end <= span.end for word in c.words)
        ]
        written = [question for clause in reversed(hits) for question in _of_clause(clause, span)]
        written += _in_place(words, span)
        return [question for question in dict.fromkeys(written) if content(question)]
    return []


def _of_clause(clause: Clause, span: Span) -> Iterator[str]:
    inside = [i for i, word in enumerate(clause.words) if span.start <= word.start and word.end <= span.end]
    first, last = inside[0], inside[-1] + 1
    words = [word.text for word in clause.words]
    if last <= clause.verb:
        yield from _of_subject(clause, words, first, last, span)
    elif first >= clause.rest:
        yield from _of_rest(clause, words, first, last, span)


def _of_subject(clause: Clause, words: list[str], first: int, last: int, span: Span) -> Iterator[str]:
    """Questions about the subject, in which the verb keeps its place: for example, `Who wrote it?`."""
    before = [word for word in words[:first] if word.lower() not in {"a", "an", "the"}]
    for ask in _asked(span.text, None):
        if not before and last == clause.verb:
            yield _line([ask, *_person(words[clause.verb :])])
        else:
            yield _line([*words[:first], ask.lower(), *words[last:]])


def _of_rest(clause: Clause, words: list[str], first: int, last: int, span: Span) -> Iterator[str]:
    """Questions about other parts of a clause, for example `Where was it founded?`.

    The question word and the first verb come before the subject.
    """
    body = first
    while body > clause.rest and words[body - 1].lower() in {"a", "an", "the", "early", "late"}:
        body -= 1
    joint = words[body - 1].lower() if body > clause.rest and clause.tags[body - 1] in {"IN", "TO"} else None
    turned = _turned(clause, words)
    middle, tail = words[clause.rest : body], words[last:]
    listed = {"and", "or", ","} & {word.lower() for word in (*middle[-1:], *tail[:1])}
    if listed or words[0].lower() == "there":
        return  # inverted, such clauses are not English; `_in_place` can ask about them
    for ask in _asked(span.text, joint):
        dropped = joint is not None and ask in {"When", "Where", "In what year"}
        between = middle[:-1] if dropped else middle
        if ask.startswith("How many"):
            yield _line([ask, *tail[:1], *turned, *between, *tail[1:]])
        else:
            if tail[:1] != ["of"]:
                yield _line([ask, *turned, *between, *tail])
            if tail:
                yield _line([ask, *turned, *between])


def _turned(clause: Clause, words: list[str]) -> list[str]:
    """Return the words in the order auxiliary, subject, other verbs; a form of do is added if there is no auxiliary."""
    subject, verbs = words[: clause.verb], words[clause.verb : clause.rest]
    if verbs[1:2] == ["n't"]:
        verbs = [verbs[0] + "n't", *verbs[2:]]
    if clause.auxiliary:
        return [_full(verbs[0]), *subject, *verbs[1:]]
    help_word = {"VBZ": "does", "VBD": "did"}.get(clause.tags[clause.verb], "do")
    return [help_word, *subject, base(verbs[0]), *verbs[1:]]


def _in_place(words: Sequence[Token], span: Span) -> list[str]:
    """The sentence unchanged, with the question word in place of the span."""
    before = [word.text for word in words if word.end <= span.start]
    after = [word.text for word in words if word.start >= span.end]
    joint = before[-1].lower() if before else None
    if joint in {"a", "an", "the"}:
        before = before[:-1]
    asks = _asked(span.text, joint)
    word = {"When": "what year" if _YEAR.match(span.text) else "what time"}.get(asks[0], asks[0].lower())
    if not before and not after:
        return []
    line = joined([*before, word, *after])
    return [_line([_WRAPPED.sub("", line)])]


_WRAPPED = re.compile(
    r"^(?:(?:yes|no|yeah|well|oh|sure|me too|i'?m not sure|not really|interestingly|actually)[,.! ]*)*"
    r"(?:but |and )?(?:i (?:do )?(?:know|think|believe|guess|heard|read) (?:that )?)?",
    re.IGNORECASE,
)


def _asked(text: str, joint: str | None) -> list[str]:
    """The question words that suit an answer, the likeliest first; `joint` is the preposition before the answer."""
    low = text.lower()
    if _TIME.search(low) and (joint is None or joint in _TIMED):
        return ["When", "In what year"] if _YEAR.match(low) else ["When"]
    if _NUMBER.match(low) or low in w.NUMBERS:
        return ["How many", "How much"]
    known = set(low.split())
    if known & (w.PEOPLE | w.JOBS):
        return ["Who", "What"]
    if joint in _PLACED:
        return ["Where", "What"]
    return ["Who", "What"] if joint == "by" else ["What", "Who"]


def _full(verb: str) -> str:
    return {"'s": "is", "'re": "are", "'m": "am", "'ll": "will"}.get(verb.lower(), verb)


def _person(words: list[str]) -> list[str]:
    """Make `am` and `are` agree with the subject `who` or `what`."""
    return [{"am": "is", "'m": "is", "'s": "is", "'re": "are"}.get(words[0].lower(), words[0]), *words[1:]]


def _line(words: Sequence[str]) -> str:
    line = joined([word for word in words if word]).strip(" ,-:")
    return line[:1].upper() + line[1:] + "?"
