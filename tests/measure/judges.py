"""The embedded judge in the whole chain: scripted tournaments whose truth is known, and its speed."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from arena.core.types import Case
from arena.results.view import inquiries, view
from arena.stats import metrics
from arena.stats.calibration import corrected, threshold
from db import Repository, statistics
from judges import registry
from judges.cache import Cached
from tests.support.tournaments import play, store, text

P = 0.3
BOTS = (
    "  - {name: steady, adapter: scripted}",
    *(f"  - {{name: moody{n}, adapter: scripted, fickleness: {P}, sheet_seed: {n}}}" for n in range(1, 5)),
)
RULES = "{entities: rules, questions: rules}"


def main() -> None:
    for part in (chain, coverage, speed):
        print(json.dumps({part.__name__: part()}, indent=1), flush=True)


def _source(seed: int, dialogues: int, bots: tuple[str, ...] = BOTS) -> str:
    names = [f"moody{n}" for n in range(1, len(bots))]
    pairs = "pairs: [" + ", ".join(f"[steady, {name}]" for name in names) + "]"
    source = text(
        *bots, seed=seed, turns=15, dialogues=dialogues, inquirer=RULES, release=f"r{seed}", more=pairs
    )
    return source.replace("judges: [truth]", "judges: [nli, truth]")


def _known(repository: Repository, tournament: str) -> tuple[Any, np.ndarray[Any, Any]]:
    """The tournament as the embedded judge sees it, and the truth of each inquiry (nan where none is recorded)."""
    seen = view(repository, repository.find(tournament), "nli")
    row = next(row for row, name, _, _ in repository.judges(tournament) if name == "truth")
    truth = statistics.exact(repository, tournament, row, seen.played)
    by_key = dict(zip(truth.rows, truth.score, strict=True))
    nothing: dict[str, dict[str, float]] = {"relevant": {}, "contradicts": {}, "appropriate": {}}
    scores = statistics.exact(repository, tournament, seen.judge.row, seen.played)
    data = inquiries(seen.played, scores, nothing)
    return data, np.array([by_key[key] for key in scores.rows])


def chain(dialogues: int = 40, labels: int = 200) -> dict[str, Any]:
    """The measured rate of bots that contradict themselves in 30% of their answers, before and after calibration."""
    with tempfile.TemporaryDirectory() as folder:
        repository = store(Path(folder))
        tournament, tally = play(repository, _source(1, dialogues))
        data, truth = _known(repository, tournament.info.id)
    known = np.isfinite(truth) & np.isfinite(data.score)
    rates = []
    for seed in range(20):
        chosen = np.random.default_rng(seed).choice(np.flatnonzero(known), labels, replace=False)
        tau = threshold(data.score[chosen], truth[chosen])
        assert tau is not None
        rates.append(float(np.mean(data.score[known] > tau.tau)))
    return {
        "inquiries": len(truth),
        "without_truth": int((~np.isfinite(truth)).sum()),
        "true_rate": round(float(truth[known].mean()), 4),
        "rate_at_0.5": round(float(np.mean(data.score[known] > 0.5)), 4),
        "auc": round(metrics.auc(truth[known] > 0.5, data.score[known]), 4),
        "f1_at_0.5": round(metrics.f1(truth[known] > 0.5, data.score[known], 0.5), 4),
        "rate_calibrated": {
            "mean": round(float(np.mean(rates)), 4),
            "worst": max(rates, key=lambda r: abs(r - P)),
        },
        "within_0.08": sum(abs(rate - P) <= 0.08 for rate in rates) / len(rates),
        "seconds": round(tally.seconds, 1),
    }


def coverage(tournaments: int = 100, dialogues: int = 30, labels: int = 100) -> dict[str, Any]:
    """How often the prediction-powered interval of a bot holds its true rate."""
    held = alone = 0
    widths, of_people = [], []
    with tempfile.TemporaryDirectory() as folder:
        repository = store(Path(folder))
        for seed in range(tournaments):
            tournament, _ = play(repository, _source(1000 + seed, dialogues, BOTS[:2]))
            data, truth = _known(repository, tournament.info.id)
            known = np.flatnonzero(np.isfinite(truth) & np.isfinite(data.score))
            data.score[~np.isfinite(truth)] = np.nan  # without a truth there is nothing to cover
            sentence = np.full(len(truth), np.nan)
            chosen = np.random.default_rng(seed).choice(known, min(labels, len(known)), replace=False)
            sentence[chosen] = truth[chosen]
            result = {one.bot: one for one in corrected(data, 0.5, sentence)}["moody1"]
            held += result.low <= P <= result.high
            alone += result.people_low <= P <= result.people_high
            widths.append(result.high - result.low)
            of_people.append(result.people_high - result.people_low)
    return {
        "tournaments": tournaments,
        "labels_each": labels,
        "covered": held / tournaments,
        "covered_by_labels_alone": alone / tournaments,
        "mean_width": round(float(np.mean(widths)), 4),
        "mean_width_of_labels_alone": round(float(np.mean(of_people)), 4),
    }


def speed(pairs: int = 2000) -> dict[str, Any]:
    """Pairs a second of the judge and of the bare network on the same batches; verdicts a second from the cache."""
    import torch

    from bots.encoders import tokens
    from judges.embedded import single

    draw = random.Random(1)
    line = "I have two kids and a dog in a small house near the sea where my sister works as a nurse"
    words = line.split()
    sentence = [" ".join(draw.choices(words, k=draw.randint(5, 15))) for _ in range(2 * pairs)]
    cases = [
        Case(one, "What do you have near the sea?", other)
        for one, other in zip(sentence[::2], sentence[1::2], strict=True)
    ]
    judge = registry.create("nli", "nli:large")
    asyncio.run(judge.judge(cases[:64]))
    scorer = single("large")
    read = tokens.encode([judge.pair(case) for case in cases], 256, base=scorer.base)  # type: ignore[attr-defined]
    ready = [
        tokens.tensors([read[index] for index in batch], scorer.base)
        for batch in tokens.batches([len(one.ids) for one in read], 2048)
    ]

    def network() -> None:
        with torch.inference_mode():
            for batch in ready:
                scorer._network(*batch)

    ours, bare = [], []
    for _ in range(5):
        ours.append(_per_second(pairs, lambda: asyncio.run(judge.judge(cases))))
        bare.append(_per_second(pairs, network))
    with tempfile.TemporaryDirectory() as folder:
        cached = Cached(judge, store(Path(folder)))
        asyncio.run(cached.judge(cases))

        def again() -> None:
            for start in range(0, 10 * pairs, 1024):
                asyncio.run(cached.judge((cases * 10)[start : start + 1024]))

        from_cache = _per_second(10 * pairs, again)
    return {
        "threads": torch.get_num_threads(),
        "pairs_per_second": [round(float(x)) for x in np.median(ours, axis=0)],
        "bare_pairs_per_second": [round(float(x)) for x in np.median(bare, axis=0)],
        "ratio": round(
            float(np.median([one[1] / other[1] for one, other in zip(ours, bare, strict=True)])), 3
        ),
        "mean_tokens": round(float(np.mean([len(one.ids) for one in read])), 1),
        "from_cache_per_second": [round(x) for x in from_cache],
    }


def _per_second(number: int, work: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and by the processor's time, which other jobs take nothing from."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return number / (time.perf_counter() - clock), number / (time.process_time() - processor)
