"""Computes the revision of a judge: a short string that covers everything that can change a verdict."""

from __future__ import annotations

from typing import Any

from arena.core.hashing import digest


def of(judge: str, code: int, *parts: Any) -> str:
    return f"{judge}-{code}-{digest(*parts)[:12]}"
