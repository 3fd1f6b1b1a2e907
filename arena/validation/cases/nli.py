"""Any three-way NLI file."""

from __future__ import annotations

from pathlib import Path

from arena.core.types import Case
from arena.validation.cases.tables import Inference, existing, nli_rows

WHERE = "https://nlp.stanford.edu/projects/snli and https://cims.nyu.edu/~sbowman/multinli"


def load(path: Path) -> list[Inference]:
    return nli_rows(existing(path, WHERE))


def case(item: Inference) -> Case:
    return Case(source=item.premise, question="", answer=item.hypothesis)
