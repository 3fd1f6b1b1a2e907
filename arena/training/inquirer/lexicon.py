"""Counts which words people write, which of them describe visible things, and which are names.

python -m arena.training.inquirer.lexicon --data DIR --out inquirer/weights/lexicon.json.gz

Words for visible things are more frequent in image descriptions (SNLI's premises and hypotheses) than in all
other texts. Names have a capital even within sentences.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.training.inquirer.silver import texts

WORD = re.compile(r"[a-z]+")
WITHIN = re.compile(r"(?<=[a-z,;] )[A-Za-z]+")  # words that do not begin a sentence
PICTURES = ("snli_train_ni",)
OTHERS = ("mnli_train_ni", "mnli_train_nyu20k", "mnli_llmsknow_train", "lingnli", "newproto_base")
WRITTEN = 3  # a word must occur in this many texts
SEEN = 5  # a word must occur in this many descriptions to be classified
CAPITALS = 0.9  # a word with a capital in this share of its places within sentences is a name
ODDS = -1.0  # from these log odds on (descriptions against other texts), a word names visible things


def count(texts: Iterable[str]) -> Counter[str]:
    """Count for each word how many of the distinct texts contain it."""
    counts: Counter[str] = Counter()
    for text in dict.fromkeys(texts):
        counts.update(set(WORD.findall(text.lower())))
    return counts


def names(texts: Iterable[str]) -> list[str]:
    """Return the words that are almost always written with a capital."""
    high: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        for word in WITHIN.findall(text):
            every[word.lower()] += 1
            high[word.lower()] += word[0].isupper() and not word.isupper()
    return sorted(w for w, n in every.items() if n >= WRITTEN and high[w] >= CAPITALS * n)


def pairs(data: Path, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        path = data / "nli" / f"{name}.tsv"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield from (row[side] for side in ("premise", "hypothesis") if row.get(side))


def lexicon(pictures: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    of_pictures, elsewhere = count(pictures), count(others)
    shown, heard = of_pictures.total(), elsewhere.total()

    def odds(word: str) -> float:
        return math.log((of_pictures[word] + 0.5) / shown) - math.log((elsewhere[word] + 1) / heard)

    written = sorted(w for w in of_pictures | elsewhere if of_pictures[w] + elsewhere[w] >= WRITTEN)
    pictured = (w for w in written if of_pictures[w] >= SEEN and odds(w) >= ODDS)
    lists = {"written": written, "pictured": pictured, "named": names([*pictures, *others])}
    return {name: " ".join(words) for name, words in lists.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    others = [*(text for _, text in texts(given.data)), *pairs(given.data, OTHERS)]
    lists = lexicon(list(pairs(given.data, PICTURES)), others)
    with gzip.GzipFile(given.out, "wb", mtime=0) as file:
        file.write(json.dumps(lists, separators=(",", ":")).encode())
    print(json.dumps({name: len(words.split()) for name, words in lists.items()}))


if __name__ == "__main__":
    main()
