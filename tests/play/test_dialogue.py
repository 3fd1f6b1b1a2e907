"""One dialogue: turns, forks, kinds and distances, and no trace of an inquiry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.hashing import digest, message_hash
from arena.core.types import Dialogue, DialoguePlan, Kind
from arena.play.dialogue import InquiryPlan, play
from arena.play.guard import Guard
from arena.play.schedule import plans
from bots import registry
from bots.base import Reply, ReplyRequest
from inquirer.build import build
from tests.support.tournaments import text


@dataclass
class Witness:
    """Remembers every request that it passes on."""

    plan: DialoguePlan
    seat: int
    seen: list[ReplyRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bot = registry.create((self.plan.speaker, self.plan.tested)[self.seat])

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        self.seen += requests
        return await self._bot.reply(requests)

    async def close(self) -> None:
        await self._bot.close()


def guard(bot: object) -> Guard:
    return Guard("bot", bot, 5, 8000, 1)  # type: ignore[arg-type]


def asking(tournament: Tournament) -> InquiryPlan | None:
    if tournament.inquirer is None:
        return None
    inquirer = build(tournament.inquirer)

    async def inquire(utterance: str):  # type: ignore[no-untyped-def]
        return (await inquirer.inquire([utterance], tournament.kinds))[0]

    return InquiryPlan(
        inquire, tournament.kinds, tournament.distances, tournament.per_turn, tournament.prefer
    )


async def played(source: str, number: int = 0) -> tuple[Dialogue, Witness, Witness]:
    tournament = parse(source)
    plan = list(plans(tournament))[number]
    witnesses = Witness(plan, 0), Witness(plan, 1)
    dialogue = await play(plan, guard(witnesses[0]), guard(witnesses[1]), asking(tournament))
    return dialogue, *witnesses


async def test_k_turns_are_2k_chained_messages() -> None:
    dialogue, speaker, tested = await played(text(turns=6))
    assert [m.seat for m in dialogue.messages] == [0, 1] * 6
    assert dialogue.messages[0].text == "hello"
    parent = None
    for message in dialogue.messages:
        assert message.parent == parent
        assert message.hash == message_hash(parent, message.seat, message.text)
        parent = message.hash
    assert sum(not r.fork for r in speaker.seen) == 5
    assert sum(not r.fork for r in tested.seen) == 6


async def test_no_bot_ever_sees_an_inquiry_in_a_later_history() -> None:
    dialogue, speaker, tested = await played(text(turns=12, inquirer="{entities: rules, per_turn: all}"))
    assert len(dialogue.inquiries) > 5
    chain = [m.text for m in dialogue.messages]
    for request in (*speaker.seen, *tested.seen):
        lines = [line.text for line in request.history]
        assert lines == chain[: len(lines)] if not request.fork else lines[:-1] == chain[: len(lines) - 1]


@pytest.mark.parametrize("number", range(4))
async def test_inquiries_change_no_message(number: int) -> None:
    asked, *_ = await played(text(turns=10), number)
    silent, *_ = await played(text(turns=10, inquirer="false"), number)
    assert asked.inquiries and not silent.inquiries
    assert [m.hash for m in asked.messages] == [m.hash for m in silent.messages]


async def test_a_delayed_inquiry_is_asked_later_about_the_same_message() -> None:
    dialogue, *_ = await played(text(turns=8, inquirer="{entities: rules, distances: [2]}"))
    answered = [i for i in dialogue.inquiries if i.answer is not None]
    late = [i for i in dialogue.inquiries if i.reason == "past_end"]
    assert answered and late
    assert all(i.after == i.source + 4 and i.distance == 2 for i in answered)
    assert all(i.source >= 13 - 2 for i in late)


async def test_ask_twice_holds_answer_against_answer() -> None:
    source = text(turns=8, inquirer="{entities: rules, kinds: [ask_twice], distances: [1]}")
    dialogue, _, tested = await played(source)
    answered = [i for i in dialogue.inquiries if i.answer is not None]
    assert answered
    for inquiry in answered:
        assert inquiry.kind is Kind.ASK_TWICE and inquiry.reference
        assert inquiry.facts["first_after"] == inquiry.source and inquiry.after == inquiry.source + 2
        asked = [r for r in tested.seen if r.fork and r.history[-1].text == inquiry.question]
        assert len(asked) == 2 and asked[0].seed != asked[1].seed


async def test_about_partner_asks_about_what_the_other_said() -> None:
    dialogue, *_ = await played(text(turns=8, inquirer="{entities: rules, kinds: [about_partner]}"))
    assert dialogue.inquiries
    assert all(i.source == i.after - 1 and dialogue.messages[i.source].seat == 0 for i in dialogue.inquiries)


async def test_what_is_refused_is_counted() -> None:
    dialogue, *_ = await played(
        "bots: [{name: e, adapter: echo}]\nturns: 4\non_loop: keep\ninquirer: {entities: rules}"
    )
    assert not dialogue.inquiries
    assert sum(dialogue.refused.values()) >= 4


async def test_knowledge_is_the_item_of_the_dialogue() -> None:
    source = text("  - {name: a, adapter: scripted, knowledge: [one, two]}", turns=2, dialogues=3)
    for number, item in enumerate(["one", "two", "one"]):
        dialogue, _, tested = await played(source, number)
        assert {r.knowledge for r in tested.seen} == {item} and dialogue.facts["knowledge"] == item


class Broken:
    def __init__(self, *replies: object) -> None:
        self.replies = list(replies)
        self.seeds: list[int] = []

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        self.seeds.append(requests[0].seed)
        sentence = self.replies.pop(0) if self.replies else "fine"
        if isinstance(sentence, Exception):
            raise sentence
        return [Reply(str(sentence))]

    async def close(self) -> None: ...


async def test_a_fault_is_retried_with_a_fresh_seed_and_counted() -> None:
    bot = Broken(ValueError("no"), "", "ok then")
    plan = next(plans(parse(text(turns=1, inquirer="false"))))
    patient = Guard("b", bot, 5, 100, 2)
    dialogue = await play(plan, patient, patient, None)
    assert dialogue.reason is None and dialogue.messages[1].text == "ok then"
    assert dialogue.facts["faults"] == {"raised": 1, "empty": 1}
    assert len(set(bot.seeds)) == 3


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (ValueError("x"), "raised"),
        ("   ", "empty"),
        ("w" * 9000, "too_long"),
        ("a\x00b", "control_characters"),
        ("\x1b[31mred", "control_characters"),
        ("half \ud800", "invalid_text"),
    ],
)
async def test_a_bot_that_fails_for_good_fails_the_dialogue_under_its_reason(
    value: object, reason: str
) -> None:
    plan = next(plans(parse(text(turns=2, inquirer="false"))))
    dialogue = await play(plan, guard(Broken()), guard(Broken(value, value)), None)
    assert dialogue.reason == reason and not dialogue.messages
    assert dialogue.facts["faults"][reason] == 2


LOOPING = """
turns: {turns}
dialogues_per_pair: 1
openers: ["What did you do last weekend, my friend?"]
pairs: [[talker, parrot]]
bots: [{{name: talker, adapter: scripted}}, {{name: parrot, adapter: echo}}]
inquirer: {{entities: rules, questions: rules}}
judges: [truth]
on_loop: {policy}
"""


async def test_a_loop_ends_the_dialogue_after_its_turn() -> None:
    kept, *_ = await played(LOOPING.format(turns=8, policy="keep"))
    ended, *_ = await played(LOOPING.format(turns=8, policy="end"))
    assert len(kept.messages) == 16 and kept.collapse == ended.collapse
    assert ended.collapse is not None and ended.collapse.seat == 1
    assert len(ended.messages) == 2 * ended.collapse.turn
    assert [m.text for m in ended.messages] == [m.text for m in kept.messages[: len(ended.messages)]]


async def test_a_nudge_changes_the_subject_in_the_speakers_seat() -> None:
    dialogue, speaker, tested = await played(LOOPING.format(turns=8, policy="nudge"))
    nudges = [m for m in dialogue.messages if m.facts.get("nudge")]
    assert len(dialogue.messages) == 16 and dialogue.collapse is not None
    assert nudges and all(m.seat == 0 for m in nudges)
    assert nudges[0].index == 2 * dialogue.collapse.turn
    assert len({m.text for m in nudges}) == len(nudges)
    assert len(speaker.seen) == 7 - len(nudges) and sum(not r.fork for r in tested.seen) == 8


async def test_the_policy_is_part_of_the_key_only_where_it_is_not_the_old_one() -> None:
    keys = {
        policy: next(plans(parse(LOOPING.format(turns=8, policy=policy)))).key
        for policy in ("keep", "end", "nudge")
    }
    assert len(set(keys.values())) == 3
    plan = next(plans(parse(LOOPING.format(turns=8, policy="keep"))))
    old = (plan.speaker.identity, plan.tested.identity, plan.opener, plan.seed, plan.turns, plan.inquirer)
    assert keys["keep"] == digest(*old)[:32]
