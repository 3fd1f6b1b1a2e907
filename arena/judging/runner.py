"""Judges what is stored and has no verdict yet, in batches and through the cache."""

from __future__ import annotations

import time
from collections.abc import Callable

from db.repository import Repository
from db.retry import retry_store, retry_while_lost
from judges.base import Judge
from judges.cache import Cached

BATCH = 1024


class JudgeRunner:
    """One judge at work on one tournament, with its own threshold: a file's is applied when reading."""

    def __init__(self, repository: Repository, tournament: str, judge: Judge) -> None:
        self._repository = repository
        self._tournament = tournament
        self._judge = Cached(judge, repository)
        self._row: int | None = None

    async def close(self) -> None:
        """Some judges hold a bot."""
        close = getattr(self._judge.inner, "close", None)
        if close is not None:
            await close()

    async def sweep(
        self, told: Callable[[int], None] = lambda _: None, stopped: Callable[[], bool] = lambda: False
    ) -> int:
        """Judges all that has no verdict."""
        if self._row is None:
            judge = self._judge
            self._row = await retry_store(self._repository.judge_id, judge.name, judge.revision, judge.tau)
        after = done = 0
        while not stopped():
            work = await retry_store(self._repository.unjudged, self._tournament, self._row, after, BATCH)
            if not work:
                break
            cases = [item.case for item in work]
            began = time.perf_counter()
            said = await retry_while_lost(lambda cases=cases: self._judge.judge(cases))  # type: ignore[misc]
            seconds = time.perf_counter() - began
            verdicts = [(item.inquiry, judgement) for item, judgement in zip(work, said, strict=True)]
            await retry_store(self._repository.add_verdicts, self._row, verdicts, seconds)
            after = work[-1].inquiry
            done += len(verdicts)
            told(len(verdicts))
        return done
