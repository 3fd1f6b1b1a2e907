"""What counts as a conversation that goes round in circles, and what does not."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from bots.repetition import How, LoopWatch, stutters, words_of
from tests.support.loops import first_loop

TALK = [
    (0, "Hi there, how was your weekend?"),
    (1, "It was great, I went hiking with my brother in the mountains."),
    (0, "Nice! I stayed at home and baked bread with my two kids."),
    (1, "Fresh bread sounds wonderful. Do you bake often?"),
    (0, "Only when it rains, to be honest. What do you do for a living?"),
    (1, "I repair clocks in a small shop near the river."),
]


def test_people_who_talk_do_not_loop() -> None:
    assert first_loop(TALK) is None


def test_a_side_that_says_the_same_twice_again_loops() -> None:
    line = "That's great to hear! What's something you'd like to help with?"
    loop = first_loop([*TALK, (0, line), (1, "I see."), (0, line), (1, "Well, I like tea."), (0, line)])
    assert loop is not None and (loop.seat, loop.message, loop.how) == (0, 10, How.REPEATS)


def test_a_word_more_or_less_is_the_same() -> None:
    lines = (
        "I am glad to hear that, and I hope you have a wonderful day!",
        "I am really glad to hear that, and I hope you have a wonderful day.",
        "I am glad to hear that and I hope that you have a wonderful day",
    )
    loop = first_loop([(1, lines[0]), (0, "Thank you."), (1, lines[1]), (0, "Sure thing."), (1, lines[2])])
    assert loop is not None and loop.seat == 1


def test_who_says_back_what_the_partner_says_copies() -> None:
    sentence = [text for _, text in TALK if "?" in text]
    loop = first_loop((seat, text) for text in sentence for seat in (0, 1))
    assert loop is not None and (loop.seat, loop.how) == (1, How.COPIES)


def test_the_same_fact_about_oneself_is_no_copy_of_a_far_message() -> None:
    watch = LoopWatch()
    for seat, text in TALK:
        watch.hear(seat, text)
    watch.hear(0, "I have a brother too.")
    assert watch.hear(1, "Nice! I stayed at home and baked bread with my two kids.") is None
    assert watch.stale[-1] is None


def test_one_message_that_says_its_words_many_times_is_stale() -> None:
    assert stutters(["very"] * 4) and not stutters(["one", "two", "three", "four", "five", "six", "seven"])
    loop = first_loop(
        [(0, "hello"), (1, "so so so so so good"), (0, "what?"), (1, "no way no way no way no way")]
    )
    assert loop is not None and loop.how is How.STUTTERS


def test_short_answers_need_more_than_two() -> None:
    yes = [
        (0, "Do you like tea?"),
        (1, "Yes."),
        (0, "And coffee, too?"),
        (1, "Yes."),
        (0, "What about juice?"),
        (1, "Yes."),
    ]
    assert first_loop(yes) is None
    assert first_loop([*yes, (0, "And plain water?"), (1, "Yes.")]) is not None


def test_farewells_without_end_are_a_loop() -> None:
    bye = [(0, "Bye!"), (1, "Goodbye!")]
    assert first_loop(bye * 3) is not None


def test_a_change_of_subject_begins_the_count_anew() -> None:
    watch = LoopWatch()
    for _ in range(3):
        watch.hear(0, "I like to walk in the park with you every day.")
    watch.forget_staleness()
    assert watch.hear(0, "Let's talk about food. What do you cook?") is None
    assert watch.hear(0, "I like to walk in the park with you every day.") is None
    assert watch.hear(0, "I like to walk in the park with you every day.") is not None


def test_time_grows_with_the_length_alone() -> None:
    def seconds(messages: int) -> float:
        talk = [(n % 2, " ".join(f"w{n}x{k}" for k in range(40))) for n in range(messages)]
        begun = time.process_time()
        assert first_loop(talk) is None
        return time.process_time() - begun

    seconds(100)
    assert seconds(4000) < 30 * max(seconds(400), 1e-3)


@given(st.lists(st.tuples(st.integers(0, 1), st.text("ab .!", max_size=30)), max_size=30))
def test_a_watch_takes_every_message_and_names_the_side_that_looped(talk: list[tuple[int, str]]) -> None:
    watch = LoopWatch()
    loops = [loop for seat, text in talk if (loop := watch.hear(seat, text))]
    assert len(watch.stale) == len(talk)
    for loop in loops:
        assert loop.seat == talk[loop.message][0] and words_of(talk[loop.message][1])


def test_a_loop_in_other_words_is_a_loop() -> None:
    """Two sides that copy each other with slips and other word orders say nothing new."""
    talk = [
        "I was born and raised in Austin, Texas, where my parents lived before I moved here.",
        "Born and raised inAustin Texas I was, my parents had lived there before moving here.",
        "My parents lived in Austin before moving, and Texas is where I was born and raised.",
        "In Texas my parents lived, born and raised I was, before moving to Austin.",
    ]
    watch = LoopWatch()
    heard = [watch.hear(place % 2, text) for place, text in enumerate(talk)]
    assert heard[-1] is not None and heard[-1].how is How.COPIES
    assert heard[:2] == [None, None]


def test_a_talk_about_one_subject_is_no_loop() -> None:
    talk = [
        "I work as a gardener in Leeds and grow roses for the city's parks.",
        "Roses are lovely! I have a small garden too, but mostly tomatoes and beans.",
        "Tomatoes need warmth, so I keep mine in a greenhouse behind the house.",
        "A greenhouse would be a dream. Do your children help you with the plants?",
    ]
    watch = LoopWatch()
    assert [watch.hear(place % 2, text) for place, text in enumerate(talk)] == [None] * 4
