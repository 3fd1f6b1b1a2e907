"""Builds a balanced, seeded silver set. Examples of each of the five labels are made by the paper's methods
(section 4).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from arena.core.errors import InputError
from arena.core.hashing import generator as seeded
from arena.training.begin_silver import perturb
from arena.training.begin_silver.triples import Triple, by_topic
from judges.begin.evidence import overlap, retold
from judges.begin.rules import generic
from judges.begin.taxonomy import Label

TEMPERATURE = 0.4  # of the generator, for generic responses
SHARED = 0.25  # share of the response's words that must occur in the evidence for entailment
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """The turn that the generator should answer. `before` holds the turns before it."""

    previous: str
    evidence: str | None = None
    before: tuple[tuple[str, str], ...] = ()


class Generator(Protocol):
    """Writes the next turn of a conversation, with or without evidence."""

    def reply(self, asked: Sequence[Request], temperature: float | None, seed: int) -> list[str]: ...


# A model that was not trained on small talk is shown examples, as turns before the turn that it answers.
SMALL_TALK = (
    ("Do you know much about trains?", "Not really, but it sounds interesting."),
    ("When did people start to play chess?", "That is a good question, I am not sure."),
    ("I have always wanted to learn how to paint.", "Oh that is nice, I hope you do it one day."),
    ("Who wrote that song?", "I don't know who it was, but I like it a lot."),
    ("Where do those birds live?", "I would love to know more about that too."),
    ("My brother works in a museum.", "That must be a great job."),
    ("How tall is that tower?", "It is very tall, that is all I know."),
    ("What are the rules of cricket?", "I have no idea, there are so many of them."),
    ("Why is the sea salty?", "I never thought about it, that is really cool."),
    ("What was the name of that film?", "I think I have heard of it before."),
)
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Silver:
    evidence: str
    previous: str
    response: str
    label: Label
    method: str
    perturbed: str | None = None
    """The perturbed evidence that the generator was given instead of the evidence."""

    def row(self) -> dict[str, Any]:
        return asdict(self)


def silver(triples: Sequence[Triple], size: int, seed: int, writer: Generator) -> list[Silver]:
    """Return `size` examples, one fifth for each label. The same seed and generator give the same set."""
    each = size // len(Label)
    if each == 0:
        raise InputError(f"A silver set of {size} is too small: ask for at least {len(Label)}.")
    pool = perturb.Pool.of(triple.evidence for triple in triples)
    makers: dict[Label, Iterator[Silver]] = {
        Label.ENTAILMENT: _entailed(_shuffled(triples, seed, "entailment")),
        Label.OFF_TOPIC: _off_topic(
            _shuffled(triples, seed, "off-topic"), triples, seeded(seed, "off-topic")
        ),
        Label.CONTRADICTION: _contradicting(_shuffled(triples, seed, "contradiction")),
        Label.GENERIC: _generic(_shuffled(triples, seed, "generic"), writer, seed, each),
        Label.HALLUCINATION: _hallucinated(
            _shuffled(triples, seed, "hallucination"), pool, writer, seed, each
        ),
    }
    rows = []
    for label, makers_of_label in makers.items():
        part = [example for example, _ in zip(makers_of_label, range(each), strict=False)]
        if len(part) < each:
            raise InputError(
                f"Only {len(part)} of {each} examples for '{label}' come out of {len(triples)} grounded turns: "
                "give more turns or ask for a smaller set."
            )
        rows += part
    seeded(seed, "order").shuffle(rows)
    return rows


def _shuffled(triples: Sequence[Triple], seed: int, purpose: str) -> list[Triple]:
    order = list(triples)
    seeded(seed, purpose).shuffle(order)
    return order


def _entailed(triples: Sequence[Triple]) -> Iterator[Silver]:
    for triple in triples:
        seen = overlap(triple.response, triple.evidence, triple.previous)
        if seen.share >= SHARED and not _FIRST_PERSON.search(triple.response):
            yield Silver(
                triple.evidence, triple.previous, triple.response, Label.ENTAILMENT, "human response"
            )


def _off_topic(order: Sequence[Triple], triples: Sequence[Triple], draw: random.Random) -> Iterator[Silver]:
    """Use responses to other evidence of the same topic, so that single words do not reveal the label."""
    topics = by_topic(triples)
    for triple in order:
        others = [
            other
            for other in topics[triple.topic]
            if other.evidence != triple.evidence and overlap(other.response, triple.evidence).share < 0.75
        ]
        if others:
            yield Silver(
                triple.evidence,
                triple.previous,
                draw.choice(others).response,
                Label.OFF_TOPIC,
                "other evidence",
            )


def _contradicting(order: Sequence[Triple]) -> Iterator[Silver]:
    """Alternate between the two methods. If a method cannot change a response, the other method is tried."""
    methods: list[tuple[str, Callable[[str], perturb.Change | None]]] = [
        ("response negation", perturb.negate),
        ("antonym", perturb.oppose),
    ]
    written = 0
    for triple in order:
        if _FIRST_PERSON.search(triple.response):
            continue
        for step in range(len(methods)):
            name, method = methods[(written + step) % len(methods)]
            change = method(triple.response)
            if change:
                written += 1
                yield Silver(triple.evidence, triple.previous, change.text, Label.CONTRADICTION, name)
                break


def _generic(order: Sequence[Triple], writer: Generator, seed: int, wanted: int) -> Iterator[Silver]:
    """Generate responses at low temperature, without evidence and after small talk. Specific responses are left out."""
    draw = seeded(seed, "small talk")
    for batch in _batches(order, wanted):
        asked = [Request(triple.previous, before=tuple(draw.sample(SMALL_TALK, SHOWN))) for triple in batch]
        replies = writer.reply(asked, TEMPERATURE, seed)
        for triple, reply in zip(batch, replies, strict=True):
            response = first_sentences(reply, 1)
            if response and generic(response, overlap(response, triple.evidence, triple.previous)) >= 0.3:
                yield Silver(triple.evidence, triple.previous, response, Label.GENERIC, "low temperature")


def _hallucinated(
    order: Sequence[Triple], pool: perturb.Pool, writer: Generator, seed: int, wanted: int
) -> Iterator[Silver]:
    """Use the generator's answers to perturbed evidence. One of three methods perturbs the evidence of each
    document.
    """
    draw = seeded(seed, "perturbation")
    methods: list[tuple[str, Callable[[str], perturb.Change | None]]] = [
        ("subject-object inversion", perturb.swap_subject_and_object),
        ("verb replacement", lambda text: perturb.replace_verbs(text, pool, draw)),
        ("entity swapping", lambda text: perturb.swap_entities(text, pool, draw)),
    ]
    for batch in _batches(order, wanted):
        changed = []
        for index, triple in enumerate(batch):
            for step in range(len(methods)):
                name, method = methods[(index + step) % len(methods)]
                change = method(triple.evidence)
                if change:
                    changed.append((triple, name, change.text))
                    break
        replies = writer.reply([Request(triple.previous, text) for triple, _, text in changed], None, seed)
        for (triple, name, text), reply in zip(changed, replies, strict=True):
            response = first_sentences(reply, 2)
            # A reply that only repeats the evidence is no hallucination.
            if response and not retold(response, triple.evidence):
                yield Silver(triple.evidence, triple.previous, response, Label.HALLUCINATION, name, text)


def _batches(order: Sequence[Triple], wanted: int) -> Iterator[Sequence[Triple]]:
    size = max(8, wanted + wanted // 4)
    for start in range(0, len(order), size):
        yield order[start : start + size]


def first_sentences(text: str, most: int) -> str:
    """Return the first sentences, because the paper's responses have one or two, and small models write more."""
    from judges.words import sentences

    return " ".join(sentences(" ".join(text.split()))[:most]).strip()
