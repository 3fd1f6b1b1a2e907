"""ConsisTest (Lotfi et al. 2022): loads its samples from the released files and builds their contexts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest, generator
from arena.core.types import Case, Kind
from judges import words

WHERE = "https://github.com/ELotfi/consistest"
FILES = ("persona_qas.json", "history_qas.json", "valid.json")
DISTANCES = (0, 2)
MEMORY = 6  # messages that the bot still sees before the question: three turns
MASK = "..."


class Source(StrEnum):
    PERSONA = "persona"
    HISTORY = "history"


class Context(StrEnum):
    """The variants of what the bot sees before the question, as in the paper's Table 6."""

    STANDARD = "standard"
    FACT = "fact"
    FACT_APPENDED = "fact-appended"
    FACT_FIRST = "fact-first"
    MASKED = "masked"


@dataclass(frozen=True, slots=True)
class Sample:
    """A question that follows a part of a dialogue. Messages alternate, and the user speaks first."""

    key: str
    dialogue: str
    source: Source
    extracted: bool
    yes_no: bool
    distance: int
    persona: tuple[str, ...]
    messages: tuple[str, ...]
    fact: str
    fact_at: int | None
    """The index of the message that holds the fact. None if the fact is in the persona, or if its message is
    older than the bot's memory.
    """
    question: str
    truths: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        if not self.yes_no:
            return Kind.WH
        return Kind.YES_NO_TRUE if self.truth_is_yes else Kind.YES_NO_FALSE

    @property
    def truth_is_yes(self) -> bool:
        """Whether the right answer is yes. An answer without yes or no ("a dog") counts as yes unless it is
        negative.
        """
        polarity = words.polarity(self.truths[0])
        return not words.negative(self.truths[0]) if polarity is None else polarity


def load(folder: Path, distances: Sequence[int] = DISTANCES) -> list[Sample]:
    """Load every sample of the benchmark, in the order of the released dialogues."""
    persona, history, dialogues = (_json(folder / name) for name in FILES)
    samples: list[Sample] = []
    for distance in distances:
        for name, dialogue in dialogues.items():
            lines, utterances = _dialogue(folder, name, dialogue)
            loaded = [
                *(entry for line in lines for entry in _entries(folder / FILES[0], persona, line)),
                *_entries(folder / FILES[1], history, name),
            ]
            for entry in loaded:
                sample = _sample(folder, name, lines, utterances, entry, distance)
                if sample is not None:
                    samples.append(sample)
    return _numbered(samples)


def _json(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise InputError(
            f"{path} is not there: ConsisTest is published at {WHERE}; "
            f"give the folder that holds {', '.join(FILES)}."
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON ({error}): fetch it again from {WHERE}.") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no JSON object: fetch it again from {WHERE}.")
    return content


def _dialogue(folder: Path, name: str, dialogue: Any) -> tuple[list[str], list[str]]:
    try:
        lines, utterances = dialogue["persona"], dialogue["utterances"]
        if all(isinstance(line, str) for line in [*lines, *utterances]):
            return list(lines), list(utterances)
    except (KeyError, TypeError):
        pass
    raise InputError(
        f"{folder / FILES[2]}: the dialogue '{name}' needs the lists 'persona' and 'utterances' of texts."
    )


def _entries(path: Path, content: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    """The questions listed under a persona line, or under the name of a dialogue."""
    entries = content.get(name, [])
    if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
        return entries
    raise InputError(
        f"{path}: what stands under '{name}' is not a list of questions: fetch it again from {WHERE}."
    )


def _sample(
    folder: Path,
    name: str,
    lines: Sequence[str],
    utterances: Sequence[str],
    entry: Mapping[str, Any],
    distance: int,
) -> Sample | None:
    """Build one sample; None if the dialogue ends before the question's turn."""

    def text(key: str) -> str:
        value = entry.get(key)
        if not isinstance(value, str):
            raise wrong(key)
        return value

    def wrong(key: str) -> InputError:
        return InputError(
            f"{folder}: a question of the dialogue '{name}' has no proper '{key}': fetch it again from {WHERE}."
        )

    source = Source.PERSONA if text("source") == "pers" else Source.HISTORY
    turn = -1
    if source is Source.HISTORY:
        try:
            turn = int(entry["turn"])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise wrong("turn") from None
        if turn < 0:
            raise wrong("turn")
    fact, question, truth = text("alt_c" if entry.get("alt_c") else "c"), text("q"), text("a")
    extracted, yes_no = entry["source"] == "hist_ext", text("type") == "yn"
    # A persona is known before the first turn, so its question comes after `distance` turns.
    seen = 2 * (turn + 1 + distance)
    if seen > len(utterances):
        return None
    first = max(0, seen - MEMORY)
    index = 2 * turn + 1 - first
    return Sample(
        key="",
        dialogue=name,
        source=source,
        extracted=extracted,
        yes_no=yes_no,
        distance=distance,
        persona=tuple(lines),
        messages=tuple(utterances[first:seen]),
        fact=fact.strip(),
        fact_at=index if source is Source.HISTORY and index >= 0 else None,
        question=question.strip(),
        truths=tuple(part.strip() for part in truth.split("|") if part.strip()) or (truth.strip(),),
    )


def _numbered(samples: Iterable[Sample]) -> list[Sample]:
    """Give each sample a key made from its content. The few duplicate samples of the release are numbered."""
    seen: dict[str, int] = {}
    result = []
    for sample in samples:
        content = digest(
            sample.dialogue, sample.source, sample.fact, sample.question, sample.truths, sample.distance
        )
        number = seen[content] = seen.get(content, -1) + 1
        key = digest(content, number)[:24]
        result.append(replace(sample, key=key))
    return result


def drawn(samples: Sequence[Sample], limit: int | None, seed: int) -> list[Sample]:
    """Draw a random sample of the benchmark by the seed, in the benchmark's order."""
    if limit is None or limit >= len(samples):
        return list(samples)
    chosen = set(generator("consistest", seed).sample(range(len(samples)), limit))
    return [sample for index, sample in enumerate(samples) if index in chosen]


def context(sample: Sample, variant: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the persona and the messages that this variant shows."""
    if variant is Context.FACT:
        return (sample.fact,), ()
    if variant is Context.STANDARD:
        return sample.persona, sample.messages
    masked = tuple(MASK if index == sample.fact_at else text for index, text in enumerate(sample.messages))
    if variant is Context.MASKED:
        return sample.persona, masked
    if sample.source is Source.PERSONA and variant is Context.FACT_APPENDED:
        return sample.persona, sample.messages  # as in the paper, where this row shows no change
    others = tuple(line for line in sample.persona if line != sample.fact)
    persona = (*others, sample.fact) if variant is Context.FACT_APPENDED else (sample.fact, *others)
    return persona, masked


def case(sample: Sample, answer: str) -> Case:
    """Return an answer as a case for a judge. The consistency score is 1 minus the judge's contradiction score."""
    return Case(
        source=sample.fact,
        question=sample.question,
        answer=answer,
        kind=sample.kind,
        expected=" | ".join(sample.truths),
        context=sample.messages,
    )


COLUMNS = ("all", "persona_wh", "persona_yn", "history_wh", "history_yn", "extracted")


def column(sample: Sample) -> str:
    return f"{sample.source}_{'yn' if sample.yes_no else 'wh'}"
