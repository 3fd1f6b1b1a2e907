"""Calibrates the checks of messages: `python -m arena.training.judges.scales --data DIR [--weights FILE]`.

Messages without a contradiction come from Synthetic-Persona-Chat. They are compared with their own conversation
and with their speaker's persona. To make messages with a contradiction, a contradicting pair of DECODE's
training part is put into such a conversation. A logistic curve over the highest score and the number of pairs
separates the two groups. The curve is shifted so that at the judge's own τ one in two hundred messages without a
contradiction is flagged. The result is written beside the weights.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from arena.core.types import Check, Message
from arena.judging.checks import Material, cosines, judgement, material
from arena.training.judges.conversations import conversations
from arena.training.judges.pairs import CONTRADICTION, Pair, hand_written
from arena.training.judges.speaker import kept_apart
from arena.training.judges.texts import Guard
from db.records import Unchecked
from judges import registry
from judges.assertions import assertions
from judges.base import PLAIN, Judge, Scale
from judges.cache import Cached, Memory
from judges.nli import Nli
from judges.scales import FILE
from judges.vectors import Vectors

ALLOWED = 0.005
"""The share of messages without a contradiction that may be flagged at τ."""


def clean(data: Path, number: int, source: random.Random) -> list[Unchecked]:
    """Return some conversations, each twice: with either side as the bot under test, with its persona."""
    rows: list[Unchecked] = []
    talks = [talk for talk in conversations(data) if kept_apart(talk[0])]
    for _, personas, lines in source.sample(talks, min(number, len(talks))):
        for seat in (0, 1):
            messages = tuple(
                Message(n, int(who == seat), text, "", None) for n, (who, text) in enumerate(lines)
            )
            wanted = frozenset(m.index for m in messages if m.seat)
            rows.append(Unchecked(len(rows), messages, wanted, personas[seat], None))
    return rows


def with_contradictions(
    talks: Sequence[Unchecked], pairs: Sequence[Pair], check: Check, source: random.Random
) -> Iterator[Unchecked]:
    """Yield the same conversations, each with one contradicting pair inserted.

    The contradicted sentence is inserted into an early message or into the persona, the contradicting sentence
    into a later message.
    """
    for talk, pair in zip(talks, source.sample(list(pairs), len(talks)), strict=True):
        own = sorted(talk.wanted)
        if len(own) < 3:
            continue
        later = source.choice(own[1:])
        texts = {later: pair.hypothesis}
        persona = talk.persona
        if check is Check.PERSONA:
            persona = f"{talk.persona}\n{pair.premise}"
        else:
            texts[source.choice([place for place in own if place < later])] = pair.premise
        messages = tuple(
            replace(m, text=f"{m.text} {texts[m.index]}") if m.index in texts else m for m in talk.messages
        )
        yield Unchecked(talk.dialogue, messages, frozenset({later}), persona, None)


def highest(judge: Judge, rows: Sequence[Material], check: Check) -> list[tuple[float, int]]:
    """Return (highest score, number of pairs) for each message that can be checked."""
    cases = [pair.case for row in rows for pair in row.pairs]
    opinions = asyncio.run(Cached(judge, Memory()).judge(cases)) if cases else []
    best, at = [], 0
    for row in rows:
        own = opinions[at : at + len(row.pairs)]
        at += len(row.pairs)
        score = judgement(row, own, check, PLAIN).contradiction
        if row.pairs and score is not None:
            best.append((score, len(row.pairs)))
    return best


def fitted(without: Sequence[tuple[float, int]], with_one: Sequence[tuple[float, int]], tau: float) -> Scale:
    """Fit a logistic curve that separates the two groups, shifted so that the share of false alarms at τ is as
    allowed.
    """
    from sklearn.linear_model import LogisticRegression

    def features(rows: Sequence[tuple[float, int]]) -> list[tuple[float, float]]:
        safe = [(min(max(score, 1e-6), 1 - 1e-6), pairs) for score, pairs in rows]
        return [(math.log(score / (1 - score)), math.log(pairs)) for score, pairs in safe]

    x = np.array(features(without) + features(with_one))
    y = np.array([0] * len(without) + [1] * len(with_one))
    curve = LogisticRegression(C=10.0, class_weight="balanced").fit(x, y)
    slope, per_pair = (float(value) for value in curve.coef_[0])
    slope, per_pair = max(slope, 0.05), min(per_pair, 0.0)
    odds = x[: len(without)] @ np.array([slope, per_pair])
    shift = math.log(tau / (1 - tau)) - float(np.quantile(odds, 1 - ALLOWED))
    return Scale(round(slope, 4), round(per_pair, 4), round(shift, 4))


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--judge", default="nli")
    door.add_argument("--conversations", type=int, default=60)
    door.add_argument("--out", type=Path, default=FILE)
    chosen = door.parse_args()
    torch.set_num_threads(1)
    source = random.Random(11)
    judge = registry.create(chosen.judge, chosen.judge)
    if not isinstance(judge, Nli):
        raise SystemExit(f"{chosen.judge} has no weights of pairs of sentences: name nli, or nli:FILE.")
    guard = Guard.of(chosen.data)
    [(_, decode)] = [
        row for row in hand_written(chosen.data, guard) if row[0].pattern == "decode/train_pairs.tsv"
    ]
    wrong = [
        pair for pair in decode
        if pair.label == CONTRADICTION and assertions(pair.premise) and assertions(pair.hypothesis)
    ]  # fmt: skip
    talks = clean(chosen.data, chosen.conversations, source)
    similarity = cosines(Vectors().sentences)
    scales = json.loads(chosen.out.read_text()) if chosen.out.exists() else {}
    for check in (Check.HISTORY, Check.PERSONA):
        without = highest(judge, material(talks, check, similarity), check)
        changed = list(with_contradictions(talks, wrong, check, source))
        with_one = highest(judge, material(changed, check, similarity), check)
        scale = fitted(without[::2], with_one[::2], judge.tau)
        scales.setdefault(judge.scorer.revision, {})[check.value] = [scale.slope, scale.per_pair, scale.shift]
        flagged, seen = (
            float(np.mean([scale.of(score, pairs) > judge.tau for score, pairs in rows[1::2]]))
            for rows in (without, with_one)
        )
        print(
            f"{check.value}: {scale}; on the other half {flagged:.3f} of {len(without) // 2} messages without and "
            f"{seen:.3f} of {len(with_one) // 2} with a contradiction are flagged at τ = {judge.tau}"
        )
    chosen.out.write_text(json.dumps(scales, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
