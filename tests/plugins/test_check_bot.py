"""`check_bot` passes sound adapters and names what is broken."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arena.core.errors import BotError
from arena.testing import check_bot
from bots import registry
from bots.base import Reply, ReplyRequest, RunOptions
from bots.simple import SimpleAdapter
from judges.settings import Settings


@pytest.mark.parametrize(("name", "settings"), [("echo", {}), ("scripted", {"fickleness": 0.3})])
def test_the_arenas_own_bots_conform(name: str, settings: dict[str, Any]) -> None:
    check_bot(registry.adapter(name), settings)


async def test_the_kit_works_inside_a_running_event_loop() -> None:
    check_bot(registry.adapter("echo"))


class Sound:
    """A bot that keeps every rule; the broken ones change one thing."""

    def one(self, request: ReplyRequest) -> Reply:
        return Reply(f"{request.history[-1].text} {random.Random(request.seed).random():.3f}")

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self.one(request) for request in requests]

    async def close(self) -> None: ...


class Adapter(SimpleAdapter):
    def __init__(self, bot: type[Sound]) -> None:
        self.bot = bot

    def revision(self, settings: Mapping[str, Any]) -> str:
        return "1"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Sound:
        return self.bot()


class Global(Sound):
    def one(self, request: ReplyRequest) -> Reply:
        return Reply(str(random.random()))


class Shuffled(Sound):
    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self.one(request) for request in reversed(requests)]


class Short(Sound):
    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self.one(request) for request in requests[:1]]


class Texts(Sound):
    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return ["hello" for _ in requests]  # type: ignore[misc]


class Fails(Sound):
    def one(self, request: ReplyRequest) -> Reply:
        return Reply("", error=BotError("the model is gone"))


class Remembers(Sound):
    """Keeps every conversation under its name, the inquiries too."""

    def __init__(self) -> None:
        self.heard: dict[str, int] = {}

    def one(self, request: ReplyRequest) -> Reply:
        if len(request.history) == 1:
            self.heard[request.dialogue] = 0
        self.heard[request.dialogue] += 1
        return Reply(f"message {self.heard[request.dialogue]}")


class Ages(Sound):
    """A dialogue of the same name goes on where the last one ended."""

    def __init__(self) -> None:
        self.heard: dict[str, int] = {}

    def one(self, request: ReplyRequest) -> Reply:
        if len(request.history) > 1 and not request.fork:
            self.heard[request.dialogue] = self.heard.get(request.dialogue, 0) + 1
        return Reply(f"message {self.heard.get(request.dialogue, 0)}")


class Fragile(Sound):
    def one(self, request: ReplyRequest) -> Reply:
        return Reply(request.history[-1].text.split()[0])


class Unclosable(Sound):
    async def close(self) -> None:
        raise RuntimeError("it sticks")


class Deaf:
    pass


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Global, "never from a global generator"),
        (Shuffled, "replies must be in order"),
        (Short, "returns 1 results for 5 items"),
        (Texts, "must return a list of Reply"),
        (Fails, "fails on a plain request: the model is gone"),
        (Remembers, "an inquiry changes later replies"),
        (Ages, "played again differs"),
        (Fragile, "raises IndexError"),
        (Unclosable, r"close\(\) raises RuntimeError"),
        (Deaf, "no attribute 'reply'"),
    ],
)
def test_a_broken_bot_is_told_what_is_wrong(bot: type[Sound], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_bot(Adapter(bot))


def test_a_sound_bot_conforms() -> None:
    check_bot(Adapter(Sound))


def test_a_bot_that_the_seed_does_not_decide_can_still_be_checked() -> None:
    check_bot(Adapter(Global), repeatable=False)
    with pytest.raises(AssertionError, match="returns 1 results"):
        check_bot(Adapter(Short), repeatable=False)


def test_a_broken_adapter_is_told_what_is_wrong() -> None:
    class Permissive(Settings):
        model_config = {"extra": "ignore"}  # noqa: RUF012

    class Broken(Adapter):
        Settings = Permissive

        def revision(self, settings: Mapping[str, Any]) -> str:
            return str(random.random())

        def available(self, settings: Any = None) -> Any:
            return "yes"

    with pytest.raises(AssertionError) as error:
        check_bot(Broken(Sound))
    for words in ("unknown key", "revision() differs", "available() must return"):
        assert words in str(error.value)


def test_an_adapter_without_its_parts_is_told_which() -> None:
    with pytest.raises(AssertionError, match="no attribute 'create'"):
        check_bot(SimpleAdapter())  # type: ignore[arg-type]
