"""Everything that reads what bots say, tried on what nobody foresaw that they say."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.hashing import digest, message_hash
from arena.core.types import Case, Kind
from arena.exchange.chat_logs import _question
from arena.play import guard
from bots import repetition
from bots.sheet import load
from inquirer.filters import overlap
from judges import registry, words
from judges.q2 import grammar
from judges.q2 import text as q2_text
from judges.statement import statement
from judges.wording import hypothesis
from tests.fuzz.examples import tried

SPOKEN = [
    "yes", "no", "not", "n't", "never", "i", "you", "my", "your", "have", "has", "do", "don't", "two", "twenty-one",
    "3",
    "3.5", "1,000", "kids", "dogs", "what", "who", "where", "when", "how", "many", "is", "are", "was", "it's", ".", ",",
    "?", "!", ";", ":", "-", "--", "(", ")", '"', "'", "…", "😀", "é", "ﷺ", "\u200b", "\u202e", "\x00", "\x1b[2J", "\n",
    "\t", "[", "]", "{", "}", "%s", "</s>", "[SEP]",
]  # fmt: skip
texts = st.text(max_size=60) | st.lists(st.sampled_from(SPOKEN), max_size=14).map(" ".join)
READERS: list[Callable[[str], Any]] = [
    words.readable, words.plain, words.tokens, words.numbers, words.content, words.stem, words.negative,
    words.denies_any, words.asks_yes_no, words.polarity, words.after_polarity, words.evasive,
    words.without_questions, words.sentences, q2_text.tokens, q2_text.personal, q2_text.untokenised,
    q2_text.sentences, grammar.sentences, _question, load(None, 0).mentioned,
]  # fmt: skip
JUDGES = [registry.create(name, name) for name in ("lexical", "truth", "overlap", "bleu")]


@tried(150)
@given(texts)
def test_every_reader_gets_through_any_text(text: str) -> None:
    for read in READERS:
        assert read(text) == read(text), read
    for sentence in grammar.sentences(text):
        tags = grammar.tagged(sentence)
        assert len(tags) == len(sentence)
        for start, end in grammar.noun_phrases(sentence, tags):
            assert 0 <= start < end <= len(sentence)
        grammar.clauses(sentence, tags)


@tried(100)
@given(texts, texts, texts, st.sampled_from(Kind), st.none() | texts)
def test_every_rule_judges_or_says_why_not(
    source: str, question: str, answer: str, kind: Kind, expected: str | None
) -> None:
    assert isinstance(statement(question, answer), str)
    assert isinstance(hypothesis(question, answer), str)
    case = Case(source, question, answer, kind, expected)
    for judge in JUDGES:
        (judgement,) = asyncio.run(judge.judge([case]))
        assert (judgement.contradiction is None) != (judgement.reason is None), judge.name
        assert judgement.contradiction is None or 0.0 <= judgement.contradiction <= 1.0, judge.name
        assert "\\u0000" not in json.dumps([dict(judgement.evidence), dict(judgement.classes)]), judge.name


@tried(100)
@given(texts, texts)
def test_likeness_is_a_share_and_the_same_from_both_sides(one: str, other: str) -> None:
    assert 0.0 <= overlap(one, other) <= 1.0
    assert q2_text.same(one, other) == q2_text.same(other, one)
    assert q2_text.same(one, one)


@tried(100)
@given(texts, st.integers(1, 50))
def test_what_may_become_a_message_can_be_stored_and_shown(text: str, most: int) -> None:
    reason = guard.reply_problem(text, most)
    if reason is None:
        assert 0 < len(text) <= most and text.strip()
        text.encode("utf-8")
        assert not any((c < " " and c not in "\n\t\r") or "\x7f" <= c <= "\x9f" for c in text)
    else:
        assert reason in ("empty", "too_long", "control_characters", "invalid_text")


@tried(100)
@given(st.lists(texts, max_size=8))
def test_degenerate_replies_are_told_the_same_each_time(value: list[str]) -> None:
    result = repetition.flags(value)
    assert result == repetition.flags(value) and len(set(result)) == len(result)
    assert "repeats" in repetition.flags(["I like you very much."] * 4)


@tried(100)
@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4))
def test_different_parts_have_different_hashes(one: list[str], other: list[str]) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)
    heads: list[str | None] = []
    for spoken in (one, other):
        parent = None
        for n, text in enumerate(spoken):
            parent = message_hash(parent, n % 2, text)
        heads.append(parent)
    assert (heads[0] == heads[1]) == (one == other)


@pytest.mark.parametrize("piece", ["a", "a?", "? ", ".", "a b ", "?.", " \n"])
def test_a_question_is_found_in_linear_time(piece: str) -> None:
    """A regular expression took 84 s for 200,000 characters without a question mark."""
    began = time.process_time()
    _question(piece * 500_000)
    assert time.process_time() - began < 2.0


def test_the_last_question_is_found() -> None:
    answers = {
        "Hi. Who are you? And where? Fine.": "And where?",
        "no": None,
        "?": None,
        "What??": None,
        "  Really?  Yes": "Really?",
        "": None,
    }
    assert {text: _question(text) for text in answers} == answers
