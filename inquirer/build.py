"""Builds an inquirer from the mapping in a tournament file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core import plugins
from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.core.inquirer_form import PARTS, InquirerForm, without_removed
from inquirer.base import Factory, Part
from inquirer.inquirer import Inquirer, combined_revision

EXTRACTORS, WRITERS, READERS = GROUPS = "arena.entities", "arena.questions", "arena.readers"

DEFAULT: Mapping[str, Any] = {key: InquirerForm.model_fields[key].default for key in PARTS}


def build(settings: Mapping[str, Any] | None = None) -> Inquirer:
    """Creates the inquirer from the names of its extractor, writers and reader.

    Each name may also be a mapping of `use` and its own settings. With several writers, all their questions
    compete by score. Models are loaded at their first use.
    """
    checked = _checked(settings)
    created = [(part.group, part.factory(part.settings)) for part in parts(checked)]
    (extractor,), writers, readers = ([part for of, part in created if of == group] for group in GROUPS)
    reader = readers[0] if readers else None
    return Inquirer(extractor, writers, reader, checked["top"], checked["min_score"])


def revision(settings: Mapping[str, Any] | None = None) -> str:
    """Returns the revision that the inquirer built from these settings would have."""
    checked = _checked(settings)
    revisions = [(part.group, part.factory.revision(part.settings)) for part in parts(checked)]
    (extractor,), writers, readers = ([part for of, part in revisions if of == group] for group in GROUPS)
    return combined_revision(extractor, writers, "".join(readers), checked["top"], checked["min_score"])


@dataclass(frozen=True)
class NamedPart:
    """An extractor, writer or reader in the form in which the settings name it."""

    group: str
    name: str
    settings: Mapping[str, Any]
    factory: Factory


def parts(settings: Mapping[str, Any]) -> list[NamedPart]:
    """Returns the parts in the order extractor, writers, reader. The reader may be missing."""
    settings = {**DEFAULT, **settings}
    chosen, checking = settings["questions"], settings["round_trip"]
    mix = list(chosen) if isinstance(chosen, Sequence) and not isinstance(chosen, str) else [chosen]
    if not mix:
        raise InputError("The inquirer's 'questions' is an empty list: name at least one writer.")
    wanted = [(EXTRACTORS, settings["entities"]), *((WRITERS, entry) for entry in mix)]
    if checking is not False and checking is not None:
        wanted.append((READERS, "embedded" if checking is True else checking))
    result = []
    for group, entry in wanted:
        name, own = named(entry, plugins.NOUNS[group])
        loaded = plugins.load(group, name)
        result.append(NamedPart(group, name, own, loaded if isinstance(loaded, Factory) else Part(loaded)))
    return result


def _checked(settings: Mapping[str, Any] | None) -> dict[str, Any]:
    complete = {**DEFAULT, **without_removed(settings or {})}
    wrong = sorted(set(complete) - set(InquirerForm.model_fields))
    if wrong:
        raise InputError(plugins.unknown("inquirer setting", wrong[0], sorted(InquirerForm.model_fields)))
    top = complete["top"]
    if not isinstance(top, int) or isinstance(top, bool) or top < 1:
        raise InputError(f"The inquirer's 'top' must be a whole number from 1, not {top!r}.")
    least = complete["min_score"]
    if not isinstance(least, int | float) or isinstance(least, bool) or not 0 <= least <= 1:
        raise InputError(f"The inquirer's 'min_score' must be a number from 0 to 1, not {least!r}.")
    return complete


def named(entry: Any, noun: str) -> tuple[str, Mapping[str, Any]]:
    """Splits `NAME` or `{use: NAME, …}` into the name and its settings."""
    if isinstance(entry, str):
        return entry, {}
    if isinstance(entry, Mapping) and isinstance(entry.get("use"), str):
        return entry["use"], {k: v for k, v in entry.items() if k != "use"}
    raise InputError(f"The {noun} must be a name or a mapping with 'use', not {entry!r}.")


def fingerprint(settings: Mapping[str, Any]) -> str:
    """Returns a short hash of the settings, for revisions."""
    return digest(dict(settings))[:12]
