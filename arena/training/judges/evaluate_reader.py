"""Evaluates a reader: `python -m arena.training.judges.evaluate_reader --data DIR [--weights FILE]`."""

from __future__ import annotations

import argparse
import random
import re
import string
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from arena.training.judges.reader import spoken
from arena.training.judges.reading import questions, settling, shortened, swapped
from arena.training.judges.triples import Generator
from judges.reader import Reader


def _tokens(text: str) -> list[str]:
    """Return the tokens after SQuAD's normalisation, without case, punctuation and articles."""
    plain = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", plain).split()


def f1(answer: str, wanted: str) -> float:
    left, right = _tokens(answer), _tokens(wanted)
    common = sum((Counter(left) & Counter(right)).values())
    return 2 * common / (len(left) + len(right)) if common else float(left == right)


def exact(answer: str, wanted: str) -> bool:
    return _tokens(answer) == _tokens(wanted)


def report(reader: Reader, data: Path, say: Callable[[str], None] = print) -> None:
    held = questions(data, None, held=True, names=["squadshifts_new_wiki"])
    rows = [row for row in held if not settling(row.context)]
    single = [shortened(row) for row in rows]
    for name, part in (("paragraphs", rows), ("single sentences", single)):
        spans = reader.read([(row.question, row.context) for row in part])
        texts = [span.text if span else "" for span in spans]
        mean = sum(f1(text, row.answer) for text, row in zip(texts, part, strict=True)) / len(part)
        same = sum(exact(text, row.answer) for text, row in zip(texts, part, strict=True)) / len(part)
        none = sum(span is None for span in spans) / len(part)
        figures = f"F1 {100 * mean:.1f}, exact {100 * same:.1f}, none said {100 * none:.1f}%"
        say(f"held-out new-wiki, {name}: {figures} (n={len(part)})")
    away = reader.read(swapped(rows, random.Random(1)))
    say(
        f"swapped paragraphs: no answer {100 * sum(span is None for span in away) / len(away):.1f}% (n={len(away)})"
    )
    away = reader.read(swapped(single, random.Random(2)))
    say(
        f"swapped sentences: no answer {100 * sum(span is None for span in away) / len(away):.1f}% (n={len(away)})"
    )
    talk = spoken(Generator(random.Random(9), held=True), 1500)
    spans = reader.read([(case.question, case.context) for case in talk])
    asked = [(span, case) for span, case in zip(spans, talk, strict=True) if case.answer]
    mean = sum(f1(span.text if span else "", case.answer) for span, case in asked) / len(asked)
    nothing = [span is None for span, case in zip(spans, talk, strict=True) if not case.answer]
    say(f"messages with unseen facts: F1 {100 * mean:.1f} (n={len(asked)})")
    say(f"messages that do not answer: none said {100 * sum(nothing) / len(nothing):.1f}% (n={len(nothing)})")


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--weights", type=Path)
    chosen = door.parse_args()
    report(Reader(chosen.weights), chosen.data)


if __name__ == "__main__":
    main()
