"""A second tournament under one tag is made known, with the keys that would have kept the first one's behaviour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.config.resolve import parse
from arena.core.errors import InputError
from arena.play.same_tag import notes
from tests.support.tournaments import MOODY, STEADY, play, store, text


def test_the_first_of_a_tag_and_its_resumption_are_nothing_special(tmp_path: Path) -> None:
    repository = store(tmp_path)
    tournament, _ = play(repository, text(dialogues=1))
    assert list(notes(parse(text(release="other")), repository.tournaments())) == []
    assert list(notes(tournament, repository.tournaments())) == []


@pytest.mark.parametrize(
    ("changes", "pin"),
    [
        ({"more": "on_loop: nudge"}, "on_loop: keep"),
        ({"more": "on_loop: keep\nlimits: {retries: 5}"}, "limits.retries: 2"),
        ({"more": "on_loop: keep", "openers": "[hi, hello]"}, "openers: [hello]"),
        ({"more": "on_loop: keep", "turns": 2}, "turns: 1"),
        ({"more": "on_loop: keep", "inquirer": "{entities: rules, top: 2}"}, "inquirer.top: 1"),
    ],
)
def test_keys_that_differ_are_named_with_their_old_values(
    changes: dict[str, Any], pin: str, tmp_path: Path
) -> None:
    repository = store(tmp_path)
    before: dict[str, Any] = {"dialogues": 1, "turns": 1, "more": "on_loop: keep"}
    first, _ = play(repository, text(**before))
    again = parse(text(**before | changes))
    sentences = list(notes(again, repository.tournaments()))
    assert (
        f"has a tournament already, the newest {first.info.id}" in sentences[0]
        and again.info.id in sentences[0]
    )
    assert sentences[1] == f"In {first.info.id} it was: {pin}. Write that into the file to go on as before."


def test_a_changed_bot_is_named(tmp_path: Path) -> None:
    repository = store(tmp_path)
    play(repository, text(dialogues=1, turns=1))
    changed = MOODY.replace("0.3", "0.1")
    sentences = list(notes(parse(text(STEADY, changed, dialogues=1, turns=1)), repository.tournaments()))
    assert "bot 'moody' fickleness: 0.3" in sentences[1]


def test_commands_take_the_newest_of_a_tag_and_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = store(tmp_path)
    first, _ = play(repository, text(dialogues=1))
    second, _ = play(repository, text(dialogues=2))
    with pytest.raises(SystemExit):
        main(["leaderboard", "r1", "--db", f"sqlite:///{tmp_path / 'arena.db'}", "--json"])
    printed = capsys.readouterr()
    assert f'"tournament": "{second.info.id}"' in printed.out
    assert f"this is the newest, {second.info.id} (the others, newest first: {first.info.id})" in printed.err


def test_the_beginning_of_several_ids_is_refused(tmp_path: Path) -> None:
    repository = store(tmp_path)
    ids = {}
    for seed in range(40):
        tournament = parse(text(seed=seed, release=f"r{seed}"))
        repository.add_tournament(tournament.info, float(seed))
        ids.setdefault(tournament.info.id[0], []).append(tournament.info.id)
    letter = next(letter for letter, some in ids.items() if len(some) > 1)
    with pytest.raises(InputError, match=f"'{letter}' is the beginning of several ids"):
        repository.find(letter)
