"""The reference engine. It pads on the left, reads every prompt from the start and keeps no cache between turns.

It serves models that the fast engine cannot run, such as encoder-decoders or models with unusual attention. It also
serves every deterministic run, with one request at a time, because there a reply must only depend on its own
request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from arena.core.errors import BotError
from bots.batching import Batcher, DialogueCounter
from bots.hf_jobs import CURES, Job, Turns, Written, ends_of, no_numbers, out_of_memory
from bots.hf_rules import Rules, apply
from bots.sampling import Decoding, draw, noise


class PlainEngine:
    """Generates a batch from its prompts, without any other state."""

    def __init__(self, loaded: Any, decoding: Decoding, stops: Sequence[str]) -> None:
        self._loaded = loaded
        self._rules = Rules(loaded, decoding)
        self._decoding = self._rules.decoding
        self._stops = tuple(stops)
        self._ends = ends_of(loaded)

    def write(self, jobs: Sequence[Job]) -> list[Written | BotError]:
        import torch

        with torch.inference_mode():
            return self._write(jobs)

    def _write(self, jobs: Sequence[Job]) -> list[Written | BotError]:
        import torch

        decoding = self._decoding
        state, fed = self._begin(jobs)
        uniform = torch.stack([noise(job.seed, decoding.max_new_tokens) for job in jobs])
        results = [Written() for _ in jobs]
        broken: dict[int, Written | BotError] = {}
        rules = [self._rules.begin(job) for job in jobs]
        for step in range(decoding.max_new_tokens):
            logits = self._forward(state, fed)
            logits = apply([(rule, one.ids) for rule, one in zip(rules, results, strict=True)], logits)
            if step < decoding.min_new_tokens and self._ends:
                logits[:, sorted(self._ends)] = -torch.inf
            tokens = draw(logits, decoding, uniform[:, step])
            for n, (one, token) in enumerate(zip(results, tokens.tolist(), strict=True)):
                if token < 0 and not one.ended:
                    broken[n], one.ended = no_numbers(self._loaded), True
                if not one.ended:
                    self._take(one, token)
            if all(one.ended for one in results):
                break
            fed = tokens.clamp(min=0)[:, None]
        return [broken.get(n, one) for n, one in enumerate(results)]

    def _begin(self, jobs: Sequence[Job]) -> tuple[dict[str, Any], Any]:
        import torch

        model, device = self._loaded.model, self._loaded.device
        width = max(len(job.ids) for job in jobs)
        pad = next(iter(self._ends), 0)
        left = not self._loaded.seq2seq
        filled, real = [], []
        for job in jobs:
            gap, own = [pad] * (width - len(job.ids)), [1] * len(job.ids)
            filled.append(gap + job.ids if left else job.ids + gap)
            real.append([0] * len(gap) + own if left else own + [0] * len(gap))
        ids, mask = torch.tensor(filled, device=device), torch.tensor(real, device=device)
        if left:
            return {"attention_mask": mask, "past_key_values": None}, ids
        state = {
            "encoder_outputs": model.get_encoder()(input_ids=ids, attention_mask=mask),
            "attention_mask": mask,
            "past_key_values": None,
        }
        return state, torch.full((len(jobs), 1), self._rules.start, device=device)

    def _forward(self, state: dict[str, Any], fed: Any) -> Any:
        """Returns the next token's logits. `state` is passed to the next call."""
        import torch

        model = self._loaded.model
        if self._loaded.seq2seq:
            out = model(decoder_input_ids=fed, use_cache=True, **state)
        else:
            mask = state["attention_mask"]
            places = (mask.cumsum(-1) - 1).clamp_(min=0)[:, -fed.shape[1] :]
            out = model(input_ids=fed, position_ids=places, logits_to_keep=1, use_cache=True, **state)
            state["attention_mask"] = torch.cat([mask, mask.new_ones(len(mask), 1)], dim=1)
        state["past_key_values"] = out.past_key_values
        return out.logits[:, -1]

    def _take(self, one: Written, token: int) -> None:
        if token in self._ends:
            one.ended = True
            return
        one.ids.append(token)
        if self._stops:
            text = self._loaded.tokenizer.decode(one.ids, skip_special_tokens=True)
            one.ended = any(stop in text for stop in self._stops)


class BeamEngine:
    """Beam search by transformers' own `generate`, one reply at a time."""

    def __init__(self, loaded: Any, decoding: Decoding, stops: Sequence[str]) -> None:
        self._loaded = loaded
        self._config = Rules(loaded, decoding, beams=True).config
        self._stops = list(stops)

    def write(self, jobs: Sequence[Job]) -> list[Written | BotError]:
        return [self._one(job) for job in jobs]

    def _one(self, job: Job) -> Written:
        import torch

        ids = torch.tensor([job.ids], device=self._loaded.device)
        options = {"stop_strings": self._stops, "tokenizer": self._loaded.tokenizer} if self._stops else {}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(job.seed)
            out = self._loaded.model.generate(
                ids, attention_mask=torch.ones_like(ids), generation_config=self._config, **options
            )[0].tolist()
        ends = ends_of(self._loaded)
        return Written(
            [token for token in out[1 if self._loaded.seq2seq else len(job.ids) :] if token not in ends]
        )


class PlainQueue:
    """Puts a batcher and a thread in front of a plain engine."""

    def __init__(self, engine: PlainEngine | BeamEngine, capacity: int, wait: float, turns: Turns) -> None:
        self._engine = engine
        self._turns = turns
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="arena-plain")
        self._batcher: Batcher[Job, Written] = Batcher(self._batch, capacity, wait)
        self._replies = 0

    async def write(self, job: Job) -> Written:
        return await self._batcher.submit(job)

    def attend(self, company: DialogueCounter) -> None:
        self._batcher.attend(company)

    async def _batch(self, jobs: list[Job]) -> list[Written | BotError]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, jobs)

    def _run(self, jobs: list[Job]) -> list[Written | BotError]:
        try:
            with self._turns:
                results = self._engine.write(jobs)
        except Exception as error:
            if not out_of_memory(error):
                raise BotError(f"The model failed: {error}{CURES['error']}") from error
            if len(jobs) == 1:
                raise BotError(
                    f"The model needs more memory than there is{CURES['out_of_memory']}",
                    reason="out_of_memory",
                ) from error
            self._batcher.size = half = max(1, len(jobs) // 2)
            return self._run(jobs[:half]) + self._run(jobs[half:])
        self._replies += len(jobs)
        return results

    def stats(self) -> Mapping[str, int]:
        return {"replies": self._replies}

    async def close(self) -> None:
        await self._batcher.close()
        self._thread.shutdown(wait=True)
