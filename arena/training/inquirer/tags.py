"""Trains the small tagger of `inquirer.language` (averaged perceptron) on the labelled text of `silver`.

python -m arena.training.inquirer.tags --silver FILE --out inquirer/weights/tagger.json.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from random import Random

from arena.training.inquirer.silver import Labelled, read
from inquirer.language.tagger import Model, features, shape

CERTAIN = 0.985  # a word that has one tag this often always gets this tag
KEPT = 0.35  # smaller weights are left out of the file


def lexicon(sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[str, str]:
    """Return the frequent words that (almost) always have the same tag."""
    count: dict[str, Counter[str]] = defaultdict(Counter)
    for words, tags in sentences:
        for word, tag in zip(words, tags, strict=True):
            count[word][tag] += 1
    result = {}
    for word, tags_ in count.items():
        (tag, n), total = tags_.most_common(1)[0], sum(tags_.values())
        if total >= 12 and n >= CERTAIN * total and word.isprintable():
            result[word] = tag
    return result


def train(sentences: list[tuple[list[str], list[str]]], epochs: int = 4, seed: int = 1) -> Model:
    """Train the averaged perceptron on (words, tags)."""
    known = lexicon(sentences)
    weights: dict[str, dict[str, float]] = {}
    sums: dict[tuple[str, str], float] = defaultdict(float)
    stamps: dict[tuple[str, str], int] = defaultdict(int)
    model = Model(known, weights, sorted({t for _, tags in sentences for t in tags}))
    step = 0

    def update(feature: str, tag: str, by: float) -> None:
        row = weights.setdefault(feature, {})
        key = feature, tag
        sums[key] += (step - stamps[key]) * row.get(tag, 0.0)
        stamps[key] = step
        row[tag] = row.get(tag, 0.0) + by

    order = list(range(len(sentences)))
    random = Random(seed)
    for _ in range(epochs):
        random.shuffle(order)
        for sentence_at in order:
            words, tags = sentences[sentence_at]
            shapes = [shape(w) for w in words]
            one, two = "^", "^^"
            for i, tag in enumerate(tags):
                guess = known.get(words[i])
                if guess is None:
                    step += 1
                    active = features(shapes, i, one, two)
                    guess = model.best(active)
                    if guess != tag:
                        for feature in active:
                            update(feature, tag, 1.0)
                            update(feature, guess, -1.0)
                two, one = one, guess
    for feature, row in list(weights.items()):
        averaged = {}
        for tag, weight in row.items():
            key = feature, tag
            mean = (sums[key] + (step - stamps[key]) * weight) / max(step, 1)
            if abs(mean) >= KEPT:
                averaged[tag] = round(mean, 2)
        if averaged:
            weights[feature] = averaged
        else:
            del weights[feature]
    return model


def pairs(rows: Iterable[Labelled]) -> list[tuple[list[str], list[str]]]:
    """Return the sentences with their tags in lower case, as chatbots often write."""
    result = []
    for row in rows:
        start = 0
        for end in row.ends:
            if end > start:
                result.append(
                    ([w.lower().replace("’", "'") for w in row.words[start:end]], row.xpos[start:end])
                )
            start = end
    return [pair for pair, _ in groupby(result)]


def verbs(rows: Iterable[Labelled]) -> list[str]:
    """Return frequent base forms of verbs. They decide between possible base forms, for example "hope" or "hop"
    for "hoped".
    """
    count = Counter(
        word for row in rows for word, tag in zip(row.words, row.xpos, strict=True)
        if tag == "VB" and word.isalpha() and word.islower()
    )  # fmt: skip
    return sorted(word for word, n in count.items() if n >= 4)


def accuracy(model: Model, sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> float:
    right = total = 0
    for words, tags in sentences:
        right += sum(a == b for a, b in zip(model.tag(words), tags, strict=True))
        total += len(tags)
    return right / total if total else 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--silver", type=Path, required=True, help="labelled text, as the training of the entities left it"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="only so many sentences")
    given = parser.parse_args(arguments)
    rows = [row for row in read(given.silver) if row.source not in {"btc", "wnut17", "wikigold"}]
    learnt, held = pairs(r for r in rows if not r.held_out), pairs(r for r in rows if r.held_out)
    if given.limit:
        learnt = Random(1).sample(learnt, min(given.limit, len(learnt)))
    model = train(learnt)
    (given.out.parent / "verbs.txt").write_text("\n".join(verbs(rows)) + "\n")
    with gzip.GzipFile(given.out, "wb", mtime=0) as file:
        file.write(
            json.dumps(vars(model), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        )
    print(json.dumps({"accuracy": round(accuracy(model, held), 4), "sentences": len(learnt)}))


if __name__ == "__main__":
    main()
