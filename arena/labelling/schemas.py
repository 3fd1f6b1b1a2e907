"""Label schemas: the questions that people answer, and the answers that may be stored."""

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
LONGEST_NOTE, LONGEST_NAME, LONGEST_TEXT = 4000, 200, 100_000
DECIDER = "final decision"  # the "person" of a final decision, which overrides the vote


UNCLEAR = "unclear"  # counts neither as yes nor as no


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a person.

    The answer is a number from `low` to `high`, one of `choices`, or free text. Without any of these settings,
    the question is a yes/no question.
    """

    name: str
    text: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    needed: bool = True
    unclear: bool = True  # whether "unclear" is an answer to a yes/no question
    free: bool = False  # any text; stored by the page, not asked
    keys: tuple[str, ...] = ()  # keys of the answers, in the same order

    @property
    def yes_no(self) -> bool:
        return not self.choices and not self.free and self.low is None

    @property
    def answers(self) -> tuple[tuple[Any, str], ...]:
        """The possible answers, each with the text on its button; empty if there is nothing to choose from."""
        if self.choices:
            return tuple((each, each[:1].upper() + each[1:]) for each in self.choices)
        if not self.yes_no:
            return ()
        return ((True, "Yes"), (False, "No"), (UNCLEAR, "Unclear"))[: 3 if self.unclear else 2]


@dataclass(frozen=True, slots=True)
class Schema:
    """The questions about one type of subject.

    Judges are compared with the answers to the yes/no question `main`; a user's own schema may have no main
    question. If `repeated`, the questions are answered for each sentence: `topic` holds the answer for the
    first sentence, `topic_2` the answer for the second.
    """

    name: str
    subject_type: SubjectType
    questions: tuple[Question, ...]
    main: str | None
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

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that a person answers by pressing a button."""
        return tuple(question for question in self.questions if question.answers)

    def complete(self, values: Mapping[str, Any]) -> bool:
        """Whether every required question has an answer."""
        return all(question.name in values for question in self.questions if question.needed)

    def checked(self, values: Mapping[str, Any], whole: bool = True) -> dict[str, Any]:
        """Return the values with their proper types. Wrong values and unknown names are errors; if `whole`, so are
        missing values.
        """
        result = {}
        for name, value in values.items():
            question = self.question(name)
            if value is not None and value != "":
                result[name] = _value(question, value)
        missing = [
            question.name for question in self.questions if question.needed and question.name not in result
        ]
        if missing and whole:
            raise InputError(
                f"A label of the schema '{self.name}' needs a value for '{missing[0]}'; answer that question too."
            )
        return result


AIH = "aih"
EARLIER, LATER = "earlier", "later"  # which statements a person saw of a finding

SCHEMAS: Mapping[str, Schema] = {
    schema.name: schema
    for schema in (
        Schema(
            "aih",
            "inquiry",
            (
                Question(
                    "appropriate",
                    "Is the question appropriate: fluent, and about what was said?",
                    keys=("1", "2", "3"),
                ),
                Question("relevant", "Is the answer relevant to the question?", keys=("4", "5", "6")),
                Question("contradicts", "Does the answer contradict what was said?", keys=("7", "8", "9")),
            ),
            "contradicts",
            "AIH's three questions about an inquiry",
        ),
        Schema(
            "finding",
            "finding",
            (
                Question("about_speaker", "Are both statements about the speaker?", keys=("1", "2", "3")),
                Question("contradicts", "Does the second contradict the first?", keys=("4", "5", "6")),
                Question(
                    EARLIER, "The statement that the message was compared with", needed=False, free=True
                ),
                Question(LATER, "The statement of the message", needed=False, free=True),
            ),
            "contradicts",
            "a message compared with the bot's history, persona or knowledge, and the two statements",
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


def schema(name: str, known: Mapping[str, Schema] = SCHEMAS) -> Schema:
    """Return the schema of that name among the `known` schemas: the program's, and users' own schemas in a database."""
    form = known.get(name)
    if form is None:
        raise InputError(
            f"There is no label schema '{name}' ('arena labels schema FILE' adds one of your own)"
            f"{_near(name, list(known))}"
        )
    return form


def checked(label: Label, known: Mapping[str, Schema] = SCHEMAS, *, whole: bool = True) -> Label:
    """Check a label before it is stored. With `whole`, every required question must be answered. A final decision
    answers a single question.
    """
    form = schema(label.schema, known)
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
        raise InputError(f"In a label, {bad} cannot be stored; remove it.")
    if label.seconds is not None and not 0 <= label.seconds < float("inf"):
        raise InputError(f"The seconds of a label must be a number from 0, not {label.seconds}.")
    return Label(
        label.subject.strip(),
        label.subject_type,
        form.name,
        person,
        form.checked(label.values, whole and person != DECIDER),
        label.note,
        label.seconds,
        label.drawn,
    )


_YES = {"1", "true", "yes", "y", "contradiction"}
_NO = {"0", "false", "no", "n", "no contradiction"}


def _value(question: Question, value: Any) -> Any:
    if question.free:
        return _text(question, value)
    if question.choices:
        known = {_plain(each): each for each in question.choices}
        if _plain(value) not in known:
            raise InputError(f"'{question.name}' is {value!r}: give one of {', '.join(question.choices)}.")
        return known[_plain(value)]
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
    answer = str(value).strip().lower()
    if answer in _YES:
        return True
    if answer in _NO:
        return False
    if answer == UNCLEAR and question.unclear:
        return UNCLEAR
    raise InputError(
        f"'{question.name}' is {value!r}: give yes{', no or unclear' if question.unclear else ' or no'}."
    )


def _plain(answer: Any) -> str:
    return str(answer).strip().casefold().replace("_", "-")


def _text(question: Question, value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise InputError(f"'{question.name}' must be a text of at most {LONGEST_TEXT:,} characters.")
    if (bad := unstorable([value])) is not None:
        raise InputError(f"In '{question.name}', {bad} cannot be stored; remove it.")
    return value


def _near(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f": did you mean '{near[0]}'?" if near else f": known are {', '.join(known)}."


def opinion(value: object) -> float | None:
    """Return a stored answer as 0 or 1; None for other answers, for example unclear or skipped."""
    if isinstance(value, bool | int | float) and value in (0, 1):
        return float(value)
    if isinstance(value, str) and value.strip().lower() in ("yes", "no", "true", "false", "1", "0"):
        return float(value.strip().lower() in ("yes", "true", "1"))
    return None
