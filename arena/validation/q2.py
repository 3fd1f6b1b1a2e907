"""Q²'s Wizard-of-Wikipedia responses (Honovich et al. 2021): loads the annotated sets and builds their cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import InputError
from arena.core.hashing import generator
from arena.core.types import Case
from arena.validation.rows import Row, existing, rows
from judges.q2.text import untokenised

WHERE = "https://github.com/orhonovich/q-squared (third_party/data)"
SYSTEMS = ("dodeca", "memnet")
CROSS = ("cross_annotation.csv", "cross_annotation_part.csv")


@dataclass(frozen=True, slots=True)
class Item:
    system: str
    consistent: bool
    response: str
    knowledge: str
    message: str
    topic: str
    episode: str
    turn: str
    gold: str
    """The response of the human speaker at the same point."""

    @property
    def context(self) -> str:
        return f"{self.episode}/{self.turn}"

    @property
    def set_name(self) -> str:
        return f"{self.system}_{'consistent' if self.consistent else 'inconsistent'}"


@dataclass(frozen=True, slots=True)
class Pair:
    """One context with a consistent and an inconsistent response. Both are indices into the items."""

    consistent: int
    inconsistent: int


@dataclass(frozen=True, slots=True)
class Data:
    """The data sets. `items` are the four sets; `crossed` adds responses that only the cross annotation has."""

    items: tuple[Item, ...]
    crossed: tuple[Item, ...]
    pairs: tuple[Pair, ...]
    """Pairs of responses to one context. Their indices count through `items` followed by `crossed`."""


def load(folder: Path) -> Data:
    existing(folder, WHERE)
    items = [item for name in _names() for item in _set(folder / f"{name}.csv", name)]
    cross = next((folder / name for name in CROSS if (folder / name).is_file()), None)
    crossed = _cross(cross) if cross else []
    indices = {_key(item): index for index, item in enumerate(items)}
    extra: list[Item] = []
    for item in crossed:
        if _key(item) not in indices:
            indices[_key(item)] = len(items) + len(extra)
            extra.append(item)
    return Data(tuple(items), tuple(extra), tuple(_pairs([*items, *extra], indices)))


def _names() -> list[str]:
    return [f"{system}_{label}" for system in SYSTEMS for label in ("inconsistent", "consistent")]


def _key(item: Item) -> tuple[str, str, str]:
    return item.system, item.context, item.response


def _set(path: Path, name: str) -> list[Item]:
    existing(path, WHERE)
    system, label = name.split("_")
    items = [_item(row, system, label == "consistent", row.text("response")) for row in rows(path)]
    if not items:
        raise InputError(f"{path} holds no response: fetch it again from {WHERE}.")
    return items


def _item(row: Row, system: str, consistent: bool, response: str) -> Item:
    return Item(
        system=system,
        consistent=consistent,
        response=untokenised(response),
        knowledge=untokenised(row.text("knowledge")),
        message=row.text("message"),
        topic=row.text("topic"),
        episode=row.text("episode_idx"),
        turn=row.text("round"),
        gold=row.text("gold"),
    )


def _cross(path: Path) -> list[Item]:
    """Load both systems' responses to each context. Label 1 marks an inconsistent response."""
    items = []
    for row in rows(path):
        for system in SYSTEMS:
            label = row.text(f"{system}_label")
            if label not in ("0", "1"):
                raise row.wrong(f"has the {system}_label '{label}' instead of 0 or 1")
            items.append(_item(row, system, label == "0", row.text(f"{system}_response")))
    return items


def _pairs(items: Sequence[Item], places: Mapping[tuple[str, str, str], int]) -> list[Pair]:
    by_context: dict[str, dict[bool, int]] = {}
    for item in items:
        by_context.setdefault(item.context, {}).setdefault(item.consistent, places[_key(item)])
    return [Pair(both[True], both[False]) for both in by_context.values() if len(both) == 2]


def case(item: Item, knowledge: str | None = None) -> Case:
    """Return a grounded response as a case for any judge. `knowledge` replaces the response's own knowledge."""
    known = item.knowledge if knowledge is None else knowledge
    return Case(source=known, question="", answer=item.response, context=(item.message,), knowledge=known)


def other_knowledge(items: Sequence[Item], seed: int) -> list[str]:
    """For each item, draw the knowledge of another dialogue at random (the preprint's Table 8)."""
    draw = generator("q2", "other dialogue", seed)
    drawn = []
    for item in items:
        others = [
            other.knowledge for other in items if other.episode != item.episode and other.topic != item.topic
        ]
        drawn.append(draw.choice(others))
    return drawn


def same_dialogue_knowledge(items: Sequence[Item], seed: int) -> list[str | None]:
    """For each item, draw the knowledge of another turn of its dialogue; None if the files have no other knowledge."""
    draw = generator("q2", "same dialogue", seed)
    turns: dict[str, list[Item]] = {}
    for item in items:
        turns.setdefault(item.episode, []).append(item)
    drawn: list[str | None] = []
    for item in items:
        others = sorted({o.knowledge for o in turns[item.episode] if o.turn != item.turn} - {item.knowledge})
        drawn.append(draw.choice(others) if others else None)
    return drawn
