"""One thing that was looked at: whether it is as it should be, and what to do if not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """`needed` is false for what only some users want."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = True
