"""Any ParlAI agent: by zoo name, by model file, or by the name of an agent that needs no model file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.core.errors import ArenaError, InputError, MissingPart
from arena.core.types import NOTHING, BotSpec, Facts
from bots import parlai_agents, parlai_compat, parlai_zoo, sandbox
from bots.base import AdapterDefaults, Bot, Reply, ReplyRequest, RunOptions
from bots.batching import Batcher, DialogueCounter
from bots.persona import fixed_persona

Scalar = bool | int | float | str | None
OURS = {
    "model": "write it as `model`",
    "model_file": "write it as `model`",
    "datapath": "set the environment variable PARLAI_DATAPATH",
    "no_cuda": "write `device: cpu`",
    "gpu": "write `device: cuda`",
    **dict.fromkeys(
        ("datatype", "interactive_mode", "use_reply", "skip_generation", "batchsize", "override"),
        "the adapter decides it",
    ),
}


def _options(value: dict[str, Any]) -> dict[str, Any]:
    for key, cure in OURS.items():
        if key in value:
            raise ValueError(f"'{key}' is not an option here: {cure}")
    return value


class Decoding(BaseModel):
    """Generation settings. A missing setting keeps the value that was saved with the model."""

    model_config = ConfigDict(extra="forbid")

    inference: (
        Literal["greedy", "beam", "topk", "nucleus", "delayedbeam", "delayednucleusbeam", "factual_nucleus"]
        | None
    ) = None
    topp: float | None = Field(None, gt=0, le=1)
    topk: int | None = Field(None, ge=1)
    temperature: float | None = Field(None, gt=0)
    beam_size: int | None = Field(None, ge=1)
    beam_min_length: int | None = Field(None, ge=0)
    beam_block_ngram: int | None = None
    beam_context_block_ngram: int | None = None


class Settings(BaseModel):
    """The settings of the adapter `parlai`."""

    model_config = ConfigDict(extra="forbid")

    model: str = Field(
        min_length=1, description="zoo:NAME, a model file, or an agent's name as after ParlAI's -m"
    )
    options: Annotated[dict[str, Scalar | list[Scalar]], AfterValidator(_options)] = Field(
        default_factory=dict, description="ParlAI's own options, with underscores"
    )
    decoding: Decoding = Field(default_factory=Decoding)
    memory: int | None = Field(None, ge=1, description="the last n messages only")
    device: Literal["auto", "cpu", "cuda"] = "auto"
    trusted: bool = Field(False, description="allows files that could run code when loaded (pickles)")


def _own(settings: Mapping[str, Any]) -> Settings:
    return Settings.model_validate({k: v for k, v in settings.items() if k in Settings.model_fields})


class ParlaiBot:
    """A model in its own thread, with one queue."""

    def __init__(self, settings: Settings, persona: str | None, run: RunOptions) -> None:
        self._conversations = load(settings, persona)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="parlai")
        size = 1 if run.deterministic or self._conversations.alone else run.batch
        self._batcher: Batcher[ReplyRequest, Reply] = Batcher(self._batch, size, run.wait)

    def attend(self, company: DialogueCounter) -> None:
        self._batcher.attend(company)

    async def _batch(self, requests: list[ReplyRequest]) -> list[Reply]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(self._conversations.reply, requests))

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*map(self._batcher.submit, requests)))

    async def close(self) -> None:
        await self._batcher.close()
        self._thread.shutdown(wait=True)
        self._conversations.forget()


def load(settings: Settings, persona: str | None) -> Any:
    """Loads the agent."""
    parlai_zoo.installed()
    source = parlai_zoo.locate(settings.model)
    parlai_compat.apply()
    from parlai.core.torch_agent import TorchAgent

    from bots.parlai_agent import Conversations, randomness

    # Agents without saved weights draw random weights; a fixed seed makes them reproducible.
    with parlai_compat.hushed(), randomness(0):
        root = _create(settings, source)
    neural = isinstance(root, TorchAgent)
    if not neural and (persona or settings.memory):
        what = "persona" if persona else "memory"
        raise InputError(f"The ParlAI agent '{settings.model}' takes no {what}: leave it out.")
    if neural and source.file is None and not settings.options.get("init_model") and not _pretrained(root):
        parlai_compat.log.warning(
            "The ParlAI agent '%s' has random weights: give a model file as `model`.", settings.model
        )
    return Conversations(root, persona, settings.memory)


def _pretrained(root: Any) -> bool:
    """Whether the agent downloads or reads its own weights, as options such as `model_name` tell it."""
    return type(root).__module__.startswith(("parlai.agents.hugging_face", "parlai.agents.bart"))


def _create(settings: Settings, source: parlai_zoo.Source) -> Any:
    import torch
    from parlai.core.agents import create_agent
    from parlai.core.params import ParlaiParser

    cuda = settings.device == "cuda" or (settings.device == "auto" and torch.cuda.is_available())
    given = {
        **settings.options,
        **settings.decoding.model_dump(exclude_none=True),
        "datapath": str(parlai_zoo.datapath()),
    }
    if source.file is not None:
        parlai_agents.check(_saved(source.file), settings.model, settings.trusted)
        given["model_file"] = str(source.file)
    else:
        parlai_agents.check({"model": source.agent}, settings.model, settings.trusted)
        given["model"] = source.agent
    try:
        opt = ParlaiParser(True, True).parse_kwargs(**given)
        for key, value in _ours(cuda).items():  # some agents' parsers do not know these options
            opt[key] = opt["override"][key] = value
        return create_agent(opt, requireModelExists=source.file is not None)
    except ArenaError:
        raise
    except KeyError as error:
        if "kwargs" in str(error):
            names = str(error.args[0]).rpartition(": ")[2]
            raise InputError(
                f"The ParlAI agent '{settings.model}' has no option {names}: check `options`."
            ) from error
        raise
    except (Exception, SystemExit) as error:
        message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise MissingPart(
            f"The ParlAI agent '{settings.model}' does not load ({message}): check `model` and `options`."
        ) from error


def _ours(cuda: bool) -> dict[str, Any]:
    return {
        "datatype": "valid",
        "interactive_mode": True,
        "no_cuda": not cuda,
        "skip_generation": False,
        "use_reply": "model",
    }


def _saved(file: Any) -> dict[str, Any]:
    """Returns the model's saved options if their file is JSON. ParlAI reads other files, in a restricted process."""
    try:
        options = json.loads(file.with_name(file.name + ".opt").read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError):
        return {}
    return options if isinstance(options, dict) else {}


class ParlaiAdapter(AdapterDefaults):
    Settings: type[Any] = Settings
    incidental = ("device", "trusted")

    def revision(self, settings: Mapping[str, Any]) -> str:
        own = _own(settings)
        parlai_zoo.installed()
        return parlai_zoo.revision(parlai_zoo.locate(own.model), own.options)

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        try:
            return True, f"ParlAI {parlai_zoo.installed()}; zoo models lie in {parlai_zoo.datapath()}"
        except MissingPart as error:
            return False, str(error)

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        own = _own(settings)
        parlai_zoo.installed()
        source = parlai_zoo.locate(own.model)
        saved = _saved(source.file) if source.file else {}
        return {
            "model": own.model,
            "file": str(source.file) if source.file else None,
            "agent": source.agent or saved.get("model"),
            "inference": own.decoding.inference or own.options.get("inference") or saved.get("inference"),
            "revision": self.revision(settings),
        }

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:
        """Creates the bot in this process if the user trusts the model's files.

        Otherwise the bot runs in a process that cannot run pickled code.
        """
        own = _own(settings)
        if own.trusted or sandbox.inside:
            return ParlaiBot(own, fixed_persona(settings), run)
        from bots.isolation import IsolatedBot

        parlai_zoo.installed()
        source = parlai_zoo.locate(own.model)  # fetched here, because the other process has no network
        agent = _saved(source.file) if source.file is not None else {"model": source.agent}
        parlai_agents.check(agent, own.model, own.trusted)
        return IsolatedBot(BotSpec(own.model, "parlai", settings, ""), run, strict=True)


adapter = ParlaiAdapter()
