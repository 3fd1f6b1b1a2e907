"""Shows a dialogue as a chat; each inquiry is a branch next to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.types import TESTED, Inquiry, Label, Message, Verdict
from arena.labelling.schemas import EARLIER, LATER
from db.records import Record
from ui.links import Link, row_class, statement
from ui.links import chips as chips_of
from ui.markup import Element, element, short, utterance
from ui.words import number, plural, spoken, tag

Taus = Mapping[tuple[str, str], float]  # (judge, revision) → τ

REASONS = {
    "past_end": "not asked: the dialogue ended before",
    "timeout": "no answer in time",
    "empty": "an empty answer",
}


def thread(
    record: Record,
    taus: Taus,
    *,
    focus: str | None = None,
    forks: bool = True,
    links: Sequence[Link] = (),
    link: Link | None = None,
) -> Element:
    """Show the whole dialogue.

    `focus` is the inquiry whose source is highlighted; `link` is the finding whose messages are highlighted.
    """
    behind: dict[int, list[tuple[int, Inquiry]]] = defaultdict(list)
    for n, inquiry in enumerate(record.inquiries, 1):
        behind[inquiry.after].append((n, inquiry))
    about = {inquiry.source: inquiry.entity for inquiry in record.inquiries if inquiry.id == focus}
    verdicts, labels = _by_subject(record.verdicts), _labels(record.labels)
    rows: list[Element] = []
    for message in record.messages:
        at = message.index
        way = row_class(link, at)
        rows.append(
            _turn(
                message,
                record.tested if message.seat == TESTED else record.speaker,
                about.get(at) or statement(link, at),
                labels.get(f"{record.key}:{at}", ()),
                chips=chips_of(links, at) + _people(links, at, labels),
                way=way,
                source=at in about,
            )
        )
        if forks:
            inner = " between" if link is not None and link.ends[0] <= at < link.message else ""
            rows += [
                _fork(n, i, verdicts.get(i.id, ()), labels.get(i.id, ()), taus, i.id == focus, inner)
                for n, i in behind[at]
            ]
    return element("div", rows, class_="thread")


def _people(links: Sequence[Link], message: int, labels: Mapping[str, Sequence[Label]]) -> list[Element]:
    """Show people's opinions about the findings of a message."""
    subjects = [link.subject for link in links if link.message == message]
    return [opinion_of(label) for subject in subjects for label in labels.get(subject, ())]


def bubbles(
    messages: Sequence[Message], names: tuple[str, str], marked: Mapping[int, str] | None = None
) -> Element:
    """Show a conversation without branches; the first speaker is on the right."""
    rows = []
    for message in messages:
        note = (marked or {}).get(message.index)
        rows.append(_turn(message, names[message.seat], None, (), note))
    return element("div", rows, class_="thread chat")


def _turn(
    message: Message,
    name: str,
    marked: str | None,
    labels: Sequence[Label],
    note: str | None = None,
    *,
    chips: Sequence[Element] = (),
    way: str = "",
    source: bool = False,
) -> Element:
    """Show one message; `marked` are the words to highlight in it."""
    side = "tested" if message.seat == TESTED else "speaker"
    return element(
        "div",
        element("div", message.index, class_="n"),
        element(
            "div",
            element("div", short(name, 60), class_="who"),
            _with_mark(message.text, marked) if marked else utterance(message.text),
            [opinion_of(label) for label in labels] if labels else None,
            element("div", note, class_="dim") if note else None,
            element("div", chips, class_="chips") if chips else None,
            class_=f"said {side}{' source' if source else ''}",
        ),
        class_=f"turn{way}",
        data_index=str(message.index),
    )


def _with_mark(text: str, words: str) -> Element:
    """Show a message with some of its words highlighted.

    A message that is too long to be shown whole has no highlight.
    """
    from arena.core.safe_text import clean
    from ui.markup import SHOWN

    message, marked = clean(text, lines=True), clean(words, lines=True)
    at = message.find(marked) if marked else -1
    if at < 0 or len(message) > SHOWN:
        return utterance(text)
    return element(
        "div", message[:at], element("mark", marked), message[at + len(marked) :], class_="text", dir="auto"
    )


def _fork(
    n: int,
    inquiry: Inquiry,
    verdicts: Sequence[Verdict],
    labels: Sequence[Label],
    taus: Taus,
    focus: bool,
    way: str = "",
) -> Element:
    kind = {True: "bad", False: "good", None: "none"}[_contradicts(verdicts, taus)]
    heading = element(
        "div",
        element("b", f"Inquiry {n}"),
        f" · {inquiry.kind.value} · about message {inquiry.source}"
        f" · {inquiry.entity_type} “{short(inquiry.entity, 60)}”"
        + (f" · {plural(inquiry.distance, 'turn')} later" if inquiry.distance else ""),
        class_="meta",
    )
    answer = utterance(inquiry.answer) if inquiry.answer is not None else tag(_reason(inquiry.reason), "warn")
    rows = [_row("asked", utterance(inquiry.question)), _row("answer", answer)]
    if inquiry.reference is not None:
        rows.append(_row("held against", utterance(inquiry.reference)))
    if inquiry.expected is not None:
        rows.append(_row("expected", utterance(inquiry.expected)))
    return element(
        "div",
        heading,
        rows,
        _judged(verdicts, taus) if verdicts else None,
        [opinion_of(label) for label in labels] if labels else None,
        class_=f"fork {kind}{' focus' if focus else ''}{way}",
    )


def _row(name: str, child: Element) -> Element:
    return element("div", element("span", name), child, class_="row")


def _reason(reason: str | None) -> str:
    return REASONS.get(reason or "", f"no answer: {short(reason or 'unknown', 60)}")


def _judged(verdicts: Sequence[Verdict], taus: Taus) -> Element:
    head = element(
        "tr", [element("th", name) for name in ("Judge", "Says", "Contradiction", "τ", "Classes", "Evidence")]
    )
    return element("table", head, [_verdict(v, taus) for v in verdicts], class_="judged")


def _verdict(verdict: Verdict, taus: Taus) -> Element:
    judgement = verdict.judgement
    tau = taus.get((verdict.judge, verdict.revision))
    if judgement.contradiction is None:
        says = tag(f"not judged: {short(judgement.reason or 'unknown', 60)}", "warn")
    elif tau is not None and judgement.contradiction > tau:
        says = tag("contradicts", "bad")
    else:
        says = tag("consistent", "good")
    classes = ", ".join(f"{short(name, 30)} {number(p)}" for name, p in judgement.classes.items())
    evidence = None
    if judgement.evidence:
        evidence = element("details", element("summary", "show"), _facts(judgement.evidence))
    return element(
        "tr",
        element("td", short(verdict.judge, 60), title=f"revision {verdict.revision}"),
        element("td", says),
        element("td", number(judgement.contradiction, 3), class_="num"),
        element("td", number(tau), class_="num"),
        element("td", classes),
        element("td", evidence),
    )


def _facts(value: Any, depth: int = 0) -> Element:
    """Show evidence of any structure as nested lists."""
    if isinstance(value, Mapping) and depth < 6:
        return element(
            "ul",
            [
                element("li", element("b", f"{short(str(k), 60)}: "), _facts(v, depth + 1))
                for k, v in value.items()
            ],
        )
    if (
        isinstance(value, list | tuple)
        and depth < 6
        and any(isinstance(v, Mapping | list | tuple) for v in value)
    ):
        return element("ol", [element("li", _facts(v, depth + 1)) for v in value[:50]])
    if isinstance(value, list | tuple):
        return element("span", ", ".join(short(str(v), 300) for v in value[:50]))
    if isinstance(value, float):
        return element("span", number(value, 3))
    return element("span", short(str(value), 600))


def opinion_of(label: Label) -> Element:
    answers = ", ".join(
        f"{short(str(k), 40)}: {short(spoken(v), 60)}"
        for k, v in label.values.items()
        if k not in (EARLIER, LATER)
    )
    note = f" “{short(label.note, 300)}”" if label.note else ""
    return element("div", element("b", short(label.person, 60)), f" · {answers}{note}", class_="dim")


def _contradicts(verdicts: Sequence[Verdict], taus: Taus) -> bool | None:
    """Return the verdict on which the judges agree; None if they disagree or there is no verdict."""
    answers = {
        v.judgement.contradiction > taus[(v.judge, v.revision)]
        for v in verdicts
        if v.judgement.contradiction is not None and (v.judge, v.revision) in taus
    }
    return answers.pop() if len(answers) == 1 else None


def _by_subject(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    grouped: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        grouped[verdict.inquiry].append(verdict)
    return grouped


def _labels(labels: Sequence[Label]) -> dict[str, list[Label]]:
    grouped: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        grouped[label.subject].append(label)
    return grouped
