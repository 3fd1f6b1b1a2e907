"""AIH's own bot servers. They answer `POST /interact`, and the server keeps the conversation under a user id."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from arena.core.errors import BotError, BotRefused, InputError
from arena.core.types import NOTHING, Facts
from bots.accounts import CHARACTERS_A_TOKEN, USUAL_REPLY
from bots.base import AdapterDefaults, Bot, Line, Reply, ReplyRequest, RunOptions
from bots.limits import Unheard
from bots.served import ServedBot
from bots.wire import INCIDENTAL, Refusal, Url, Wire, WireSettings

SEATS = 20_000  # remembered conversations; older conversations are repeated to the server
FIRST_ID, LAST_ID = 100_000, 999_999  # AIH's ids have six digits, and its Blender server relies on that


class Settings(WireSettings):
    """The settings of the adapter `http`."""

    url: Url = Field(
        examples=["http://127.0.0.1:8000/interact"],
        description="the whole address, usually ending in /interact",
    )
    dialect: Literal["aih", "blender"] = Field(
        default="aih",
        description="blender: text, id and '*' in one string, as AIH speaks to its Blender server",
    )
    fingerprint: str | None = Field(default=None, description="the served bot's version, if you know it")


def _own(settings: Mapping[str, Any]) -> Settings:
    return Settings.model_validate({k: v for k, v in settings.items() if k in Settings.model_fields})


@dataclass(slots=True)
class Seat:
    """One conversation on the server: its id, and the messages that the server should have."""

    user: str | None = None
    lines: tuple[Line, ...] = ()
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Ids:
    """Conversation ids, unique within the run and very likely different from those of earlier runs.

    The ids are random and do not depend on the seed. If a dialogue is played again, the server may still have its
    first attempt, so the second attempt needs a new id.
    """

    def __init__(self, dialect: str) -> None:
        self._short = dialect == "blender"
        self._run = secrets.randbelow(10**9)
        self._count = secrets.randbelow(LAST_ID - FIRST_ID + 1) if self._short else 0

    def fresh(self) -> str:
        self._count += 1
        if self._short:
            return str(FIRST_ID + self._count % (LAST_ID - FIRST_ID + 1))
        return f"{self._run + 1}{self._count:07d}"


class HttpBot(ServedBot):
    def __init__(self, settings: Settings) -> None:
        super().__init__(Wire(f"The bot server {settings.url}", settings.url, settings))
        self._settings = settings
        self._ids = Ids(settings.dialect)
        self._seats: OrderedDict[str, Seat] = OrderedDict()

    async def _answered(self, request: ReplyRequest) -> tuple[Reply, int]:
        seat = self._seat(request.dialogue)
        async with seat.lock:  # the server handles messages in the order of their arrival
            return await self._wire.patience.insist(
                lambda: self._answer(seat, request), self._wire.limiter, request.seed
            )

    def _seat(self, dialogue: str) -> Seat:
        seat = self._seats.setdefault(dialogue, Seat())
        self._seats.move_to_end(dialogue)
        while len(self._seats) > SEATS:
            self._seats.popitem(last=False)
        return seat

    async def _answer(self, seat: Seat, request: ReplyRequest) -> Reply:
        *heard, last = request.history
        if seat.user is None or not _equal(seat.lines, heard):
            if request.fork and seat.user is not None:
                seat = Seat()  # an inquiry about an earlier state must not cost the conversation its place
            await self._play_again(seat, heard)
        assert seat.user is not None
        if request.fork:
            return Reply(await self._say(seat.user, last.text, replace=True))
        try:
            text = await self._say(seat.user, last.text)
        except Unheard:
            raise
        except (BotError, asyncio.CancelledError):
            seat.user = None  # nobody knows whether the server took this message into its history
            raise
        seat.lines = (*request.history, Line(text, mine=True))
        return Reply(text)

    async def _play_again(self, seat: Seat, heard: Sequence[Line]) -> None:
        """Repeats a conversation under a new id and checks that the server gives the same replies."""
        user = self._ids.fresh()
        for line, following in zip_longest(heard, heard[1:]):
            if line.mine:
                continue  # the server's own words, or an opening line that AIH's servers never see either
            reply = await self._say(user, line.text)
            if following is None or not following.mine or not _same(reply, following.text):
                raise BotRefused(
                    f"{self._wire.label} lost a conversation and tells it differently the second time: "
                    "run again, and the dialogue starts afresh.",
                    "session_lost",
                )
        seat.user, seat.lines = user, tuple(heard)

    async def _say(self, user: str, text: str, replace: bool = False) -> str:
        try:
            async with self._wire.turn(len(text) // CHARACTERS_A_TOKEN, USUAL_REPLY) as turn:
                if self._settings.dialect == "blender":
                    body = f"{text}{user}{'*' if replace else ''}"
                    answer = await self._wire.post(
                        turn, body.encode(errors="replace"), "text/plain; charset=utf-8"
                    )
                else:
                    message = {"userID": user, "text": text, "replace": replace}
                    answer = await self._wire.post(turn, json.dumps(message).encode())
        except Refusal as error:
            raise BotRefused(f"{error} Check `url` and `dialect`.", error.reason) from error
        try:
            reply = answer["text"] if "text" in answer else answer["body"]["utterance"]
            if not isinstance(reply, str):
                raise TypeError
        except (KeyError, TypeError):
            raise BotError(
                f"{self._wire.label} answered with JSON that holds neither body.utterance nor text: "
                "check `url` and `dialect`.",
                "bad_answer",
            ) from None
        return reply.strip()


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()


def _equal(held: Sequence[Line], wanted: Sequence[Line]) -> bool:
    return len(held) == len(wanted) and all(
        a.mine == b.mine and _same(a.text, b.text) for a, b in zip(held, wanted, strict=True)
    )


class HttpAdapter(AdapterDefaults):
    bounded = True  # time limits and retries of its own
    Settings: type[Any] = Settings
    incidental = (*INCIDENTAL, "url")

    def revision(self, settings: Mapping[str, Any]) -> str:
        own = _own(settings)
        parts = urlsplit(own.url)
        return " ".join(filter(None, [parts.netloc + parts.path, own.fingerprint]))

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "talks to AIH's bot servers"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        own = _own(settings)
        return {
            "url": own.url,
            "dialect": own.dialect,
            "history": "kept by the server",
            "limits": {name: getattr(own, name) for name in INCIDENTAL},
        }

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        if settings.get("persona") or settings.get("knowledge"):
            raise InputError(
                "A bot of the adapter 'http' takes no persona and no knowledge: give them to its server."
            )
        return HttpBot(_own(settings))


adapter = HttpAdapter()
