"""Writes replies: requests of all dialogues under way join the running rows and leave them one by one.

One thread an engine; one engine for each (weights, revision, decoding): nothing else is ever in its batches.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from arena.core.errors import BotError
from bots.batching import DialogueCounter
from bots.hf_pages import Pages, Shape
from bots.hf_rules import Rules
from bots.hf_work import NAME, Rows, Segment, activated, make_cache, register
from bots.sampling import TRIES, Decoding, draw, noise

CLOSED = "The model was closed while it was asked; run again."
CURES = {
    "error": "; try it alone with 'arena bots try'.",
    "out_of_memory": "; take a smaller model, a shorter `context` or `dtype: bfloat16`.",
}
READ_AT_ONCE = 4096  # tokens of prompts in one forward pass
JOIN = 8  # newcomers join running rows in groups: reading prompts one by one is slow
PATIENCE = 8  # … or after so many steps
TRIED = [[5, 6, 7, 8, 9, 10, 11], [12, 13, 14, 15]]  # prompts on which the two attentions are compared


@dataclass(frozen=True, slots=True)
class Job:
    """One reply to write. `key` names the conversation whose cache is used; a fork leaves it as it was."""

    ids: list[int]
    seed: int
    key: str = ""
    fork: bool = False


@dataclass(slots=True)
class Written:
    ids: list[int] = field(default_factory=list)
    ended: bool = False


@dataclass(slots=True)
class _Row:
    job: Job
    future: Future[Written]
    out: Written = field(default_factory=Written)
    rule: Callable[[list[int], Any], Any] | None = None
    company: DialogueCounter | None = None

    def answer(self, error: Exception | None = None) -> None:
        """Ends the wait, of the company too."""
        if self.company is not None:
            self.company.unblock()
        if self.future.cancelled():
            return
        if not (self.future.running() or self.future.set_running_or_notify_cancel()):
            return
        if error is None:
            self.future.set_result(self.out)
        else:
            self.future.set_exception(error)


class Turns:
    """A lock that threads get in the order of asking: engines on one processor take steps in turn."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._next = self._serving = 0

    def __enter__(self) -> None:
        with self._condition:
            ticket = self._next
            self._next += 1
            self._condition.wait_for(lambda: self._serving == ticket)

    def __exit__(self, *_: object) -> None:
        with self._condition:
            self._serving += 1
            self._condition.notify_all()


class Budget:
    """Bytes for caches, shared evenly by the engines alive."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.engines = 0

    @property
    def share(self) -> int:
        return self.total // max(1, self.engines)


def ends_of(loaded: Any) -> frozenset[int]:
    """The tokens that end a reply."""
    found: set[int] = set()
    for value in (loaded.model.generation_config.eos_token_id, loaded.tokenizer.eos_token_id):
        found |= set(value) if isinstance(value, list | tuple) else {value} if value is not None else set()
    return frozenset(found)


class Engine:
    """See the module. `capacity` rows at most; `keep` tells whether caches outlive a turn."""

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
        self._running: list[_Row] = []
        self._uniform: Any = None
        self._inbox: deque[_Row] = deque()
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
        row = _Row(job, Future(), company=self._company)
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
        """Stops the thread; what is unanswered fails."""
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
        """What it did and what memory its caches took at most."""
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
                except Exception as error:  # whatever a model raises must reach those who wait
                    self._failed(error, joining)
        for row in [*self._running, *self._inbox]:
            row.answer(BotError(CLOSED, reason="closed"))

    def _next(self) -> list[_Row] | None:
        """Who joins now; waits while there is nothing to do. None at the end."""
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
        """With a company that counts who may still come, a twentieth of what a batch takes is well spent."""
        return self._wait if self._company is None else max(self._wait, self._busy / 20)

    def _take(self, most: int) -> list[_Row]:
        self._idle_steps = 0
        taken: list[_Row] = []
        while self._inbox and len(taken) < most:
            row = self._inbox.popleft()
            if row.future.running() or row.future.set_running_or_notify_cancel():
                taken.append(row)
            else:
                row.answer()
        return taken

    def _admit(self, joining: list[_Row]) -> None:
        """Copies what is kept of the newcomers' histories, reads the rest and draws their first tokens."""
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
            row.rule = self._rules.begin(row.job.ids)
            self._counts["reused"] += known
            self._counts["read"] += len(row.job.ids) - known
        self._running += joining
        self._counts["admissions"] += 1
        for bundle in _bundles(segments):
            self._read(bundle)

    def _affordable(self, joining: list[_Row]) -> list[_Row]:
        """As many as the budget's half can hold; the others wait. One alone is always let in."""
        limit = self._decoding.max_new_tokens
        tokens = max(len(row.job.ids) for row in [*joining, *self._running]) + limit
        half = self._budget.share // 2
        least = 0 if self._running else 1
        while len(joining) > least and self._rows.cost(len(self._running) + len(joining), tokens) > half:
            with self._condition:
                self._inbox.appendleft(joining.pop())
        return joining

    def _read(self, bundle: list[Segment]) -> None:
        """One forward pass over new tokens of several rows, packed."""
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
        """One more token for every row."""
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
        """Draws a token for each of these rows; the finished ones leave."""
        import torch

        done = [len(self._running[row].out.ids) for row in rows]
        if self._rules.active:
            ruled = [(self._running[row].rule, self._running[row].out.ids) for row in rows]
            parts = zip(ruled, logits.split(1), strict=True)
            logits = torch.cat([rule(ids, one) for (rule, ids), one in parts if rule])
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
        """Adds the token; tells whether the reply is complete."""
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

    def _failed(self, error: Exception, joining: list[_Row]) -> None:
        """Too little memory halves the batch and starts its rows anew; those who wait hear of all else."""
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
                    _Row(row.job, row.future, company=row.company) for row in reversed(rows)
                )
            return
        reason = "out_of_memory" if out_of_memory(error) else "error"
        for row in rows:
            row.answer(
                BotError(f"The model '{self._loaded.name}' failed: {error}{CURES[reason]}", reason=reason)
            )


def no_numbers(loaded: Any) -> BotError:
    """Files are verified when they are read, so NaN comes from the arithmetic or from the model's own weights."""
    remedy = (
        "its weights are broken, get them again or train it again"
        if loaded.dtype == "float32"
        else "set `dtype: float32` for this bot, and if that does not help, get its weights again"
    )
    return BotError(
        f"The model '{loaded.name}' computes NaN in {loaded.dtype}: {remedy}.", reason="no_numbers"
    )


def out_of_memory(error: BaseException) -> bool:
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and "allocate memory" in str(error)


def _bundles(segments: list[Segment]) -> list[list[Segment]]:
    """Segments in packs of READ_AT_ONCE tokens at most; longer ones are cut."""
    pieces: list[Segment] = []
    for part in segments:
        for start in range(0, part.count, READ_AT_ONCE):
            size = min(READ_AT_ONCE, part.count - start)
            pieces.append(Segment(part.row, 0, size, part.past + start))
    bundles: list[list[Segment]] = [[]]
    room = READ_AT_ONCE
    for piece in pieces:
        if piece.count > room and bundles[-1]:
            bundles.append([])
            room = READ_AT_ONCE
        bundles[-1].append(piece)
        room -= piece.count
    return bundles


def row_shape(loaded: Any) -> Shape | None:
    """The shape of this model's caches if the engine can run it, found by trying; else None.

    On success the model is left with the engine's attention; its logits were compared with its own.
    """
    import torch

    model = loaded.model
    before = model.config._attn_implementation
    with torch.inference_mode():
        try:
            shape, wanted = _own_logits(loaded)
            if shape is None:
                return None
            allowed = _allowed(loaded, wanted)
            register()
            model.set_attn_implementation(NAME)
            if _apart(wanted, _trial(model, shape, TRIED, loaded.device)) <= allowed:
                return shape
        except Exception:  # an architecture with other ideas of caches or attention
            pass
    model.set_attn_implementation(before)
    return None


def _own_logits(loaded: Any) -> tuple[Shape | None, list[Any]]:
    """The shape of the model's caches and what it makes of the prompts; no shape where layers differ."""
    import torch

    logits = []
    for ids in TRIED:
        out = loaded.model(input_ids=torch.tensor([ids], device=loaded.device), use_cache=True)
        layers = out.past_key_values.layers
        shapes = {tuple(t.shape) for one in layers for t in (one.keys, one.values)}
        if len(shapes) != 1:
            return None, []
        logits.append(out.logits[0, -1].float())
    (_, heads, _, dim) = shapes.pop()
    return Shape(len(layers), heads, dim, layers[0].keys.dtype, torch.device(loaded.device)), logits


def _allowed(loaded: Any, wanted: list[Any]) -> float:
    """A share of the logits' size, and twice what the model's own two ways of attention differ by.

    Large biases in keys make bf16 logits differ by a tenth between transformers' own implementations.
    """
    import torch

    exact = loaded.model.dtype == torch.float32
    size = max(float(one.abs().max()) for one in wanted)
    if exact:
        return 1e-3 * size
    loaded.model.set_attn_implementation("eager")
    return 5e-2 * size + 2 * _apart(wanted, _own_logits(loaded)[1])


def _apart(a: list[Any], b: list[Any]) -> float:
    return max(float((one - other).abs().max()) for one, other in zip(a, b, strict=True))


def _trial(model: Any, shape: Shape, prompts: list[list[int]], device: str) -> list[Any]:
    """All but the last token read packed, the last as a step."""
    import torch

    rows = Rows(shape)
    cache = make_cache(rows)
    rows.reserve(len(prompts), 16)
    segments = []
    ids: list[int] = []
    for number, prompt in enumerate(prompts):
        segments.append(Segment(number, len(ids), len(prompt) - 1, 0))
        ids += prompt[:-1]
    rows.lengths = [len(prompt) - 1 for prompt in prompts]
    places = [place for prompt in prompts for place in range(len(prompt) - 1)]
    with activated(rows):
        rows.begin_packed(segments)
        model(
            input_ids=torch.tensor([ids], device=device),
            position_ids=torch.tensor([places], device=device),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=torch.tensor([0], device=device),
        )
        rows.begin_step(len(prompts))
        out = model(
            input_ids=torch.tensor([[prompt[-1]] for prompt in prompts], device=device),
            position_ids=torch.tensor(rows.lengths, device=device)[:, None],
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
    return list(out.logits[:, -1].float())
