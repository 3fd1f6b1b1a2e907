"""A practice round: items with known answers. They are shown before the real items, and the answers are not stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena.core.source_map import safe_load
from arena.core.types import SPEAKER, TESTED, Message
from arena.labelling import own
from arena.labelling.own import PARTS, PracticeForm
from arena.labelling.schemas import SCHEMAS, Schema
from db import Database
from db.label_items import Item

FILE = Path(__file__).with_name("practice.yaml")


@dataclass(frozen=True, slots=True)
class Practice:
    """An item, the right answer to each question, and the reason why these answers are right."""

    item: Item
    right: Mapping[str, Any]
    why: str


def practice(store: Database, form: Schema) -> list[Practice]:
    """The practice items of a schema; empty if the schema has no practice items."""
    if form.name in SCHEMAS:
        return list(_shipped(form.name))
    written = own.forms(store).get(form.name)
    return _items(form, written.practice) if written else []


@lru_cache
def _shipped(name: str) -> tuple[Practice, ...]:
    written = safe_load(FILE.read_text(encoding="utf-8")).get(name, ())
    return tuple(_items(SCHEMAS[name], [PracticeForm.model_validate(one) for one in written]))


def _items(form: Schema, written: Sequence[PracticeForm]) -> list[Practice]:
    return [
        Practice(
            _item(form, one, f"practice-{number}"),
            form.checked({name: own.word(answer) for name, answer in one.right.items()}),
            one.why.strip(),
        )
        for number, one in enumerate(written, 1)
    ]


def _item(form: Schema, one: PracticeForm, subject: str) -> Item:
    """Build the item. Partner and bot alternate, and the bot's message comes last in an item about a message."""
    parts = {role: str(getattr(one, role)) for role in PARTS[form.subject_type]}
    texts = one.dialogue or [text for role, text in parts.items() if role in ("said", "previous", "reply")]
    first = SPEAKER if one.dialogue or "reply" in parts else TESTED
    messages = tuple(Message(index, (first + index) % 2, text, "", None) for index, text in enumerate(texts))
    about = [text for role, text in parts.items() if role in ("said", "earlier", "later", "reply")]
    marked = tuple(m.index for m in messages if m.seat == TESTED and any(text in m.text for text in about))
    if one.check == "persona":
        parts["persona"] = parts.pop("earlier")
    if one.check == "knowledge":
        parts = {"knowledge": parts["earlier"], "reply": parts["later"]}
    return Item(subject, messages, marked, tuple(parts.items()), one.check)
