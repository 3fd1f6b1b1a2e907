"""The settings of a run that are not part of its tournament, and the counts of a run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a run that are not part of the tournament."""

    concurrency: int = 128
    deterministic: bool = False
    limit: int | None = None  # dialogues to play at most in this run
    judge: bool = True
    retry_failed: bool = False
    batch: int = 32
    cache_bytes: int = 2 << 30


@dataclass
class Tally:
    """The counts of this run, for example dialogues played and failed."""

    played: int = 0
    failed: int = 0
    replies: int = 0
    verdicts: int = 0
    seconds: float = 0.0
    playing_seconds: float = 0.0  # without the time to load models
    stopped: str | None = None
    failures: dict[tuple[str, str], str] = field(default_factory=dict)  # the first error message
