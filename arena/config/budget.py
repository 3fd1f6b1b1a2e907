"""Checks that a limit on money comes with prices, because a bot without a price adds nothing to the cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.config.forms import Form
from arena.core.source_map import Path as KeyPath
from arena.core.source_map import SourceMap


def refuse_unpriced(form: Form, source: SourceMap) -> None:
    """Raise an error if the file has `max_cost`, and a bot with an API key but without a price."""
    if form.budget.max_cost is None:
        return
    inquirer = form.inquirer.model_dump() if form.inquirer else {}
    for key, value in (("bots", form.bots), ("judges", form.judges), ("inquirer", inquirer)):
        for path, entry in _mappings(value, (key,)):
            if entry.get("api_key_env") and "price_in" not in entry and "price_out" not in entry:
                source.fail(
                    path,
                    "budget.max_cost needs the price of every paid bot; add price_in and price_out (per million "
                    "tokens; 0 if it is free), or set budget.max_calls or max_tokens instead.",
                )


def _mappings(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    if isinstance(value, Mapping):
        yield path, value
        for key, item in value.items():
            yield from _mappings(item, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _mappings(item, (*path, index))
