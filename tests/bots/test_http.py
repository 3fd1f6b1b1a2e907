"""The http adapter against a server on this machine that keeps conversations as AIH's servers do."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest

from arena.core.errors import BotError, BotRefused, InputError
from bots import registry
from bots.base import Line, Reply, ReplyRequest, RunOptions
from tests.bots.local_server import Answer, Call, Server, ok, serve


class Aih:
    """Holds a history a user; with `replace` set it answers from the history and forgets the exchange."""

    def __init__(
        self, dialect: str = "aih", faults: dict[int, Answer | bytes] | None = None, late: int = 0
    ) -> None:
        self.histories: dict[str, list[str]] = {}
        self.asked: list[str] = []
        self.dialect = dialect
        self.faults = faults or {}  # by number of the call; the server has acted before a fault that is bytes
        self.count = 0
        self.noise = late  # from this call on it answers otherwise: a sampling server after a restart

    def answer(self, history: list[str]) -> str:
        salt = "other" if self.noise and self.count > self.noise else ""
        return f"reply {hashlib.sha256(repr((history, salt)).encode()).hexdigest()[:8]}"

    async def __call__(self, call: Call) -> Answer | bytes:
        self.count += 1
        fault = self.faults.get(self.count)
        if isinstance(fault, tuple):
            return fault
        if self.dialect == "blender":
            text = call.body.decode()
            replace = text.endswith("*")
            text = text.removesuffix("*")
            text, user = text[:-6], text[-6:]
        else:
            user, text, replace = call.json["userID"], call.json["text"], call.json["replace"]
        history = self.histories.setdefault(user, [])
        self.asked.append(text)
        sentence = self.answer([*history, text])
        if not replace:
            history += [text, sentence]
        if fault is not None:
            return fault
        return ok({"text": sentence} if self.dialect == "blender" else {"body": {"utterance": sentence}})


def bot_for(server: Server, **settings: Any) -> Any:
    given = {"url": f"{server.url}/interact", "backoff": 0.0, **settings}
    return registry.create(registry.spec("aih", "http", given), RunOptions())


async def one(bot: Any, dialogue: str, history: list[Line], fork: bool = False) -> Reply:
    (reply,) = await bot.reply([ReplyRequest(dialogue, tuple(history), 1, fork)])
    return reply


async def play(bot: Any, dialogue: str, turns: int, inquiries: bool, opens: bool = False) -> list[Line]:
    """A dialogue with a partner that counts; with two inquiries behind every reply if asked for."""
    history = [Line("hello, I open", True)] if opens else []
    for turn in range(turns):
        history.append(Line(f"turn {turn}", mine=False))
        reply = await one(bot, dialogue, history)
        if reply.error:
            raise reply.error
        history.append(Line(reply.text, mine=True))
        if inquiries:
            for _ in range(2):
                asked = await one(bot, dialogue, [*history, Line(f"inquiry {turn}?", False)], fork=True)
                assert asked.error is None and asked.text.startswith("reply ")
    return history


@pytest.mark.parametrize("dialect", ["aih", "blender"])
@pytest.mark.parametrize("opens", [False, True])
async def test_no_inquiry_stays_in_the_servers_history(dialect: str, opens: bool) -> None:
    aih = Aih(dialect)
    async with serve(aih) as server:
        bot = bot_for(server, dialect=dialect)
        asked = await play(bot, "a", 5, inquiries=True, opens=opens)
        plain = await play(bot, "b", 5, inquiries=False, opens=opens)
        await bot.close()
    assert asked == plain
    assert sum("inquiry" in text for text in aih.asked) == 10
    assert len(aih.histories) == 2  # one id a dialogue
    for history in aih.histories.values():
        assert history == [line.text for line in asked[opens:]]


async def test_what_is_sent_is_what_aih_sends() -> None:
    aih = Aih()
    async with serve(aih) as server:
        bot = bot_for(server)
        await one(bot, "a", [Line("hello", False)])
        await bot.close()
    call = server.calls[0]
    assert call.path == "/interact"
    assert set(call.json) == {"userID", "text", "replace"}
    assert call.json["userID"].isdigit() and call.json["replace"] is False


async def test_many_dialogues_share_no_conversation() -> None:
    aih = Aih()
    async with serve(aih) as server:
        bot = bot_for(server)
        played = await asyncio.gather(*(play(bot, f"d{n}", 3, inquiries=True) for n in range(40)))
        await bot.close()
    assert len(aih.histories) == 40
    assert all(history == played[0] for history in played)


@pytest.mark.parametrize(
    "fault", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", ok({}, 500), ok({}, 429), ok({})]
)
async def test_a_fault_costs_retries_and_leaves_no_double_message(fault: Answer | bytes) -> None:
    """The server may have taken the message in before it failed; then the conversation moves to a new id."""
    aih = Aih(faults={3: fault, 6: fault})
    async with serve(aih) as server:
        bot = bot_for(server)
        history = await play(bot, "a", 5, inquiries=False)
        await bot.close()
    calm = Aih()
    async with serve(calm) as server:
        bot = bot_for(server)
        assert history == await play(bot, "a", 5, inquiries=False)
        await bot.close()
    assert [line.text for line in history] in aih.histories.values()


async def test_a_new_process_takes_a_conversation_up_under_a_new_id() -> None:
    aih = Aih()
    async with serve(aih) as server:
        first, second = bot_for(server), bot_for(server)
        history = await play(first, "a", 3, inquiries=False)
        reply = await one(second, "a", [*history, Line("on we go", False)])
        await first.close()
        await second.close()
    assert reply.error is None
    assert len(aih.histories) == 2
    longest = max(aih.histories.values(), key=len)
    assert longest == [*(line.text for line in history), "on we go", reply.text]


async def test_a_server_that_tells_it_differently_fails_the_dialogue_by_name() -> None:
    aih = Aih(late=3)
    async with serve(aih) as server:
        first, second = bot_for(server), bot_for(server)
        history = await play(first, "a", 3, inquiries=False)
        reply = await one(second, "a", [*history, Line("on we go", False)])
        await first.close()
        await second.close()
    assert isinstance(reply.error, BotRefused) and reply.error.reason == "session_lost"


async def test_an_inquiry_about_an_earlier_state_leaves_the_conversation_its_place() -> None:
    aih = Aih()
    async with serve(aih) as server:
        bot = bot_for(server)
        history = await play(bot, "a", 3, inquiries=False)
        asked = await one(bot, "a", [*history[:2], Line("inquiry?", False)], fork=True)
        reply = await one(bot, "a", [*history, Line("on", False)])
        await bot.close()
    assert asked.error is None and reply.error is None
    assert asked.text == Aih().answer([history[0].text, history[1].text, "inquiry?"])
    assert [*(line.text for line in history), "on", reply.text] in aih.histories.values()
    assert not any("inquiry?" in held for held in aih.histories.values())


async def test_a_wrong_address_says_so() -> None:
    async def handle(_: Call) -> Answer:
        return ok({"detail": "Not Found"}, 404)

    async with serve(handle) as server:
        bot = bot_for(server)
        reply = await one(bot, "a", [Line("hello", False)])
        await bot.close()
    assert isinstance(reply.error, BotError) and "check `url`" in str(reply.error).lower()


def test_persona_belongs_to_the_server() -> None:
    with pytest.raises(InputError, match="persona"):
        registry.create(
            registry.spec("aih", "http", {"url": "http://127.0.0.1:1/interact", "persona": "I am Ann"})
        )
