"""The inquirer as a whole: what it asks, what it refuses and why, and that nothing upsets it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

import pytest

from arena.core.errors import InputError
from arena.core.types import Kind
from inquirer import build, duplicates, encoded_score, select
from inquirer.base import Span
from inquirer.inquirer import Inquirer
from inquirer.selection import candidates

RULES = {"entities": "rules", "questions": "rules"}


async def inquire(text: str, *kinds: Kind) -> object:
    return (await build(RULES).inquire([text], kinds or (Kind.WH,)))[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("do you have any pets?", "is_question"),
        ("what do you do for a living", "not_a_sentence"),
        ("!!! 😀", "not_a_sentence"),
        ("привет", "not_a_sentence"),
        ("oh", "no_entity"),
        ("pizza with cheese", "no_question"),
    ],
)
async def test_every_refusal_has_its_reason(text: str, reason: str) -> None:
    inquest = (await build(RULES).inquire([text], [Kind.WH]))[0]
    assert inquest.questions == ()
    assert inquest.refused[reason] >= 1


async def test_what_the_question_gives_away_is_refused() -> None:
    inquest = (await build(RULES).inquire(["my favorite color is color"], [Kind.WH]))[0]
    assert "What is your favorite color?" not in [q.text for q in inquest.questions]
    assert inquest.refused.get("gives_itself_away")


async def test_questions_in_an_utterance_are_passed_over() -> None:
    inquest = (await build(RULES).inquire(["do you have cats? i have two dogs."], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["How many dogs do you have?"]
    assert all(e.start > 17 for e in inquest.entities)


async def test_batches_keep_their_order() -> None:
    texts = ["i have two dogs", "", "my name is ben", "how are you?", "i live in ohio"]
    inquests = await build(RULES).inquire(texts, [Kind.WH])
    assert [i.utterance for i in inquests] == texts
    assert [len(i.questions) for i in inquests] == [1, 0, 1, 0, 1]


async def test_only_the_wanted_kinds() -> None:
    for kind in Kind:
        inquest = (await build(RULES).inquire(["i have two dogs and i live in ohio"], [kind]))[0]
        assert inquest.questions and {q.kind for q in inquest.questions} == {kind}


class Reader:
    """Answers from a table, so that the filter itself is what is tested."""

    revision = "table"

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span | None]:
        result = [(self.answers.get(question), context) for question, context in pairs]
        return [Span(a, c.index(a), c.index(a) + len(a), 1.0) if a else None for a, c in result]


async def test_round_trip_drops_what_the_reader_answers_otherwise() -> None:
    plain = build(RULES)
    text = "i moved to chicago in 2010"
    right = Reader({"Where did you move in 2010?": "chicago", "When did you move to chicago?": "moved to"})
    inquirer = Inquirer(plain.extractor, plain.writers, right)
    inquest = (await inquirer.inquire([text], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["Where did you move in 2010?"]
    assert inquest.refused["round_trip"] == 1
    assert inquirer.revision != plain.revision


HOSTILE = [
    "a" * 10_000, "ab" * 5_000, "i have " + "x" * 10_000, "😀" * 5_000, "\u202ei have two dogs\u202c",
    "我有两只狗", "لدي كلبان",
    "<script>alert(1)</script> i have <b>two</b> dogs", "\x00\x1b[31m i have two dogs \x07", "\n\n\n",
    "i\n\nhave\n\ntwo dogs",
    "?" * 10_000, "." * 10_000, "i i i i " * 1_000, "and " * 2_500, "my my my my dog's's's's", "1 " * 5_000,
    "'" * 5_000,
    "i have 99999999999999999999999999 dogs", "i'm " * 2_000, "-" * 10_000, "=cmd|' /C calc'!A0",
    "\ud800 i have a dog",
    "i like " + ", ".join(["cats"] * 2_000), "(" * 5_000, "n't " * 2_000, "i've " + "been " * 2_000,
    "{utterance} {0}", "\u202ei live in ohio\u202c " * 400, "\x00\x1b[31mi have two dogs\x07" * 300, ":) " * 3_000,
    "i live in ohio and you ? " * 400, "i do you " * 1_000 + "?", ", and you " * 900,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_hostile_text_is_borne_within_a_second(text: str) -> None:
    inquirer = build(RULES)
    await inquirer.inquire(["i have a dog"], list(Kind))  # loads the tagger
    encoded_score.encoded([("i like it", "Do you like it?", "like")])  # loads the encoder
    start = time.process_time()
    inquest = (await inquirer.inquire([text], list(Kind)))[0]
    assert time.process_time() - start < 1.0
    for question in inquest.questions:
        assert question.text.isprintable() and len(question.text) <= 200


# --- the settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"entitys": "rules"}, "entities"),
        ({"entities": "ruls"}, "rules"),
        ({**RULES, "questions": "rule"}, "rules"),
        ({**RULES, "questions": []}, "empty"),
        ({**RULES, "top": 0}, "top"),
        ({**RULES, "top": True}, "top"),
        ({**RULES, "entities": {"name": "rules"}}, "use"),
        ({**RULES, "entities": {"use": "rules", "folder": "x"}}, "no settings"),
        ({**RULES, "questions": {"use": "rules", "n": 3}}, "no setting"),
        ({**RULES, "questions": "hf"}, "model"),
        ({**RULES, "questions": {"use": "hf", "model": "x", "format": "odd"}}, "format"),
        ({**RULES, "questions": {"use": "hf", "model": "x", "n": 0}}, "'n'"),
        ({**RULES, "questions": {"use": "hf", "model": "x", "beams": 2}}, "beams"),
        ({**RULES, "questions": "llm"}, "bot"),
        ({**RULES, "questions": {"use": "embedded", "gaps_only": "yes"}}, "gaps_only"),
        ({**RULES, "questions": {"use": "embedded", "batch": 0}}, "batch"),
        ({**RULES, "entities": {"use": "stanza", "folder": "/nowhere"}}, "Stanza"),
        ({**RULES, "entities": {"use": "stanza", "batch": 0}}, "batch"),
    ],
)
def test_wrong_settings_say_what_is_wrong(settings: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        build(settings)


def test_keys_of_the_dialogue_are_let_through() -> None:
    build({**RULES, "kinds": ["wh"], "prefer": "any", "distances": [0], "per_turn": 1})


def test_the_revision_tells_settings_apart() -> None:
    assert build(RULES).revision == build(RULES).revision
    assert build(RULES).revision != build({**RULES, "top": 2}).revision


async def test_a_mix_takes_each_wording_once() -> None:
    mixed = build({**RULES, "questions": ["rules", {"use": "rules"}], "top": 3})
    inquest = (await mixed.inquire(["i have two dogs"], [Kind.WH]))[0]
    assert len({q.text for q in inquest.questions}) == len(inquest.questions)


# --- the selection

TEXT = "i have two dogs , i live in ohio and my favorite color is red"


async def test_one_a_turn_at_random_by_the_seed() -> None:
    inquest = (await build(RULES).inquire([TEXT], [Kind.WH]))[0]
    first = [select(inquest, [Kind.WH], [0], 1, set(), Random(s)) for s in range(40)]
    again = [select(inquest, [Kind.WH], [0], 1, set(), Random(s)) for s in range(40)]
    assert first == again
    assert all(len(chosen) == 1 for chosen in first)
    assert {chosen[0].question.text for chosen in first} == {q.text for q in inquest.questions}


async def test_no_question_twice_in_a_dialogue() -> None:
    inquest = (await build(RULES).inquire([TEXT], [Kind.WH]))[0]
    asked: set[str] = set()
    seen = []
    for turn in range(10):
        for chosen in select(inquest, [Kind.WH], [0], 1, asked, Random(turn)):
            asked.add(chosen.key)
            seen.append(chosen.question.text)
    assert sorted(seen) == sorted(q.text for q in inquest.questions)
    assert duplicates(inquest, [Kind.WH], asked) == len(seen)


async def test_kinds_are_drawn_evenly_and_counted_together() -> None:
    kinds = [Kind.WH, Kind.YES_NO_TRUE, Kind.YES_NO_FALSE, Kind.ASK_TWICE, Kind.PARAPHRASE]
    inquest = (await build(RULES).inquire([TEXT], kinds))[0]
    drawn = [select(inquest, kinds, [0, 2], 1, set(), Random(s))[0] for s in range(500)]
    for kind in kinds:
        assert 60 < sum(c.kind is kind for c in drawn) < 140
    assert 200 < sum(c.distance == 2 for c in drawn) < 300
    assert len(select(inquest, kinds, [0], 3, set(), Random(1))) == 3


async def test_all_asks_everything_at_every_distance() -> None:
    inquest = (await build(RULES).inquire([TEXT], [Kind.WH]))[0]
    chosen = select(inquest, [Kind.WH], [0, 1, 2], "all", set(), Random(1))
    assert len(chosen) == 3 * len(inquest.questions)


async def test_about_partner_comes_from_the_partner_alone() -> None:
    own, partner = await build(RULES).inquire([TEXT, "i have nine cats"], [Kind.WH, Kind.ABOUT_PARTNER])
    kinds = [Kind.WH, Kind.ABOUT_PARTNER]
    result = candidates(own, kinds, set(), partner)
    assert [q.text for q in result if q.kind is Kind.ABOUT_PARTNER] == ["How many cats do I have?"]
    assert not [q for q in candidates(own, kinds, set()) if q.kind is Kind.ABOUT_PARTNER]


async def test_nothing_to_choose_from() -> None:
    inquest = (await build(RULES).inquire(["hello"], [Kind.WH]))[0]
    assert select(inquest, [Kind.WH], [0], 1, set(), Random(1)) == []
    assert select(inquest, [Kind.WH], [0], "all", set(), Random(1)) == []


# --- what made a question, and which facts are preferred


async def test_a_question_says_what_made_it() -> None:
    text = "hello there. i have two dogs and i like to paint"
    inquest = (await build(RULES).inquire([text], [Kind.WH, Kind.YES_NO_TRUE]))[0]
    by_text = {q.text: q for q in inquest.questions}
    dogs = by_text["How many dogs do you have?"]
    assert (dogs.rule, dogs.single_answer) == ("number", True)
    assert dogs.clause and text[slice(*dogs.clause)].startswith("i have two dogs")
    assert dogs.span and text[slice(*dogs.span)] == "two"
    assert by_text["What do you like to do?"].single_answer is False
    assert by_text["Do you have two dogs?"].single_answer is True


async def test_single_valued_facts_are_asked_first() -> None:
    kinds = [Kind.WH, Kind.YES_NO_TRUE]
    both, several = await build(RULES).inquire(
        ["i like to paint and i live in ohio", "i like to paint"], kinds
    )
    for seed in range(20):
        [first] = select(both, kinds, [0], 1, frozenset(), Random(seed), prefer="single")
        assert first.question.text == "Where do you live?"
        [only] = select(several, kinds, [0], 1, frozenset(), Random(seed), prefer="single")
        assert only.question.text == "Do you like to paint?"
    drawn = [select(both, kinds, [0], 1, frozenset(), Random(seed))[0].question.text for seed in range(40)]
    assert "What do you like to do?" in drawn


async def test_several_valued_facts_are_asked_openly_only_without_yes_no_questions() -> None:
    [report] = await build(RULES | {"min_score": 0}).inquire(["i like to paint"], [Kind.WH])
    assert [q.single_answer for q in report.questions] == [False]
    assert select(report, [Kind.WH, Kind.YES_NO_TRUE], [0], 1, frozenset(), Random(1), prefer="single") == []
    assert len(select(report, [Kind.WH], [0], 1, frozenset(), Random(1), prefer="single")) == 1


async def test_other_kinds_are_drawn_beside_the_preferred_facts() -> None:
    kinds = [Kind.WH, Kind.ASK_TWICE]
    [report] = await build(RULES).inquire(["i live in ohio"], kinds)
    drawn = {
        select(report, kinds, [0], 1, frozenset(), Random(seed), prefer="single")[0].kind
        for seed in range(20)
    }
    assert drawn == set(kinds)


async def test_without_a_preference_the_draw_is_the_old_one() -> None:
    [report] = await build(RULES).inquire(["i like to paint and i live in ohio"], [Kind.WH])
    wh = [Kind.WH]
    texts = [select(report, wh, [0], 1, frozenset(), Random(seed))[0].question.text for seed in range(3)]
    entities = sorted({(q.entity.start, q.entity.end) for q in report.questions})
    for seed, text in enumerate(texts):
        draw = Random(seed)
        draw.choice(wh)
        place = draw.choice(entities)
        assert text in [q.text for q in report.questions if (q.entity.start, q.entity.end) == place]
