"""YAML that remembers on which line each key stands, and mistakes told with that line."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml
from pydantic import ValidationError

from arena.errors import InputError
from arena.hashing import canonical

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """Knows on which line of the file each key stands."""

    name: str
    lines: Mapping[Path, int]

    def line(self, path: Path) -> int:
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def error(self, path: Path, sentence: str) -> InputError:
        where = ".".join(str(part) for part in path)
        return InputError(f"{self.name}, line {self.line(path)}, {where or 'top'}: {sentence}")

    def fail(self, path: Path, sentence: str) -> NoReturn:
        raise self.error(path, sentence)

    def at(self, *path: str | int) -> _At:
        return _At(self, path)


@dataclass(frozen=True)
class _At:
    """Adds the place to what a registry complains about."""

    place: Place
    path: Path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError):
            raise self.place.error(self.path, str(error)) from error


class Loader(yaml.SafeLoader):
    """Safe, and a key that is there twice is an error instead of a silent choice."""


def read(text: str, name: str) -> tuple[dict[str, Any], dict[Path, int]]:
    try:
        loader = Loader(text)
        try:
            node = loader.get_single_node()
            lines: dict[Path, int] = {}
            if node is not None:
                _mark(node, (), lines, name, frozenset())
            data = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{name}, line {line}: not valid YAML ({error.problem}); mend that line.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"{name}: not valid YAML ({error}); mend the file.") from error
    if not isinstance(data, dict):
        raise InputError(
            f"{name}, line 1: a tournament file is a mapping with at least 'bots'; see the docs."
        )
    return data, lines


def _mark(node: yaml.Node, path: Path, lines: dict[Path, int], name: str, above: frozenset[int]) -> None:
    if id(node) in above or len(path) > 50:
        raise InputError(f"{name}, line {node.start_mark.line + 1}: the YAML refers to itself; write it out.")
    above = above | {id(node)}
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: set[Hashable] = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise InputError(f"{name}, line {line}: a key must be a plain word.")
            if key.value in seen:
                raise InputError(f"{name}, line {line}: the key '{key.value}' is there twice; remove one.")
            seen.add(key.value)
            lines[(*path, key.value)] = line
            _mark(value, (*path, key.value), lines, name, above)
    elif isinstance(node, yaml.SequenceNode):
        for i, value in enumerate(node.value):
            _mark(value, (*path, i), lines, name, above)


def explain(error: ValidationError, place: Place, base: Path, fields: Mapping[Path, list[str]]) -> InputError:
    """The first mistake as one sentence; a key that nobody knows says more than what follows from it."""
    problems = sorted(error.errors(), key=lambda e: (e["type"] != "extra_forbidden", -len(e["loc"])))
    problem = problems[0]
    # pydantic names the branch of a union in the path; the file does not have it
    loc = tuple(part for part in problem["loc"] if (*base, part) in place.lines or not _is_branch(part))
    path = (*base, *loc)
    key = str(path[-1]) if path else "top"
    if problem["type"] == "extra_forbidden":
        known = fields.get(loc[:-1], [])
        return place.error(path, f"there is no key '{key}'{near(key, known)}")
    if problem["type"] == "missing":
        return place.error(path, f"the key '{key}' is missing; add it.")
    what = problem["msg"].removeprefix("Value error, ")
    return place.error(path, f"{what[0].lower()}{what[1:]} (found {_shown(problem['input'])}); correct it.")


def _is_branch(part: str | int) -> bool:
    return (isinstance(part, str) and not part.isidentifier()) or part in _BRANCHES


_BRANCHES = {"InquirerForm", "str", "int", "bool", "list", "dict", "constrained-int"}


def near(name: str, known: Sequence[str]) -> str:
    found = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{found[0]}'?" if found else f"; known are {', '.join(known)}."


def _shown(value: Any) -> str:
    try:
        text = canonical(value)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"
