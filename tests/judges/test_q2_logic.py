"""Every path of Q², with scripted questions, answers and NLI, against the papers' text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from inquirer.base import Span
from judges.q2.parts import Options, Parts, Score, Text
from judges.q2.pipeline import scored
from judges.q2.text import f1, personal, same

ROWS = {"entailment": (0.8, 0.1, 0.1), "neutral": (0.1, 0.8, 0.1), "contradiction": (0.1, 0.1, 0.8)}


@dataclass
class Script:
    """Plays finder, asker, reader and NLI from tables; counts the calls of each."""

    spans: dict[str, list[str]] = field(default_factory=dict)
    questions: dict[str, list[str]] = field(default_factory=dict)
    answers: dict[tuple[str, str], str] = field(default_factory=dict)
    classes: dict[tuple[str, str], str] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """All pairs that were read or compared."""
    revision: str = "script"

    def find(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[Span(s, t.find(s), t.find(s) + len(s), 1.0) for s in self.spans.get(t, [])] for t in texts]

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> list[list[str]]:
        self.calls["ask"] = self.calls.get("ask", 0) + 1
        return [self.questions.get(span.text, [])[:most] for _, span in tasks]

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span | None]:
        self.calls["read"] = self.calls.get("read", 0) + 1
        self.pairs += pairs
        result = [self.answers.get(pair) for pair in pairs]
        return [None if text is None else Span(text, 0, len(text), 1.0) for text in result]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        self.calls["score"] = self.calls.get("score", 0) + 1
        self.pairs += pairs
        return [ROWS[self.classes[pair]] for pair in pairs]

    @property
    def parts(self) -> Parts:
        return Parts(self, self, self, self)


COFFEE = "coffee is very acidic ."
KNOWN = "Coffee is slightly acidic and has a stimulating effect ."
WHAT = "What is very acidic?"


def coffee(
    answer: str | None, nli: str | None = None, back: str = "coffee", whole: str | None = None
) -> Script:
    """One span, one question; `answer` is the knowledge's, `back` the response's own."""
    script = Script({COFFEE: ["coffee"]}, {"coffee": [WHAT]}, {(WHAT, COFFEE): back})
    if answer is not None:
        script.answers[WHAT, KNOWN] = answer
    if nli:
        script.classes[f"{WHAT} {answer}", f"{WHAT} coffee"] = nli
    if whole:
        script.classes[KNOWN, COFFEE] = whole
    return script


def two(first: str | None, second: str | None, nli: str = "neutral") -> tuple[Script, str, str]:
    """Two spans with a question each."""
    response, known = "red and blue .", "green ."
    script = Script(
        {response: ["red", "blue"]},
        {"red": ["Which is warm?"], "blue": ["Which is cold?"]},
        {("Which is warm?", response): "red", ("Which is cold?", response): "blue"},
    )
    for question, answer, span in (("Which is warm?", first, "red"), ("Which is cold?", second, "blue")):
        if answer is not None:
            script.answers[question, known] = answer
            script.classes[f"{question} {answer}", f"{question} {span}"] = nli
    return script, response, known


def q2(script: Script, options: Options | None = None, response: str = COFFEE, known: str = KNOWN) -> Score:
    return scored([Text(response, known)], script.parts, options or Options())[0]


def beam(valid: Sequence[str], all_questions: Sequence[str]) -> Script:
    """One span, several questions; those of `valid` pass the round trip and have the answers given there."""
    script = Script({COFFEE: ["coffee"]}, {"coffee": list(all_questions)})
    for question in valid:
        script.answers[question, COFFEE] = "coffee"
    return script


ONE_SPAN = [
    ("equal spans", coffee("coffee"), Options(), 1.0, "equal"),
    ("equal but for case and article", coffee("The Coffee"), Options(), 1.0, "equal"),
    ("equal but for punctuation", coffee("coffee."), Options(), 1.0, "equal"),
    ("unequal, entailed", coffee("java", "entailment"), Options(), 1.0, "entailment"),
    ("unequal, contradicted", coffee("tea", "contradiction"), Options(), 0.0, "contradiction"),
    ("neutral, no token shared", coffee("tea", "neutral"), Options(), 0.0, "neutral"),
    ("neutral, one of two shared", coffee("coffee bean", "neutral"), Options(), 2 / 3, "neutral"),
    ("contradiction beats overlap", coffee("coffee bean", "contradiction"), Options(), 0.0, "contradiction"),
    ("no answer in the knowledge", coffee(None), Options(), 0.0, "no_answer"),
    ("F1 only: equal", coffee("coffee"), Options(inference=False), 1.0, "equal"),
    ("F1 only: overlap", coffee("coffee bean"), Options(inference=False), 2 / 3, "f1"),
    ("F1 only: none", coffee("tea"), Options(inference=False), 0.0, "f1"),
    ("F1 only: no answer", coffee(None), Options(inference=False), 0.0, "no_answer"),
    (
        "round trip equal but for article",
        coffee("coffee", back="the coffee"),
        Options(),
        1.0,
        "equal",
    ),
]


@pytest.mark.parametrize(
    ("name", "script", "options", "value", "outcome"), ONE_SPAN, ids=lambda v: str(v)[:30]
)
def test_one_question(name: str, script: Script, options: Options, value: float, outcome: str) -> None:
    score = q2(script, options)
    assert score.value == pytest.approx(value), name
    assert [check.outcome for check in score.checks] == [outcome]
    assert score.questions == 1 and score.fallback is None


FALLBACKS = [
    ("entailed", "entailment", 1.0),
    ("neutral", "neutral", 0.5),
    ("contradicted", "contradiction", 0.0),
]


@pytest.mark.parametrize(("name", "outcome", "value"), FALLBACKS)
def test_filtered_question_falls_back(name: str, outcome: str, value: float) -> None:
    score = q2(coffee("coffee", back="very acidic", whole=outcome))
    assert (score.value, score.fallback) == (value, outcome), name
    assert [check.outcome for check in score.checks] == ["not_answered_by_response"]
    assert score.questions == 0


def test_unanswerable_by_the_response_falls_back() -> None:
    script = coffee("coffee", whole="neutral")
    del script.answers[WHAT, COFFEE]
    assert q2(script).value == 0.5


def test_no_span_falls_back() -> None:
    script = coffee("coffee", whole="contradiction")
    script.spans = {}
    assert q2(script).value == 0.0


def test_no_question_falls_back() -> None:
    script = coffee("coffee", whole="entailment")
    script.questions = {}
    assert q2(script).value == 1.0


def test_fallback_off_gives_no_score() -> None:
    score = q2(coffee("coffee", back="acidic"), Options(fallback=False))
    assert score.value is None and score.fallback is None


def test_fallback_with_the_response_as_premise() -> None:
    script = coffee("coffee", back="acidic", whole="entailment")
    script.classes[COFFEE, KNOWN] = "contradiction"
    assert q2(script).value == 1.0
    assert q2(script, Options(response_first=True)).value == 0.0


@pytest.mark.parametrize(
    "question", ["What do I love?", "Where do you live?", "What is my favorite color?", "Who is your dog?"]
)
def test_personal_questions_are_filtered_or_kept(question: str) -> None:
    script = coffee("coffee", whole="neutral")
    script.questions = {"coffee": [question]}
    script.answers |= {(question, COFFEE): "coffee", (question, KNOWN): "coffee"}
    dropped = q2(script)
    assert dropped.value == 0.5 and dropped.checks[0].outcome == "personal"
    assert q2(script, Options(keep_personal=True)).value == 1.0


def test_second_question_is_taken_where_the_first_is_filtered() -> None:
    script = beam(["b?"], ["a?", "b?", "c?"])
    script.answers["b?", KNOWN] = "coffee"
    score = q2(script)
    assert score.value == 1.0
    assert [(c.question, c.valid) for c in score.checks] == [("a?", False), ("b?", True)]


def test_first_valid_question_alone_counts() -> None:
    script = beam(["a?", "b?"], ["a?", "b?"])
    script.answers["a?", KNOWN] = "coffee"
    assert q2(script).value == 1.0


def test_every_valid_question_counts_when_asked_for() -> None:
    script = beam(["a?", "b?"], ["a?", "b?", "c?"])
    script.answers["a?", KNOWN] = "coffee"
    score = q2(script, Options(every=True))
    assert score.value == 0.5 and score.questions == 2 and score.unanswered == 1


def test_beams_bound_the_questions() -> None:
    script = beam(["f?"], ["a?", "b?", "c?", "d?", "e?", "f?"])
    script.classes[KNOWN, COFFEE] = "neutral"
    script.answers["f?", KNOWN] = "coffee"
    assert q2(script).value == 0.5
    assert q2(script, Options(beams=6)).value == 1.0


MEANS = [
    ("both equal", "red", "blue", Options(), 1.0),
    ("one equal, one unanswered", "red", None, Options(), 0.5),
    ("one equal, one without overlap", "red", "green", Options(), 0.5),
    ("neither answered", None, None, Options(), 0.0),
    ("unanswerable discarded beside an answer", "red", None, Options(discard_unanswerable=True), 1.0),
    ("nothing to discard to", None, None, Options(discard_unanswerable=True), 0.0),
    ("overlap averaged", "red", "light blue", Options(), (1 + 2 / 3) / 2),
]


@pytest.mark.parametrize(("name", "first", "second", "options", "value"), MEANS)
def test_questions_are_averaged(
    name: str, first: str | None, second: str | None, options: Options, value: float
) -> None:
    script, response, known = two(first, second)
    assert q2(script, options, response, known).value == pytest.approx(value), name


def test_a_question_that_was_asked_needs_no_generation() -> None:
    script = Script(
        answers={("How many kids?", "Two of them."): "Two", ("How many kids?", "I have two kids."): "two"}
    )
    score = scored(
        [Text("Two of them.", "I have two kids.", asked="How many kids?")], script.parts, Options()
    )[0]
    assert score.value == 1.0 and score.checks[0].question == "How many kids?"


def test_fallback_of_an_answer_shows_its_question() -> None:
    script = Script(classes={("I have two kids.", "Kids? None."): "contradiction"})
    script.answers["Kids?", "None."] = "None"
    script.answers["Kids?", "I have two kids."] = "two"
    script.classes["Kids? two", "Kids? None"] = "contradiction"
    assert scored([Text("None.", "I have two kids.", asked="Kids?")], script.parts, Options())[0].value == 0.0


def test_a_resolver_sees_the_history_and_changes_the_response() -> None:
    class Names:
        revision = "names"

        def resolve(self, texts: Sequence[tuple[Sequence[str], str]]) -> list[str]:
            return [text.replace("it", history[0]) for history, text in texts]

    script = coffee("coffee")
    parts = Parts(script, script, script, script, Names())
    assert scored([Text("it is very acidic .", KNOWN, ("coffee",))], parts, Options())[0].value == 1.0
    assert parts.revision == "script+script+script+script+names"


def test_all_responses_share_the_calls() -> None:
    script, response, known = two("red", "green")
    alone = scored([Text(response, known)], script.parts, Options())
    script.calls.clear()
    many = scored([Text(response, known)] * 50, script.parts, Options())
    assert many == alone * 50
    # asked before, round trip by rank of beam, knowledge
    assert (
        script.calls["ask"] == 1
        and script.calls["read"] <= 2 + Options().beams
        and script.calls["score"] == 1
    )


@pytest.mark.parametrize(
    ("nli", "answer", "value"),
    [
        ("entailment", "tea", 0.8),
        ("contradiction", "tea", 0.1),
        ("neutral", "tea", 0.1),
        ("neutral", "coffee bean", 0.1 + 0.8 * 2 / 3),
    ],
)
def test_graded_scores_weigh_the_classes(nli: str, answer: str, value: float) -> None:
    assert q2(coffee(answer, nli), Options(graded=True)).value == pytest.approx(value)


def test_graded_scores_leave_equal_and_missing_answers_alone() -> None:
    assert q2(coffee("coffee"), Options(graded=True)).value == 1.0
    assert q2(coffee(None), Options(graded=True)).value == 0.0
    fallen = q2(coffee("coffee", back="acidic", whole="entailment"), Options(graded=True))
    assert fallen.value == pytest.approx(0.85) and fallen.fallback == "entailment"


def test_token_comparison() -> None:
    assert same("The U.S.", "us") and not same("two", "2")
    assert f1("a book series", "a set of books") == 0.0
    assert f1("", "the") == 1.0 and f1("", "cat") == 0.0
    assert f1("New York City", "new york") == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What animal do i love?", True),
        ("Where did you go?", True),
        ("What's your name?", True),
        ("Which are my two dogs?", True),
        ("Who gave you the book?", False),
        ("What is important to you?", False),
        ("Where was Bob Ross born?", False),
        ("What is Iceland?", False),
        ("You like what?", True),
    ],
)
def test_personal(question: str, expected: bool) -> None:
    assert personal(question) is expected
