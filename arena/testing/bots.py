"""Checks that an adapter's bots can take part in a tournament."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.core.errors import ArenaError
from arena.testing.problems import HOSTILE, Problems, check_shell, declares, results, run
from bots.base import Adapter, Bot, Line, Reply, ReplyRequest, RunOptions

HEARD = (
    "hello",
    "Do you have any pets?",
    "I live in Rome.",
    "What do you do for a living?",
    "I like to cook.",
)
QUESTION = "Where do you live?"


def check_bot(
    adapter: Adapter, settings: Mapping[str, Any] | None = None, *, repeatable: bool = True
) -> None:
    """Use the adapter as a tournament would, and raise an AssertionError that lists every problem.

    `repeatable=False` is for bots whose replies do not depend on the seed alone, for example bots behind a
    server. Checks that need equal replies are then left out.
    """
    problems = Problems(f"The adapter {type(adapter).__name__}")
    given = dict(settings or {})
    declares(problems, adapter, Adapter)
    problems.stop_if_any()
    check_shell(problems, adapter, given)
    with problems.during("revision(settings)"):
        first, second = adapter.revision(given), adapter.revision(given)
        problems.expect(isinstance(first, str) and first, "revision() must return a text that is not empty")
        problems.expect(
            first == second, "revision() differs from call to call; bots would never be met again"
        )
    problems.stop_if_any()
    run(_talk(problems, adapter, given, repeatable))
    problems.stop_if_any()


async def _talk(problems: Problems, adapter: Adapter, settings: Mapping[str, Any], repeatable: bool) -> None:
    bot: Bot | None = None
    with problems.during("create(settings, run)"):
        bot = adapter.create(settings, RunOptions(deterministic=True))
    if bot is None:
        return
    declares(problems, bot, Bot)
    problems.stop_if_any()
    try:
        if await _batches(problems, bot, repeatable) and repeatable:
            await _forks(problems, bot)
            await _conversation_by_name(problems, bot)
        await _bad_input(problems, bot)
    finally:
        with problems.during("close()"):
            await bot.close()


def _request(text: str, number: int, **more: Any) -> ReplyRequest:
    return ReplyRequest(f"check-{number}", (Line(text, mine=False),), seed=1000 + number, **more)


async def _batches(problems: Problems, bot: Bot, repeatable: bool) -> bool:
    """Check that a batch gives one reply per request, in order, whatever else is in the batch. Returns whether
    the batch gave replies.
    """
    requests = [_request(text, number) for number, text in enumerate(HEARD)]
    replies = await _replies(problems, bot, requests, "reply() of a batch")
    await _replies(problems, bot, [], "reply() of an empty batch")
    if replies is None or not repeatable:
        return replies is not None
    random.random()  # changes what a bot would draw from the global generator
    singles = [await _replies(problems, bot, [request], "reply() of one request") for request in requests]
    alone = [reply[0].text if reply else None for reply in singles]
    problems.expect(
        [reply.text for reply in replies] == alone,
        "a request in a batch gets another reply than alone: replies must be in order, and the request and its "
        "seed alone must decide them (draw from random.Random(request.seed), never from a global generator)",
    )
    backwards = await _replies(problems, bot, requests[::-1], "reply() of a batch")
    if backwards is not None:
        turned = [reply.text for reply in backwards[::-1]]
        problems.expect(turned == alone, "the order of a batch changes what its requests get")
    together = await asyncio.gather(*(_replies(problems, bot, [request], "reply()") for request in requests))
    texts = [reply[0].text if reply else None for reply in together]
    problems.expect(texts == alone, "calls of reply() at the same time disturb each other")
    return True


async def _replies(
    problems: Problems, bot: Bot, requests: Sequence[ReplyRequest], what: str
) -> list[Reply] | None:
    replies = await results(problems, what, lambda: bot.reply(requests), Reply, len(requests))
    for reply in replies or ():
        problems.expect(isinstance(reply.text, str), f"{what} returns a text that is not a str")
        problems.expect(reply.error is None, f"{what} fails on a plain request: {reply.error}")
    return replies


async def _conversation(problems: Problems, bot: Bot, name: str, inquire: bool) -> list[str]:
    history: list[Line] = []
    texts: list[str] = []
    for turn, text in enumerate(HEARD):
        history.append(Line(text, mine=False))
        request = ReplyRequest(name, tuple(history), seed=turn)
        replies = await _replies(problems, bot, [request], "reply() within a conversation")
        texts.append(replies[0].text if replies else "")
        history.append(Line(texts[-1], mine=True))
        if inquire:
            question = (*history, Line(QUESTION, mine=False))
            for seed in (90, 91):
                fork = replace(request, history=question, seed=seed, fork=True)
                await _replies(problems, bot, [fork], "reply() to an inquiry")
    return texts


async def _forks(problems: Problems, bot: Bot) -> None:
    plain = await _conversation(problems, bot, "without inquiries", inquire=False)
    inquired = await _conversation(problems, bot, "with inquiries", inquire=True)
    problems.expect(
        plain == inquired,
        "an inquiry changes later replies: nothing of a request with fork=True may be kept",
    )


async def _conversation_by_name(problems: Problems, bot: Bot) -> None:
    """Check that a dialogue gives the same replies when it is played again."""
    first = await _conversation(problems, bot, "once", inquire=False)
    again = await _conversation(problems, bot, "once", inquire=False)
    problems.expect(first == again, "a dialogue that is played again differs: only the history may count")


async def _bad_input(problems: Problems, bot: Bot) -> None:
    """Check that the bot survives hostile texts. It may refuse them by an ArenaError or in Reply.error; no other
    exception is allowed.
    """
    for number, text in enumerate(HOSTILE):
        with problems.during(f"reply() to {text[:30]!r}", allowed=(ArenaError,)):
            replies = await bot.reply([_request(text, 100 + number)])
            good = len(replies) == 1 and isinstance(replies[0], Reply) and isinstance(replies[0].text, str)
            problems.expect(good, f"reply() to {text[:30]!r} must return one Reply with a text")
    with problems.during("reply() with knowledge"):
        await bot.reply([_request("hello", 200, knowledge="Rome is in Italy.")])
