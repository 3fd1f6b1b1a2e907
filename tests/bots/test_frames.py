"""Frames and personas: what a model is told, what of it is identity, and which character plays when."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.config.resolve import parse
from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.play.schedule import plans
from bots import frames, library, registry
from bots.base import Line, ReplyRequest
from bots.persona import dealt_persona, knowledge_of, persona_of

SERVED = {"model": "m", "base_url": "http://127.0.0.1:1/v1"}


def request(persona: str | None = None, knowledge: str | None = None) -> ReplyRequest:
    return ReplyRequest("d", (Line("hi", False),), 0, persona=persona, knowledge=knowledge)


def test_a_persona_is_a_persons_unless_told_otherwise() -> None:
    spec = registry.spec("b", "openai", {**SERVED, "persona": "I am Sam.\nI keep bees."})
    assert spec.settings["frame"] == "person"
    system = frames.Role.of(spec.settings).system(request(knowledge="It rains."))
    assert system is not None and "- I am Sam.\n- I keep bees.\n" in system
    assert "not an assistant" in system and system.endswith("\nIt rains.")
    assert "frame" not in registry.spec("b", "openai", SERVED).settings


def test_no_frame_is_the_bot_of_before() -> None:
    old = {**SERVED, "persona": "I am Sam."}
    spec = registry.spec("b", "openai", {**old, "frame": "none"})
    assert "frame" not in spec.settings
    assert spec.identity == registry.identity("openai", old) != registry.spec("b", "openai", old).identity
    assert frames.Role.of(spec.settings).system(request()) == "I am Sam."
    several = frames.Role.of({"persona": ["I am Sam."]})
    assert several.system(request("I am Sam.", "It rains.")) == "It rains.\nI am Sam."
    assert frames.Role.of({}).system(request()) is None


def test_a_frame_of_ones_own_has_the_persona_where_it_says() -> None:
    own = frames.Role("Speak like a pirate. {persona} Arr!", "I am Sam.")
    assert own.system(request()) == "Speak like a pirate. I am Sam. Arr!"
    assert own.system(request("I am Bo.")) == "Speak like a pirate. I am Bo. Arr!"
    assert frames.Role("Be brief.", "I am Sam.").system(request()) == "Be brief.\nI am Sam."
    assert frames.Role("Be brief.", None).system(request()) == "Be brief."
    assert frames.NOBODY in (frames.Role.of({"frame": "person"}).system(request()) or "")


def test_a_frame_may_begin_with_messages_of_its_own() -> None:
    own = frames.Role("You are a pirate. {persona}{before}\nAre you ready?\nArr!", "I am Sam.")
    assert own.system(request()) == "You are a pirate. I am Sam."
    start = [Line("Are you ready?", False), Line("Arr!", True)]
    assert own.lines([Line("Hi", False)]) == [*start, Line("Hi", False)]
    # the sides take turns also where the bot itself opens the dialogue
    assert own.lines([Line("Hi", True)]) == [*start, Line(frames.ASIDE, False), Line("Hi", True)]
    for frame in ("person", "assistant", "none"):
        assert frames.Role.of({"frame": frame}).lines([Line("Hi", False)]) == [Line("Hi", False)]
    person = frames.Role.of({"frame": "person-by-example", "persona": "I am Sam."})
    assert [line.mine for line in person.lines([Line("Hi", False)])] == [False, True, False]
    assert frames.BEFORE not in (person.system(request()) or "")


def test_the_notes_of_a_frame_take_turns_below_the_message_to_answer() -> None:
    own = frames.Role("Be {persona}.{before}\nReady?\nYes.{after}\nAsk of one.\n\nAsk of two.", "Sam")
    assert own.system(request()) == "Be Sam."
    history: list[Line] = [Line("Hi", False)]
    noted = []
    for _ in range(4):
        asked = ReplyRequest("d", tuple(history), 0)
        note = own.note(asked)
        lines = own.lines(history, note)
        assert lines[:2] == [Line("Ready?", False), Line("Yes.", True)]
        assert lines[2:-1] == history[:-1]
        assert lines[-1] == Line(f"{history[-1].text}\n\n{note}", False)
        assert own.note(ReplyRequest("d", tuple(history), 0, fork=True)) is None  # nothing follows an inquiry
        noted.append(note)
        history += [Line("I do.", True)]
        partners = own.note(ReplyRequest("d", tuple(Line(line.text, not line.mine) for line in history), 0))
        assert partners != note  # both sides go through the notes, one behind the other
        history += [Line("And?", False)]
    assert set(noted) <= {"Ask of one.", "Ask of two."}
    starts = {own.note(ReplyRequest("d", (Line(f"opener {n}", False),), 0)) for n in range(20)}
    assert starts == {"Ask of one.", "Ask of two."}
    assert frames.Role("Be brief.", None).note(request()) is None


def test_in_a_dialogue_no_side_is_told_a_shipped_subject_twice() -> None:
    role = frames.Role.of({"frame": "person-with-subjects", "persona": "I am Sam."})
    told = []
    for count in range(1, 31):  # the messages that are answered in 15 turns
        history = tuple(Line("Hi", mine=(count - place) % 2 == 0) for place in range(count))
        note = role.note(ReplyRequest("d", history, 0))
        assert note is not None and "ask me about" in note
        told.append(note)
    assert len(set(told)) == 30
    system = role.system(request())
    assert system is not None and "I am Sam." in system and frames.AFTER not in system
    assert "ask me about" not in str(role.lines([Line("Hi", False)]))


def test_a_model_without_instructions_gets_the_bare_persona() -> None:
    settings = {"frame": "person", "persona": "I am Sam."}
    assert frames.Role.of(settings, instructed=False).system(request()) == "I am Sam."


def test_the_words_of_a_frame_are_part_of_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {**SERVED, "persona": "I am Sam.", "frame": "person"}
    before = registry.identity("openai", settings)
    assert registry.identity("openai", {**settings, "frame": frames.TEXTS["person"]}) == before
    monkeypatch.setitem(frames.TEXTS, "person", "You are a person. {persona}")
    assert registry.identity("openai", settings) != before


# ── the library ───────────────────────────────────────────────────────────────────────────────────


def test_the_library_holds_sixty_characters_that_differ() -> None:
    facts = [character.splitlines() for character in library.characters()]
    assert len(facts) >= 60 and all(5 <= len(some) <= 8 for some in facts)
    times = Counter(fact.lower() for some in facts for fact in some)
    assert sum(n for n in times.values() if n > 1) <= 0.05 * sum(times.values())
    assert len({some[0] for some in facts}) == len(facts)


def test_one_character_is_its_text() -> None:
    text = library.characters()[16]
    spec = registry.spec("b", "openai", {**SERVED, "persona": "library:17"})
    assert spec.settings["persona"] == text
    assert spec.identity == registry.spec("c", "openai", {**SERVED, "persona": text}).identity
    for wrong in ("library:0", "library:9999", "library:x"):
        with pytest.raises(InputError, match="1 to"):
            registry.spec("b", "openai", {**SERVED, "persona": wrong})


DRAWN = """
seed: {seed}
dialogues_per_pair: 70
bots: [{{name: a, adapter: scripted, persona: library}}, {{name: b, adapter: scripted, persona: library}}]
inquirer: false
judges: [truth]
"""


def test_every_dialogue_has_characters_of_its_own() -> None:
    some = list(plans(parse(DRAWN.format(seed=1))))
    size = len(library.characters())
    for speaker in "ab":
        for tested in "ab":
            pair = [p for p in some if (p.speaker.name, p.tested.name) == (speaker, tested)]
            assert len({p.drawn[1] for p in pair[:size]}) == size
            assert all(p.drawn[0] != p.drawn[1] for p in pair)
    # all that one speaker talks with play the same characters
    assert [p.drawn for p in some if p.tested.name == "a"] == [p.drawn for p in some if p.tested.name == "b"]
    assert [p.drawn for p in some] != [p.drawn for p in plans(parse(DRAWN.format(seed=2)))]
    assert len({p.key for p in some}) == len(some)


def test_a_drawn_character_is_part_of_the_key_and_the_library_of_the_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = next(plans(parse(DRAWN.format(seed=1) + "on_loop: keep\n")))
    old = (plan.speaker.identity, plan.tested.identity, plan.opener, plan.seed, plan.turns, plan.inquirer)
    assert plan.key != digest(*old)[:32]
    before = registry.identity("scripted", {"persona": "library"})
    monkeypatch.setattr(library, "characters", lambda: ("I am Bo.", "I am Cy."))
    assert registry.identity("scripted", {"persona": "library"}) != before


def test_texts_are_dealt_in_turn() -> None:
    settings = {"persona": ["I am Bo.", "I am Cy."], "knowledge": "It rains."}
    assert [dealt_persona(settings, n) for n in range(3)] == ["I am Bo.", "I am Cy.", "I am Bo."]
    assert knowledge_of(settings, 5) == "It rains." and knowledge_of({}, 0) is None
    assert persona_of({"persona": "I am Di."}, 3) == "I am Di."
    assert dealt_persona({"persona": "I am Di."}, 3) is None
    assert persona_of({"persona": "library"}, 0) is None
    assert library.dealt({"persona": "library"}, 1) in library.characters()
