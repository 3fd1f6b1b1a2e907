"""Users' own label schemas: a YAML file with questions, answers and keys, checked line by line."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.core.errors import InputError
from arena.core.source_map import SourceMap, explain, keys_of, near, read
from arena.labelling.files import COLUMNS
from arena.labelling.schemas import SCHEMAS, UNCLEAR, Question, Schema
from db import Database
from db.label_schemas import LabelSchemas

TAKEN = "crsz"  # keys of the page itself: Z takes back, S skips; C and R belong to Streamlit
KEYS = "123456789" + "".join(letter for letter in string.ascii_lowercase if letter not in TAKEN)
MOST_QUESTIONS, MOST_ANSWERS, LONGEST = 12, 12, 300
YES_NO = (("yes", "no"), ("yes", "no", UNCLEAR))
NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
Scalar = bool | int | float | str
PARTS = {
    "inquiry": ("said", "asked", "answered"),
    "finding": ("earlier", "later"),
    "message": ("previous", "reply"),
    "dialogue": (),
}


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class QuestionForm(Closed):
    """A question in the file. By default its answers are yes, no and unclear. Each answer has a key."""

    name: str
    ask: str
    answers: list[Scalar] = ["yes", "no", UNCLEAR]
    keys: Scalar | list[Scalar] | None = None


class PracticeForm(Closed):
    """A practice item in the file: its texts, the right answers, and why they are right."""

    check: Literal["history", "persona", "knowledge"] | None = None
    dialogue: list[str] = []
    said: str | None = None
    asked: str | None = None
    answered: str | None = None
    earlier: str | None = None
    later: str | None = None
    previous: str | None = None
    reply: str | None = None
    right: dict[str, Scalar]
    why: str = ""


class SchemaForm(Closed):
    name: str
    about: Literal["inquiry", "finding", "message", "dialogue"]
    title: str = ""
    main: str | None = None
    questions: list[QuestionForm]
    practice: list[PracticeForm] = []


def parse(text: str, name: str = "the file") -> SchemaForm:
    """Read a file as a form. A mistake is reported in one sentence with its line and key."""
    data, lines = read(text, name, "a label schema is a mapping with 'name', 'about' and 'questions'")
    source = SourceMap(name, lines)
    try:
        form = SchemaForm.model_validate(data)
    except ValidationError as error:
        raise explain(error, source, (), _fields(data)) from None
    for path, sentence in _mistakes(form):
        source.fail(path, sentence)
    return form


def _fields(data: Mapping[str, Any]) -> dict[tuple[str | int, ...], list[str]]:
    """The allowed keys of each section, including the keys of list entries."""
    fields = keys_of(SchemaForm)
    for section, model in (("questions", QuestionForm), ("practice", PracticeForm)):
        entries = data.get(section)
        for at in range(len(entries) if isinstance(entries, list) else 0):
            fields[section, at] = list(model.model_fields)
    return fields


def _mistakes(form: SchemaForm) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if not NAME.fullmatch(form.name):
        yield ("name",), "must be 1 to 20 small letters, digits, - or _, a letter first; choose such a name."
    if form.name in SCHEMAS:
        yield ("name",), f"'{form.name}' is one of the program's own schemas; choose another name."
    if not 0 < len(form.questions) <= MOST_QUESTIONS:
        yield (
            ("questions",),
            f"there must be 1 to {MOST_QUESTIONS} questions; {len(form.questions)} are here.",
        )
    names = [question.name for question in form.questions]
    used: dict[str, str] = {}
    for at, question in enumerate(form.questions):
        yield from _wrong_question(question, ("questions", at), names[:at], used)
    if sum(len(question.answers) for question in form.questions) > len(KEYS):
        yield ("questions",), f"all questions together have at most {len(KEYS)} answers, one per key."
    if form.main is not None:
        asked = next((question for question in form.questions if question.name == form.main), None)
        if asked is None:
            yield ("main",), f"there is no question '{form.main}'{near(form.main, names)}"
        elif tuple(_words(asked.answers)) not in YES_NO:
            yield (
                ("main",),
                f"'{form.main}' must be answered by yes and no, because judges are compared with it.",
            )
    for at, item in enumerate(form.practice):
        yield from _wrong_practice(item, ("practice", at), form)


def _wrong_question(
    question: QuestionForm, path: tuple[str | int, ...], before: Sequence[str], used: dict[str, str]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if not NAME.fullmatch(question.name) or question.name in (*COLUMNS, "values"):
        yield (
            (*path, "name"),
            f"'{question.name}' cannot be a column of a file of labels; use small letters, digits, - or _.",
        )
    if question.name in before:
        yield (*path, "name"), f"two questions are called '{question.name}'; rename one."
    if not question.ask.strip() or len(question.ask) > LONGEST:
        yield (*path, "ask"), f"must be a question of 1 to {LONGEST} characters."
    answers = _words(question.answers)
    if not 2 <= len(answers) <= MOST_ANSWERS:
        yield (*path, "answers"), f"a question has 2 to {MOST_ANSWERS} answers; {len(answers)} are here."
    for at, answer in enumerate(answers):
        if not answer or len(answer) > 40 or not answer.isprintable():
            yield (*path, "answers", at), "an answer has 1 to 40 printable characters."
        if answer.casefold() in [one.casefold() for one in answers[:at]]:
            yield (*path, "answers", at), f"the answer '{answer}' is there twice; remove one."
    if question.keys is None:
        return
    keys = _given(question.keys)
    if len(keys) != len(answers):
        yield (*path, "keys"), f"there are {len(keys)} keys for {len(answers)} answers; give one per answer."
    for key in keys:
        if key not in KEYS:
            yield (
                (*path, "keys"),
                f"'{key}' cannot be a key: use digits from 1 and small letters other than {', '.join(TAKEN)}.",
            )
        if key in used:
            yield (*path, "keys"), f"the key '{key}' already answers '{used[key]}'; choose another."
        used[key] = question.name


def _wrong_practice(
    item: PracticeForm, path: tuple[str | int, ...], form: SchemaForm
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    wanted = PARTS[form.about]
    for part in sorted({part for parts in PARTS.values() for part in parts}):
        if getattr(item, part) is not None and part not in wanted:
            yield (
                (*path, part),
                f"an item about one {form.about} has no '{part}'; it has {', '.join((*wanted, 'dialogue'))}.",
            )
        if getattr(item, part) is None and part in wanted:
            yield path, f"the key '{part}' is missing; add it."
    if not wanted and not item.dialogue:
        yield path, "the key 'dialogue' is missing; add its messages."
    questions = {question.name: question for question in form.questions}
    for name, answer in item.right.items():
        if name not in questions:
            yield (*path, "right", name), f"there is no question '{name}'{near(name, list(questions))}"
        elif word(answer) not in (known := _words(questions[name].answers)):
            yield (
                (*path, "right", name),
                f"'{word(answer)}' is none of its answers{near(word(answer), known)}",
            )
    for name in questions:
        if name not in item.right:
            yield (*path, "right"), f"the right answer to '{name}' is missing; add it."


def schema_of(form: SchemaForm) -> Schema:
    """Return the schema that a form describes."""
    taken = {key for question in form.questions for key in _given(question.keys)}
    free = iter([key for key in KEYS if key not in taken])
    questions = []
    for question in form.questions:
        answers = tuple(_words(question.answers))
        keys = tuple(_given(question.keys)) or tuple(next(free) for _ in answers)
        if answers in YES_NO:
            questions.append(
                Question(question.name, question.ask.strip(), unclear=UNCLEAR in answers, keys=keys)
            )
        else:
            questions.append(Question(question.name, question.ask.strip(), answers, keys=keys))
    return Schema(form.name, form.about, tuple(questions), form.main, form.title.strip() or form.name)


def add(store: Database, form: SchemaForm, now: float) -> None:
    """Store a form. Changing a form under which labels exist is an error."""
    labels = LabelSchemas(store).put(form.name, form.model_dump(mode="json"), now)
    if labels:
        raise InputError(
            f"{labels:,} {'label answers' if labels == 1 else 'labels answer'} the schema '{form.name}' as it was; "
            "give the changed one another name."
        )


def forms(store: Database) -> dict[str, SchemaForm]:
    """The forms that a database holds, by name."""
    stored = LabelSchemas(store).all()
    return {name: SchemaForm.model_validate(definition) for name, definition in stored.items()}


def schemas(store: Database) -> Mapping[str, Schema]:
    """The program's schemas together with the schemas that the database holds."""
    return {**SCHEMAS, **{name: schema_of(form) for name, form in forms(store).items()}}


def _words(answers: Sequence[Scalar]) -> list[str]:
    return [word(answer) for answer in answers]


def word(answer: Scalar) -> str:
    """Turn True and False back into the words yes and no, because YAML reads these bare words as booleans."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).strip()


def _given(keys: Scalar | list[Scalar] | None) -> list[str]:
    """The keys of the answers, given as a list or as one word such as `fnu` with one letter per key."""
    if keys is None:
        return []
    if isinstance(keys, list):
        return [word(key).lower() for key in keys]
    return list(word(keys).lower())
