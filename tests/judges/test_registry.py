"""Judges by name, with settings that are checked."""

from __future__ import annotations

import pytest

from arena.core.errors import InputError
from judges import registry


def test_built_in_judges_are_registered() -> None:
    assert {"truth", "lexical"} <= set(registry.names())


def test_a_judge_has_the_name_it_was_given_and_its_own_tau() -> None:
    created = registry.create("mine", "lexical")
    assert (created.name, created.tau) == ("mine", 0.5)
    assert registry.create("mine", "lexical", tau=0.15).tau == 0.15


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'lexical'"):
        registry.create("x", "lexicl")


def test_a_wrong_setting_is_named() -> None:
    with pytest.raises(InputError, match="'lexical' has no setting 'modl'"):
        registry.create("x", "lexical", {"modl": "y"})


def test_a_wrong_tau_is_refused() -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        registry.create("x", "lexical", tau=1.5)


def test_nothing_may_stand_behind_the_colon_of_a_judge_without_shorthand() -> None:
    with pytest.raises(InputError, match="nothing after a colon"):
        registry.create("x", "lexical:y")


def test_an_entry_is_a_name_or_a_mapping() -> None:
    assert registry.spec("lexical").judge == "lexical"
    named = registry.spec({"name": "floor", "judge": "lexical", "tau": 0.4})
    assert (named.name, named.judge, named.tau) == ("floor", "lexical", 0.4)
    with pytest.raises(InputError, match="needs `judge:`"):
        registry.spec({"tau": 0.4})


def test_a_judge_may_be_a_bot_of_the_tournament() -> None:
    bots = {"parrot": {"adapter": "echo"}}
    assert registry.spec("llm:parrot", bots).settings["bot"] == {"adapter": "echo"}
    assert registry.spec({"judge": "llm", "bot": "parrot"}, bots).settings["bot"] == {"adapter": "echo"}
    assert registry.spec("llm:echo", bots).settings["bot"] == "echo"


def test_the_name_is_no_part_of_the_revision() -> None:
    assert registry.create("a", "lexical").revision == registry.create("b", "lexical").revision
    assert registry.revision("lexical") == registry.create("a", "lexical").revision


@pytest.mark.parametrize("name", ["truth", "lexical"])
def test_every_judge_describes_itself(name: str) -> None:
    factory = registry.factory(name)
    assert factory.available()[0] is True
    assert factory.describe({})["what"]


@pytest.mark.parametrize("name", ["nli", "nli:small", "nli:large"])
def test_the_embedded_judges_describe_the_threshold_that_they_use(name: str) -> None:
    base, settings = registry.parse(name)
    assert registry.factory(base).describe(settings)["tau"] == registry.create(name, name).tau
