"""Chats between people and bots (AIH, section 4.2): natural interaction and expert evaluation."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import uuid
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from arena.config.forms import Limits
from arena.core.errors import BotError, InputError
from arena.core.hashing import digest, message_hash, seed_for
from arena.core.types import SPEAKER, TESTED, BotSpec, DialoguePlan, Message, TournamentInfo
from arena.play.guard import Guard
from bots import registry
from bots.base import Line, Reply, ReplyRequest
from bots.library import dealt
from bots.persona import fixed_persona, knowledge_of
from db.chats import Chat, Chats
from db.records import StoredTournament

FEWEST_TURNS = 5  # AIH leaves shorter chats out
MOST_TURNS = 100
LONGEST = 4000  # characters of one message
T = TypeVar("T")


class Mode(StrEnum):
    """The kind of chat. In mode `natural`, people just chat; in mode `expert`, they try to make the bot
    contradict itself.
    """

    NATURAL = "natural"
    EXPERT = "expert"


# ── who talks with whom ───────────────────────────────────────────────────────────────────────────


def home(stored: StoredTournament, bots: Sequence[BotSpec]) -> TournamentInfo:
    """Return the extra tournament in which chats with this tournament's bots are stored."""
    config = {
        **stored.config,
        "release": f"{stored.release} (chats)",
        "pairs": [],
        "inquirer": None,
        "judges": [],
        "chats": stored.id,
    }
    mark = digest(config)
    return TournamentInfo(mark[:12], str(config["release"]), mark, stored.seed, config, tuple(bots))


def is_home(stored: StoredTournament) -> bool:
    return "chats" in stored.config


def person(name: str) -> BotSpec:
    """Return a person as a participant. A prefix ensures that the name differs from every bot's name."""
    clean = name.strip()
    if not clean or len(clean) > 100 or not clean.isprintable():
        raise InputError("A name needs 1 to 100 printable characters; type another.")
    return registry.spec(f"person: {clean}", "human", {"person": clean})


def partner(bots: Sequence[BotSpec], had: Mapping[str, int], draw: random.Random) -> BotSpec:
    """Return a random bot among the bots with the fewest chats, so that all bots get equally many chats."""
    able = [bot for bot in bots if bot.adapter != "human"]
    if not able:
        raise InputError("This tournament has no bot to talk with; choose another.")
    fewest = min(had.get(bot.name, 0) for bot in able)
    return draw.choice([bot for bot in able if had.get(bot.name, 0) == fewest])


# ── the conversation ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Opening:
    """A chat without messages. It is stored together with its first message."""

    key: str
    seed: int
    mode: Mode
    person: BotSpec
    bot: BotSpec


def opening(who: BotSpec, bot: BotSpec, mode: Mode) -> Opening:
    unique = uuid.uuid4().hex
    return Opening(f"chat-{unique[:24]}", seed_for("chat", unique), mode, who, bot)


def begin(chats: Chats, info: TournamentInfo, start: Opening, text: str, now: float) -> None:
    plan = DialoguePlan(start.person, start.bot, text, start.seed, 0, "off", 0)
    persona = dealt(start.bot.settings, start.seed) or fixed_persona(start.bot.settings)
    chats.open(info, plan, start.key, start.mode.value, _message((), SPEAKER, text), now, persona)


def speak(chats: Chats, chat: Chat, text: str) -> None:
    """Store the person's next message."""
    if turns(chat.messages) >= MOST_TURNS:
        raise InputError(f"A chat has at most {MOST_TURNS} turns; finish this one.")
    chats.add(chat.key, _message(chat.messages, SPEAKER, text))


def answer(chats: Chats, chat: Chat, reply: Reply) -> None:
    chats.add(chat.key, replace(_message(chat.messages, TESTED, reply.text), facts=reply.facts))


def request(chat: Chat, bot: BotSpec) -> ReplyRequest:
    lines = tuple(Line(m.text, mine=m.seat == TESTED) for m in chat.messages)
    return ReplyRequest(
        f"{chat.key}:{TESTED}",
        lines,
        seed_for(chat.seed, len(chat.messages), TESTED),
        knowledge=knowledge_of(bot.settings, 0),
        persona=dealt(bot.settings, chat.seed),
    )


def finish(chats: Chats, chat: Chat, who: BotSpec, bot: BotSpec, seconds: float) -> str | None:
    """Store the chat as a dialogue and return its key. A chat in which the bot never answered is deleted."""
    number = turns(chat.messages)
    if number == 0:
        chats.drop(chat.key)
        return None
    key = DialoguePlan(who, bot, chat.messages[0].text, chat.seed, number, "off", 0).key
    chats.close(chat.key, key, number, seconds)
    return key


def waits(messages: Sequence[Message]) -> bool:
    """Whether it is the bot's turn."""
    return bool(messages) and messages[-1].seat == SPEAKER


def turns(messages: Sequence[Message]) -> int:
    return sum(m.seat == TESTED for m in messages)


def _message(before: Sequence[Message], seat: int, text: str) -> Message:
    text_of_person = text.strip()
    if not text_of_person:
        raise InputError("There is nothing to send; write something first.")
    if seat == SPEAKER and len(text_of_person) > LONGEST:
        raise InputError(f"A message has at most {LONGEST} characters; shorten it.")
    parent = before[-1].hash if before else None
    return Message(len(before), seat, text_of_person, message_hash(parent, seat, text_of_person), parent)


# ── what counts ───────────────────────────────────────────────────────────────────────────────────

# Beginnings of words. They suffice to find chats that somebody should look at; they are no moderation.
ABUSIVE = re.compile(
    r"\b(?:fuck|motherfuck|shit(?:ty|head|s)?\b|bitch|cunt|asshole|arsehole|bastard|wank|twat\b|slut|whore|faggot|"
    r"nigg(?:er|a)|retard(?:ed|s)?\b|kike\b|spic\b|chink\b|tranny|kill yourself|kys\b|go die\b|rape (?:you|her|him))",
    re.IGNORECASE,
)


def left_out(messages: Sequence[Message]) -> str | None:
    """The reason why a chat is left out of the results; None if it counts. It is decided when results are read."""
    if turns(messages) < FEWEST_TURNS:
        return f"under {FEWEST_TURNS} turns"
    if any(ABUSIVE.search(m.text) for m in messages):
        return "abusive words"
    return None


# ── bots that answer people ───────────────────────────────────────────────────────────────────────

HARMLESS = ("echo", "scripted", "faulty", "interviewer")


def may_load(bot: BotSpec) -> bool:
    """Whether a bot is safe to load for other people: its settings name no code, no paths and no addresses."""
    if bot.adapter == "hf":
        own = {k for k, v in bot.settings.items() if "code" in k and v}
        return not own and str(bot.settings.get("model", "")).startswith("embedded:")
    return bot.adapter in HARMLESS and not (bot.settings.get("sheet") or bot.settings.get("interview"))


class Partners:
    """Loads bots once and lets any thread ask them. All bots share one event loop."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._guards: dict[str, Guard] = {}
        self._loading = threading.Lock()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="chat-bots").start()

    def ask(self, bot: BotSpec, asked: ReplyRequest) -> Reply:
        guard = self._guard(bot)
        return self._wait(guard.ask(asked, _ignore))

    def close(self) -> None:
        for guard in self._guards.values():
            self._wait(guard.bot.close())
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _guard(self, bot: BotSpec) -> Guard:
        with self._loading:
            if bot.identity not in self._guards:
                if registry.identity(bot.adapter, bot.settings) != bot.identity:
                    raise BotError(
                        "This bot's files are not those it had in the tournament; restore them or play a new one.",
                        "changed",
                    )
                limits = self._limits
                self._guards[bot.identity] = Guard(
                    bot.name,
                    registry.create(bot),
                    limits.reply_seconds,
                    limits.reply_chars,
                    limits.retries,
                    registry.adapter(bot.adapter).bounded,
                )
            return self._guards[bot.identity]

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _ignore(reason: str) -> None:
    """Do nothing. The guard retries by itself, and raises the last error."""
