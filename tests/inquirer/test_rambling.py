"""What is not asked of a long reply, by its reason, and that a short one is left alone."""

from __future__ import annotations

import pytest

from arena.core.errors import InputError
from arena.core.types import Kind
from inquirer import build

RULES = {"entities": "rules", "questions": "rules"}
BEFORE = "oh that is so nice of you , thank you very much for asking me about it today . "


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("by the way i live in a house with", "cut_off"),
        ("he lives in ohio .", "not_the_speaker"),
        ("i want to help .", "pleasantry"),
        ('i live in ohio " .', "unreadable"),
    ],
)
async def test_a_long_reply_is_asked_less(said: str, reason: str) -> None:
    inquest = (await build(RULES).inquire([BEFORE + said], [Kind.WH]))[0]
    assert not inquest.questions
    assert inquest.refused[reason] >= 1


@pytest.mark.parametrize(
    "said",
    [
        "i can recommend a second option .",  # nothing that is so
        "my home is the language of music to me .",  # a figure of speech
        "we find joy in just about every aspect of life .",
        "i am just back in the ocean .",
        "i have been making plans to meet up for a week now .",  # more than one would ask
        "i love the phrase .",  # which?
        "the moon still rings my grave .",
        "i am not sure i am ready to run a marathon .",
        "i have a special diet .",
        "i made a mistake .",
        "i apologize for the confusion .",
        "i light up with a lazy smile .",
        "i want to read a sentence like that .",
        "we have a lot of talent .",
        "i have met my friend on the island of malta .",
        "my name is awesome .",
        "my name is Mr .",
        "i am a hitter .",
        "i am your ai assistant .",
        "i am so happy that you are here .",
        "i love custom , designs .",
        "i have the right mindset .",
        "i have missed a birthday .",
        "we are like brothers in a village .",
        "i am from the church .",
        "i love all things cats .",
        "my passion is incredible .",
        "my first job was last year .",
        "i am going to spend my days just fine .",
        "i am passionate about empowering people through music .",
        "i am struggling with pain in my back .",
        "i am inspired by their story .",
        "i am an idealist .",
        "i am a scientist . i am not a scientist .",
        "i will make a difference .",
        "i would wear a hat .",
    ],
)
async def test_what_is_not_plain_is_not_asked(said: str) -> None:
    inquest = (await build(RULES).inquire([BEFORE + said], [Kind.WH, Kind.PARAPHRASE]))[0]
    assert not inquest.questions
    assert inquest.refused["unsure"] >= 1


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("my name is katrina .", "What is your name?"),
        ("i am a doctor .", "What do you do for a living?"),
        ("i live in ohio .", "Where do you live?"),
        ("i have two dogs .", "How many dogs do you have?"),
        ("i love playing outside with my family .", "What do you love doing?"),
        ("my favorite movie is jaws .", "What is your favorite movie?"),
        ("i have been working as a nurse for ten years .", "How long have you been working as a nurse?"),
        ("i play the guitar .", "What instrument do you play?"),
        ("i am from boston .", "Where are you from?"),
        ("i am a friendly person .", "How would you describe yourself?"),
        ("i am so happy .", "How are you feeling?"),
        ("my dad was a soldier .", "What did your dad do for a living?"),
        ("i just love rabbits .", "What animal do you love?"),
        ("i went to a dog grooming shop and i saw a bat .", "Where did you go?"),
        ("i would love to go to france .", "Where would you love to go?"),
        ("i am working on a new project .", "What are you working on?"),
        ("i am really into music .", "What are you into?"),
        ("we were friends for 30 years , we lived in ohio for 10 years .", "How long did you live in ohio?"),
        ("i am looking for a guitarist .", "What are you looking for?"),
        ("my favorite hobby is playing guitar .", "What is your favorite hobby?"),
        ("i am struggling with the new drug .", "What are you struggling with?"),
        ("i am a bit stressed out .", "How are you feeling?"),
        ("i love to paint , and i have a dream .", "What do you love to do?"),
        ("my age is 33 .", "What is your age?"),
        ("i just got home from the hospital .", "Where did you get home from?"),
        ("i live in a small town in the state of ohio .", "Where do you live?"),
        (
            "i have always been fascinated by the history of chess .",
            "What have you always been fascinated by?",
        ),
        ("i am still married .", "What is your relationship status?"),
        ("i am rather fond of my job .", "What are you rather fond of?"),
        ("we are going to the baby shower next week .", "When are you going to the baby shower?"),
        ("i am a percussionist in a band .", "What do you do for a living?"),
        ("i love my big family .", "Who do you love?"),
        ("i just returned from my wedding .", "Where did you return from?"),
        ("i love exploring the world .", "What do you love doing?"),
        ("i made some soup .", "What food did you make?"),
        ("i have always been fascinated by dreams .", "What have you always been fascinated by?"),
        ("i am excited about my new class and i love you .", "What are you excited about?"),
    ],
)
async def test_what_is_plain_is_asked(said: str, question: str) -> None:
    inquest = (await build(RULES).inquire([BEFORE + said], [Kind.WH]))[0]
    assert question in [q.text for q in inquest.questions]


@pytest.mark.parametrize("kind", [Kind.PARAPHRASE, Kind.ASK_TWICE, Kind.YES_NO_TRUE, Kind.YES_NO_FALSE])
async def test_plain_facts_are_asked_in_every_way(kind: Kind) -> None:
    said = ["i live in ohio .", "i am 30 years old .", "i have two dogs ."]
    inquests = await build(RULES).inquire([BEFORE + fact for fact in said], [kind])
    assert all(inquest.questions for inquest in inquests)


async def test_what_a_long_reply_says_of_its_speaker_is_asked() -> None:
    inquest = (await build(RULES).inquire([BEFORE + "i moved to chicago in 2010 ."], [Kind.WH]))[0]
    assert "When did you move to chicago?" in [q.text for q in inquest.questions]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("i'd love to help . what's on your mind ?", "pleasantry"),
        ("Na ta mbabek ei ita sing ang bangang", "unreadable"),
    ],
)
async def test_a_short_one_is_asked_less_only_where_it_says_nothing(said: str, reason: str) -> None:
    inquest = (await build(RULES).inquire([said], [Kind.WH]))[0]
    assert not inquest.questions
    assert inquest.refused[reason] >= 1


async def test_a_short_one_is_left_alone() -> None:
    inquest = (await build(RULES).inquire(["he lives in ohio ."], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["Where does he live?"]


async def test_how_much_of_a_long_reply_is_asked_is_a_setting() -> None:
    doubtful = BEFORE + "i am not sure i am ready to run a marathon in boston ."
    helpful = BEFORE + "i want to help ."
    asked = {}
    for much in ("sure", "meant", "all"):
        found = await build(RULES | {"long_replies": much}).inquire([doubtful, helpful], [Kind.WH])
        asked[much] = [bool(inquest.questions) for inquest in found]
    assert asked["sure"] == [False, False]
    assert asked["meant"] == [True, False]
    assert asked["all"] == [True, True]
    assert len({build(RULES | {"long_replies": much}).revision for much in asked}) == 3


def test_an_unknown_amount_is_told() -> None:
    with pytest.raises(InputError, match="one of sure, meant, all"):
        build(RULES | {"long_replies": "some"})
