"""Trains the shipped reader: `python -m arena.training.judges.reader --data DIR --out DIR --start
JUDGE.safetensors`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn import functional as F

from arena.core.errors import InputError
from arena.training.judges.loop import Phase, average, batches_by_length, go_on_from, halve_frozen, run
from arena.training.judges.reading import (
    FILES,
    Question,
    asked_of_sentences,
    questions,
    sentences,
    settling,
    shortened,
    swapped,
)
from arena.training.judges.texts import Guard, normal
from arena.training.judges.triples import Generator
from bots.encoders.bases import BASES, MINILM, MPNET
from bots.encoders.tokens import Tokens, encode, tensors
from judges.network import JudgeNetwork, ReaderNetwork
from judges.packing import metadata, save
from judges.q2.questions import RuleAsker
from judges.q2.spans import RuleSpans
from judges.reader import Reader

LONGEST, BATCH_TOKENS = 256, 1800
DROPPED = 0.1
SURE = 0.999
REFUSED = 0.93
DRAWS = 3  # each draw cuts the same contexts in other places


@dataclass(frozen=True)
class ReaderOptions:
    data: Path
    out: Path
    steps: int = 4_500
    """The number of training steps. With 0 steps, the weights are only blended and the bound for "no answer" is set."""
    seed: int = 7
    threads: int = 2
    start: Path | None = None
    """The weights to start from. From shipped judge weights, only the encoder is used. A reader's checkpoint or
    shipped reader weights are trained further. By default, training starts from the base model.
    """
    blend: tuple[Path, ...] = ()
    """Weights of other readers. The mean of these weights and the result is written."""
    teacher: Path | None = None
    """The weights of a trained reader. It marks the answers to questions that have no marked answer; only answers
    of which it is certain are used.
    """
    ruled: int = 0
    """The number of questions that are written by Q²'s rules, each about a sentence of the same texts."""
    base: str = MINILM.name
    """The published encoder to start from."""
    rank: int = 32
    """The rank of the large encoder's adapters; 0 trains all its layers. The small encoder has no adapters."""

    @property
    def adapters(self) -> int:
        return self.rank if self.base == MPNET.name else 0

    @property
    def rate(self) -> float:
        """The learning rate. Adapters need a higher rate than full layers."""
        return 3e-4 if self.adapters else 1.2e-4


@dataclass(frozen=True, slots=True)
class Reading:
    """A training case. The answer is empty if the context does not contain an answer."""

    question: str
    context: str
    answer: str
    start: int


def cut(question: Question, source: random.Random) -> Question:
    """Shorten the context to lengths that the reader will meet: mostly the answer's sentence, sometimes everything."""
    draw = source.random()
    if draw < 0.58:
        return shortened(question)
    if draw < 0.78:
        return shortened(question, 1)
    if len(question.context) < 1000:
        return question
    return shortened(question, 3)


def mix(data: Path, guard: Guard, source: random.Random) -> list[Reading]:
    rows = questions(data, guard, held=False)
    examples = []
    for row in rows:
        kept = cut(row, source)
        examples.append(Reading(kept.question, kept.context, kept.answer, kept.start))
        draw = source.random()
        if draw < 0.16:  # another paragraph
            other = cut(source.choice(rows), source)
            if normal(row.answer) not in normal(other.context):
                examples.append(Reading(row.question, other.context, "", 0))
        elif draw < 0.27:  # another sentence of the same paragraph
            spans = sentences(row.context)
            start, end = source.choice(spans)
            text = row.context[start:end].strip()
            if len(text.split()) > 4 and normal(row.answer) not in normal(text):
                examples.append(Reading(row.question, text, "", 0))
    return examples + spoken(Generator(source, held=False), 10_000, guard)


def marked(data: Path, guard: Guard, teacher: Path) -> list[Reading]:
    """Return questions about single sentences, with answers of which a trained reader is certain."""
    pairs = asked_of_sentences(data, guard)
    return [
        Reading(question, sentence, span.text, span.start)
        for (question, sentence), span in zip(pairs, Reader(teacher).read(pairs), strict=True)
        if span is not None and span.score > SURE
    ]


def ruled(data: Path, guard: Guard, number: int, source: random.Random) -> list[Reading]:
    """Return questions written by Q²'s rules, each about a span of a sentence."""
    rows = questions(data, guard, held=False)
    contexts = sorted({row.context for row in rows})
    texts = [context[start:end].strip() for context in contexts for start, end in sentences(context)]
    texts += [sentence for _, sentence in asked_of_sentences(data, guard)]
    source.shuffle(texts)
    examples: list[Reading] = []
    for text in texts:
        if not 5 <= len(text.split()) <= 60 or guard.knows(text):
            continue
        spans = RuleSpans().find([text])[0]
        if spans:
            span = source.choice(spans)
            written = RuleAsker().ask([(text, span)], 3)[0]
            if written:
                examples.append(Reading(source.choice(written), text, span.text, span.start))
        if len(examples) == number:
            break
    return examples


def spoken(generator: Generator, number: int, guard: Guard | None = None) -> list[Reading]:
    """Return messages like those of the arena's bots, with questions to their writer."""
    examples: list[Reading] = []
    while len(examples) < number:
        utterance, question, answer = generator.reading()
        at = utterance.lower().find(answer.lower()) if answer else 0
        if at < 0 or (guard and guard.knows(utterance)):
            continue
        examples.append(Reading(question, utterance, utterance[at : at + len(answer)] if answer else "", at))
    return examples


def places(reading: Reading, tokens: Tokens) -> tuple[int, int] | None:
    """Return the first and the last token of the answer. Both are the position of [CLS] if there is no answer.
    None if the answer was cut off.
    """
    if not reading.answer:
        return 0, 0
    end = reading.start + len(reading.answer)
    inside = [i for i, (a, b) in enumerate(tokens.offsets) if a < end and b > reading.start]
    if not inside or tokens.offsets[inside[-1]][1] < end:
        return None
    return tokens.first + inside[0], tokens.first + inside[-1]


def endless(
    model: ReaderNetwork, readings: Sequence[Reading], source: random.Random
) -> Iterator[Callable[[], Tensor]]:
    base = model.encoder.base
    asked = [(reading.question, reading.context) for reading in readings]
    read = encode(asked, LONGEST, offsets=True, base=base)
    kept = [
        (tokens, at)
        for reading, tokens in zip(readings, read, strict=True)
        if (at := places(reading, tokens))
    ]
    lengths = [len(tokens.ids) for tokens, _ in kept]

    def step(batch: Sequence[int]) -> Tensor:
        logits = model(*tensors([kept[index][0] for index in batch], base))
        wanted = torch.tensor([kept[index][1] for index in batch])
        return F.cross_entropy(logits[:, :, 0], wanted[:, 0]) + F.cross_entropy(logits[:, :, 1], wanted[:, 1])

    while True:
        for wide in batches_by_length(lengths, 64, source):
            size = max(8, BATCH_TOKENS // lengths[wide[-1]])
            for first in range(0, len(wide), size):
                yield partial(step, wide[first : first + size])


def _is_judge(path: Path) -> bool:
    if path.suffix != ".safetensors":
        return False
    with safe_open(path, framework="pt") as file:
        return any(name.startswith("classes.") for name in file.keys())  # noqa: SIM118 (no mapping)


def network(options: ReaderOptions) -> ReaderNetwork:
    """Return the model before its first step. Frozen weights have half precision, because computations use no more."""
    base = BASES[options.base]
    model = ReaderNetwork(base, options.adapters)
    if options.start and _is_judge(options.start):
        judge = JudgeNetwork(base, options.adapters, metadata(options.start).get("topic") == "yes")
        go_on_from(options.start, judge)
        model.encoder.load_state_dict(judge.encoder.state_dict())
    elif options.start:
        go_on_from(options.start, model)
    elif not options.adapters:
        model.encoder.start_from_base()
    halve_frozen(model)
    return model


def train(options: ReaderOptions, report: Callable[[str], None] = print) -> Path:
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    source = random.Random(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    model = network(options)
    if not any((options.data / "qa" / f"qa_{name}.jsonl").exists() for name in FILES):
        raise InputError(
            f"{options.data}/qa has none of the reader's files: see judges/weights/reader/README.md."
        )
    if options.steps:
        _teach(model, options, source, report)
    if options.blend:
        average(model, *options.blend, share=1 / (1 + len(options.blend)))
    path = options.out / "reader.safetensors"
    facts = {"base": options.base, "rank": str(options.adapters)}
    save(path, model, facts | {"none": "0.0"})
    bound = settle(path, options.data)
    save(path, model, facts | {"none": f"{bound:.2f}"})
    report(f"no answer below {bound:.2f}")
    return path


def _teach(
    model: ReaderNetwork, options: ReaderOptions, source: random.Random, report: Callable[[str], None]
) -> None:
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = DROPPED
    guard = Guard.of(options.data)
    readings = [reading for _ in range(DRAWS) for reading in mix(options.data, guard, source)]
    if options.teacher:
        sure = marked(options.data, guard, options.teacher)
        report(f"{len(sure)} answers marked by the teacher")
        readings += DRAWS * sure
    if options.ruled:
        readings += ruled(options.data, guard, options.ruled, source)
    report(f"{len(readings)} readings, {sum(not r.answer for r in readings)} without an answer")
    steps = endless(model, readings, source)
    phase = Phase(options.steps, options.rate, options.rate / 60)
    run(model, steps, phase, options.out / "reader.pt", report, resume=True)


def settle(path: Path, data: Path) -> float:
    """Return the bound below which the reader gives no answer. It rejects the share REFUSED of the sentences
    without an answer.
    """
    held = questions(data, None, held=True, names=["squadshifts_new_wiki"])
    rows = [shortened(row) for row in held if settling(row.context)]
    if len(rows) < 20:
        return 0.0
    margins = sorted(Reader(path).margins(swapped(rows, random.Random(1))))
    return margins[int(REFUSED * (len(margins) - 1))]


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--out", type=Path, required=True)
    door.add_argument("--steps", type=int, default=ReaderOptions.steps)
    door.add_argument("--seed", type=int, default=ReaderOptions.seed)
    door.add_argument("--threads", type=int, default=ReaderOptions.threads)
    door.add_argument("--base", choices=sorted(BASES), default=ReaderOptions.base)
    door.add_argument("--rank", type=int, default=ReaderOptions.rank)
    door.add_argument("--start", type=Path)
    door.add_argument("--teacher", type=Path)
    door.add_argument("--ruled", type=int, default=ReaderOptions.ruled)
    door.add_argument("--blend", type=Path, nargs="+", default=())
    given = vars(door.parse_args())
    train(ReaderOptions(**given | {"blend": tuple(given["blend"])}))


if __name__ == "__main__":
    main()
