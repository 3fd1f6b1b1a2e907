"""People as judges: what they are asked, and which answers may be stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from arena.core.errors import InputError
from arena.core.safe_text import unstorable
from arena.core.types import Label
from judges.begin.protocol import FORM, SENTENCES, unnumbered

SubjectType = Literal["inquiry", "message", "dialogue", "finding"]
LONGEST_NOTE, LONGEST_NAME = 4000, 200
DECIDER = (
    "final decision"  # the person of an adjudicated label: it outweighs the vote and is nobody's opinion
)


@dataclass(frozen=True, slots=True)
class Question:
    """One thing a person is asked: a number from `low` to `high`, one of `choices`, else yes or no."""

    name: str
    text: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Schema:
    """What people are asked about one sort of subject; `main` is the question that judges are held against.

    `repeated` forms are filled in for each sentence: `topic` for the first, `topic_2` for the second.
    """

    name: str
    subject_type: SubjectType
    questions: tuple[Question, ...]
    main: str
    what: str
    repeated: bool = False

    def question(self, name: str) -> Question:
        asked = unnumbered(name) if self.repeated else name
        for question in self.questions:
            if question.name == asked:
                return question
        raise InputError(f"The label schema '{self.name}' has no value '{name}'{_near(name, self.names)}")

    @property
    def names(self) -> list[str]:
        return [question.name for question in self.questions]

    def checked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values in their proper types; wrong, unknown and missing ones are refused by name."""
        result = {}
        for name, value in values.items():
            question = self.question(name)
            if value is not None and value != "":
                result[name] = _value(question, value)
        missing = [
            question.name for question in self.questions if question.needed and question.name not in result
        ]
        if missing:
            raise InputError(
                f"A label of the schema '{self.name}' needs a value for '{missing[0]}'; answer that question too."
            )
        return result


SCHEMAS = {
    schema.name: schema
    for schema in (
        Schema(
            "aih",
            "inquiry",
            (
                Question("appropriate", "Is the question appropriate: fluent, and about what was said?"),
                Question("relevant", "Is the answer relevant to the question?"),
                Question("contradicts", "Does the answer contradict what was said?"),
            ),
            "contradicts",
            "AIH's three questions about an inquiry",
        ),
        Schema(
            "finding",
            "finding",
            (
                Question("about_speaker", "Are both sentences statements about the speaker?"),
                Question("contradicts", "Does the second contradict the first?"),
            ),
            "contradicts",
            "a message that a check held against the bot's history or persona, with the two sentences",
        ),
        Schema(
            "reply",
            "message",
            (Question("inconsistent", "Is this reply inconsistent with what the bot said before?"),),
            "inconsistent",
            "a reply marked as consistent or not",
        ),
        Schema(
            "session",
            "dialogue",
            (
                Question(
                    "score", "How consistent was the bot, from 0 (not at all) to 1 (fully)?", low=0, high=1
                ),
            ),
            "score",
            "one score for a whole dialogue",
        ),
        Schema(
            "begin",
            "message",
            (
                *(Question(one.name, one.text, one.scale, needed=one.name == "topic") for one in FORM),
                Question(SENTENCES, "How many sentences does it have?", low=1, high=99, needed=False),
            ),
            "topic",
            "BEGIN's form for each sentence of a response; its label follows from the answers",
            repeated=True,
        ),
    )
}


def schema(name: str) -> Schema:
    found = SCHEMAS.get(name)
    if found is None:
        raise InputError(f"There is no label schema '{name}'{_near(name, list(SCHEMAS))}")
    return found


def checked(label: Label) -> Label:
    """A label as it may be stored."""
    form = schema(label.schema)
    if label.subject_type != form.subject_type:
        raise InputError(
            f"The schema '{form.name}' is about one {form.subject_type}, not one {label.subject_type}; "
            "name the right subjects or another schema."
        )
    person = label.person.strip()
    if not person or len(person) > LONGEST_NAME or not person.isprintable():
        raise InputError(f"A label needs a person's name of 1 to {LONGEST_NAME} printable characters.")
    if not label.subject.strip():
        raise InputError("A label needs the subject that it is about.")
    if len(label.note) > LONGEST_NOTE:
        raise InputError(f"A note may have {LONGEST_NOTE} characters; this one has {len(label.note)}.")
    bad = unstorable([label.subject, label.note, label.person])
    if bad is not None:
        raise InputError(f"The character {bad!a} in a label cannot be stored; remove it.")
    if label.seconds is not None and not 0 <= label.seconds < float("inf"):
        raise InputError(f"The seconds of a label must be a number from 0, not {label.seconds}.")
    return Label(
        label.subject.strip(),
        label.subject_type,
        form.name,
        person,
        form.checked(label.values),
        label.note,
        label.seconds,
        label.drawn,
    )


_YES = {"1", "true", "yes", "y", "contradiction"}
_NO = {"0", "false", "no", "n", "no contradiction"}
UNCLEAR = "unclear"  # an answer too, which no count takes for a yes or a no


def _value(question: Question, value: Any) -> Any:
    if question.choices:
        said = str(value).strip().lower().replace("_", "-")
        if said not in question.choices:
            raise InputError(f"'{question.name}' is {value!r}: give one of {', '.join(question.choices)}.")
        return said
    if question.low is not None and question.high is not None:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not question.low <= number <= question.high:
            raise InputError(
                f"'{question.name}' is {value!r}: give a number from {question.low:g} to {question.high:g}."
            )
        return number
    said = str(value).strip().lower()
    if said in _YES:
        return True
    if said in _NO:
        return False
    if said == UNCLEAR:
        return UNCLEAR
    raise InputError(f"'{question.name}' is {value!r}: give yes, no or unclear.")


def _near(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f": did you mean '{near[0]}'?" if near else f": known are {', '.join(known)}."


def opinion(value: object) -> float | None:
    """A stored answer as 0 or 1; anything but yes and no (unclear, skipped) is none."""
    if isinstance(value, bool | int | float) and value in (0, 1):
        return float(value)
    if isinstance(value, str) and value.strip().lower() in ("yes", "no", "true", "false", "1", "0"):
        return float(value.strip().lower() in ("yes", "true", "1"))
    return None
