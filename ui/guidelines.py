"""What raters are told, with examples."""

from __future__ import annotations

from ui.markup import Element, element

STEPS = (
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
        "the rest of the conversation. Another wording, more detail, or no answer at all is no contradiction.",
        (
            ("“I have two children.” … “I have no kids.”", "yes"),
            ("“I have two children.” … “A boy and a girl.”", "no"),
            ("“I love dogs.” … “I am not sure.”", "no"),
        ),
    ),
)


def guidelines() -> Element:
    return element(
        "div",
        [_step(n, *step) for n, step in enumerate(STEPS, 1)],
        element(
            "p",
            "Answer “unclear” when you cannot decide; skip when you would rather not. Every answer is stored at "
            "once; Z takes the last one back. Judge each item for itself: other people’s answers, the bots’ names "
            "and the judges’ verdicts are hidden on purpose.",
            class_="dim",
        ),
        class_="guide",
    )


def _step(n: int, title: str, text: str, examples: tuple[tuple[str, str], ...]) -> Element:
    return element(
        "div",
        element("h4", f"{n}. {title}"),
        element("p", text),
        element(
            "ul",
            [
                element(
                    "li", example, " ", element("span", said, class_=f"tag {'good' if said == 'yes' else ''}")
                )
                for example, said in examples
            ],
        ),
    )
