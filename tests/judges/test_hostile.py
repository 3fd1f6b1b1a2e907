"""Text of bots is hostile: no judge falls over it, and none takes forever."""

from __future__ import annotations

import json

import pytest

from arena.core.types import Case, Kind
from judges import registry, words
from judges.statement import statement

TEXTS = [
    "and  " * 3000 + "x?",
    ", and " * 3000 + "you?",
    "?" * 8000 + "x",
    "no " * 4000,
    "twenty " * 4000,
    "what is " * 3000,
    "\ud800 yes \udfff",
    "\x00\x1b[2J\u202e",
    "a" * 100_000,
    "ﷺ" * 3000,
    "{first} {second} %s %(x)s",
    "[CLS] [SEP] </s><s> <pad>",
]
JUDGES = ("lexical", "truth", "overlap", "bleu", "cosine", "similarity", "nli", "hybrid", "hybrid:compat")


@pytest.mark.parametrize("name", JUDGES)
async def test_every_judge_gets_through(name: str) -> None:
    judge = registry.create(name, name)
    cases = [
        Case(text, "Do you have two kids?", text, kind, "yes")
        for text in TEXTS
        for kind in (Kind.WH, Kind.YES_NO_TRUE)
    ]
    cases += [Case("I have two kids.", text, "Three.", Kind.WH, text) for text in TEXTS]
    judgements = await judge.judge(cases)
    assert len(judgements) == len(cases)
    for one in judgements:
        assert (one.contradiction is None) != (one.reason is None)
        assert one.contradiction is None or 0.0 <= one.contradiction <= 1.0
        kept = json.dumps(dict(one.evidence), ensure_ascii=False)
        assert "\\u0000" not in kept, "PostgreSQL does not store it"
        kept.encode("utf-8")


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_rules_get_through(text: str) -> None:
    words.without_questions(text), words.numbers(text), words.evasive(text)
    assert statement(text, "Yes.") is not None
    assert statement("Do you have two kids?", text) is not None
