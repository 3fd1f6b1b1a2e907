"""Any tree in a tournament file is a tournament or one clear sentence with its line, never a traceback."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from arena.config.resolve import parse
from arena.config.tournament import Tournament, restore
from arena.core.errors import ArenaError, InputError
from arena.core.hashing import canonical
from arena.play.schedule import plan
from tests.fuzz.examples import tried
from tests.fuzz.sentences import is_sentence
from tests.fuzz.trees import places, spoilt, trees

SOUND: dict[str, Any] = {
    "release": "2026.11",
    "seed": 7,
    "turns": 3,
    "dialogues_per_pair": 2,
    "pairs": [["a", "b"], ["b", "a"]],
    "openers": ["hello", "hi"],
    "bots": [
        {"name": "a", "adapter": "scripted", "fickleness": 0.3, "sheet_seed": 1},
        {"name": "b", "adapter": "echo", "persona": "You are Sam.", "knowledge": ["x", "y"]},
        {"name": "c", "adapter": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"},
        {"name": "d", "adapter": "http", "url": "http://127.0.0.1:1"},
    ],
    "inquirer": {"entities": "rules", "questions": "rules", "kinds": ["wh"], "distances": [0], "per_turn": 1},
    "judges": ["truth", {"name": "words", "judge": "lexical", "tau": 0.4}],
    "tau": 0.5,
    "budget": {"max_cost": 5.0},
    "limits": {"reply_seconds": 3, "reply_chars": 100, "retries": 1},
}
SMALL: dict[str, Any] = {
    "bots": [{"name": "a", "adapter": "scripted"}],
    "inquirer": {"entities": "rules"},
    "judges": ["truth"],
}
BOTS: list[dict[str, Any]] = [
    {"name": "a", "adapter": "scripted", "fickleness": 0.3},
    {"name": "a", "adapter": "echo", "persona": "x"},
    {"name": "a", "adapter": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", "decoding": {}},
    {"name": "a", "adapter": "http", "url": "http://127.0.0.1:1"},
    {"name": "a", "adapter": "faulty", "raises": 0.1},
    {"name": "a", "adapter": "hf", "model": "./nowhere", "decoding": {"top_p": 0.9}},
    {"name": "a", "adapter": "human"},
]
JUDGES: list[dict[str, Any]] = [
    {"name": "j", "judge": "lexical"},
    {"name": "j", "judge": "nli", "model": "roberta-large-mnli", "format": "aih"},
    {"name": "j", "judge": "overlap"},
    {"name": "j", "judge": "hybrid"},
    {"name": "j", "judge": "llm", "bot": "a"},
    {"name": "j", "judge": "ensemble", "judges": ["lexical", "overlap"]},
    {"name": "j", "judge": "q2"},
    {"name": "j", "judge": "begin"},
]
ASKING: list[dict[str, Any]] = [
    {"entities": {"use": "rules"}, "questions": ["rules", {"use": "llm", "bot": "a"}], "round_trip": False},
    {
        "entities": "rules",
        "questions": {"use": "rules"},
        "kinds": ["wh", "yes_no"],
        "distances": [0, 2],
        "top": 2,
    },
    {"entities": "rules", "per_turn": "all", "kinds": ["ask_twice", "about_partner"]},
]
KEYS = [
    "name", "adapter", "use", "file", "model", "judge", "tau", "entities", "kinds", "bots", "turns", "pairs", "url",
    "decoding", "memory", "resources", "persona", "knowledge", "bot", "base_url", "api_key_env", "rate_limit", "id",
]  # fmt: skip
WORDS = [
    "all", "rules", "scripted", "truth", "nli", "echo", "a", "b", "wh", "yes_no", "hybrid:compat", "llm", "ensemble",
    "q2", "begin", "human", "faulty", "hf", "embedded:smollm2-135m", "llm:a", "", "\x00", "\ud83d", "=1+1",
]  # fmt: skip
values = trees(WORDS, KEYS)


def bases(tree: dict[str, Any]) -> st.SearchStrategy[Any]:
    """The sound file, or a small one that holds one bot, judge and inquirer of many sorts."""
    small = st.builds(
        lambda bot, judge, asking: {**SMALL, "bots": [bot], "judges": [judge], "inquirer": asking},
        st.sampled_from(BOTS), st.sampled_from(["truth", *JUDGES]), st.sampled_from([False, *ASKING]),
    )  # fmt: skip
    return st.one_of(st.just(tree), small, small, small)


def holds(source: str) -> None:
    """A tournament that can be stored and found again, or a sentence with the place."""
    try:
        tournament = parse(source)
    except ArenaError as error:
        assert is_sentence(str(error)), str(error)
        if isinstance(error, InputError):
            assert str(error).startswith("the file, line "), str(error)
        return
    assert isinstance(tournament, Tournament)
    assert restore(tournament.info) == tournament
    canonical(dict(tournament.info.config)).encode("utf-8")
    bots = {bot.name: bot for bot in tournament.bots}
    i, j = tournament.pairs[0]
    assert plan(tournament, bots[i], bots[j], 0).key


@tried(250)
@given(spoilt(bases(SOUND), values, KEYS))
def test_a_spoilt_file_is_told_in_one_sentence(tree: Any) -> None:
    holds(yaml.safe_dump(tree, allow_unicode=True))


@tried(100)
@given(st.dictionaries(st.sampled_from(list(SOUND)) | st.text(max_size=5), values, max_size=6) | values)
def test_any_tree_is_told_in_one_sentence(tree: Any) -> None:
    holds(yaml.safe_dump(tree, allow_unicode=True))


@tried(150)
@given(st.text(max_size=60) | st.text(alphabet="{}[]:,-&*!|>#'\"%@ \n\tab1.", max_size=40))
def test_any_text_is_told_in_one_sentence(source: str) -> None:
    holds(source)


@tried(100)
@given(
    st.sampled_from(places(SOUND)),
    st.sampled_from(["\t", "- ", ": ", "}", "'", "&a ", "*a", "!!python/name:os "]),
)
def test_a_slip_of_the_pen_is_told_with_its_line(path: tuple[Any, ...], slip: str) -> None:
    lines = yaml.safe_dump(SOUND).splitlines()
    at = next(n for n, line in enumerate(lines) if str(path[-1]) in line or n == len(lines) - 1)
    lines[at] = slip + lines[at]
    holds("\n".join(lines))


def test_the_sound_file_is_sound() -> None:
    assert re.fullmatch(r"[0-9a-f]{12}", parse(yaml.safe_dump(SOUND)).info.id)


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        ("2026.11", "put quotes around it"),
        ("!!binary aGk=", "write a plain text or number"),
        (r'"\ud83d"', "remove it"),
        (r'"\0"', "remove it"),
    ],
)
def test_what_no_release_can_be_is_told_with_the_cure(value: str, cure: str) -> None:
    with pytest.raises(InputError, match=rf"^the file, line 2.*{cure}\.$"):
        parse(f"bots: [{{name: a, adapter: echo}}]\nrelease: {value}")


@pytest.mark.parametrize("number", [".inf", "-.inf", ".nan", "1.0e+400"])
def test_numbers_that_are_none_are_named(number: str) -> None:
    with pytest.raises(InputError, match=r"line 1: .* give a finite one"):
        parse(f"budget: {{max_cost: {number}}}")


def test_a_date_is_a_release_tag() -> None:
    source = "bots: [{name: a, adapter: echo}]\ninquirer: false\njudges: [truth]\nrelease: 2026-11-01"
    assert parse(source).info.release == "2026-11-01"
