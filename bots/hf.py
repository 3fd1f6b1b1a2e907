"""Bots from Hugging Face models: hub names, local folders, GGUF files and embedded models."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from arena.core.errors import BotError, InputError, MissingPart
from arena.core.hashing import canonical, seed_for
from arena.core.types import NOTHING, Facts
from bots import hf_load, hf_prompt, hf_rules, hf_share
from bots.base import COMMON, AdapterDefaults, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from bots.frames import CHOICES, Role
from bots.hf_jobs import Job, Written
from bots.repetition import echo
from bots.sampling import Decoding
from bots.weights.catalogue import entries
from bots.weights.store import state

LATER = ("context_block_ngram", "redraws")  # settings that came after identities were first stored
NEW_ENOUGH = 0.4  # a reply that repeats no more of the conversation is not drawn again


class DecodingSettings(BaseModel):
    """Settings of generation.

    The default is AIH's nucleus sampling; any other generation setting of transformers is allowed.
    """

    model_config = ConfigDict(extra="allow")
    do_sample: bool = True
    temperature: float = Field(1.0, ge=0)
    top_p: float = Field(0.9, gt=0, le=1)
    top_k: int = Field(0, ge=0)
    max_new_tokens: int = Field(40, ge=1)
    min_new_tokens: int = Field(0, ge=0)
    context_block_ngram: int = Field(
        0, ge=0, description="a reply contains no run of so many tokens that occurred in the conversation"
    )
    redraws: int = Field(
        0, ge=0, description="a reply that repeats the conversation is drawn again up to so many times"
    )

    @model_validator(mode="after")
    def _known(self) -> DecodingSettings:
        hf_rules.check(self.model_extra or {})
        if self.context_block_ngram and self.resolved().beams:
            raise InputError("context_block_ngram works without beams only: leave out one of the two.")
        if self.redraws and (self.resolved().beams or self.resolved().greedy):
            raise InputError("redraws need sampling: leave them out, or set a temperature and no beams.")
        return self

    @model_serializer(mode="wrap")
    def _without_new_defaults(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out keys of later versions that change nothing, so that bots keep their identities."""
        return {k: v for k, v in serialize(self).items() if k not in LATER or v}

    def resolved(self) -> Decoding:
        return Decoding(
            temperature=self.temperature if self.do_sample else 0.0,
            top_p=self.top_p,
            top_k=self.top_k,
            max_new_tokens=self.max_new_tokens,
            min_new_tokens=self.min_new_tokens,
            context_block_ngram=self.context_block_ngram,
            extras=canonical(self.model_extra or {}),
        )


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    model: str = Field(
        examples=["embedded:smollm2-135m"], description="embedded:NAME, a folder, a GGUF file or a hub name"
    )
    frame: str | None = Field(None, description=CHOICES)
    format: Literal["auto", "chat", "dialogpt", "blenderbot", "transcript"] = "auto"
    decoding: DecodingSettings = Field(default_factory=DecodingSettings)
    memory: int | None = Field(None, ge=1)
    context: int | None = Field(None, ge=16)
    names: tuple[str, str] = ("A", "B")
    stop: list[str] = Field(default_factory=lambda: ["\n"])
    dtype: Literal["auto", "float32", "bfloat16", "float16", "int8"] = "auto"
    device: str = Field("auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    revision: str | None = None
    trust_remote_code: bool = False


class HfBot:
    """Persona, memory and prompt format of one bot.

    Bots with equal weights and decoding share one queue.
    """

    def __init__(self, settings: Mapping[str, Any], run: RunOptions) -> None:
        own = Settings.model_validate({k: v for k, v in settings.items() if k not in COMMON})
        device = hf_load.choose_device(own.device)
        dtype = "float32" if run.deterministic else hf_load.choose_dtype(own.dtype, device)
        decoding = own.decoding.resolved()
        stock = run.deterministic or decoding.beams
        self._loaded = hf_share.weights(own.model_dump(exclude={"frame"}), device, dtype, stock)
        config = self._loaded.model.config
        self._form = hf_prompt.choose(own.format, self._loaded.tokenizer, config, own.names, own.stop)
        self._lease = hf_share.lease(self._loaded, decoding, self._form.stops, run)
        self._memory = own.memory
        self._blocks = decoding.context_block_ngram > 0
        self._redraws = own.decoding.redraws
        self._role = Role.of(settings, instructed=self._form.name == hf_prompt.Chat.name)
        reads = getattr(config, "max_position_embeddings", None)
        limit = min(n for n in (reads, own.context, 1 << 20) if n)
        self._room = limit if self._loaded.seq2seq else limit - decoding.max_new_tokens

    def attend(self, company: DialogueCounter) -> None:
        """Connects the counter that tells the queue when no other dialogue can join a batch."""
        self._lease.writer.attend(company)

    def stats(self) -> Mapping[str, Any]:
        """Returns counts of the queue's work and the memory that it used."""
        return {
            **self._lease.writer.stats(),
            "weights_bytes": self._loaded.bytes,
            "dtype": self._loaded.dtype,
        }

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*map(self._one, requests)))

    async def _one(self, request: ReplyRequest) -> Reply:
        history = request.history[-self._memory :] if self._memory else request.history
        try:
            system = self._role.system(request)
            before = partial(self._role.lines, note=self._role.note(request))
            prompt = hf_prompt.fit(self._form, history, system, self._room, before)
            known = self._said(request) if self._blocks else None
            job = Job(prompt.ids, request.seed, request.dialogue, request.fork, known)
            text, written = await self._newest(request, job)
        except BotError as error:
            return Reply("", error=error)
        return Reply(text, len(prompt.ids), written, dropped=prompt.dropped)

    async def _newest(self, request: ReplyRequest, job: Job) -> tuple[str, int]:
        """Returns the reply, and the number of tokens that were written for it.

        If it repeats the conversation, other replies are drawn, and the one that repeats least is returned. An
        inquiry is answered once, because its answer is to repeat what was said.
        """
        first = await self._lease.writer.write(job)
        text = self._text(first)
        earlier = [line.text for line in request.history]
        if request.fork or not self._redraws or echo(text, earlier) <= NEW_ENOUGH:
            return text, len(first.ids)
        seeds = [seed_for(job.seed, "redraw", number) for number in range(self._redraws)]
        others = [self._lease.writer.write(replace(job, seed=seed, fork=True)) for seed in seeds]
        drawn = await asyncio.gather(*others)
        texts = [text, *map(self._text, drawn)]
        return min(texts, key=lambda one: echo(one, earlier)), len(first.ids) + sum(len(w.ids) for w in drawn)

    def _text(self, written: Written) -> str:
        text = self._loaded.tokenizer.decode(written.ids, skip_special_tokens=True)
        for stop in self._form.stops:
            text = text.split(stop)[0]
        return str(text.strip())

    def _said(self, request: ReplyRequest) -> list[list[int]] | None:
        """Returns the tokens of the conversation, or None for an inquiry, whose answer is to repeat what was said."""
        if request.fork:
            return None
        texts = [line.text for line in request.history]
        return [self._loaded.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]

    async def close(self) -> None:
        await self._lease.close()


class HfAdapter(AdapterDefaults):
    Settings: type[Any] = Settings
    incidental = ("device", "trust_remote_code")

    def revision(self, settings: Mapping[str, Any]) -> str:
        return hf_load.weights_revision(hf_load.locate(settings["model"]), settings.get("revision"))

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        for package in ("torch", "transformers"):
            if find_spec(package) is None:
                return False, f"The package '{package}' is missing: pip install {package}."
        if "model" in settings:
            try:
                hf_load.locate(settings["model"])
            except MissingPart as error:
                return False, str(error)
        present = [name for name, entry in entries().items() if entry.gguf and state(entry) == "here"]
        if not present:
            return True, "no embedded model is here yet: `arena models fetch`"
        return True, "embedded: " + ", ".join(present)

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        device = hf_load.choose_device(settings.get("device", "auto"))
        config, tokenizer = hf_load.peek(settings)
        asked = str(settings.get("format", "auto"))
        form = hf_prompt.detect(tokenizer, config) if asked == "auto" else asked
        return {
            "format": form,
            "architecture": config.model_type,
            "reads": config.max_position_embeddings if hasattr(config, "max_position_embeddings") else None,
            "model": settings["model"],
            "revision": self.revision(settings),
            "device": device,
            "dtype": hf_load.choose_dtype(settings.get("dtype", "auto"), device),
        }

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> HfBot:
        return HfBot(settings, run)


adapter = HfAdapter()
