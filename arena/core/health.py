"""The result of one check of this machine: whether all is well, and what to do if not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """`needed` is false for things that only some users want."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = True
