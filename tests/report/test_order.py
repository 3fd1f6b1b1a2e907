"""Every view lists the bots by rank, then by rate, though ranks come from differences and not from rates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update
from streamlit.testing.v1 import AppTest

import arena
import ui
from arena.cli import app
from db.repository import Repository
from db.session import writing
from db.tables import DIALOGUES, INQUIRIES, SCHEDULE, VERDICTS
from tests.support import tournaments as play
from tests.ui import listed

BOTS = tuple(
    f"  - {{name: {name}, adapter: scripted, sheet_seed: {n}}}"
    for n, name in enumerate(("moody", "new", "calm"))
)
ORDER = ["calm", "new", "moody"]  # ranks 1, 1, 2: nobody is surely below the few dialogues of `new`
FEW = 4  # of its dialogues with each speaker are judged


def judge_as_wanted(store: Repository) -> None:
    """As if the judge had reported rates of 0, 0.2 and 0.25, and had failed on most dialogues of `new`."""
    rows = (
        select(INQUIRIES.c.id, SCHEDULE.c.tested, SCHEDULE.c.number)
        .join(DIALOGUES, DIALOGUES.c.id == INQUIRIES.c.dialogue)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
    )
    with writing(store.engine) as connection:
        for inquiry, bot, number in connection.execute(rows).all():
            known = bot != "new" or number < FEW
            score = {"calm": 0.0, "moody": float(number % 5 == 0), "new": float(number == 0)}[bot]
            connection.execute(
                update(VERDICTS)
                .where(VERDICTS.c.inquiry == inquiry)
                .values(contradiction=score if known else None, reason=None if known else "timeout")
            )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("order")
    store = play.store(folder)
    play.play(store, play.text(*BOTS, dialogues=30, turns=3))
    judge_as_wanted(store)
    return folder


def seen(lines: Iterable[str]) -> list[str]:
    """The bots in the order in which they are named first."""
    words = " ".join(lines)
    return sorted(ORDER, key=words.index)


def test_every_view_has_the_same_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = f"sqlite:///{folder / 'arena.db'}"

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, [*words, "--db", db], env={"COLUMNS": "220"})
        assert result.exception is None, result.output
        return result.stdout

    bots = json.loads(run("leaderboard", "r1", "--json"))["bots"]
    assert [(bot["bot"], bot["rank"]) for bot in bots] == [("calm", 1), ("new", 1), ("moody", 2)]
    assert bots[1]["contradiction_rate"] > bots[2]["contradiction_rate"]  # or this would test nothing

    lines = run("leaderboard", "r1").splitlines()
    start = next(n for n, line in enumerate(lines) if "rank" in line and "bot" in line)
    assert seen(lines[start:]) == ORDER

    run("export", "r1", "--format", "html", "--out", str(folder / "r.html"))
    assert seen([(folder / "r.html").read_text().partition("<tbody>")[2]]) == ORDER

    assert list(arena.open("r1", db=db).leaderboard().frame.index) == ORDER

    monkeypatch.setenv("ARENA_DB", db)
    monkeypatch.setenv("ARENA_UI_STATE", str(folder / "state"))
    page = AppTest.from_file(str(Path(ui.__file__).with_name("app.py")), default_timeout=60)
    page.run()
    page.switch_page("views/leaderboard.py")
    page.run()
    assert not page.exception
    assert list(listed.table(page)["Bot"]) == ORDER
