"""Refused questions and dialogues that broke down: the database's sums are those of the records."""

from __future__ import annotations

from collections import Counter

from db import Repository, connect
from db.conduct import conduct
from tests.support import tournaments as play

ECHO = "  - {name: echo, adapter: echo}"


def test_the_sums_are_those_of_the_records(database: str) -> None:
    store = Repository(connect(database))
    play.play(store, play.text(play.STEADY, dialogues=2, release="other"))
    source = play.text(
        play.STEADY, ECHO, play.MOODY, turns=6, dialogues=3, release="r2", more="on_loop: keep"
    )
    tournament, _ = play.play(store, source)
    refused: dict[str, Counter[str]] = {}
    signs: dict[str, Counter[str]] = {}
    broken: Counter[str] = Counter()
    collapsed: dict[str, Counter[int]] = {}
    looped: Counter[str] = Counter()
    for record in store.records(tournament.info.id):
        refused.setdefault(record.tested, Counter()).update(record.refused)
        if result := record.facts.get("tested_degenerate"):
            signs.setdefault(record.tested, Counter()).update(result)
            broken[record.tested] += 1
        if record.collapse is not None:
            collapsed.setdefault(record.tested, Counter())[record.collapse.turn] += 1
            looped[record.tested] += record.collapse.seat
    result = conduct(store, tournament.info.id)
    assert {bot: one.collapsed for bot, one in result.items() if one.collapsed} == collapsed
    assert {bot: one.looped for bot, one in result.items() if one.looped} == +looped
    assert sum(collapsed["echo"].values()) == 9 and looped["echo"]
    assert {bot: one.refused for bot, one in result.items()} == refused
    assert {bot: one.degenerate for bot, one in result.items() if one.degenerate} == signs
    assert {bot: one.degenerate_dialogues for bot, one in result.items() if one.degenerate} == broken
    assert broken == {"echo": 3} and sum(refused["moody"].values()) > 0


def test_without_an_inquirer_nothing_is_refused(database: str) -> None:
    store = Repository(connect(database))
    tournament, _ = play.play(store, play.text(inquirer="false"), judge=False)
    assert conduct(store, tournament.info.id) == {}
