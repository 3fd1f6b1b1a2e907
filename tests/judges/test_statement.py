"""Answers made into statements by their questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.statement import statement


@pytest.mark.parametrize(
    ("question", "answer", "built"),
    [
        ("How many kids do you have?", "Three.", "I have Three kids."),
        ("How many kids do you have?", "two kids", "I have two kids."),
        ("Where do you live?", "London", "I live in London."),
        ("Where do you live?", "in London, and you?", "I live in London."),
        ("Where are you from?", "From Oslo.", "I am from Oslo."),
        ("What is your job?", "a nurse", "My job is a nurse."),
        ("What do you do for a living?", "nurse", "I work as nurse."),
        ("How old are you?", "30", "I am 30 years old."),
        ("Who do you live with?", "my brother", "I live with my brother."),
        ("What are you studying?", "law", "I am studying law."),
        ("Who is your favorite singer?", "Adele", "My favorite singer is Adele."),
        ("When did you move?", "last year", "I did move last year."),
        ("Do you like dogs?", "Yes.", "I like dogs."),
        ("Do you like dogs?", "No, I don't.", "I do not like dogs."),
        ("Are you married?", "no, I am single", "I am not married. I am single"),
        ("Are you married?", "I am.", "I am married."),
        ("Is your dog big?", "nope", "My dog is not big."),
        ("Where do you live?", "I live in London.", "I live in London."),
        ("Why?", "because", "Why? because"),
    ],
)
def test_statements(question: str, answer: str, built: str) -> None:
    assert statement(question, answer) == built


@given(st.text(max_size=80), st.text(max_size=80))
def test_every_text_gives_some_text(question: str, answer: str) -> None:
    assert isinstance(statement(question, answer), str)
