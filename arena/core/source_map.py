"""Reads YAML and records the line of each key, so that a mistake can be reported with its line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, get_args

import yaml
from pydantic import BaseModel, ValidationError

from arena.core.errors import InputError
from arena.core.hashing import canonical

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class SourceMap:
    """Knows the line of each key in the file."""

    name: str
    lines: Mapping[Path, int]

    def line(self, path: Path) -> int:
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def error(self, path: Path, sentence: str) -> InputError:
        where = ".".join(str(part) for part in path) or "top"
        line = f", line {self.line(path)}" if self.lines else ""  # a mapping from Python has no lines
        return InputError(f"{self.name}{line}, {where}: {sentence}")

    def fail(self, path: Path, sentence: str) -> NoReturn:
        raise self.error(path, sentence)

    def at(self, *path: str | int) -> _At:
        return _At(self, path)


@dataclass(frozen=True)
class _At:
    """Adds the position in the file to errors that a registry raises."""

    place: SourceMap
    path: Path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError):
            raise self.place.error(self.path, str(error)) from error


LONGEST = 1 << 20  # characters of a file; a tournament needs a few thousand
MOST_NODES = 50_000  # values; a value behind an alias counts each time
LONGEST_NUMBER = 300  # characters; one in base 60 takes time that grows with their square
DEEPEST = 50  # levels of nested lists and mappings; a tournament needs five


NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class TooLarge(yaml.YAMLError):
    """The configuration has too many values, for example through nested aliases."""


class BoundedLoader(yaml.SafeLoader):
    """A loader that refuses too many or too deeply nested values while it reads.

    Brackets take longer to read the deeper they are nested.
    """

    nodes = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLarge(f"it holds more than {MOST_NODES:,} values")
        return super().compose_node(parent, index)

    def compose_scalar_node(self, anchor: Any) -> Any:
        node = super().compose_scalar_node(anchor)
        if len(node.value) > LONGEST_NUMBER and node.tag in NUMBERS:
            raise TooLarge(f"it holds a number of {len(node.value):,} characters")
        return node

    def fetch_flow_collection_start(self, token: Any) -> None:
        self._look_at(self.flow_level)
        super().fetch_flow_collection_start(token)

    def add_indent(self, column: int) -> bool:
        self._look_at(len(self.indents))
        return bool(super().add_indent(column))

    def _look_at(self, depth: int) -> None:
        if depth >= DEEPEST:
            raise TooLarge(f"it is nested more than {DEEPEST} levels deep")


class Loader(BoundedLoader):
    """A safe loader that reads dates as text."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def safe_load(text: str) -> Any:
    """Like `yaml.safe_load`, but for untrusted text: the number of values is limited."""
    if len(text) > LONGEST:
        raise TooLarge(f"it has {len(text):,} characters, and at most {LONGEST:,} are read")
    loader = BoundedLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _size(node, {}, frozenset())
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _size(node: yaml.Node, sizes: dict[int, int], above: frozenset[int]) -> int:
    """Count the values in a node; each node is visited only once."""
    if id(node) in above:  # an alias that refers to itself is reported elsewhere
        return 1
    if id(node) not in sizes:
        inner: list[yaml.Node] = []
        if isinstance(node, yaml.MappingNode):
            inner = [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            inner = node.value
        sizes[id(node)] = 1 + sum(_size(part, sizes, above | {id(node)}) for part in inner)
        if sizes[id(node)] > MOST_NODES:
            raise TooLarge(f"it stands for more than {MOST_NODES:,} values")
    return sizes[id(node)]


TOURNAMENT = "a tournament file is a mapping with at least 'bots'; docs/launching.md shows one"


def read(text: str, name: str, shape: str = TOURNAMENT) -> tuple[dict[str, Any], dict[Path, int]]:
    """Return the mapping and the line of each key; `shape` describes the expected content, for the error."""
    try:
        if len(text) > LONGEST:
            raise TooLarge(f"it has {len(text):,} characters, and at most {LONGEST:,} are read")
        loader = Loader(text)
        try:
            node = loader.get_single_node()
            lines: dict[Path, int] = {}
            if node is not None:
                _size(node, {}, frozenset())
                _mark(node, (), lines, name, frozenset())
            data = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except TooLarge as error:
        raise InputError(
            f"{name}, line 1: this cannot be a configuration: {error}; make it smaller."
        ) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        cure = "indent with spaces" if "'\\t'" in str(error.problem) else "fix that line or the one above"
        raise InputError(f"{name}, line {line}: not valid YAML ({error.problem}); {cure}.") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position)) + 1
        raise InputError(
            f"{name}, line {line}: the character {chr(error.character)!a} is not allowed in YAML; remove it."
        ) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"{name}: not valid YAML ({error}); fix the file.") from error
    if not isinstance(data, dict):
        raise InputError(f"{name}, line 1: {shape}.")
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
    elif isinstance(node, yaml.ScalarNode):
        wrong = _unfit(node)
        if wrong:
            raise InputError(f"{name}, line {node.start_mark.line + 1}: {wrong}.")


PLAIN = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null")}


def _unfit(node: yaml.ScalarNode) -> str | None:
    """Return what is wrong with a value that a database or JSON cannot hold, else None."""
    if node.tag not in PLAIN:
        return f"the tag '{node.tag}' is not supported; write a plain text or number"
    if node.tag.endswith(":float") and not _finite(node.value):
        return f"'{node.value}' is not a usable number; give a finite one"
    bad = next((c for c in node.value if c == "\x00" or "\ud800" <= c <= "\udfff"), None)
    return None if bad is None else f"the character {bad!a} cannot be stored; remove it"


def _finite(number: str) -> bool:
    try:
        return math.isfinite(float(number.replace("_", "")))
    except ValueError:  # .inf and .nan, or a sexagesimal number such as 1:30.5
        return ":" in number


def explain(
    error: ValidationError, place: SourceMap, base: Path, fields: Mapping[Path, list[str]]
) -> InputError:
    """Report the first mistake as one sentence.

    Unknown keys come first, because other errors may follow from them.
    """
    problems = sorted(error.errors(), key=lambda e: (e["type"] != "extra_forbidden", -len(e["loc"])))
    problem = problems[0]
    # pydantic's path includes the branch of a union, which is not in the file
    loc = tuple(part for part in problem["loc"] if (*base, part) in place.lines or not _is_branch(part))
    path = (*base, *loc)
    key = str(path[-1]) if path else "top"
    if problem["type"] == "extra_forbidden":
        known = fields.get(loc[:-1], [])
        return place.error(path, f"there is no key '{key}'{near(key, known)}")
    if problem["type"] == "missing":
        return place.error(path, f"the key '{key}' is missing; add it.")
    if problem["type"] == "string_type" and isinstance(problem["input"], bool | int | float):
        return place.error(path, f"{_shown(problem['input'])} is not text; put quotes around it.")
    return place.error(path, f"{wrong(problem)}; correct it.")


def keys_of(model: type[BaseModel], path: Path = ()) -> dict[Path, list[str]]:
    """Return the keys of a section and of its nested sections, by path."""
    keys: dict[Path, list[str]] = {path: list(model.model_fields)}
    for name, field in model.model_fields.items():
        for option in (field.annotation, *get_args(field.annotation)):
            if isinstance(option, type) and issubclass(option, BaseModel):
                keys |= keys_of(option, (*path, name))
    return keys


_WORDS = {
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be a text",
    "list_type": "must be a list",
    "dict_type": "must be a mapping (key: value)",
    "model_type": "must be a mapping (key: value)",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be greater than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "literal_error": "must be {expected}",
}


def wrong(problem: Any) -> str:
    """Say what is wrong with a value, in words that require no knowledge of pydantic."""
    if words := _WORDS.get(problem["type"]):
        return f"{words.format(**problem.get('ctx', {}))} (found {_shown(problem['input'])})"
    what = problem["msg"].removeprefix("Value error, ")  # the value may be a secret
    return f"{what[0].lower()}{what[1:]}"


def _is_branch(part: str | int) -> bool:
    return (isinstance(part, str) and not part.isidentifier()) or part in _BRANCHES


_BRANCHES = {"InquirerForm", "str", "int", "bool", "list", "dict", "constrained-int"}


def near(name: str, known: Sequence[str]) -> str:
    matches = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{matches[0]}'?" if matches else f"; known are {', '.join(known) or 'none'}."


def _shown(value: Any) -> str:
    try:
        text = canonical(value)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"
