"""Q² for many responses at once, with as few calls to each model as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from judges.base import CLASSES
from judges.q2.parts import Check, Options, Parts, Score, Span, Text
from judges.q2.text import f1, personal, same

UNDECIDED = 0.5  # the score of a neutral verdict on whole texts
Pair = tuple[str, str]
Row = TypeVar("Row")


@dataclass
class _Task:
    """A span of a response, and the questions that it answers, the best question first."""

    text: int
    span: str
    questions: list[str]
    checks: list[Check] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        return any(check.outcome == "asked" for check in self.checks)


def scored(texts: Sequence[Text], parts: Parts, options: Options) -> list[Score]:
    """The Q² score of each response against its knowledge."""
    responses = _resolved(texts, parts)
    tasks = _tasks(texts, responses, parts, options)
    _filter(tasks, responses, parts, options)
    _answer(tasks, texts, parts)
    _compare(tasks, parts, options)
    checks: list[list[Check]] = [[] for _ in texts]
    for task in tasks:
        checks[task.text] += task.checks
    values = [_average(each, options) for each in checks]
    whole = _end_to_end(texts, values, parts, options)
    return [
        _combined(value, tuple(each), whole.get(index))
        for index, (value, each) in enumerate(zip(values, checks, strict=True))
    ]


def _combined(value: float | None, checks: tuple[Check, ...], whole: tuple[str, float] | None) -> Score:
    """Return the mean of the questions' score and that of the whole texts, or the one of them that there is."""
    if whole is None:
        return Score(value, checks)
    outcome, score = whole
    if value is None:
        return Score(score, checks, fallback=outcome)
    return Score((value + score) / 2, checks, whole=score)


def _resolved(texts: Sequence[Text], parts: Parts) -> list[str]:
    if parts.resolver is None:
        return [text.response for text in texts]
    return list(parts.resolver.resolve([(text.history, text.response) for text in texts]))


def _tasks(texts: Sequence[Text], responses: Sequence[str], parts: Parts, options: Options) -> list[_Task]:
    """List every span of every response with its questions. Questions that the dialogue itself asked come first."""
    tasks = []
    asked = [(index, text.asked) for index, text in enumerate(texts) if text.asked]
    given = _each_once(parts.reader.read, [(question, responses[index]) for index, question in asked])
    for (index, question), span in zip(asked, given, strict=True):
        answer = span.text if span is not None else responses[index]
        tasks.append(_Task(index, answer, [], [Check(answer, question, "asked")]))
    spans = [(index, span) for index, of_text in enumerate(parts.finder.find(responses)) for span in of_text]
    written = parts.asker.ask([(responses[index], span) for index, span in spans], options.beams)
    for (index, span), questions in zip(spans, written, strict=True):
        tasks.append(_Task(index, span.text, list(questions[: options.beams])))
    return tasks


def _filter(tasks: Sequence[_Task], responses: Sequence[str], parts: Parts, options: Options) -> None:
    """Mark a question as valid if the reader, given the response, answers it with the span.

    All questions are read together. Where one valid question is enough for a span, all spans' first questions are read
    together, then the second questions of the spans that are left, and so on.
    """
    ranks = list(range(options.beams))
    for wave in [ranks] if options.every else [[rank] for rank in ranks]:
        asked = [
            (task, task.questions[rank])
            for rank in wave
            for task in tasks
            if len(task.questions) > rank and (options.every or not task.settled)
        ]
        dropped = [not options.keep_personal and personal(question) for _, question in asked]
        read = [one for one, drop in zip(asked, dropped, strict=True) if not drop]
        answers = iter(
            _each_once(parts.reader.read, [(question, responses[task.text]) for task, question in read])
        )
        for (task, question), drop in zip(asked, dropped, strict=True):
            outcome = "personal" if drop else _round_trip(next(answers), task.span)
            task.checks.append(Check(task.span, question, outcome))


def _round_trip(answer: Span | None, span: str) -> str:
    return "asked" if answer is not None and same(answer.text, span) else "not_answered_by_response"


def _each_once(ask: Callable[[list[Pair]], Iterable[Row]], pairs: Sequence[Pair]) -> list[Row]:
    """Ask a model about each distinct pair once; return a result for every pair."""
    distinct = list(dict.fromkeys(pairs))
    results = dict(zip(distinct, ask(distinct), strict=True)) if distinct else {}
    return [results[pair] for pair in pairs]


def _open(tasks: Sequence[_Task]) -> list[tuple[_Task, int]]:
    return [
        (task, number)
        for task in tasks
        for number, check in enumerate(task.checks)
        if check.outcome == "asked"
    ]


def _answer(tasks: Sequence[_Task], texts: Sequence[Text], parts: Parts) -> None:
    """Answer each valid question from the knowledge; a question without an answer scores 0."""
    valid = _open(tasks)
    pairs = [(task.checks[number].question, texts[task.text].knowledge) for task, number in valid]
    for (task, number), span in zip(valid, _each_once(parts.reader.read, pairs), strict=True):
        check = task.checks[number]
        if span is None:
            task.checks[number] = replace(check, outcome="no_answer", score=0.0)
        elif same(span.text, check.span):
            task.checks[number] = replace(check, outcome="equal", answer=span.text, score=1.0)
        else:
            task.checks[number] = replace(check, answer=span.text)


def _compare(tasks: Sequence[_Task], parts: Parts, options: Options) -> None:
    """Score answers that are not equal: 1 if entailed, 0 if contradicted, else their token F1."""
    valid = _open(tasks)
    checks = [task.checks[number] for task, number in valid]
    pairs = [(f"{c.question} {c.answer}", f"{c.question} {c.span}") for c in checks]
    rows = _inferred(pairs, parts) if options.inference else [None] * len(checks)
    for (task, number), check, row in zip(valid, checks, rows, strict=True):
        overlap = f1(check.span, check.answer or "")
        outcome, score = ("f1", overlap) if row is None else _weighed(row, overlap, options)
        task.checks[number] = replace(check, outcome=outcome, score=score)


def _inferred(pairs: Sequence[tuple[str, str]], parts: Parts) -> list[tuple[float, ...] | None]:
    return [tuple(float(value) for value in row) for row in _each_once(parts.inference.score, pairs)]


def _weighed(row: tuple[float, ...], neutral: float, options: Options) -> tuple[str, float]:
    """Return the likeliest class, and the score: 1, `neutral` or 0.

    With `graded`, the score is the mean of these three values, weighted by the classes' probabilities.
    """
    worth = (1.0, neutral, 0.0)
    likeliest = max(range(3), key=row.__getitem__)
    graded = sum(p * w for p, w in zip(row, worth, strict=True))
    return CLASSES[likeliest], graded if options.graded else worth[likeliest]


def _average(checks: Sequence[Check], options: Options) -> float | None:
    scores = [check.score for check in checks if check.score is not None]
    if options.discard_unanswerable:
        answered = [
            check.score for check in checks if check.score is not None and check.outcome != "no_answer"
        ]
        scores = answered or scores
    return sum(scores) / len(scores) if scores else None


def _end_to_end(
    texts: Sequence[Text], values: Sequence[float | None], parts: Parts, options: Options
) -> dict[int, tuple[str, float]]:
    """Score the whole texts by NLI where no question gave a score, or everywhere; returns class and score by index."""
    left = [
        index for index, value in enumerate(values) if (options.fallback if value is None else options.whole)
    ]
    pairs = []
    for index in left:
        text = texts[index]
        # An answer means little without its question.
        response = f"{text.asked} {text.response}" if text.asked else text.response
        pairs.append((response, text.knowledge) if options.response_first else (text.knowledge, response))
    rows = _inferred(pairs, parts)
    half = 0.0 if options.supported else UNDECIDED
    return {
        index: _weighed(row, UNDECIDED if values[index] is None else half, options)
        for index, row in zip(left, rows, strict=True)
        if row
    }
