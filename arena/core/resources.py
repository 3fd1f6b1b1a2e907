"""The resources that a bot, an inquirer or a judge needs on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.core.errors import InputError
from arena.core.types import NOTHING


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of each replica; `others` are custom resources that the cluster's owner has defined."""

    num_cpus: float = 0
    num_gpus: float = 0
    memory: float = 0
    replicas: int = 1
    others: Mapping[str, float] = NOTHING

    def __str__(self) -> str:
        own = {"num_cpus": self.num_cpus, "num_gpus": self.num_gpus, "memory": self.memory}
        wanted = {**{name: number for name, number in own.items() if number}, **self.others}
        return ", ".join(f"{name}: {number:g}" for name, number in wanted.items()) or "nothing special"


def read(given: Any, whose: str) -> Resources:
    """Parse a `resources:` mapping; invalid values raise InputError."""
    if not given and (given is None or isinstance(given, Mapping)):
        return Resources()
    example = "write for example {num_gpus: 1, num_cpus: 4, replicas: 2}."
    if not isinstance(given, Mapping):
        raise InputError(f"'resources' of {whose} must be a mapping: {example}")
    for name, number in given.items():
        whole = name in ("replicas", "memory")
        fits = isinstance(number, int if whole else int | float) and not isinstance(number, bool)
        if not fits or number < (name == "replicas"):
            kind = "a whole number from 1" if name == "replicas" else "a number from 0"
            raise InputError(f"'resources.{name}' of {whose} must be {kind}: {example}")
    own = ("num_cpus", "num_gpus", "memory", "replicas")
    others = {str(name): float(number) for name, number in given.items() if name not in own}
    return Resources(**{name: given[name] for name in own if name in given}, others=others or NOTHING)
