"""Judges stored answers and messages that have no verdict yet, in batches."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.core.types import Check, Judgement
from arena.judging.checks import METHODS, Material, Similarity, cosines, judgement, material
from db.records import Unchecked
from db.repository import Repository
from db.retry import retry_store, retry_while_lost
from judges.base import Judge
from judges.cache import Cached, Memory

log = logging.getLogger(__name__)

INQUIRIES = 1024  # inquiries per batch when nothing else is running
DIALOGUES = 16  # dialogues per batch of messages
PAIRS = 50_000  # judged pairs of sentences that are kept in memory


@dataclass(frozen=True, slots=True)
class Pace:
    """The batch sizes of judging, and the seconds of rest after each second of judging."""

    inquiries: int = INQUIRIES
    dialogues: int = DIALOGUES
    rest: float = 0.0


ALONE = Pace()
BESIDE_BOTS = Pace(inquiries=128, dialogues=2, rest=1.0)


def _nothing(_: int) -> None:
    """Ignore progress."""


def _never() -> bool:
    return False


class JudgeRunner:
    """Runs one judge on one tournament, with the judge's own threshold.

    If a tournament file sets a threshold, it is applied later, when results are read.
    """

    def __init__(
        self,
        repository: Repository,
        tournament: str,
        judge: Judge,
        checks: Sequence[Check] = (Check.INQUIRY,),
        similarity: Similarity | None = None,
    ) -> None:
        self._repository = repository
        self._tournament = tournament
        self._judge = Cached(judge, repository)
        self._pairs = Cached(judge, Memory(PAIRS))
        self._checks = checks
        self._similarity = similarity
        self._row: int | None = None
        self._seen = dict.fromkeys(Check, 0)

    async def close(self) -> None:
        await self._judge.close()

    async def sweep(
        self,
        reported: Callable[[int], None] = _nothing,
        stopped: Callable[[], bool] = _never,
        pace: Pace = ALONE,
        new: bool = False,
    ) -> int:
        """Judge everything that has no verdict yet; with `new`, only what was stored since the previous sweep."""
        if self._row is None:
            judge = self._judge
            self._row = await retry_store(self._repository.judge_id, judge.name, judge.revision, judge.tau)
        done = 0
        for check in self._checks:
            if not new:
                self._seen[check] = 0
            step = self._inquiries if check is Check.INQUIRY else self._messages
            while not stopped():
                began = time.perf_counter()
                judged = await step(self._row, check, pace)
                if judged is None:
                    break
                done += judged
                log.info(
                    "%s: %d of %s in %.1f s", self._judge.name, judged, check, time.perf_counter() - began
                )
                reported(judged)
                await asyncio.sleep(pace.rest * (time.perf_counter() - began))
        return done

    async def _inquiries(self, row: int, check: Check, pace: Pace) -> int | None:
        """Judge the next batch of answers and return their number; None if no answers are left."""
        work = await retry_store(
            self._repository.unjudged, self._tournament, row, self._seen[check], pace.inquiries
        )
        if not work:
            return None
        cases = [item.case for item in work]
        began = time.perf_counter()
        judgements = await retry_while_lost(lambda: self._judge.judge(cases))
        seconds = time.perf_counter() - began
        verdicts = [(item.inquiry, one) for item, one in zip(work, judgements, strict=True)]
        await retry_store(self._repository.add_verdicts, row, verdicts, seconds)
        self._seen[check] = work[-1].inquiry
        return len(verdicts)

    async def _messages(self, row: int, check: Check, pace: Pace) -> int | None:
        """Judge the messages of the next dialogues and return their number; None if no messages are left."""
        method = METHODS[check]
        work = await retry_store(
            self._repository.unchecked,
            self._tournament,
            row,
            check,
            method,
            self._seen[check],
            pace.dialogues,
        )
        if not work:
            return None
        began = time.perf_counter()
        verdicts = await self._judged(work, check)
        seconds = time.perf_counter() - began
        await retry_store(self._repository.add_message_verdicts, row, check, method, verdicts, seconds)
        self._seen[check] = work[-1].dialogue
        return len(verdicts)

    async def _judged(self, work: Sequence[Unchecked], check: Check) -> list[tuple[int, int, Judgement]]:
        if self._similarity is None:
            from judges.vectors import Vectors

            self._similarity = cosines(Vectors().sentences)
        rows: list[Material] = await asyncio.to_thread(material, work, check, self._similarity)
        cases = [pair.case for one in rows for pair in one.pairs]
        judgements = await self._pairs.judge(cases) if cases else []
        scale = self._judge.scale(check)
        verdicts, at = [], 0
        for one in rows:
            own = judgements[at : at + len(one.pairs)]
            at += len(one.pairs)
            verdicts.append((one.dialogue, one.message, judgement(one, own, check, scale)))
        return verdicts
