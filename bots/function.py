"""Python functions as bots: a function gets the history as lines and returns the reply's text."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.errors import InputError, MissingPart
from arena.core.types import NOTHING, Facts
from bots.base import AdapterDefaults, Bot, Reply, ReplyRequest, RunOptions

Speak = Callable[[list[str]], str | Awaitable[str]]

ADAPTER = "function"
_PROCESS = uuid.uuid4().hex[:12]
_definitions = itertools.count(1)
_functions: dict[tuple[str, str], FunctionBot] = {}


class Settings(BaseModel):
    """The settings of the adapter `function`, written by `arena.bot`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    function: str = Field(min_length=1, description="the name given to arena.bot")
    revision: str = Field(min_length=1, description="the revision given to arena.bot, or one of this process")


@dataclass(frozen=True)
class FunctionBot:
    """A function that `arena.bot` has made a bot.

    It can still be called, and a configuration's `bots` can list it.
    """

    name: str
    revision: str
    function: Speak

    def __call__(self, history: list[str]) -> str | Awaitable[str]:
        return self.function(history)

    def entry(self) -> dict[str, Any]:
        """The bot's entry for a tournament file."""
        return {"name": self.name, "adapter": ADAPTER, "function": self.name, "revision": self.revision}


def bot(name: str, revision: str | None = None) -> Callable[[Speak], FunctionBot]:
    """Makes a bot of a function.

    The function gets `history`, a list of lines, and returns the reply to the last line. Dialogues are stored under
    the bot's name and revision, so change the revision whenever the function changes. Without a revision, the
    dialogues belong to this Python process only. A plain function is called by one thread at a time; a coroutine
    function may run many times at once.
    """
    if not isinstance(name, str) or not name.strip():
        raise InputError("A bot needs a name: arena.bot('name')(function).")

    def named(function: Speak) -> FunctionBot:
        if not callable(function):
            raise InputError(f"The bot '{name}' must be a function, not {type(function).__name__}.")
        own = revision if revision is not None else f"process-{_PROCESS}-{next(_definitions)}"
        function_bot = FunctionBot(name, str(own), function)
        _functions[function_bot.name, function_bot.revision] = function_bot
        return function_bot

    return named


class Calls:
    """Calls the function: a plain function in its own thread, a coroutine function in the event loop."""

    def __init__(self, function: Speak) -> None:
        self._function = function
        # an object may have a coroutine as its __call__
        self._awaits = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            type(function).__call__
        )
        self._thread: ThreadPoolExecutor | None = None

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*(self._one(request) for request in requests)))

    async def _one(self, request: ReplyRequest) -> Reply:
        history = [line.text for line in request.history]
        if self._awaits:
            answer = self._function(history)
        else:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "arena-bot")
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._thread, self._function, history)
        # a plain function may also return something to be awaited
        text: Any = await answer if inspect.isawaitable(answer) else answer
        return Reply(text)

    async def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


class FunctionAdapter(AdapterDefaults):
    """Finds the functions that `arena.bot` has registered in this process."""

    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:
        return str(settings["revision"])

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "a Python function: arena.bot('name')(function), for arena.run"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": self.available()[1], **settings}

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        name, revision = str(settings["function"]), str(settings["revision"])
        if (name, revision) not in _functions:
            raise MissingPart(
                f"The bot '{name}' is a Python function that this process does not have; "
                f"define it with arena.bot('{name}', revision='{revision}') and call arena.run."
            )
        return Calls(_functions[name, revision].function)


adapter = FunctionAdapter()
