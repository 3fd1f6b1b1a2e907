"""Trains the shipped judges: `arena train judge --data DIR --out DIR`.

Judges of both sizes learn from one mixture. Published pairs teach entailment and contradiction, and generated
pairs teach the questions that the arena asks. In a last stage, a judge learns from real answers of language
models that readers labelled, and from pairs that a language model wrote. All layers of the small judge are
trained; the large judge is trained through adapters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from arena.core.errors import InputError
from arena.training.judges.calibrate import calibrate
from arena.training.judges.drills import drills
from arena.training.judges.implied import implied
from arena.training.judges.loop import Phase, average, batches_by_length, go_on_from, halve_frozen, run
from arena.training.judges.pairs import NOT_CONTRADICTION, SOURCES, Pair, count, hand_written
from arena.training.judges.perturb import perturbed
from arena.training.judges.published import published, published_pairs, real_answers
from arena.training.judges.reading import judged
from arena.training.judges.readings import training_pairs
from arena.training.judges.speaker import agreeing, two_facts, written, written_pairs
from arena.training.judges.texts import Guard
from arena.training.judges.triples import Generator
from bots.encoders.bases import BASES, MINILM, MPNET
from bots.encoders.tokens import Tokens, encode, tensors
from judges.network import JudgeNetwork
from judges.packing import save

LONGEST, BATCH = 112, 32
TOLD = 0.35
"""The share of the generated cases that say how many right answers the question has."""
MISTOLD = 0.04
"""The share of these cases that state the wrong number, because the rules make errors too."""
TOPIC_WEIGHT = 0.3
LATER = 3
"""The learning rate of the last stage is lower by this factor."""


@dataclass(frozen=True)
class JudgeOptions:
    data: Path
    out: Path
    steps: int = 6_500
    seed: int = 7
    threads: int = 2
    start: Path | None = None
    """A checkpoint or shipped weights from which the training continues, at a lower rate."""
    blend: Path | None = None
    """Weights that are averaged with the result. Averaging restores what a short training has forgotten (Wortsman
    et al. 2022).
    """
    base: str = MINILM.name
    """The published encoder to start from: the small judge's, or all-mpnet-base-v2."""
    rank: int = 32
    """The rank of the large judge's adapters; 0 trains all its layers."""
    answers: Path | None = None
    """A folder of labelled answers for the last stage."""
    published: Path | None = None
    """The export of published tournaments, whose labels are used in the last stage as well."""
    labels: Path | None = None
    """A folder of further labels of the published tournaments."""
    answer_steps: int = 350

    @property
    def large(self) -> bool:
        return self.base == MPNET.name

    @property
    def rate(self) -> float:
        """The learning rate. Adapters and the small judge need a higher rate than the full layers of a large model."""
        full = (4e-5 if self.rank == 0 else 3e-4) if self.large else 1e-4
        return full / 2 if self.start else full


def loss_of(logits: Tensor, labels: Tensor, topical: Tensor) -> Tensor:
    """Return the cross entropy. If a label only excludes a contradiction, the loss is that of "entailment or neutral".

    `topical` is 1 for an answer that keeps to its question, 0 for an answer that does not, and -1 if this is
    unknown.
    """
    logits = logits.float()
    logs = F.log_softmax(logits[:, :3], dim=1)
    exact = -logs.gather(1, labels.clamp_max(2)[:, None]).squeeze(1)
    rest = -torch.logsumexp(logs[:, :2], dim=1)
    loss = torch.where(labels == NOT_CONTRADICTION, rest, exact).mean()
    known = topical >= 0
    if logits.shape[1] > 3 and bool(known.any()):
        on_topic = F.binary_cross_entropy_with_logits(logits[known, 3], topical[known].float())
        loss = loss + TOPIC_WEIGHT * on_topic * known.float().mean()
    return loss


def endless(
    model: JudgeNetwork, pairs: Sequence[Pair], source: random.Random
) -> Iterator[Callable[[], Tensor]]:
    base = model.encoder.base
    read: list[Tokens] = encode([(pair.premise, pair.hypothesis) for pair in pairs], LONGEST, base=base)
    lengths = [len(tokens.ids) for tokens in read]
    known = {None: -1, False: 0, True: 1}

    def step(batch: Sequence[int]) -> Tensor:
        labels = torch.tensor([pairs[index].label for index in batch])
        topical = torch.tensor([known[pairs[index].topical] for index in batch])
        return loss_of(model(*tensors([read[index] for index in batch], base)), labels, topical)

    while True:
        for batch in batches_by_length(lengths, BATCH, source):
            yield partial(step, batch)


def mixture(data: Path, guard: Guard, source: random.Random) -> list[Pair]:
    """Return the published pairs, and generated cases like those that the judge meets in the arena."""
    pairs: list[Pair] = []
    originals: set[str] = set()
    for taken, rows in hand_written(data, guard):
        chosen = source.sample(rows, min(len(rows), taken.most))
        pairs += taken.times * chosen
        if "fever" not in taken.pattern:
            originals.update(pair.premise for pair in chosen if pair.label != NOT_CONTRADICTION)
    pairs += perturbed(source.sample(sorted(originals), min(5_000, len(originals))), source)
    generator = Generator(source, held=False)
    triples = generator.triples(12_000) + generator.triples(4_000, numbers=True) + generator.counts(3_000)
    triples += 2 * implied(source, held=False) + drills(source, held=False, number=18_000)
    for triple in triples:
        if not guard.knows(triple.statement, triple.answer):
            if triple.single is not None and source.random() < MISTOLD:
                triple = replace(triple, single=not triple.single)
            pairs.append(triple.pair(told=source.random() < TOLD))
    answered = judged(data, guard, source, generator.evasions)
    pairs += source.sample(answered, min(6_000, len(answered)))
    spoken = agreeing(data, guard, source)
    pairs += source.sample(spoken, min(14_000, len(spoken))) + two_facts(source, 10_000)
    return [pair for pair in pairs if not guard.knows(pair.premise, pair.hypothesis)]


def network(options: JudgeOptions) -> JudgeNetwork:
    """Return the model before its first step. Frozen weights have half precision, because computations use no more."""
    model = JudgeNetwork(BASES[options.base], options.rank if options.large else 0, topic=True)
    if options.start:
        go_on_from(options.start, model)
    elif not model.encoder.rank:
        model.encoder.start_from_base()
    halve_frozen(model)
    return model


def train(options: JudgeOptions, report: Callable[[str], None] = print) -> Path:
    """Train, shrink and calibrate a judge, and return the file to ship. A training that was stopped continues."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    source = random.Random(options.seed)
    if not any(any(options.data.glob(taken.pattern)) for taken in SOURCES):
        raise InputError(
            f"{options.data} has none of the judge's training files: see judges/weights/small/README.md."
        )
    options.out.mkdir(parents=True, exist_ok=True)
    guard = Guard.of(options.data)
    model = network(options)
    known = published(options.published, options.labels)
    real = real_answers(options.answers, known, options.data, guard)
    if options.steps or real:
        pairs = mixture(options.data, guard, source)
        report(f"{len(pairs)} pairs: {count(pairs)}")
    if options.steps:
        phase = Phase(options.steps, options.rate, options.rate / 30)
        run(model, endless(model, pairs, source), phase, options.out / "judge.pt", report, resume=True)
    if real:
        labelled = training_pairs(real, source) + written_pairs(source, written())
        labelled += 2 * published_pairs(known, guard)
        report(
            f"{len(labelled)} pairs from {len(real)} labelled answers and the written pairs: {count(labelled)}"
        )
        phase = Phase(options.answer_steps, options.rate / LATER, options.rate / LATER / 10)
        both = labelled + source.sample(pairs, min(len(pairs), len(labelled)))
        run(model, endless(model, both, source), phase, options.out / "answers.pt", report, resume=True)
    if options.blend:
        average(model, options.blend)
    path = options.out / "judge.safetensors"
    facts = {
        "temperature": "1.0",
        "base": options.base,
        "rank": str(model.encoder.rank),
        "topic": "yes",
        "told": "yes",
    }
    save(path, model, facts)
    if (options.data / "decode" / "dev_pairs_part.tsv").exists() and (options.data / "consistest").is_dir():
        calibrate(options.data, path, report, real)
    else:
        report("not calibrated: decode/dev_pairs_part.tsv or consistest/ is missing in the data folder")
    return path
