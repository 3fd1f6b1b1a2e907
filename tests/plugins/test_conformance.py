"""The conformance kit passes what is sound and names what is broken."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from arena.core.errors import BotError
from arena.core.types import Case, Judgement, Kind, Question
from arena.testing import check_bot, check_judge, check_writer
from bots import registry
from bots.base import Reply, ReplyRequest, RunOptions
from bots.simple import Ready
from inquirer.base import Task
from inquirer.questions import rules
from judges import registry as judges
from judges.base import Defaults
from judges.settings import Settings


@pytest.mark.parametrize(("name", "settings"), [("echo", {}), ("scripted", {"fickleness": 0.3})])
def test_the_arenas_own_bots_conform(name: str, settings: dict[str, Any]) -> None:
    check_bot(registry.adapter(name), settings)


@pytest.mark.parametrize("name", ["lexical", "truth", "overlap"])
def test_the_arenas_own_judges_conform(name: str) -> None:
    check_judge(judges.factory(name))


def test_the_arenas_own_writer_conforms() -> None:
    check_writer(rules.create)


async def test_the_kit_works_inside_a_running_event_loop() -> None:
    check_bot(registry.adapter("echo"))


# ── bots ──────────────────────────────────────────────────────────────────────────────────────────


class Sound:
    """A bot that keeps every rule; the broken ones change one thing."""

    def one(self, request: ReplyRequest) -> Reply:
        return Reply(f"{request.history[-1].text} {random.Random(request.seed).random():.3f}")

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self.one(request) for request in requests]

    async def close(self) -> None: ...


class Adapter(Ready):
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
        (Short, "returns 1 replies to 5 requests"),
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
    with pytest.raises(AssertionError, match="returns 1 replies"):
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
        check_bot(Ready())  # type: ignore[arg-type]


# ── judges ────────────────────────────────────────────────────────────────────────────────────────


class Fair(Defaults):
    """A judge that keeps every rule."""

    revision, tau, cacheable = "1", 0.5, True

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.answer)

    def one(self, case: Case) -> Judgement:
        return Judgement(min(1.0, len(case.answer) / 100))

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [self.one(case) for case in cases]


class Factory:
    Settings = Settings

    def __init__(self, judge: type[Fair]) -> None:
        self.judge = judge

    def available(self, settings: Mapping[str, Any] | None = None) -> tuple[bool, str]:
        return True, "here"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def create(self, name: str, settings: Mapping[str, Any]) -> Fair:
        return self.judge(name)


class OutOfRange(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(1.5)


class Silent(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(None)


class Uneven(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(0.5, {"contradiction": 0.5, "neutral": 0.1})


class Reversed(Fair):
    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [self.one(case) for case in reversed(cases)]


class Forgetful(Fair):
    def key(self, case: Case) -> Sequence[Any]:
        return (case.source,)


class Nameless(Fair):
    def __init__(self, name: str) -> None:
        super().__init__("mine")


class Restless(Fair):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.revision = str(random.random())


class Delicate(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(0.1 if case.answer.split()[0] else 0.0)


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        (OutOfRange, "gives the contradiction 1.5"),
        (Silent, "neither a contradiction nor a reason"),
        (Uneven, "sum to 0.6"),
        (Reversed, "judgements must be in order"),
        (Forgetful, r"key\(case\) leaves something out"),
        (Nameless, "carry the name"),
        (Restless, "another revision each time"),
        (Delicate, "raises IndexError"),
    ],
)
def test_a_broken_judge_is_told_what_is_wrong(judge: type[Fair], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_judge(Factory(judge))


def test_a_sound_judge_conforms() -> None:
    check_judge(Factory(Fair))


# ── question writers ──────────────────────────────────────────────────────────────────────────────


class Plain:
    """A writer that keeps every rule."""

    revision = "1"

    def one(self, task: Task) -> list[Question]:
        wanted = Kind.WH in task.kinds
        return [Question(f"What about {e.text}?", e, Kind.WH, 0.5) for e in task.entities if wanted]

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return [self.one(task) for task in tasks]


class Statement(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, text="Tell me.") for question in super().one(task)]


class Unasked(Plain):
    def one(self, task: Task) -> list[Question]:
        return [Question("Why?", entity, Kind.PARAPHRASE) for entity in task.entities]


class WorstFirst(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, score=n) for n, question in enumerate(super().one(task) * 2)]


class Foreign(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(q, entity=replace(q.entity, text="someone else's")) for q in super().one(task)]


class Outside(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, span=(0, 10_000)) for question in super().one(task)]


class Mute(Plain):
    def one(self, task: Task) -> list[Question]:
        return []


class Whimsical(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(q, text=f"What about {random.random()}?") for q in super().one(task)]


@pytest.mark.parametrize(
    ("writer", "words"),
    [
        (Statement, "which is no question"),
        (Unasked, "of kind paraphrase unasked"),
        (WorstFirst, "the best question must come first"),
        (Foreign, "an entity that the task has not"),
        (Outside, "outside the utterance"),
        (Mute, "has no question about any"),
        (Whimsical, "independent and repeatable"),
    ],
)
def test_a_broken_writer_is_told_what_is_wrong(writer: type[Plain], words: str) -> None:
    def create(settings: Mapping[str, Any]) -> Plain:
        if settings:
            raise ValueError("no settings")
        return writer()

    with pytest.raises(AssertionError, match=words):
        check_writer(create)


def test_a_writer_that_ignores_its_settings_is_told_so() -> None:
    with pytest.raises(AssertionError, match="accepts the unknown key"):
        check_writer(lambda _: Plain())
