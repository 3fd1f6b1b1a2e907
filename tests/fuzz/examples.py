"""How many examples a law is tried on: few and always the same, unless ARENA_FUZZ asks for more.

`ARENA_FUZZ=50 pytest tests/fuzz` tries fifty times as many, other ones each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = max(1, int(os.environ.get("ARENA_FUZZ", "1")))


def tried(examples: int, **more: object) -> settings:
    """Settings for about that many examples; a busy machine is never a failure."""
    return settings(
        max_examples=examples * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        **more,  # type: ignore[arg-type]
    )
