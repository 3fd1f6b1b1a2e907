"""What every judge is to the arena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from arena.core.types import Case, Judgement


class Judge(Protocol):
    """One model, rule or person that says how much an answer contradicts what was said.

    `revision` covers weights, input format and code version: a verdict is stored once per (inquiry, name, revision).
    `tau` is the judge's own default threshold.
    `cacheable` is true where the judgement depends on `key(case)` only, so that equal cases are judged once.
    """

    name: str
    revision: str
    tau: float
    cacheable: bool

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """One judgement a case, in order; what cannot be judged has a reason instead of a number."""
        ...

    def key(self, case: Case) -> Sequence[Any]:
        """All of the case that the judgement depends on."""
        ...


class Factory(Protocol):
    """The object behind an entry point of the group `arena.judges`.

    `Settings` is a pydantic model (`extra="forbid"`) of the keys an entry may carry besides name, judge and tau.
    """

    Settings: type[Any]

    def available(self) -> tuple[bool, str]: ...

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def create(self, name: str, settings: Mapping[str, Any]) -> Judge: ...
