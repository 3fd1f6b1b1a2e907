"""The result of a check of this machine: whether all is well, and otherwise what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The result of a check; `needed` is false for things that only some users want."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = True
