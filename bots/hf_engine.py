"""The generation engine.

Requests of all dialogues join the running batch, and each row leaves when its reply is complete. Each engine has
one thread and serves one combination of weights, revision and decoding; its batches contain nothing else.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from arena.core.errors import BotError
from bots.batching import DialogueCounter
from bots.hf_jobs import CURES, Budget, Job, Row, Turns, Written, ends_of, no_numbers, out_of_memory
from bots.hf_pages import Pages, Shape
from bots.hf_rules import Rules, apply
from bots.hf_work import Rows, Segment, activated, bundles, make_cache
from bots.sampling import TRIES, Decoding, draw, noise

CLOSED = "The model was closed while it was asked; run again."
JOIN = 8  # requests that join a running batch in one group; single prompts are slow to read
PATIENCE = 8  # steps after which a smaller group joins


class Engine:
    """A generation engine with its thread.

    `capacity` is the highest number of rows. `keep` says whether caches are kept between turns.
    """

    def __init__(
        self,
        loaded: Any,
        shape: Shape,
        decoding: Decoding,
        stops: Sequence[str],
        *,
        capacity: int,
        wait: float,
        budget: Budget,
        turns: Turns,
        keep: bool = True,
    ) -> None:
        self._loaded = loaded
        self._rules = Rules(loaded, decoding)
        self._decoding = self._rules.decoding
        self._stops = tuple(stops)
        self._ends = ends_of(loaded)
        self._capacity = capacity
        self._wait = wait
        self._budget = budget
        self._turns = turns
        self._keep = keep
        self._rows = Rows(shape)
        self._cache = make_cache(self._rows)
        self._pages = Pages(shape, budget.share)
        self._running: list[Row] = []
        self._uniform: Any = None
        self._inbox: deque[Row] = deque()
        self._condition = threading.Condition()
        self._company: DialogueCounter | None = None
        self._since = 0.0
        self._idle_steps = 0
        self._peak = 0
        self._begun = self._busy = 0.0
        self._closed = False
        self._counts = dict.fromkeys(
            ("steps", "row_steps", "admissions", "replies", "read", "reused", "halved"), 0
        )
        budget.engines += 1
        self._thread = threading.Thread(target=self._work, name="arena-engine", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Written]:
        row = Row(job, Future(), company=self._company)
        with self._condition:
            if self._closed:
                raise BotError(CLOSED, reason="closed")
            if not self._inbox:
                self._since = max(self._since, time.monotonic())
            self._inbox.append(row)
            self._condition.notify()
        if row.company is not None:
            row.company.block()
        return row.future

    def attend(self, company: DialogueCounter) -> None:
        self._company = company
        company.join(self)

    def nobody_else_coming(self) -> None:
        with self._condition:
            self._condition.notify()

    def close(self) -> None:
        """Stops the thread. Unanswered requests fail."""
        with self._condition:
            if self._closed:
                return
            self._closed = True
            self._condition.notify()
        self._thread.join()
        self._budget.engines -= 1
        self._pages.clear()
        self._rows.release()

    def stats(self) -> Mapping[str, int]:
        """Returns counts of the engine's work and the peak memory of its caches."""
        return {**self._counts, "peak_kept_bytes": self._pages.peak, "peak_bytes": self._peak}

    def _work(self) -> None:
        import torch

        with torch.inference_mode(), activated(self._rows):
            while True:
                joining = self._next()
                if joining is None:
                    break
                try:
                    with self._turns:
                        if joining:
                            self._admit(joining)
                        if self._running:
                            self._step()
                except Exception as error:  # every error must reach the waiting requests
                    self._failed(error, joining)
        for row in [*self._running, *self._inbox]:
            row.answer(BotError(CLOSED, reason="closed"))

    def _next(self) -> list[Row] | None:
        """Returns the requests that join now, and waits while there is no work. Returns None when the engine ends."""
        with self._condition:
            while not self._closed:
                free = self._capacity - len(self._running)
                if self._running:
                    self._idle_steps += bool(self._inbox)
                    enough = len(self._inbox) >= min(JOIN, self._capacity) or self._idle_steps >= PATIENCE
                    return self._take(free) if self._inbox and free and enough else []
                if not self._inbox:
                    self._condition.wait()
                    continue
                left = self._since + self._worth_waiting() - time.monotonic()
                everybody = self._company is not None and self._company.all_blocked
                if left <= 0 or len(self._inbox) >= self._capacity or everybody:
                    return self._take(free)
                self._condition.wait(left)
        return None

    def _worth_waiting(self) -> float:
        """Returns how long to wait for more requests.

        With a dialogue counter, this is at least a twentieth of a batch's time.
        """
        return self._wait if self._company is None else max(self._wait, self._busy / 20)

    def _take(self, most: int) -> list[Row]:
        self._idle_steps = 0
        taken: list[Row] = []
        while self._inbox and len(taken) < most:
            row = self._inbox.popleft()
            if row.future.running() or row.future.set_running_or_notify_cancel():
                taken.append(row)
            else:
                row.answer()
        return taken

    def _admit(self, joining: list[Row]) -> None:
        """Adds requests to the running batch.

        Copies the cached part of each history, reads the rest, and draws the first token.
        """
        import torch

        joining.sort(key=lambda row: -len(row.job.ids))
        joining = self._affordable(joining)
        if not joining:
            return
        first = len(self._running)
        if not first:
            self._begun = time.monotonic()
        limit = self._decoding.max_new_tokens
        longest = max(len(row.job.ids) for row in joining) + limit
        rows = first + len(joining)
        share = self._budget.share
        self._pages.restrict(share - self._rows.cost(rows, longest))
        self._note_peak(self._rows.cost(rows, longest))
        self._rows.reserve(rows, longest)
        self._pages.restrict(share - self._rows.bytes)
        if self._uniform is None or len(self._uniform) < self._capacity:
            self._uniform = torch.zeros(self._capacity, limit, TRIES)
        segments: list[Segment] = []
        for number, row in enumerate(joining, first):
            known = self._pages.known(row.job.key, row.job.ids) if self._keep else 0
            if known:
                self._pages.fetch(row.job.key, known, self._rows.row(number))
            self._rows.lengths[number:] = [known]
            segments.append(Segment(number, 0, len(row.job.ids) - known, known))
            self._uniform[number] = noise(row.job.seed, limit)
            row.rule = self._rules.begin(row.job)
            self._counts["reused"] += known
            self._counts["read"] += len(row.job.ids) - known
        self._running += joining
        self._counts["admissions"] += 1
        for bundle in bundles(segments):
            self._read(bundle)

    def _affordable(self, joining: list[Row]) -> list[Row]:
        """Returns as many requests as half of the budget can hold.

        The others wait, but a single request is always admitted.
        """
        limit = self._decoding.max_new_tokens
        tokens = max(len(row.job.ids) for row in [*joining, *self._running]) + limit
        half = self._budget.share // 2
        least = 0 if self._running else 1
        while len(joining) > least and self._rows.cost(len(self._running) + len(joining), tokens) > half:
            with self._condition:
                self._inbox.appendleft(joining.pop())
        return joining

    def _read(self, bundle: list[Segment]) -> None:
        """Runs one forward pass over new tokens of several rows, packed without padding."""
        import torch

        device = self._loaded.device
        ids: list[int] = []
        places: list[int] = []
        last: list[int] = []
        ready: list[int] = []
        for part in bundle:
            part.offset = len(ids)
            end = part.past + part.count
            ids += self._running[part.row].job.ids[part.past : end]
            places += range(part.past, end)
            if end == len(self._running[part.row].job.ids):
                last.append(len(ids) - 1)
                ready.append(part.row)
        self._rows.begin_packed(bundle)
        out = self._loaded.model(
            input_ids=torch.tensor([ids], device=device),
            position_ids=torch.tensor([places], device=device),
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=torch.tensor(last or [0], device=device),
        )
        for part in bundle:
            self._rows.lengths[part.row] = part.past + part.count
        if ready:
            self._choose(out.logits[0], ready)

    def _step(self) -> None:
        """Generates one more token for every row."""
        import torch

        count = len(self._running)
        device = self._loaded.device
        fed = torch.tensor([[row.out.ids[-1]] for row in self._running], device=device)
        places = torch.tensor(self._rows.lengths, device=device)[:, None]
        self._rows.begin_step(count)
        out = self._loaded.model(
            input_ids=fed, position_ids=places, past_key_values=self._cache, use_cache=True, logits_to_keep=1
        )
        self._rows.end_step(count)
        self._counts["steps"] += 1
        self._counts["row_steps"] += count
        self._choose(out.logits[:, -1], list(range(count)))

    def _choose(self, logits: Any, rows: list[int]) -> None:
        """Draws a token for each of these rows. Finished rows leave the batch."""
        import torch

        done = [len(self._running[row].out.ids) for row in rows]
        logits = apply([(self._running[row].rule, self._running[row].out.ids) for row in rows], logits)
        early = [n for n, count in enumerate(done) if count < self._decoding.min_new_tokens]
        if early and self._ends:
            logits[torch.tensor(early)[:, None], torch.tensor(sorted(self._ends))] = -torch.inf
        uniform = self._uniform[torch.tensor(rows), torch.tensor(done)]
        finished: dict[int, BotError | None] = {}
        for row, token in zip(rows, draw(logits, self._decoding, uniform).tolist(), strict=True):
            if token < 0:
                finished[row] = no_numbers(self._loaded)
            elif self._extend(self._running[row].out, token):
                finished[row] = None
        for row in sorted(finished, reverse=True):
            self._leave(row, finished[row])

    def _extend(self, out: Written, token: int) -> bool:
        """Appends the token and returns whether the reply is complete."""
        if token in self._ends:
            out.ended = True
            return True
        out.ids.append(token)
        if self._stops:
            text = self._loaded.tokenizer.decode(out.ids, skip_special_tokens=True)
            out.ended = any(stop in text for stop in self._stops)
        return out.ended or len(out.ids) >= self._decoding.max_new_tokens

    def _leave(self, number: int, error: BotError | None = None) -> None:
        row = self._running[number]
        if self._keep and row.job.key and not row.job.fork and error is None:
            read = [*row.job.ids, *row.out.ids][: self._rows.lengths[number]]
            self._pages.keep(row.job.key, read, self._rows.row(number))
            self._note_peak(self._rows.bytes)
        last = len(self._running) - 1
        if number != last:
            self._rows.move(last, number)
            self._running[number] = self._running[last]
            self._uniform[number] = self._uniform[last]
        self._running.pop()
        self._rows.lengths.pop()
        self._counts["replies"] += 1
        if not self._running:
            self._since = time.monotonic()
            self._busy = self._since - self._begun
        row.answer(error)

    def _note_peak(self, rows_bytes: int) -> None:
        self._peak = max(self._peak, self._pages.bytes + rows_bytes)

    def _failed(self, error: Exception, joining: list[Row]) -> None:
        """Handles an error.

        If memory ran out, halves the batch and restarts its rows; other errors go to the waiting requests.
        """
        running = {id(row) for row in self._running}
        rows = [*self._running, *(row for row in joining if id(row) not in running and not row.future.done())]
        self._running, self._rows.lengths = [], []
        self._rows.release()
        self._pages.clear()
        if out_of_memory(error) and self._capacity > 1:
            self._capacity = max(1, min(self._capacity, len(rows)) // 2)
            self._counts["halved"] += 1
            with self._condition:
                self._inbox.extendleft(
                    Row(row.job, row.future, company=row.company) for row in reversed(rows)
                )
            return
        reason = "out_of_memory" if out_of_memory(error) else "error"
        for row in rows:
            row.answer(
                BotError(f"The model '{self._loaded.name}' failed: {error}{CURES[reason]}", reason=reason)
            )
