"""The demo: its tournament, its leaderboard, and the contradiction that it shows, played with tiny models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import app, demo
from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.play import runner
from arena.play.options import Tally
from arena.play.schedule import plans
from arena.results.highlight import clearest
from arena.results.view import view
from arena.stats.leaderboard import leaderboard
from db import Repository, connect
from tests.bots import tiny
from tests.support import tournaments as play

EMBEDDED = ("embedded:qwen2.5-coder-0.5b", "embedded:qwen2.5-coder-1.5b", "embedded:smollm2-135m")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo with tiny models, two turns and a judge that needs none."""
    folder = str(tiny.llama(tmp_path / "chat", 3))
    for name in ("DEMO", "LARGE"):
        source = getattr(demo, name)
        for model in EMBEDDED:
            source = source.replace(model, folder)
        source = source.replace("turns: 4", "turns: 2").replace(
            "dialogues_per_pair: 32", "dialogues_per_pair: 2"
        )
        source = source.replace('["nli:small", truth]', "[lexical, truth]").replace(
            "entities: stanza", "entities: rules"
        )
        source = source.replace("decoding: {", "decoding: {max_new_tokens: 6, ")
        monkeypatch.setattr(demo, name, source)


def test_it_plays_interviews_and_ends_with_a_leaderboard(small: None, tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'demo.db'}"
    shown = CliRunner().invoke(app, ["demo", "--db", db])
    assert shown.exit_code == 0, shown.output
    for name in ("qwen", "qwen-hot", "smollm2", "moody"):
        assert name in shown.output
    assert "arena leaderboard demo --judge truth --db" in shown.output and "Yield:" in shown.output
    again = CliRunner().invoke(app, ["demo", "--large", "--seed", "8", "--db", db, "--json"])
    facts = json.loads(again.stdout)
    assert facts["dialogues"]["done"] + facts["dialogues"]["failed"] == 10
    assert facts["yield"]["inquiries_per_100_replies"] is not None


def test_a_demo_that_is_stopped_shows_no_ranking(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "run", lambda store, tournament, options: _stopped(store, tournament))
    shown = CliRunner().invoke(app, ["demo", "--db", f"sqlite:///{tmp_path / 'demo.db'}"])
    assert "Stopped as asked" in shown.output and not shown.exception
    assert "What to do next" not in shown.output


def _stopped(store: Repository, tournament: Tournament) -> Tally:
    """Ctrl-C before anything was played."""
    store.add_tournament(tournament.info, 0.0)
    store.schedule(tournament.info.id, plans(tournament))
    return Tally(stopped="signal")


def test_it_has_three_settings_of_two_models_and_a_control() -> None:
    assert demo.text(seed=8).count("seed: 8") == 1
    bots = [line for line in demo.text(large=True).splitlines() if "model:" in line]
    assert [line.split()[-1] for line in bots] == [EMBEDDED[0], EMBEDDED[0], EMBEDDED[2], EMBEDDED[1]]


def test_what_is_shown_is_said_in_words(tmp_path: Path) -> None:
    store = Repository(connect(f"sqlite:///{tmp_path / 'a.db'}"))
    for dialogues, sentence in (
        (20, "Contradictions, beyond chance: steady less often than moody."),
        (2, "Beyond chance, no two bots differ"),
    ):
        tournament, _ = play.play(
            store,
            parse(play.text(release=f"of {dialogues}", turns=6, dialogues=dialogues, openers="default")),
        )
        seen = view(store, store.find(tournament.info.id))
        assert demo._shown(leaderboard(seen.inquiries, seen.judge.tau)).startswith(sentence)


def test_the_clearest_contradiction_is_one_with_a_single_answer(tmp_path: Path) -> None:
    store = Repository(connect(f"sqlite:///{tmp_path / 'a.db'}"))
    tournament, _ = play.play(store, parse(play.text(turns=6, dialogues=6)))
    best = clearest(store, tournament.info.id, "truth", ["moody"])
    assert best is not None and best.bot == "moody" and best.score == 1.0
    fickle = [
        (r.messages[i.source].text, i.question, i.answer)
        for r in store.records(tournament.info.id)
        for i in r.inquiries
        if i.facts.get("fickle")
    ]
    assert (best.source, best.question, best.answer) in fickle
    assert clearest(store, tournament.info.id, "truth", ["steady"]) is None
