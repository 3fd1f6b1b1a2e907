"""What the pages compute once, and when they compute it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.types import Judgement
from arena.results.view import View
from tests.support import tournaments as play
from tests.ui.conftest import Played
from ui import results


def test_a_finished_tournament_is_read_once_while_another_is_judged(
    own: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DB", own.url)
    first = own.store.find(own.first)
    before = results.view(first, "truth")
    stamp = results.stamp(own.first)
    play.play(own.store, play.text(release="another"))
    assert results.stamp(own.first) != stamp  # somebody's verdicts were added
    assert results.view(first, "truth") is before


def test_an_unfinished_judge_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play.store(tmp_path)
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'arena.db'}")
    tournament, _ = play.play(store, play.text(dialogues=2), judge=False)
    stored = store.find(tournament.info.id)
    judge = store.judge_id("truth", "1", 0.5)
    cases = store.unjudged(stored.id, judge, 0, 10_000)
    store.add_verdicts(judge, [(one.inquiry, Judgement(0.0)) for one in cases[:3]])
    assert scored(results.view(stored, "truth")) == 3
    store.add_verdicts(judge, [(one.inquiry, Judgement(0.9)) for one in cases[3:]])
    assert scored(results.view(stored, "truth")) == len(cases) > 3


def scored(seen: View) -> int:
    return int((seen.inquiries.score >= 0).sum())
