"""People's chats: stored message by message, chained like every dialogue, counted by the paper's rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arena.core.errors import BotError, InputError
from arena.core.types import BotSpec, Message
from arena.exchange.jsonl import messages as chain
from arena.play import chat as of
from arena.play.chat import Mode, Partners
from arena.stats.sessions import marks, scores
from bots import registry
from bots.base import RunOptions
from db import Repository, connect
from db.chats import DONE, OPEN, Chat, Chats
from tests.support import tournaments as play


class Talk:
    """One person with one bot."""

    def __init__(self, store: Repository, mode: Mode = Mode.NATURAL) -> None:
        self.store = store
        self.chats = Chats(store)
        stored = next(t for t in store.tournaments() if not of.is_home(t))
        self.info = of.home(stored, store.bots(stored.id))
        self.who = of.person("Ann")
        self.bot = of.partner(self.info.bots, {}, random.Random(1))
        self.start = of.opening(self.who, self.bot, mode)
        self.partners = Partners()

    def say(self, text: str) -> Chat:
        chat = self.chats.get(self.start.key)
        if chat is None:
            of.begin(self.chats, self.info, self.start, text, 1.0)
        else:
            of.speak(self.chats, chat, text)
        chat = self.get()
        of.answer(self.chats, chat, self.partners.ask(self.bot, of.request(chat, self.bot)))
        return self.get()

    def get(self) -> Chat:
        result = self.chats.get(self.start.key)
        assert result is not None
        return result


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    store = play.store(tmp_path)
    play.play(store, play.text())
    return Talk(store)


def test_a_chat_becomes_a_dialogue(talk: Talk) -> None:
    for n in range(5):
        chat = talk.say(f"Message {n}: do you have pets?")
    assert chat.status == OPEN and of.turns(chat.messages) == 5 and not of.waits(chat.messages)
    key = of.finish(talk.chats, chat, talk.who, talk.bot, 12.0)
    assert key is not None
    record = next(iter(talk.store.records(talk.info.id, keys=[key])))
    assert (record.speaker, record.tested) == ("person: Ann", talk.bot.name)
    assert record.turns == 5 and record.status == DONE
    assert len(list(chain(record))) == 10  # every hash fits
    assert record.speaker_identity == registry.identity("human", {"person": "Ann"})
    assert talk.store.progress(talk.info.id).done == 1


def test_every_message_is_stored_before_the_bot_answers(talk: Talk) -> None:
    of.begin(talk.chats, talk.info, talk.start, "hello", 1.0)
    assert of.waits(talk.get().messages)
    of.begin(talk.chats, talk.info, talk.start, "hello", 1.0)  # clicked twice
    assert len(talk.get().messages) == 1


def test_a_message_sent_twice_exists_once(talk: Talk) -> None:
    chat = talk.say("hello")
    of.speak(talk.chats, chat, "again")
    of.speak(talk.chats, chat, "again")
    assert len(talk.get().messages) == 3


def test_without_an_answer_nothing_stays(talk: Talk) -> None:
    of.begin(talk.chats, talk.info, talk.start, "hello", 1.0)
    assert of.finish(talk.chats, talk.get(), talk.who, talk.bot, 1.0) is None
    assert talk.chats.get(talk.start.key) is None


def test_a_last_message_without_answer_is_left_out(talk: Talk) -> None:
    chat = talk.say("hello")
    of.speak(talk.chats, chat, "are you there?")
    key = of.finish(talk.chats, talk.get(), talk.who, talk.bot, 1.0)
    assert key is not None
    done = talk.chats.get(key)
    assert done is not None and len(done.messages) == 2
    with pytest.raises(InputError):
        of.speak(talk.chats, done, "more")


def test_a_run_leaves_open_chats_alone(talk: Talk) -> None:
    talk.say("hello")
    talk.store.release(lambda _: True)
    assert talk.get().status == OPEN


def test_every_bot_comes_to_its_share(talk: Talk) -> None:
    names = {of.partner(talk.info.bots, {"steady": 3, "moody": 2}, random.Random(n)).name for n in range(9)}
    assert names == {"moody"}
    names = {of.partner(talk.info.bots, {}, random.Random(n)).name for n in range(30)}
    assert names == {"steady", "moody"}


def messages_of(*texts: str) -> list[Message]:
    return [Message(i, i % 2, text, "", None) for i, text in enumerate(texts)]


def test_what_counts() -> None:
    long = ["hi", "hello"] * 5
    assert of.left_out(messages_of(*long)) is None
    assert of.left_out(messages_of(*long[:8])) == "under 5 turns"
    assert of.left_out(messages_of(*long[:-1], "you BITCH")) == "abusive words"
    assert of.left_out(messages_of(*long[:-1], "I live in Scunthorpe, my cocker is a pet")) is None


def test_names_are_checked() -> None:
    for wrong in ("", "  ", "a\nb", "x" * 101):
        with pytest.raises(InputError):
            of.person(wrong)


def test_no_program_plays_a_person() -> None:
    spec = of.person("Ann")
    with pytest.raises(BotError, match="person"):
        registry.adapter("human").create(spec.settings, RunOptions())


def test_visitors_load_only_what_is_harmless() -> None:
    def bot(adapter: str, **settings: object) -> BotSpec:
        return BotSpec("b", adapter, settings, "i")

    assert of.may_load(bot("scripted")) and of.may_load(bot("hf", model="embedded:x"))
    for wrong in (
        bot("parlai", model="zoo:x"),
        bot("openai", base_url="http://192.0.2.1"),
        bot("scripted", sheet="/etc/passwd"),
        bot("hf", model="/models/x"),
        bot("hf", model="embedded:x", trust_remote_code=True),
    ):
        assert not of.may_load(wrong)


def test_scores_are_averaged_as_in_table_2() -> None:
    score = scores([("E1", "PL", 0.8), ("E1", "PL", 0.6), ("E2", "PL", 0.9), ("E1", "BL", 0.4)])
    assert score.bots == ("PL", "BL")
    assert score.by_person["E1"]["PL"] == pytest.approx(0.7)
    assert score.mean["PL"] == pytest.approx(0.8)  # over people, not over chats
    assert score.chats == {"PL": 3, "BL": 1}


def test_marks_go_by_majority() -> None:
    one = marks(
        [
            ("A", "x", "c", 3, True),
            ("B", "x", "c", 3, True),
            ("C", "x", "c", 3, False),
            ("A", "x", "c", 5, False),
        ]
    )[0]
    assert (one.utterances, one.inconsistent, one.open, one.people) == (2, 1, 0, 3)
    assert one.rate == 0.5 and one.per_chat == 1.0


def test_chats_on_both_databases(database: str) -> None:
    store = Repository(connect(database))
    play.play(store, play.text())
    talk = Talk(store, Mode.EXPERT)
    chat = talk.say("hello")
    assert talk.chats.numbers(talk.info.id, "expert") == {talk.bot.name: 1}
    assert of.finish(talk.chats, chat, talk.who, talk.bot, 1.0) is not None
    assert len(talk.chats.of(talk.info.id, status=DONE)) == 1
