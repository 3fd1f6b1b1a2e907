"""Word counts of a response and its knowledge, which the ensemble uses as features besides its judges."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from judges.begin.evidence import common
from judges.overlap import f1
from judges.words import STOP, stem

NAMES = (
    "f1",
    "content_share",
    "content_in_order",
    "bigram_share",
    "knowledge_used",
    "new_words",
    "new_numbers",
)
_WORD = re.compile(r"[a-z0-9]+")


def features(response: str, knowledge: str, previous: str = "") -> list[float]:
    """Return the features in the order of NAMES."""
    response_words, known = _words(response), _words(knowledge)
    stems, knowledge_stems = [stem(word) for word in response_words], [stem(word) for word in known]
    content = [word for word in stems if word not in STOP]
    base = [word for word in knowledge_stems if word not in STOP]
    before = {stem(word) for word in _words(previous)}
    pairs, known_pairs = list(itertools.pairwise(response_words)), set(itertools.pairwise(known))
    new = set(content) - set(base)
    return [
        f1(knowledge, response),
        _share([word in set(base) for word in content]),
        common(content, base) / max(1, len(content)),
        _share([pair in known_pairs for pair in pairs]),
        _share([word in set(content) for word in base]),
        float(len(new - before)),
        float(sum(word.isdigit() and word not in known for word in response_words)),
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("'", " "))


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 0.0
