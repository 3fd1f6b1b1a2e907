"""Finds adapters, extractors, writers, readers and judges by entry point; a broken plug-in causes a warning."""

from __future__ import annotations

import difflib
import logging
import sys
import threading
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arena.core.errors import ArenaError, InputError, MissingPart

log = logging.getLogger("arena")

OWN = "consistency-arena"
_hanging: set[str] = set()
PATIENCE = 60.0  # seconds for the import of another package; large libraries take long

NOUNS = {
    "arena.bots": "adapter",
    "arena.entities": "entity extractor",
    "arena.questions": "question writer",
    "arena.readers": "reader",
    "arena.judges": "judge",
}


@lru_cache
def _found(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def names(group: str) -> list[str]:
    """Return all registered names of the group, even of plug-ins that cannot be loaded."""
    return sorted(_found(group))


def load(group: str, name: str) -> Any:
    """Load the object behind a name.

    The error for an unknown name suggests the nearest known name. The error for a broken plug-in gives the reason.
    """
    point = _found(group).get(name)
    if point is None:
        raise InputError(unknown(NOUNS[group], name, names(group)))
    try:
        return _loaded(point)
    except (Exception, SystemExit) as error:  # a plug-in may raise anything at import
        why = "it ends the program when it is imported" if isinstance(error, SystemExit) else error
        raise MissingPart(
            f"The {NOUNS[group]} '{name}' ({point.value}) does not load: {why}; fix or uninstall its package."
        ) from error


def _loaded(point: EntryPoint) -> Any:
    """Import a plug-in: the arena's own directly, others in a thread, because their import may hang."""
    if point.module in _hanging:
        raise TimeoutError("its import never ended")
    if point.dist is None or point.dist.name == OWN or point.module in sys.modules:
        return point.load()
    result: list[Any] = []
    failure: list[BaseException] = []

    def load() -> None:
        try:
            result.append(point.load())
        except BaseException as error:
            failure.append(error if isinstance(error, Exception | SystemExit) else RuntimeError(repr(error)))

    thread = threading.Thread(target=load, name=f"plug-in {point.name}", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if failure:
        raise failure[0]
    if not result:
        _hanging.add(point.module)  # another import of it would hang too
        raise TimeoutError(f"it is still not imported after {PATIENCE:g} s")
    return result[0]


def works(part: Any) -> tuple[bool, str]:
    """Return whether a loaded part can be used on this machine, and what it is or lacks."""
    try:
        available, detail = part.available()
    except ArenaError as error:
        return False, str(error)
    except (Exception, SystemExit) as error:  # a plug-in may raise anything
        return False, f"it breaks when it is asked whether it works here ({type(error).__name__}: {error})"
    return bool(available), str(detail)


def loadable(group: str) -> dict[str, Any]:
    """Return all plug-ins that can be loaded; a broken plug-in is left out with a warning."""
    result = {}
    for name in names(group):
        try:
            result[name] = load(group, name)
        except MissingPart as error:
            log.warning("%s", error)
    return result


def unknown(noun: str, name: str, known: list[str]) -> str:
    """Return the error message for a name that is not registered."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known) or 'none'}."
    return f"There is no {noun} '{name}': {hint}"
