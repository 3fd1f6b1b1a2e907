"""Compares a shipped judge's pairs per second with those of the bare model: `python -m arena.training.judges.speed`.

Both read the same batches. The bare model is transformers' own implementation of the same shape and precision,
and its texts are already tokenised and batched.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from arena.training.judges.evaluate import unseen
from bots.encoders import tokens
from judges.embedded import single
from judges.wording import hypothesis


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """Return the shortest time of several runs, because other programs share the machine."""
    measured = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        measured.append(time.perf_counter() - start)
    return min(measured)


def main() -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--pairs", type=int, default=2000)
    door.add_argument("--threads", type=int, default=2)
    door.add_argument("--size", choices=["large", "small"], default="large")
    chosen = door.parse_args()
    torch.set_num_threads(chosen.threads)
    pairs = [(t.statement, hypothesis(t.question, t.answer)) for t in unseen()[: chosen.pairs]]
    scorer = single(chosen.size)
    read = tokens.encode(pairs, 256, base=scorer.base)
    batches = [
        tokens.tensors([read[index] for index in batch], scorer.base)
        for batch in tokens.batches([len(row.ids) for row in read], 2048)
    ]
    bare = AutoModelForSequenceClassification.from_pretrained(scorer.base.folder(), num_labels=3)
    bare = bare.to(tokens.fast_type()).eval()

    def plain() -> None:
        with torch.inference_mode():
            for ids, _, mask in batches:
                bare(input_ids=ids, attention_mask=mask)

    scorer.score(pairs[:64])
    ours, theirs = seconds(lambda: scorer.score(pairs)), seconds(plain)
    words = sum(len(row.ids) for row in read) / len(read)
    print(
        f"{len(pairs)} pairs of {words:.0f} tokens, {chosen.threads} threads: judge {len(pairs) / ours:.0f} pairs/s, ",
        end="",
    )
    print(f"bare model {len(pairs) / theirs:.0f} pairs/s, ratio {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
