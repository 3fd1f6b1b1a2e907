"""What people may say."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.errors import InputError
from arena.core.types import Label
from arena.labelling.schemas import SCHEMAS, checked, schema

GOOD = {"appropriate": "yes", "relevant": 1, "contradicts": False}


def label(values: Any = None, **change: Any) -> Label:
    fields = {"subject": "s", "subject_type": "inquiry", "schema": "aih", "person": "ann"} | change
    return Label(values=GOOD if values is None else values, **fields)


def test_answers_get_their_types() -> None:
    assert checked(label()).values == {"appropriate": True, "relevant": True, "contradicts": False}
    assert checked(label({**GOOD, "contradicts": "unclear"})).values["contradicts"] == "unclear"
    session = label({"score": "0.25"}, schema="session", subject_type="dialogue", subject="d")
    assert checked(session).values == {"score": 0.25}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (label({**GOOD, "contradicts": "maybe"}), "give yes, no or unclear"),
        (label({**GOOD, "contradict": True}), "did you mean 'contradicts'"),
        (label({"appropriate": True, "relevant": True}), "needs a value for 'contradicts'"),
        (label({**GOOD, "contradicts": None}), "needs a value for 'contradicts'"),
        (label(schema="aihh"), "did you mean 'aih'"),
        (label(subject_type="message"), "about one inquiry, not one message"),
        (label(person=" "), "person's name"),
        (label(person="a\x1b[2J"), "person's name"),
        (label(subject=""), "needs the subject"),
        (label(note="x" * 5000), "4000 characters"),
        (label(seconds=-1.0), "seconds"),
        (label(seconds=float("nan")), "seconds"),
        (label({"score": 1.5}, schema="session", subject_type="dialogue"), "from 0 to 1"),
        (label({"topic": "6"}, schema="begin", subject_type="message"), "give one of 1, 2"),
    ],
)
def test_what_may_not_be_stored_is_refused(wrong: Label, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(wrong)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_has_its_main_question(name: str) -> None:
    assert schema(name).main in schema(name).names


def test_begins_form_gives_a_label() -> None:
    from judges.begin.protocol import labelled, rating

    stored = checked(
        label({"topic": 5, "personal": "1", "supported": 5}, schema="begin", subject_type="message")
    )
    assert labelled(rating(stored.values)) == "entailment"
