"""What rules can see in an utterance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges import words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I have two kids", [2]),
        ("twenty-one of them", [21]),
        ("two hundred and five", [205]),
        ("a hundred", [100]),
        ("two thousand and twelve", [2012]),
        ("three million", [3_000_000]),
        ("1,200 and 1.5", [1200, 1.5]),
        ("two three", [2, 3]),
        ("no kids", []),
    ],
)
def test_numbers_in_words_and_digits(text: str, sentence: list[float]) -> None:
    assert words.numbers(text) == sentence


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes, I do.", True),
        ("yeah", True),
        ("I am. How about you?", True),
        ("Of course!", True),
        ("No.", False),
        ("nope, never", False),
        ("I don’t.", False),
        ("i am not", False),
        ("Oh, not really.", False),
        ("I do not have any pets", False),
        ("I have two dogs", None),
        ("I am a nurse", None),
        ("Norway is lovely", None),
        ("Nothing beats tea", None),
    ],
)
def test_polarity_of_an_answer(answer: str, expected: bool | None) -> None:
    assert words.polarity(answer) is expected


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know.",
        "Why do you ask?",
        "I'd rather not say",
        "What about you?",
        "I am not sure",
        "no idea, sorry",
    ],
)
def test_evasions(answer: str) -> None:
    assert words.evasive(answer)


@pytest.mark.parametrize("answer", ["I have two kids. And you?", "In Paris, what about you?", "No."])
def test_an_answer_that_also_asks_back_is_no_evasion(answer: str) -> None:
    assert not words.evasive(answer)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("I have two kids. Do you have any?", "I have two kids."),
        ("I live in London, and you?", "I live in London"),
        ("What do you do?", ""),
        ("I am a nurse", "I am a nurse"),
    ],
)
def test_what_is_asked_back_is_left_out(answer: str, kept: str) -> None:
    assert words.without_questions(answer) == kept


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Do you have pets?", True),
        ("Aren't you married?", True),
        ("Where do you live?", False),
        ("Is it tea or coffee?", False),
    ],
)
def test_yes_no_questions(question: str, asks: bool) -> None:
    assert words.asks_yes_no(question) is asks


@given(st.integers(1, 999_999))
def test_every_number_in_words_is_read_back(value: int) -> None:
    assert words.numbers(_spell(value)) == [value]


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    words.numbers(text), words.content(text), words.evasive(text), words.polarity(text), words.sentences(text)


UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _spell(value: int) -> str:
    if value >= 1000:
        rest = value % 1000
        return f"{_spell(value // 1000)} thousand" + (
            f" {'and ' if rest < 100 else ''}{_spell(rest)}" if rest else ""
        )
    if value >= 100:
        return f"{_spell(value // 100)} hundred" + (f" and {_spell(value % 100)}" if value % 100 else "")
    if value >= 20:
        return TENS.split()[value // 10 - 2] + (f"-{_spell(value % 10)}" if value % 10 else "")
    return UNITS.split()[value]
