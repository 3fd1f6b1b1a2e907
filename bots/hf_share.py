"""Shares weights between bots with equal weights, and queues between bots that also have equal decoding."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakValueDictionary

from bots import hf_load
from bots.base import RunOptions
from bots.batching import DialogueCounter
from bots.hf_engine import Engine
from bots.hf_jobs import Budget, Job, Turns, Written
from bots.hf_plain import BeamEngine, PlainEngine, PlainQueue
from bots.hf_trial import row_shape
from bots.sampling import Decoding


class Writer(Protocol):
    """A queue for one set of weights and one decoding."""

    async def write(self, job: Job) -> Written: ...

    def attend(self, company: DialogueCounter) -> None: ...

    def stats(self) -> Mapping[str, int]: ...

    async def close(self) -> None: ...


class RowWriter:
    """The fast engine with an asynchronous interface."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def write(self, job: Job) -> Written:
        return await asyncio.wrap_future(self._engine.submit(job))

    def attend(self, company: DialogueCounter) -> None:
        self._engine.attend(company)

    def stats(self) -> Mapping[str, int]:
        return self._engine.stats()

    async def close(self) -> None:
        await asyncio.to_thread(self._engine.close)


@dataclass(slots=True)
class _Shared:
    writer: Writer
    users: int


_lock = threading.RLock()
_weights: WeakValueDictionary[Any, hf_load.Loaded] = WeakValueDictionary()
_writers: dict[Any, _Shared] = {}
_turns: dict[str, Turns] = {}
_budgets: dict[int, Budget] = {}


def weights(settings: Mapping[str, Any], device: str, dtype: str, stock: bool) -> hf_load.Loaded:
    """Returns the weights, loaded once for all current users. `stock` keeps transformers' own attention."""
    source = hf_load.locate(settings["model"])
    revision = hf_load.weights_revision(source, settings.get("revision"))
    name = (
        source.folder,
        source.gguf,
        revision,
        device,
        dtype,
        stock,
        bool(settings.get("trust_remote_code")),
    )
    with _lock:
        loaded = _weights.get(name)
        if loaded is None:
            fixed = {**settings, "revision": revision} if source.hub else settings  # the revision is pinned
            loaded = _weights[name] = hf_load.load(fixed, device, dtype, packed=not stock)
        return loaded


@dataclass(frozen=True, slots=True)
class Lease:
    """A bot's use of a writer. When the last lease of a writer ends, the writer is closed."""

    name: Any
    writer: Writer

    async def close(self) -> None:
        with _lock:
            shared = _writers.get(self.name)
            if shared is None or shared.writer is not self.writer:
                return
            shared.users -= 1
            if shared.users:
                return
            del _writers[self.name]
        await self.writer.close()


def lease(loaded: hf_load.Loaded, decoding: Decoding, stops: tuple[str, ...], run: RunOptions) -> Lease:
    """Returns a lease of the writer for these weights and this decoding."""
    name = (id(loaded), decoding, stops, run.deterministic, run.batch, run.wait, run.cache_bytes)
    with _lock:
        shared = _writers.get(name)
        if shared is None:
            shared = _writers[name] = _Shared(_make(loaded, decoding, stops, run), 0)
        shared.users += 1
        return Lease(name, shared.writer)


def _make(loaded: hf_load.Loaded, decoding: Decoding, stops: tuple[str, ...], run: RunOptions) -> Writer:
    turns = _turns.setdefault(loaded.device, Turns())
    shape = None
    if not (run.deterministic or loaded.seq2seq or decoding.beams):
        shape = loaded.shape if loaded.shape is not None else row_shape(loaded)
    if shape is None or decoding.beams:
        capacity = 1 if run.deterministic else run.batch
        plain = (BeamEngine if decoding.beams else PlainEngine)(loaded, decoding, stops)
        return PlainQueue(plain, capacity, run.wait, turns)
    loaded.shape = shape
    budget = _budgets.setdefault(run.cache_bytes, Budget(run.cache_bytes))
    engine = Engine(
        loaded, shape, decoding, stops, capacity=run.batch, wait=run.wait, budget=budget, turns=turns
    )
    return RowWriter(engine)
