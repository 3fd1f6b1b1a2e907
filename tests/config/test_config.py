"""Configurations: what is written out, and what every mistake says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.config.resolve import load, parse
from arena.config.tournament import restore
from arena.core.errors import InputError
from tests.support.tournaments import text

MINIMAL = "bots: [{name: a, adapter: echo}]\ninquirer: {entities: rules}\njudges: [truth]\n"

BROKEN = {
    "wrong key": ("turn: 3\n" + MINIMAL, "line 1, turn", "did you mean 'turns'?"),
    "wrong type": (MINIMAL + "turns: many\n", "line 4, turns", "correct it"),
    "negative K": (MINIMAL + "turns: -1\n", "line 4, turns", "must be at least 1"),
    "zero dialogues": (MINIMAL + "dialogues_per_pair: 0\n", "line 4, dialogues_per_pair", "correct it"),
    "negative seed": (MINIMAL + "seed: -3\n", "line 4, seed", "correct it"),
    "unknown adapter": (
        "bots:\n  - {name: a, adapter: ecko}\n",
        "line 2, bots.0.adapter",
        "did you mean 'echo'?",
    ),
    "no adapter": ("bots:\n  - {name: a}\n", "line 2, bots.0.adapter", "needs an 'adapter'"),
    "no name": ("bots:\n  - {adapter: echo}\n", "line 2, bots.0.name", "give it one"),
    "wrong bot key": (
        "bots:\n  - {name: a, adapter: scripted, ficklenes: 1}\n",
        "line 2, bots.0.ficklenes",
        "did you mean 'fickleness'?",
    ),
    "wrong bot value": (
        "bots:\n  - name: a\n    adapter: scripted\n    fickleness: 2\n",
        "line 4, bots.0.fickleness",
        "correct it",
    ),
    "duplicate names": (
        "bots:\n  - {name: a, adapter: echo}\n  - {name: a, adapter: echo}\ninquirer: false\n",
        "line 3, bots.1.name",
        "rename one",
    ),
    "empty bot list": ("bots: []\n", "line 1, bots", "list at least one"),
    "no bots": ("turns: 3\n", "bots", "list at least one"),
    "missing openers file": (MINIMAL + "openers: nowhere.txt\n", "line 4, openers", "check the path"),
    "missing knowledge file": (
        "bots:\n  - {name: a, adapter: echo, knowledge: {file: nowhere.txt}}\n",
        "line 2, bots.0.knowledge",
        "check the path",
    ),
    "unknown judge": (
        "bots: [{name: a, adapter: echo}]\ninquirer: false\njudges: [truht]\n",
        "line 3, judges.0",
        "did you mean 'truth'?",
    ),
    "resources of a bot": (
        "bots:\n  - {name: a, adapter: echo, resources: {num_gpus: many}}\n",
        "line 2, bots.0.resources",
        "'resources.num_gpus' of the bot 'a' must be a number from 0",
    ),
    "resources of the inquirer": (
        "bots: [{name: a, adapter: echo}]\ninquirer: {entities: rules, resources: {replicas: 0}}\n",
        "line 2, inquirer",
        "'resources.replicas' of the inquirer must be a whole number from 1",
    ),
    "resources of a judge": (
        "bots: [{name: a, adapter: echo}]\ninquirer: false\njudges: [{judge: truth, resources: 2}]\n",
        "line 3, judges.0",
        "'resources' of the judge 'truth' must be a mapping",
    ),
    "tau above 1": (MINIMAL + "tau: 1.5\n", "line 4, tau", "correct it"),
    "unknown pair": (MINIMAL + "pairs: [[a, b]]\n", "line 4, pairs.0", "there is no bot 'b'"),
    "half a pair": (MINIMAL + "pairs: [[a]]\n", "line 4, pairs.0", "correct it"),
    "unknown extractor": (
        "bots: [{name: a, adapter: echo}]\ninquirer: {entities: rulez}\n",
        "line 2, inquirer",
        "did you mean 'rules'?",
    ),
    "unknown kind": (
        "bots: [{name: a, adapter: echo}]\ninquirer: {entities: rules, kinds: [why]}\n",
        "line 2, inquirer.kinds.0",
        "correct it",
    ),
    "inquirer key": (
        "bots: [{name: a, adapter: echo}]\ninquirer: {entity: rules}\n",
        "line 2, inquirer.entity",
        "did you mean 'entities'?",
    ),
    "bad URL": (
        "bots:\n  - {name: a, adapter: openai, model: m, base_url: 'ftp://x'}\n",
        "line 2, bots.0",
        "base_url",
    ),
    "not a mapping": ("- a\n- b\n", "line 1", "a tournament file is a mapping"),
    "not YAML": ("bots: [\n", "line 2", "not valid YAML"),
    "key twice": ("turns: 3\nturns: 4\n" + MINIMAL, "line 2", "there twice"),
    "alias loop": ("bots: &a\n  - *a\n", "line 1", "refers to itself"),
    "bad release": (MINIMAL + 'release: "a\\eb"\n', "line 4, release", "cannot be printed"),
    "budget": (MINIMAL + "budget: {max_cost: 0}\n", "line 4, budget.max_cost", "greater than 0"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_exits_with_one_sentence_that_names_the_place_and_the_cure(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, place, cure = BROKEN[name]
    file = tmp_path / "broken.yaml"
    file.write_text(source)
    with pytest.raises(SystemExit) as stop:
        main(["run", str(file), "--db", f"sqlite:///{tmp_path / 'x.db'}"])
    output = capsys.readouterr().err.strip()
    assert stop.value.code == 2
    assert place in output and cure in output, output
    assert output.count("\n") == 0 and output.startswith("Error: ")
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("where", ["http://user:hunter2@host/v1", "http://host/v1?key=hunter2"])
def test_an_address_with_a_password_in_it_is_refused_without_showing_it(where: str) -> None:
    with pytest.raises(InputError, match=r"line 1, bots\.0\.base_url") as caught:
        parse(f"bots: [{{name: a, adapter: openai, model: m, base_url: '{where}'}}]")
    assert "hunter2" not in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match="no file"):
        load("nowhere.yaml")


def test_every_default_is_written_out() -> None:
    tournament = parse(
        "bots: [{name: a, adapter: scripted}, {name: b, adapter: echo}]\ninquirer: {entities: rules}"
    )
    config = tournament.info.config
    assert (config["turns"], config["dialogues_per_pair"]) == (15, 20)
    assert len(config["openers"]) == 200 and config["opener_order"] == "drawn"
    assert config["pairs"] == [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]]
    assert config["bots"][0]["settings"] == {"fickleness": 0.0, "sheet": None, "sheet_seed": 0}
    assert [judge["name"] for judge in config["judges"]] == ["nli"]
    assert json.loads(json.dumps(config)) == config


def test_the_hash_follows_content_and_not_wording() -> None:
    same = parse("bots: [{name: a, adapter: scripted, fickleness: 0}]\nturns: 15\ninquirer: false")
    short = parse("inquirer: false\nbots:\n- name: a\n  adapter: scripted\n")
    other = parse("inquirer: false\nbots: [{name: a, adapter: scripted, fickleness: 0.1}]")
    assert same.info.config_hash == short.info.config_hash != other.info.config_hash


def test_top_level_tau_overrides_the_judges() -> None:
    source = "bots: [{name: a, adapter: echo}]\ninquirer: false\njudges: [truth, {name: l, judge: lexical, tau: 0.9}]\n"
    assert [judge.tau for judge in parse(source).judges] == [None, 0.9]
    assert [judge.tau for judge in parse(source + "tau: 0.2").judges] == [0.2, 0.2]


def test_yes_no_stands_for_both_halves() -> None:
    source = "bots: [{name: a, adapter: echo}]\ninquirer: {entities: rules, kinds: [wh, yes_no]}"
    assert [kind.value for kind in parse(source).kinds] == ["wh", "yes_no_true", "yes_no_false"]


def test_openers_and_knowledge_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "openers.txt").write_text("hi there\n\ngood morning\n")
    (tmp_path / "facts.txt").write_text("Paris is big.\n\nRome is old.\nVery old.\n")
    source = (
        "openers: openers.txt\nbots: [{name: a, adapter: echo, knowledge: facts.txt}]\n"
        "inquirer: false\njudges: [truth]"
    )
    tournament = parse(source, folder=tmp_path)
    assert tournament.openers == ("hi there", "good morning")
    assert tournament.bots[0].settings["knowledge"] == ["Paris is big.", "Rome is old.\nVery old."]


def test_a_stored_configuration_comes_back_whole() -> None:
    tournament = parse(
        text(inquirer="{entities: rules, questions: rules, kinds: [wh, ask_twice], distances: [0, 2]}")
    )
    assert restore(tournament.info) == tournament


def test_where_things_run_is_no_part_of_what_they_are() -> None:
    plain = "inquirer: {entities: rules}\nbots: [{name: a, adapter: echo}]\njudges: [lexical]\n"
    placed = (
        "inquirer: {entities: rules, resources: {num_cpus: 1}}\n"
        "bots: [{name: a, adapter: echo, resources: {num_gpus: 0.5, replicas: 2}}]\n"
        "judges: [{judge: lexical, resources: {fast_disk: 1}}]\n"
    )
    assert parse(plain).info.config_hash == parse(placed).info.config_hash
    back = restore(parse(placed).info)
    assert back == parse(placed)
    assert back.judges[0].resources == {"fast_disk": 1} and back.inquirer is not None
    assert back.inquirer["resources"] == {"num_cpus": 1}
