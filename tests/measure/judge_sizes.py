"""Adapters against full tuning of the large judge's base, on the same batches in the same time.

`python -m tests.measure.judge_sizes --data DIR [--seconds 150]`: each way trains so long from the same start;
the loss over the last quarter of the steps that all ways took, and the area under the curve on DECODE's first
development half, are printed.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from pathlib import Path

import torch

from arena.training.judges.evaluate import auc, decode_pairs
from arena.training.judges.judge import JudgeOptions, endless, mixture, network
from arena.training.judges.loop import Phase, Training
from arena.training.judges.pairs import CONTRADICTION
from arena.training.judges.texts import Guard
from bots.encoders.bases import MPNET
from bots.encoders.tokens import encode, tensors

MEASURED = 400


def area(model: torch.nn.Module, data: Path) -> float:
    rows = decode_pairs(data, 0)[:MEASURED]
    base = model.encoder.base
    read = encode([(first, second) for first, second, _ in rows], 112, base=base)
    scores: list[float] = []
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(read), 32):
            logits = model(*tensors(read[start : start + 32], base)).float()[:, :3]
            scores += logits.softmax(1)[:, CONTRADICTION].tolist()
    return auc(scores, [truth for *_, truth in rows])


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--seconds", type=float, default=150)
    door.add_argument("--ranks", type=int, nargs="+", default=[32, 64, 0])
    door.add_argument("--rate", type=float)
    chosen = door.parse_args()
    torch.set_num_threads(2)
    pairs = mixture(chosen.data, Guard.of(chosen.data), random.Random(7))
    few = random.Random(1).sample(pairs, 20_000)
    losses: dict[int, list[float]] = {}
    for rank in chosen.ranks:
        torch.manual_seed(7)
        options = JudgeOptions(chosen.data, Path(), base=MPNET.name, rank=rank)
        model = network(options)
        rate = chosen.rate or options.rate
        training = Training(model, Phase(2_000, rate, rate / 10), Path("unused"))
        steps = endless(model, few, random.Random(3))
        began = time.monotonic()
        while time.monotonic() - began < chosen.seconds:
            training.step(next(steps))
        spent = time.monotonic() - began
        losses[rank] = training.losses
        print(
            f"rank {rank}, rate {rate}: {training.done} steps, {spent / training.done:.2f} s/step, "
            f"DECODE AUC {area(model, chosen.data):.3f} (n={MEASURED})",
            flush=True,
        )
        del model, training
    shared = min(map(len, losses.values()))
    for rank, row in losses.items():
        last = list(itertools.islice(row, shared * 3 // 4, shared))
        print(f"rank {rank}: mean loss of steps {shared * 3 // 4} to {shared}: {sum(last) / len(last):.3f}")


if __name__ == "__main__":
    main()
