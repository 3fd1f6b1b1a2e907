"""A trial chat with a bot before the bot joins a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from arena.core.hashing import seed_for
from arena.core.types import BotSpec, Message
from arena.play.chat import Partners
from bots.base import Line, ReplyRequest
from bots.persona import dealt_persona, knowledge_of
from ui import memory, thread, words
from ui.markup import short, show


@memory.things()
def _partners() -> Partners:
    return Partners()


@memory.dialog("Try the bot", width="large")
def dialog(entry: Mapping[str, Any]) -> None:
    """Open a chat with the bot of an entry; nothing is stored."""
    with words.show_arena_errors():
        bot = resolved(entry)
        lines: list[str] = st.session_state.setdefault(f"trial_{bot.identity}", [])
        words.lead(f"{short(bot.name, 60)}: nothing of this chat is stored.")
        if lines:
            show(thread.bubbles(messages(lines), ("You", short(bot.name, 40))))
        text = st.chat_input("Write a message", max_chars=2000, key=f"trial_text_{bot.identity}")
        if text:
            with st.spinner("Loading the bot and waiting for its reply …"):
                reply = _partners().ask(bot, request(bot, [*lines, text]))
            lines += [text, reply.text]
            st.rerun(scope="fragment")


def resolved(entry: Mapping[str, Any]) -> BotSpec:
    """Resolve the bot that the entry describes. A mistake in the entry raises an error that says how to fix it."""
    import yaml

    from arena.config.resolve import parse

    return parse(yaml.safe_dump({"bots": [dict(entry)], "inquirer": False}), name="the bot").bots[0]


def request(bot: BotSpec, lines: list[str]) -> ReplyRequest:
    return ReplyRequest(
        f"trial {bot.identity}",
        tuple(Line(text, mine=number % 2 == 1) for number, text in enumerate(lines)),
        seed_for("trial", bot.identity, len(lines)),
        knowledge=knowledge_of(bot.settings, 0),
        persona=dealt_persona(bot.settings, 0),
    )


def messages(lines: list[str]) -> list[Message]:
    return [Message(number, number % 2, text, "", None) for number, text in enumerate(lines)]
