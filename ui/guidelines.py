"""The guidelines for raters, with examples."""

from __future__ import annotations

from arena.labelling.schemas import Schema
from ui.markup import Element, element

Step = tuple[str, str, tuple[tuple[str, str], ...]]
AIH: tuple[Step, ...] = (
    (
        "Is the question appropriate?",
        "Yes, if it is understandable and is about something that the marked message says. "
        "Small slips of grammar do not matter. No, if it asks about nothing that was said, or makes no sense.",
        (
            ("“I work at a daycare center.” → “Where do you work?”", "yes"),
            ("“I work at a daycare center.” → “Who is center?”", "no"),
        ),
    ),
    (
        "Is the answer relevant?",
        "Yes, if it answers what was asked, rightly or wrongly. No, if it evades, or speaks of something else.",
        (
            ("“Where do you work?” → “In a bank.”", "yes"),
            ("“Where do you work?” → “Let us talk about music.”", "no"),
        ),
    ),
    (
        "Does the answer contradict what was said?",
        "Yes, if both cannot be true of the same speaker. Hold it against the marked message first, then against "
        "the rest of the conversation. Another wording, more detail, or no answer at all is not a contradiction.",
        (
            ("“I have two children.” … “I have no kids.”", "yes"),
            ("“I have two children.” … “A boy and a girl.”", "no"),
            ("“I love dogs.” … “I am not sure.”", "no"),
        ),
    ),
)


FINDING: tuple[Step, ...] = (
    (
        "Are both statements about the speaker?",
        "Yes, if both say something about the one who speaks: name, home, work, family, what it likes or has done. "
        "No, if one of them is about the world, is a question, or is no statement at all. Beside a text that the "
        "bot was given, the question is whether both are about the same thing.",
        (
            ("“I live in Chicago.” … “I'm from San Francisco.”", "yes"),
            ("“The museum opens at nine.” … “I like museums.”", "no"),
        ),
    ),
    (
        "Does the second contradict the first?",
        "Yes, if both cannot be true at once. Only the two statements count, read in their conversation. More "
        "detail, another wording, or something that can also be true is not a contradiction.",
        (
            ("“I have never had a pet.” … “My cat is called Molly.”", "yes"),
            ("“I have a brother.” … “I have two sisters.”", "no"),
        ),
    ),
)


UNCLEAR = "Answer “unclear” when you cannot decide. "
REST = (
    "Skip when you would rather not answer. Every answer is stored at once; Z takes the last one back. Judge each "
    "item for itself: other people’s answers, the bots’ names and the judges’ verdicts are hidden on purpose."
)


def guidelines(form: Schema) -> Element:
    known = {"aih": AIH, "finding": FINDING}
    steps = known[form.name] if form.name in known else [(q.text, "", ()) for q in form.asked]
    return element(
        "div",
        [_step(n, *step) for n, step in enumerate(steps, 1)],
        element(
            "p", (UNCLEAR if any(q.unclear and q.yes_no for q in form.asked) else "") + REST, class_="dim"
        ),
        class_="guide",
    )


def _step(n: int, title: str, text: str, examples: tuple[tuple[str, str], ...]) -> Element:
    return element(
        "div",
        element("h4", f"{n}. {title}"),
        element("p", text) if text else None,
        element("ul", [_example(*one) for one in examples]) if examples else None,
    )


def _example(example: str, verdict: str) -> Element:
    return element(
        "li", example, " ", element("span", verdict, class_=f"tag {'good' if verdict == 'yes' else ''}")
    )
