"""Train the shipped judge: `python -m arena.training.judges.judge --data DIR --out DIR`."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from arena.core.errors import InputError
from arena.training.judges.calibrate import calibrate
from arena.training.judges.drills import drills
from arena.training.judges.implied import implied
from arena.training.judges.loop import Phase, average, batches_by_length, go_on_from, run
from arena.training.judges.pairs import NOT_CONTRADICTION, SOURCES, Pair, count, hand_written
from arena.training.judges.perturb import perturbed
from arena.training.judges.reading import judged
from arena.training.judges.texts import Guard
from arena.training.judges.triples import Generator
from judges.encoder import Tokens, encode, save, tensors
from judges.network import JudgeNetwork

LONGEST, BATCH = 112, 32


@dataclass(frozen=True)
class JudgeOptions:
    data: Path
    out: Path
    steps: int = 7_700
    """Three tenths on hand-written pairs alone, the rest on them and what is generated."""
    seed: int = 7
    threads: int = 2
    start: Path | None = None
    """A checkpoint or shipped weights to go on from, at a lower rate; all steps then go to the second part.
    With none, only the blend and the calibration are done."""
    blend: Path | None = None
    """Weights to average the result with: what a short training forgot comes back (Wortsman et al. 2022)."""


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy; a label that only denies a contradiction rewards everything but contradiction."""
    logs = F.log_softmax(logits.float(), dim=1)
    exact = -logs.gather(1, labels.clamp_max(2)[:, None]).squeeze(1)
    rest = -torch.logsumexp(logs[:, :2], dim=1)
    return torch.where(labels == NOT_CONTRADICTION, rest, exact).mean()


def endless(
    model: JudgeNetwork, pairs: Sequence[Pair], source: random.Random
) -> Iterator[Callable[[], Tensor]]:
    read: list[Tokens] = encode([(pair.premise, pair.hypothesis) for pair in pairs], LONGEST)
    lengths = [len(tokens.ids) for tokens in read]

    def step(batch: Sequence[int]) -> Tensor:
        ids, segments, mask = tensors([read[index] for index in batch])
        return loss_of(model(ids, segments, mask), torch.tensor([pairs[index].label for index in batch]))

    while True:
        for batch in batches_by_length(lengths, BATCH, source):
            yield partial(step, batch)


def broad_mix(data: Path, guard: Guard, source: random.Random) -> list[Pair]:
    """Hand-written pairs alone: what entailment and contradiction are."""
    pairs: list[Pair] = []
    for taken, found in hand_written(data, guard):
        pairs += source.sample(found, min(len(found), taken.most))
    return pairs


def arena_mix(data: Path, guard: Guard, source: random.Random) -> list[Pair]:
    """What the judge meets in the arena, with enough of the hand-written pairs to forget nothing."""
    pairs: list[Pair] = []
    originals: set[str] = set()
    for taken, found in hand_written(data, guard):
        pairs += source.sample(found, min(len(found), taken.later))
        if taken.later and "fever" not in taken.pattern:
            originals.update(pair.premise for pair in found if pair.label != NOT_CONTRADICTION)
    pairs += perturbed(source.sample(sorted(originals), min(8_000, len(originals))), source)
    generator = Generator(source, held=False)
    triples = generator.triples(36_000) + generator.triples(9_000, numbers=True) + generator.counts(5_000)
    triples += 4 * implied(source, held=False) + drills(source, held=False, number=46_000)
    pairs += [triple.pair() for triple in triples if not guard.knows(triple.statement, triple.answer)]
    answered = judged(data, guard, source, generator.evasions)
    pairs += source.sample(answered, min(18_000, len(answered)))
    return [pair for pair in pairs if not guard.knows(pair.premise, pair.hypothesis)]


def train(options: JudgeOptions, report: Callable[[str], None] = print) -> Path:
    """Train, shrink and calibrate; the file to ship comes back."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    source = random.Random(options.seed)
    if not any(any(options.data.glob(taken.pattern)) for taken in SOURCES):
        raise InputError(
            f"{options.data} has none of the judge's training files: see judges/weights/judge/README.md."
        )
    options.out.mkdir(parents=True, exist_ok=True)
    guard = Guard.of(options.data)
    model = JudgeNetwork()
    broad = 0 if options.start else options.steps * 3 // 10
    if options.start:
        go_on_from(options.start, model)
    else:
        model.encoder.start_from_base()
        pairs = broad_mix(options.data, guard, source)
        report(f"{len(pairs)} hand-written pairs")
        run(model, endless(model, pairs, source), Phase(broad, 1e-4, 8e-5), options.out / "broad.pt", report)
    last = Phase(options.steps - broad, 5e-5 if options.start else 8e-5, 2e-6)
    if last.steps:
        pairs = arena_mix(options.data, guard, source)
        report(f"{len(pairs)} pairs: {count(pairs)}")
        run(model, endless(model, pairs, source), last, options.out / "arena.pt", report)
    if options.blend:
        average(model, options.blend)
    path = options.out / "judge.safetensors"
    save(path, model, {"temperature": "1.0"})
    if (options.data / "decode" / "dev_pairs_part.tsv").exists() and (options.data / "consistest").is_dir():
        calibrate(options.data, path, report)
    else:
        report("not calibrated: decode/dev_pairs_part.tsv or consistest/ is missing in the data folder")
    return path


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--out", type=Path, required=True)
    door.add_argument("--steps", type=int, default=JudgeOptions.steps)
    door.add_argument("--seed", type=int, default=JudgeOptions.seed)
    door.add_argument("--threads", type=int, default=JudgeOptions.threads)
    door.add_argument("--start", type=Path)
    door.add_argument("--blend", type=Path)
    train(JudgeOptions(**vars(door.parse_args())))


if __name__ == "__main__":
    main()
