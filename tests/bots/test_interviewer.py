"""The interviewer converses: it hears, follows up, changes the subject, and never asks the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config.resolve import parse
from arena.core.errors import InputError
from arena.core.hashing import seed_for
from arena.play.schedule import plans
from bots import registry
from bots.base import Bot, Line, ReplyRequest
from bots.hearing import hear, taken
from bots.interview import load
from bots.library import characters
from tests.support.loops import first_loop

OPENER = "Hi there, how is your day going?"
FACTS = [line for character in characters() for line in character.splitlines()]
SHIPPED = load(None)


def interviewer(**given: object) -> Bot:
    return registry.create(registry.spec("i", "interviewer", given))


async def says(bot: Bot, texts: Sequence[str], seed: int) -> str:
    """What the interviewer, who spoke first, says next."""
    history = tuple(Line(text, mine=place % 2 == 0) for place, text in enumerate(texts))
    reply = (await bot.reply([ReplyRequest("d", history, seed)]))[0]
    assert reply.text.strip() and reply.text.count("?") >= 1
    return reply.text


async def interview(bot: Bot, answers: Sequence[str], seed: int = 1, opener: str = OPENER) -> list[str]:
    texts = [opener]
    for turn, answer in enumerate(answers):
        texts.append(answer)
        texts.append(await says(bot, texts, seed_for(seed, turn)))
    return texts


def asked(texts: Sequence[str]) -> list[str]:
    """The last sentence of each of the interviewer's messages after the opener, from its second letter on."""
    return [text.rsplit("? ", 1)[-1].rsplit(". ", 1)[-1].rsplit("! ", 1)[-1][1:] for text in texts[2::2]]


def test_every_question_is_recognised_as_its_own() -> None:
    for fact in SHIPPED.facts:
        assert len(fact.asks) >= 3 and len(set(fact.asks)) == len(fact.asks)
        for ask in fact.asks:
            known = SHIPPED.asked(f"I see. {ask}")
            assert known is not None and (known.fact, known.follow) == (fact.id, False), ask
        for follow in fact.follow:
            for ask in follow.asks:
                known = SHIPPED.asked(f"Oh! {ask.replace('{1}', 'dog')}")
                assert known is not None, ask


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(FACTS), min_size=5, max_size=40), st.integers(0, 2**31))
async def test_it_never_asks_the_same_twice(answers: list[str], seed: int) -> None:
    texts = await interview(interviewer(), answers, seed)
    questions = asked(texts)
    assert len(set(questions)) == len(questions)
    facts = [SHIPPED.asked(text) for text in texts[2::2]]
    new = [known.fact for known in facts if known is not None and not known.follow]
    assert len(set(new)) == len(new)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=60).filter(str.strip), min_size=1, max_size=12), st.integers(0, 2**31))
async def test_it_answers_whatever_it_hears_and_the_same_each_time(answers: list[str], seed: int) -> None:
    texts = await interview(interviewer(), answers, seed)
    assert texts == await interview(interviewer(), answers, seed)
    assert all(len(text) < 400 for text in texts[2::2])


@settings(max_examples=20, deadline=None)
@given(st.permutations(FACTS), st.integers(0, 2**31))
async def test_its_own_messages_never_loop(answers: list[str], seed: int) -> None:
    texts = await interview(interviewer(come_back=4), answers[:30], seed)
    assert first_loop((0, text) for text in texts[::2]) is None


@settings(max_examples=30, deadline=None)
@given(st.permutations(FACTS), st.integers(0, 2**31), st.integers(2, 6))
async def test_it_comes_back_in_other_words_when_told(answers: list[str], seed: int, after: int) -> None:
    texts = await interview(interviewer(come_back=after), answers[:20], seed)
    own = [SHIPPED.asked(text) for text in texts[::2]]
    again = [(place, known.fact) for place, known in enumerate(own) if known is not None and known.again]
    assert again
    for place, fact in again:
        first = next(n for n, known in enumerate(own) if known is not None and known.fact == fact)
        assert place - first >= after
    questions = asked(texts)
    assert len(set(questions)) == len(questions)


async def test_it_takes_up_the_partners_words_and_asks_further() -> None:
    bot = interviewer()
    heard = followed = 0
    for seed in range(40):
        texts = [OPENER, "Fine, thanks.", "Oh, good. Do you have any pets?", "Yes, I have an old dog."]
        reply = await says(bot, texts, seed)
        heard += "n old dog" in reply
        followed += any(word in reply for word in ("your dog called", "old is your dog", "get your dog"))
    assert heard > 20 and followed > 20


async def test_it_answers_what_it_is_asked() -> None:
    bot = interviewer()
    fact = SHIPPED.fact("pets")
    assert fact is not None
    for seed in range(10):
        texts = [OPENER, "I am fine. Do you have any pets?"]
        assert fact.mine in await says(bot, texts, seed)
        texts = [OPENER, "Well.", "Do you have any pets?", "I have a cat. What about you?"]
        assert fact.mine in await says(bot, texts, seed)
        reply = await says(bot, [OPENER, "Fine! Why is the sky blue?"], seed)
        assert any(line in reply for line in SHIPPED.deflect)


async def test_it_changes_the_subject_when_the_partner_loops_or_plays_the_machine() -> None:
    bot = interviewer()
    looping = "I am a nurse and I love my job at the hospital."
    for seed in range(20):
        texts = [OPENER, looping, "Oh! How long have you been doing that?", looping]
        reply = await says(bot, texts, seed)
        assert any(lead in reply for lead in SHIPPED.leads)
        machine = [OPENER, "As an AI language model, I don't have personal experiences."]
        reply = await says(bot, machine, seed)
        assert any(lead in reply for lead in SHIPPED.leads)


async def test_what_the_partner_has_told_is_not_asked_for() -> None:
    output = "My name is Ann. I live in Oslo and I work as a nurse. My dog is called Bo. I am 30 years old."
    for seed in range(30):
        texts = await interview(interviewer(), [output, "Nothing much."], seed)
        for text in texts[2::2]:
            known = SHIPPED.asked(text)
            assert known is None or known.follow or known.fact not in ("name", "home", "job", "pets", "age")


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        ("I am a pastry chef in New Orleans.", "echo", "a pastry chef in New Orleans"),
        ("I have three younger sisters, and you?", "echo", "three younger sisters"),
        ("Well, I live in Gothenburg now.", "place", "Gothenburg"),
        ("I love stand-up comedy!", "love", "stand-up comedy"),
        ("I own a deaf dog called Bolt.", "named", "Bolt"),
        ("My name is Marta Lind.", "met", "Marta Lind"),
        ("I play my brother's guitar.", "echo", "your brother's guitar"),
        ("My wife died last year.", "sad", ""),
        ("No, I don't have any.", "no", ""),
        ("Yes, sometimes.", "yes", ""),
        ("Thank you so much!", "thanks", ""),
        ("I'm an AI and have a cat.", "machine", ""),
        ("It rained all day.", "plain", ""),
        ("I love to swim.", "plain", ""),
    ],
)
def test_what_it_hears(message: str, kind: str, words: str) -> None:
    assert hear(message).reaction() == (kind, words)


def test_a_short_name_is_a_name_where_it_was_asked_for() -> None:
    assert hear("Marta!", name_was_asked=True).reaction() == ("met", "Marta")
    assert hear("Marta!").reaction() == ("plain", "")
    assert not hear("Oh, really? I like tea.").asks and hear("I like tea. Do you?").asks


def test_too_much_or_nothing_is_not_taken() -> None:
    assert (
        taken("a") is None and taken("the of") is None and taken("one two three four five six seven") is None
    )
    assert taken("my old car and") == "your old car"


async def test_an_interview_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "i.yaml"
    source = Path("bots/interview.yaml").read_text(encoding="utf-8")
    file.write_text(source.replace("What's your name, by the way?", "Sorry, your name?"), encoding="utf-8")
    shipped = registry.spec("i", "interviewer", {})
    own = registry.spec("i", "interviewer", {"interview": str(file)})
    assert own.identity != shipped.identity and await says(registry.create(own), [OPENER, "Good."], 1)
    for broken in (
        "facts: [",
        "facts: []",
        source.replace("followed", "x").replace("topic: names", "topics: x", 1),
    ):
        file.write_text(broken, encoding="utf-8")
        with pytest.raises(InputError, match="correct it"):
            load.__wrapped__(str(file))
    with pytest.raises(InputError, match="check the path"):
        registry.spec("i", "interviewer", {"interview": str(tmp_path / "none.yaml")})


# ── pairs: interviews ─────────────────────────────────────────────────────────────────────────────

PAIRS = """
dialogues_per_pair: 2
pairs: interviews
bots: [{bots}]
inquirer: false
judges: [truth]
"""
TWO = "{name: a, adapter: scripted}, {name: b, adapter: echo}"


def test_interviews_bring_their_interviewer() -> None:
    tournament = parse(PAIRS.format(bots=TWO))
    assert tournament.pairs == (("interviewer", "a"), ("interviewer", "b"))
    assert [bot.name for bot in tournament.bots] == ["interviewer", "a", "b"]
    assert {plan.speaker.adapter for plan in plans(tournament)} == {"interviewer"}
    own = parse(PAIRS.format(bots="{name: me, adapter: interviewer, come_back: 5}, " + TWO))
    assert own.pairs == (("me", "a"), ("me", "b"))


@pytest.mark.parametrize(
    ("bots", "part"),
    [
        ("{name: me, adapter: interviewer}", "no bot to interview"),
        ("{name: interviewer, adapter: echo}", "rename yours"),
    ],
)
def test_interviews_need_two_sides(bots: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        parse(PAIRS.format(bots=bots))
