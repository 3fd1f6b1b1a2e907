"""Turns chat logs into dialogues, and finds the inquiries in them by rules.

The bots in a log can no longer be asked, so inquiries are found instead of made. An inquiry is a question of the
partner that the bot answered and that is about an earlier message of the bot. It is stored like a fork after the bot's
last message before the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest, message_hash
from arena.core.types import SPEAKER, TESTED, Inquiry, Kind, Message, Status
from arena.exchange.jsonl import parse
from db.records import Record

LONGEST_NAME = 200
LATEST = 1_000  # a question is compared with at most so many of the messages that have a word
SHARED = 1  # content words that a question and a source must share at least
SEATS = {"user": SPEAKER, "human": SPEAKER, "assistant": TESTED, "bot": TESTED, "model": TESTED, "ai": TESTED}
SKIPPED = {"system", "tool", "developer", "function"}
STOP = frozenset(
    """a an and are as at be been but by can could did do does for from had has have he her his how i if in is it
    its just like me my no not of on or our she so some that the their them they this to too was we were what
    when where which who why will with would yes you your yours mine really think know about much many any
    favorite i'm you're don't it's that's there here am""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Log:
    """A chat as read from a file."""

    names: tuple[str, str]
    lines: tuple[tuple[int, str], ...]  # seat and text
    knowledge: str | None
    place: str


def read(lines: Iterable[str], name: str) -> Iterator[Log]:
    """Read one log per line. Its messages have the keys `role` or `bot`, and `text` or `content`."""
    for number, text in enumerate(lines, 1):
        if text.strip():
            where = f"{name}, line {number}"
            yield _log(parse(text, where), where)


def _log(value: Mapping[str, Any], where: str) -> Log:
    messages = value.get("messages")
    if not isinstance(messages, list):
        raise InputError(f"{where}: a chat log needs 'messages', a list of {{role or bot, text or content}}.")
    lines: list[tuple[str, str]] = []
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise InputError(f"{where}: message {index} must be an object with 'role' and 'content'; fix it.")
        who = message.get("role", message.get("bot"))
        text = message.get("text", message.get("content"))
        if not isinstance(who, str) or not isinstance(text, str):
            raise InputError(
                f"{where}: message {index} needs 'role' or 'bot', and 'text' or 'content'; fix it."
            )
        if who.lower() not in SKIPPED and text.strip():
            lines.append((_storable(who), _storable(text)))
    if not lines:
        raise InputError(f"{where}: nobody says anything in it; remove the line.")
    seats = _seats([who for who, _ in lines], where)
    names = {seat: who for who, seat in seats.items()}
    speaker = value.get("speaker") or names.get(SPEAKER, "partner")
    tested = value.get("tested") or names.get(TESTED, "bot")
    knowledge = value.get("knowledge")
    return Log(
        (_name(speaker, where), _name(tested, where)),
        tuple((seats[who], text) for who, text in lines),
        _storable(knowledge) if isinstance(knowledge, str) else None,
        where,
    )


def _name(who: Any, where: str) -> str:
    if not isinstance(who, str) or not who.strip() or len(who) > LONGEST_NAME:
        raise InputError(f"{where}: a party's name must be a text of 1 to {LONGEST_NAME} characters.")
    return _storable(who)


def _storable(text: str) -> str:
    """Remove NULs and lone surrogates, which no database can store."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


def _seats(who: Sequence[str], where: str) -> dict[str, int]:
    names = list(dict.fromkeys(who))
    known = {name: SEATS[name.lower()] for name in names if name.lower() in SEATS}
    if len(names) > 2:
        raise InputError(
            f"{where}: {len(names)} parties talk ({', '.join(names[:4])}); a dialogue has two; fix the line."
        )
    if len(set(known.values())) == len(names):
        return known
    if len(known) == 1 and len(names) == 2:
        (name, seat), other = next(iter(known.items())), next(n for n in names if n not in known)
        return {name: seat, other: 1 - seat}
    return {name: seat for seat, name in enumerate(names)}  # whoever speaks first is the speaker


def record(log: Log, release: str, number: int) -> Record:
    """Return the dialogue with the inquiries found in it, in the same form as a played dialogue."""
    messages: list[Message] = []
    for index, (seat, text) in enumerate(log.lines):
        parent = messages[-1].hash if messages else None
        messages.append(Message(index, seat, text, message_hash(parent, seat, text), parent))
    key = digest("log", release, number, log.names, [m.hash for m in messages])[:32]
    inquiries, refused = _found(key, messages)
    return Record(
        key=key,
        speaker=log.names[SPEAKER],
        tested=log.names[TESTED],
        speaker_identity=identity(log.names[SPEAKER]),
        tested_identity=identity(log.names[TESTED]),
        number=number,
        opener=messages[0].text if messages else "",
        seed=number,
        turns=sum(m.seat == TESTED for m in messages),
        inquirer="found-in-log",
        status=Status.DONE,
        reason=None,
        refused=refused,
        facts={"knowledge": log.knowledge} if log.knowledge else {},
        seconds=None,
        messages=tuple(messages),
        inquiries=tuple(inquiries),
        verdicts=(),
        labels=(),
    )


def identity(name: str) -> str:
    return digest("imported", name)[:16]


def _words(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word not in STOP}


def _found(key: str, messages: Sequence[Message]) -> tuple[list[Inquiry], dict[str, int]]:
    inquiries: list[Inquiry] = []
    refused: dict[str, int] = {}
    own = [m for m in messages if m.seat == TESTED]
    turn = {m.index: t for t, m in enumerate(own)}
    before: list[Message] = []  # the bot's own messages up to here
    holders: dict[str, list[int]] = {}  # by word, the places of those that have it
    for question, answer in pairwise(messages):
        if question.seat != SPEAKER or answer.seat != TESTED:
            continue
        asked = _question(question.text)
        if asked is None:
            refused["no_question"] = refused.get("no_question", 0) + 1
            continue
        while len(before) < len(own) and own[len(before)].index < question.index:
            message = own[len(before)]
            for word in _words(message.text):
                holders.setdefault(word, []).append(len(before))
            before.append(message)
        source = _source(asked, answer.text, before, holders)
        if source is None:
            refused["no_source"] = refused.get("no_source", 0) + 1
            continue
        message, entity = source
        inquiries.append(
            Inquiry(
                id=digest(key, "found", question.index)[:24],
                after=before[-1].index,
                source=message.index,
                entity=entity,
                entity_type="FOUND",
                question=asked,
                kind=Kind.WH,
                distance=turn[before[-1].index] - turn[message.index],
                answer=answer.text,
                facts={"found": True, "asked_at": question.index},
            )
        )
    return inquiries, refused


def _question(text: str) -> str | None:
    """Return the last question of a message, or None."""
    # No regular expression: `[^.!?]*\?` takes quadratic time on a long text without a question mark.
    end = text.rfind("?")
    start = max(text.rfind(mark, 0, max(end, 0)) for mark in ".!?") + 1
    asked = text[start : end + 1].strip()
    return asked if end >= 0 and asked != "?" else None


def _source(
    question: str, answer: str, before: Sequence[Message], holders: Mapping[str, Sequence[int]]
) -> tuple[Message, str] | None:
    """Return the earlier message that the question is about, and a word that they share; None if too few are shared.

    It is the message that shares most words with the question or, if none does, with the answer. The latest message
    wins a tie. Logs may be long, so words are looked up, and a word that many messages have counts for the latest of
    them only.
    """
    for words in (_words(question), _words(answer)):
        shared: Counter[int] = Counter()
        for word in words:
            shared.update(holders.get(word, ())[-LATEST:])
        place, number = max(shared.items(), default=(0, 0), key=lambda one: (one[1], one[0]))
        if number >= SHARED:
            return before[place], sorted(words & _words(before[place].text))[0]
    return None
