"""Q² over many responses at once: each model sees all its work in as few calls as the method allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judges.base import CLASSES
from judges.q2.parts import Check, Options, Parts, Score, Text
from judges.q2.text import f1, personal, same

UNDECIDED = 0.5  # what a neutral verdict on whole texts counts


@dataclass
class _Task:
    """A span of a response with its questions, best first."""

    text: int
    span: str
    questions: list[str]
    found: list[Check] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        return any(check.outcome == "asked" for check in self.found)


def scored(texts: Sequence[Text], parts: Parts, options: Options) -> list[Score]:
    """The Q² score of each response against its knowledge."""
    responses = _resolved(texts, parts)
    tasks = _tasks(texts, responses, parts, options)
    _filter(tasks, responses, parts, options)
    _answer(tasks, texts, parts)
    _compare(tasks, parts, options)
    checks: list[list[Check]] = [[] for _ in texts]
    for task in tasks:
        checks[task.text] += task.found
    values = [_average(each, options) for each in checks]
    whole = _end_to_end(texts, values, parts, options)
    found = []
    for place, (value, each) in enumerate(zip(values, checks, strict=True)):
        outcome, score = whole.get(place, (None, value))
        found.append(Score(score, tuple(each), outcome))
    return found


def _resolved(texts: Sequence[Text], parts: Parts) -> list[str]:
    if parts.resolver is None:
        return [text.response for text in texts]
    return list(parts.resolver.resolve([(text.history, text.response) for text in texts]))


def _tasks(texts: Sequence[Text], responses: Sequence[str], parts: Parts, options: Options) -> list[_Task]:
    """Every span of every response with its questions; a question that was asked anyway comes first."""
    tasks = []
    asked = [(place, text.asked) for place, text in enumerate(texts) if text.asked]
    given = parts.reader.read([(question, responses[place]) for place, question in asked])
    for (place, question), span in zip(asked, given, strict=True):
        answer = span.text if span is not None else responses[place]
        tasks.append(_Task(place, answer, [], [Check(answer, question, "asked")]))
    spans = [(place, span) for place, found in enumerate(parts.finder.find(responses)) for span in found]
    written = parts.asker.ask([(responses[place], span) for place, span in spans], options.beams)
    for (place, span), questions in zip(spans, written, strict=True):
        tasks.append(_Task(place, span.text, list(questions[: options.beams])))
    return tasks


def _filter(tasks: Sequence[_Task], responses: Sequence[str], parts: Parts, options: Options) -> None:
    """Keep the questions that the response itself answers with the span, one rank of questions at a time."""
    for rank in range(options.beams):
        wave = [task for task in tasks if len(task.questions) > rank and (options.every or not task.settled)]
        read = []
        for task in wave:
            if not options.keep_personal and personal(task.questions[rank]):
                task.found.append(Check(task.span, task.questions[rank], "personal"))
            else:
                read.append(task)
        answers = parts.reader.read([(task.questions[rank], responses[task.text]) for task in read])
        for task, answer in zip(read, answers, strict=True):
            valid = answer is not None and same(answer.text, task.span)
            outcome = "asked" if valid else "not_answered_by_response"
            task.found.append(Check(task.span, task.questions[rank], outcome))


def _open(tasks: Sequence[_Task]) -> list[tuple[_Task, int]]:
    return [
        (task, place) for task in tasks for place, check in enumerate(task.found) if check.outcome == "asked"
    ]


def _answer(tasks: Sequence[_Task], texts: Sequence[Text], parts: Parts) -> None:
    """Ask the knowledge; a question without an answer there scores 0."""
    valid = _open(tasks)
    pairs = [(task.found[place].question, texts[task.text].knowledge) for task, place in valid]
    for (task, place), span in zip(valid, parts.reader.read(pairs), strict=True):
        check = task.found[place]
        if span is None:
            task.found[place] = replace(check, outcome="no_answer", score=0.0)
        elif same(span.text, check.span):
            task.found[place] = replace(check, outcome="equal", answer=span.text, score=1.0)
        else:
            task.found[place] = replace(check, answer=span.text)


def _compare(tasks: Sequence[_Task], parts: Parts, options: Options) -> None:
    """Unequal answers: entailed 1, contradicted 0, else their token F1."""
    valid = _open(tasks)
    checks = [task.found[place] for task, place in valid]
    pairs = [(f"{c.question} {c.answer}", f"{c.question} {c.span}") for c in checks]
    rows = _inferred(pairs, parts) if options.inference else [None] * len(checks)
    for (task, place), check, row in zip(valid, checks, rows, strict=True):
        overlap = f1(check.span, check.answer or "")
        outcome, score = ("f1", overlap) if row is None else _weighed(row, overlap, options)
        task.found[place] = replace(check, outcome=outcome, score=score)


def _inferred(pairs: Sequence[tuple[str, str]], parts: Parts) -> list[tuple[float, ...] | None]:
    return [tuple(float(value) for value in row) for row in parts.inference.score(pairs)] if pairs else []


def _weighed(row: tuple[float, ...], neutral: float, options: Options) -> tuple[str, float]:
    """The class, and what it counts: 1, `neutral` or 0; or their mean by probability."""
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
    """What NLI says of whole texts, where no question decided: class and score, by place."""
    left = [place for place, value in enumerate(values) if value is None] if options.fallback else []
    pairs = []
    for place in left:
        text = texts[place]
        # An answer to a question means little without it.
        response = f"{text.asked} {text.response}" if text.asked else text.response
        pairs.append((response, text.knowledge) if options.response_first else (text.knowledge, response))
    rows = _inferred(pairs, parts)
    return {place: _weighed(row, UNDECIDED, options) for place, row in zip(left, rows, strict=True) if row}


def end_to_end(pairs: Sequence[tuple[str, str]], parts: Parts) -> list[float]:
    """The baseline of the papers: (knowledge, response) by NLI alone."""
    return [_weighed(row, UNDECIDED, Options())[1] for row in _inferred(pairs, parts) if row]
