"""The label schemas for which a tournament has something to label, with their titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.labelling import own
from arena.labelling import work as labelling
from arena.labelling.schemas import SCHEMAS, Schema
from ui import address, data, memory

TITLES = {
    "aih": "Inquiries: does the answer contradict what was said? (AIH)",
    "finding": "Messages: do they contradict what the bot said, its persona or its knowledge?",
    "begin": "Replies: does the document support them? (BEGIN)",
}


def offered(tournament: str) -> dict[str, Schema]:
    """Return the schemas by name: AIH's questions always, other schemas only if they have something to label."""
    stamp = data.pages().stamp("label_schemas", "message_verdicts", "schedule")
    return {form.name: form for form in _offered(data.options().db, stamp, tournament)}


@memory.values(max_entries=64, ttl=data.MINUTE)
def _offered(url: str, stamp: str, tournament: str) -> list[Schema]:  # noqa: ARG001
    store = data.store()
    known = own.schemas(store)
    shown = [known[name] for name in TITLES] + [form for name, form in known.items() if name not in SCHEMAS]
    return [form for form in shown if form.name == "aih" or labelling.desk(store, form).any(tournament)]


def choose(
    tournament: str, widget: Callable[..., Any], question: str, named: Callable[[Schema], str], **more: Any
) -> Schema:
    """Return the schema in the address.

    If several schemas are offered, a widget chooses between them and shows each by the name that `named` gives.
    """
    forms = offered(tournament)
    name = SCHEMAS["aih"].name
    if len(forms) > 1:
        name = address.choice(
            widget, question, "form", list(forms), default=name, show=lambda one: named(forms[one]), **more
        )
    return forms[name]


def title(form: Schema) -> str:
    return TITLES.get(form.name, form.what)


def short_title(form: Schema) -> str:
    """The title in a word or two, for a row of buttons."""
    return {"aih": "Inquiries (AIH)", "finding": "Messages", "begin": "Replies (BEGIN)"}.get(
        form.name, form.what
    )
