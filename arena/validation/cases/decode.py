"""DECODE (Nie et al. 2021): pairs of one speaker's utterances, and whole dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.types import Case
from arena.validation.cases.pairs import Pair, of_row
from arena.validation.cases.tables import Row, existing, rows

WHERE = "https://parl.ai (task `decode`)"
NAMES = ("dev_pairs_part.tsv", "dev_pairs.tsv", "test.jsonl", "dev.jsonl")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The last utterance, and what its speaker said before; `evidence` are the utterances it contradicts."""

    earlier: tuple[str, ...]
    last: str
    contradiction: bool
    evidence: tuple[int, ...]
    """Indices into `earlier`."""


def load(path: Path) -> tuple[list[Pair], list[Dialogue]]:
    """Pairs from a TSV, dialogues from the released JSON lines; a folder gives what it has."""
    existing(path, WHERE)
    paths = [path / name for name in NAMES if (path / name).is_file()] if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} holds none of {', '.join(NAMES)}: DECODE is published at {WHERE}.")
    pairs: list[Pair] = []
    dialogues: list[Dialogue] = []
    for one in paths:
        for row in rows(one):
            if "turns" in row.values:
                dialogues.append(_dialogue(row))
            else:
                pairs.append(of_row(row))
    return pairs, dialogues


def _dialogue(row: Row) -> Dialogue:
    try:
        turns: Sequence[Any] = row.values["turns"]
        speaker = turns[-1]["agent_id"]
        own = [place for place, turn in enumerate(turns[:-1]) if turn["agent_id"] == speaker]
        marked = set(row.values.get("aggregated_contradiction_indices") or ())
        return Dialogue(
            earlier=tuple(str(turns[place]["text"]) for place in own),
            last=str(turns[-1]["text"]),
            contradiction=bool(row.values["is_contradiction"]),
            evidence=tuple(at for at, place in enumerate(own) if place in marked),
        )
    except (KeyError, IndexError, TypeError):
        raise row.wrong("needs 'turns' with 'agent_id' and 'text', and 'is_contradiction'") from None


def cases(dialogue: Dialogue) -> list[Case]:
    """The last utterance against each earlier one of its speaker; the strongest contradiction counts."""
    return [Case(source=said, question="", answer=dialogue.last) for said in dialogue.earlier]
