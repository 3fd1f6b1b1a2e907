"""The options of `arena ui` that its pages need; they reach the page server in environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.core.defaults import DATABASE

DB, LAUNCH, STATE = "ARENA_DB", "ARENA_UI_LAUNCH", "ARENA_UI_STATE"


@dataclass(frozen=True, slots=True)
class Options:
    db: str
    launch: bool  # whether pages may start programs, read paths and load any adapter
    state: Path

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> Options:
        from arena.play.launch import default_state

        state = environment.get(STATE)
        return cls(
            environment.get(DB) or DATABASE,
            environment.get(LAUNCH, "1") == "1",
            Path(state) if state else default_state(environment),
        )
