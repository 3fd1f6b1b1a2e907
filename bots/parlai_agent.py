"""ParlAI agents in conversation: shared weights, one clone per dialogue, forks, and seeded sampling."""

from __future__ import annotations

import random
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from arena.core.errors import BotError
from bots.base import Line, Reply, ReplyRequest

SEATS = 2048  # clones kept between turns; a dropped clone is rebuilt from a request's history
MARGIN = 4  # tokens that agents add around a history
SAMPLING = ("topk", "nucleus", "factual_nucleus", "delayedbeam", "delayednucleusbeam")
_global = threading.Lock()  # held while an agent uses the global generators
COPIED = ("history_strings", "history_raw_strings", "history_vecs")


@dataclass(slots=True)
class Seat:
    """An agent's clone and the messages that it has received.

    `counts` has the number of history entries for each message in its memory.
    """

    agent: Any
    lines: tuple[Line, ...] = ()
    head: int = 0  # entries of persona and knowledge, which are never dropped
    counts: deque[int] = field(default_factory=deque)


class Conversations:
    """Answers requests with one agent. Not thread-safe: use only one thread at a time."""

    def __init__(self, root: Any, persona: str | None, memory: int | None) -> None:
        from parlai.core.torch_agent import TorchAgent
        from parlai.core.torch_generator_agent import TorchGeneratorAgent

        self._root = root
        self._neural = isinstance(root, TorchAgent)
        self._persona = persona
        self._memory = memory
        self._seats: OrderedDict[tuple[str, str | None], Seat] = OrderedDict()
        self.samples = not self._neural or (
            isinstance(root, TorchGeneratorAgent) and root.opt.get("inference", "greedy") in SAMPLING
        )
        own_loop = (
            type(root)._generate is TorchGeneratorAgent._generate if hasattr(root, "_generate") else True
        )
        # If the rows of a batch cannot have separate generators, requests run one by one.
        self.alone = not self._neural or (self.samples and not own_loop)
        self._rows: _Rows | None = _Rows(root) if self.samples and not self.alone else None
        if self._neural and (own := root.opt.get("history_size", -1)) > 0:
            self._memory = min(own, memory or own)  # kept here, because ParlAI would drop the persona first

    def forget(self) -> None:
        self._seats.clear()

    def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        """Returns one reply per request.

        If a batch fails, its requests are tried one by one, so that only the faulty requests fail.
        """
        if self.alone:
            return [self._guarded(request) for request in requests]
        try:
            return self._batch(requests)
        except Exception:
            return [self._guarded(request) for request in requests]

    def _guarded(self, request: ReplyRequest) -> Reply:
        try:
            return self._batch([request])[0]
        except Exception as error:  # an agent may raise anything
            message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            return Reply(
                "",
                error=BotError(
                    f"The ParlAI agent failed ({message}): try it with `arena bots try`.", "agent"
                ),
            )

    def _batch(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        with randomness(requests[0].seed) if self.alone else nullcontext():
            # Forks first: they copy the state that a message of the same batch is about to change.
            order = sorted(range(len(requests)), key=lambda n: not requests[n].fork)
            seats: dict[int, Seat] = {n: self._seat(requests[n]) for n in order}
            heard = [self._observe(seats[n], requests[n].history[-1].text) for n in range(len(requests))]
            if self.alone:
                _sow(requests[0].seed)  # again, because making clones may have seeded the generators
            acts = self._act([seats[n] for n in range(len(requests))], heard, [r.seed for r in requests])
            return [
                self._finish(request, seats[n], observed, act)
                for n, (request, observed, act) in enumerate(zip(requests, heard, acts, strict=True))
            ]

    def _act(self, seats: Sequence[Seat], heard: list[Any], seeds: list[int]) -> list[Mapping[str, Any]]:
        if not self._neural:
            return [seat.agent.act() for seat in seats]
        if self._rows is not None:
            self._rows.seeds = seeds
        return list(self._root.batch_act(heard))

    def _finish(self, request: ReplyRequest, seat: Seat, observed: Any, act: Mapping[str, Any]) -> Reply:
        text = str(act.get("text") or "").strip()
        dropped = len(request.history) - len(seat.counts) if self._neural else 0
        if not request.fork:
            self._own(seat, text, act)
            seat.lines = (*request.history, Line(text, mine=True))
            self._seats[request.dialogue, request.grounds] = seat
            while len(self._seats) > SEATS:
                self._seats.popitem(last=False)
        read = observed.get("text_vec") if isinstance(observed, Mapping) else None
        return Reply(text, 0 if read is None else len(read), _written(act), dropped=dropped)

    def _seat(self, request: ReplyRequest) -> Seat:
        """Returns the clone that has received all messages but the last.

        For an inquiry, returns a copy of the clone.
        """
        before = request.history[:-1]
        key = request.dialogue, request.grounds
        seat = self._seats.get(key)
        fits = seat is not None and seat.lines == before
        if seat is not None and fits and request.fork and self._neural:
            return self._fork(seat)
        if seat is not None and fits and not request.fork:
            del self._seats[key]  # no other request may use the clone until the reply is there
            return seat
        return self._rebuild(before, request.grounds)

    def _fork(self, seat: Seat) -> Seat:
        agent = self._clone()
        for name in COPIED:
            setattr(agent.history, name, [_copy(entry) for entry in getattr(seat.agent.history, name)])
        agent.history.temp_history = seat.agent.history.temp_history
        return Seat(agent, seat.lines, seat.head, deque(seat.counts))

    def _clone(self) -> Any:
        agent = self._root.clone()
        agent.reset()
        if self._neural:
            agent.history.size = -1  # `_observe` decides what is dropped
        return agent

    def _rebuild(self, lines: Sequence[Line], knowledge: str | None) -> Seat:
        seat = Seat(self._clone())
        if self._neural:
            for text in filter(None, (persona_lines(self._persona), knowledge)):
                seat.agent.history.update_history({"text": text})
            seat.head = len(seat.agent.history.history_strings)
        heard = False
        for line in lines:
            if not line.mine:
                self._observe(seat, line.text)
                heard = True
            elif heard:
                self._own(seat, line.text, {})
                heard = False
            elif self._neural:  # the agent's own opening line, which answers no message
                with _counted(seat):
                    seat.agent.history.add_reply(line.text)
        seat.lines = tuple(lines)
        return seat

    def _observe(self, seat: Seat, text: str) -> Any:
        from parlai.core.message import Message

        message = Message({"id": "partner", "text": text, "episode_done": False})
        if not self._neural:
            return seat.agent.observe(message)
        self._make_room(seat, text)
        with _counted(seat):
            return seat.agent.observe(message)

    def _own(self, seat: Seat, text: str, act: Mapping[str, Any]) -> None:
        if self._neural:
            with _counted(seat):
                seat.agent.self_observe({**act, "text": text})

    def _make_room(self, seat: Seat, text: str) -> None:
        """Drops whole messages, oldest first. ParlAI itself would cut off tokens, beginning with the persona's."""
        history = seat.agent.history
        room = seat.agent.text_truncate if seat.agent.text_truncate and seat.agent.text_truncate > 0 else None
        used = sum(map(len, history.history_vecs)) + len(history.delimiter_tok) * len(history.history_vecs)
        needed = len(history.parse(text)) + MARGIN if room is not None else 0
        while seat.counts and (
            (self._memory is not None and len(seat.counts) >= self._memory)
            or (room is not None and used + needed > room)
        ):
            count = seat.counts.popleft()
            gone = slice(seat.head, seat.head + count)
            used -= sum(len(vec) + len(history.delimiter_tok) for vec in history.history_vecs[gone])
            for name in COPIED:
                del getattr(history, name)[gone]


class _Rows:
    """Gives each row of a batch its own random generator, so that the other rows do not influence it.

    ParlAI keeps one search object per row and draws inside the object's `advance`.
    """

    def __init__(self, agent: Any) -> None:
        from parlai.core import torch_generator_agent

        self.seeds: list[int] = []
        self._left: Iterator[int] = iter(())
        self._chance = torch_generator_agent.torch  # see parlai_compat
        self._generate = agent._generate
        self._factory = agent._treesearch_factory
        agent._generate = self.generate
        agent._treesearch_factory = self.factory

    def generate(self, batch: Any, *args: Any, **more: Any) -> Any:
        self._left = iter([self.seeds[row] for row in batch.valid_indices.tolist()])
        return self._generate(batch, *args, **more)

    def factory(self, device: Any, *args: Any, **more: Any) -> Any:
        import torch

        search = self._factory(device, *args, **more)
        generator = torch.Generator(device).manual_seed(next(self._left))
        advance = search.advance

        def seeded(*given: Any, **named: Any) -> Any:
            with self._chance.drawing(generator):
                return advance(*given, **named)

        search.advance = seeded
        return search


@contextmanager
def randomness(seed: int) -> Iterator[None]:
    """Seeds every global generator that an agent may use, for one agent at a time.

    The previous states are restored at the end.
    """
    import numpy
    import torch

    with _global, torch.random.fork_rng():
        plain, many = random.getstate(), numpy.random.get_state()
        _sow(seed)
        try:
            yield
        finally:
            random.setstate(plain)
            numpy.random.set_state(many)


def _sow(seed: int) -> None:
    import numpy
    import torch

    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed % 2**32)


@contextmanager
def _counted(seat: Seat) -> Iterator[None]:
    """Records the number of history entries that a message became. Agents may split a message into lines."""
    before = len(seat.agent.history.history_strings)
    yield
    seat.counts.append(len(seat.agent.history.history_strings) - before)


def persona_lines(persona: str | None) -> str | None:
    """Returns a persona in the format that ParlAI's models were trained on."""
    lines = [line.strip() for line in (persona or "").splitlines() if line.strip()]
    marked = [line if line.lower().startswith("your persona:") else f"your persona: {line}" for line in lines]
    return "\n".join(marked) or None


def _copy(entry: Any) -> Any:
    return list(entry) if isinstance(entry, list) else entry


def _written(act: Mapping[str, Any]) -> int:
    metric = (act.get("metrics") or {}).get("gen_n_toks")
    return int(metric.value()) if metric is not None else 0
