"""Every figure of a leaderboard is the same in terminal, report, pages and JSON, special cases included."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from arena.cli import app
from arena.core.types import Check
from arena.report import captions, documents
from arena.report.tables import percent, share
from arena.results.view import view
from arena.stats.leaderboard import leaderboard
from db.repository import Repository
from db.session import writing
from db.tables import INQUIRIES, SCHEDULE, VERDICTS
from judges import registry
from tests.support import tournaments as play
from ui import ranking, words

BOTS = (
    "  - {name: steady, adapter: scripted}",
    "  - {name: moody, adapter: scripted, fickleness: 0.5, sheet_seed: 2}",
    "  - {name: parrot, adapter: echo}",  # says nothing to ask about, and copies its own dialogues
    "  - {name: broken, adapter: faulty, empty: 0.5}",  # dialogues of its fail
    "  - {name: shy, adapter: scripted, sheet_seed: 3, persona: library}",  # evades, and draws its personas
)
DASH = "–"


class Cells(HTMLParser):
    """The texts of a page's table rows."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside and self.rows:
            self.rows[-1][-1] += data


def number(value: float | None) -> float:
    return float("nan") if value is None else value


def expected(bot: dict[str, Any]) -> dict[str, str]:
    """What people read, from the facts of the JSON."""
    rank = DASH if bot["rank"] is None else f"{'=' if bot['tied'] else ''}{bot['rank']}"
    ranks = (
        DASH
        if bot["rank"] is None
        else str(bot["rank_low"])
        if bot["rank_low"] == bot["rank_high"]
        else f"{bot['rank_low']}–{bot['rank_high']}"
    )
    low, high = number(bot["ci_low"]), number(bot["ci_high"])
    bounds = [number(bound) for bound in bot["bounds"]]
    distinct = bot["distinct_dialogues"]
    per_dialogue = [share(number(bot[f"{name}_per_dialogue"]), 2) for name in ("contradictions", "inquiries")]
    return {
        "rank": rank,
        "rate": share(number(bot["contradiction_rate"])),
        "interval": f"{share(low)}–{share(high)}" if bot["ci_low"] is not None else DASH,
        "ranks": ranks,
        "inquiries": str(bot["inquiries"]),
        "per dialogue": " of ".join(per_dialogue),
        "evasive": percent(number(bot["evasion_rate"])),
        "dialogues": str(bot["dialogues"])
        if distinct == bot["dialogues"]
        else f"{distinct} distinct of {bot['dialogues']}",
        "failed": str(bot["failed_dialogues"]),
        "asked": percent(number(bot["asked_share"])),
        "without evasions": share(number(bot["non_evasive_rate"])),
        "bounds": f"{share(bounds[0])}–{share(bounds[1])}" if bot["bounds"][0] is not None else DASH,
    }


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The tournament as JSON, as lines of the terminal, as rows of the report."""
    folder = tmp_path_factory.mktemp("same")
    store = play.store(folder)
    play.play(store, play.text(*BOTS, dialogues=8, turns=5, more="on_loop: end"))
    evading(store, "shy")
    db = f"sqlite:///{folder / 'arena.db'}"

    def arena(*words: str) -> str:
        result = CliRunner().invoke(app, [*words, "--db", db], env={"COLUMNS": "220"})
        assert result.exception is None, result.output
        return result.stdout

    arena("export", "r1", "--format", "html", "--out", str(folder / "r.html"))
    page = Cells()
    page.feed((folder / "r.html").read_text())
    return {
        "json": json.loads(arena("leaderboard", "r1", "--json")),
        "terminal": arena("leaderboard", "r1"),
        "page": page.rows,
        "html": (folder / "r.html").read_text(),
        "folder": Path(folder),
        "view": view(store, store.find("r1")),
    }


def evading(store: Repository, bot: str) -> None:
    """As if the judge had found every second answer of the bot neutral."""
    with writing(store.engine) as connection:
        mine = connection.execute(
            select(INQUIRIES.c.id)
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .where(SCHEDULE.c.tested == bot)
        ).scalars()
        neutral = {"entailment": 0.1, "neutral": 0.9, "contradiction": 0.0}
        connection.execute(
            update(VERDICTS)
            .where(VERDICTS.c.inquiry.in_(sorted(mine)[::2]), VERDICTS.c.contradiction.is_not(None))
            .values(classes=neutral, contradiction=0.0)
        )


def test_the_tournament_has_the_special_cases(shown: dict[str, Any]) -> None:
    bots = {bot["bot"]: bot for bot in shown["json"]["bots"]}
    assert bots["parrot"]["distinct_dialogues"] < bots["parrot"]["dialogues"]
    assert bots["broken"]["failed_dialogues"] > 0
    assert bots["parrot"]["replies"] < bots["parrot"]["dialogues"] * 5  # its dialogues end in loops
    assert not bots["shy"]["comparable"] and bots["shy"]["evasion_rate"] > 0.3
    assert shown["json"]["personas"] > 5 and "personas like these" in shown["json"]["scope"]
    assert any(bot["rank"] is None for bot in bots.values())
    assert any(bot["rank"] is not None for bot in bots.values())
    assert any("Copies" in note for note in shown["json"]["notes"])
    assert any("Failed dialogues" in note for note in shown["json"]["notes"])


def test_the_terminal_shows_the_figures_of_the_json(shown: dict[str, Any]) -> None:
    tables = {line.split()[0]: [] for line in shown["terminal"].splitlines() if line.split()}
    for line in shown["terminal"].splitlines():
        for bot in shown["json"]["bots"]:
            if re.match(rf"\s*(\S+\s+)?{bot['bot']}\b", line):
                tables.setdefault(bot["bot"], []).append(re.split(r"\s{2,}", line.strip()))
    for bot in shown["json"]["bots"]:
        figures = expected(bot)
        lines = [" ".join(cells) for cells in tables[bot["bot"]]]
        first = next(line for line in lines if line.startswith(f"{figures['rank']} "))
        for name in ("rate", "interval", "ranks", "inquiries", "evasive"):
            assert figures[name] in first, (bot["bot"], name, figures[name], first)
        second = next(line for line in lines if figures["dialogues"] in line and line.startswith(bot["bot"]))
        for name in ("failed", "per dialogue", "asked", "without evasions", "bounds"):
            assert figures[name] in second, (bot["bot"], name, figures[name], second)


def test_the_report_shows_the_figures_of_the_json(shown: dict[str, Any]) -> None:
    head = next(row for row in shown["page"] if row and row[0] == "rank")
    for bot in shown["json"]["bots"]:
        row = next(row for row in shown["page"] if len(row) == len(head) and row[1].split()[0] == bot["bot"])
        cells = dict(zip(head, row, strict=True))
        figures = expected(bot)
        assert cells["rank"] == figures["rank"] and cells["ranks open"] == figures["ranks"]
        assert cells["contradiction rate"] == f"{figures['rate']} {figures['interval']}"
        for name in (
            "inquiries",
            "per dialogue",
            "evasive",
            "dialogues",
            "failed",
            "asked",
            "without evasions",
        ):
            assert cells[name] == figures[name], (bot["bot"], name)
        assert cells["bounds"] == figures["bounds"]


def test_the_pages_show_the_figures_of_the_json(shown: dict[str, Any]) -> None:
    seen = shown["view"]
    standings = leaderboard(seen.inquiries, seen.judge.tau).standings
    remarks = {s.bot: ranking.remark(s) for s in standings}
    rows: dict[str, dict[str, Any]] = {s.bot: ranking.row(s, Check.INQUIRY) for s in standings}
    for bot in shown["json"]["bots"]:
        row, known = rows[bot["bot"]], bool(bot["inquiries"])
        for heading, name in (
            ("Rate", "contradiction_rate"),
            ("Asked", "asked_share"),
            ("Evasive", "evasion_rate"),
        ):
            assert row[heading].sort == pytest.approx(number(bot[name]), abs=0.0005, nan_ok=True)
        assert row["Rank"].shown == words.ranks(bot["rank_low"] or 0, bot["rank_high"] or 0)
        if known:
            assert (
                row["95% interval"].shown
                == f"{words.percent(bot['ci_low'])} – {words.percent(bot['ci_high'])}"
            )
        assert row["Dialogues"].shown == expected(bot)["dialogues"]
        assert (row["Inquiries"], row["Contradictions"]) == (bot["inquiries"], bot["contradictions"])
        assert (row["Failed"] or 0) == bot["failed_dialogues"]
        assert bot["comparable"] or "not comparable" in remarks[bot["bot"]]


def test_notes_are_the_same(shown: dict[str, Any]) -> None:
    for note in shown["json"]["notes"]:
        assert note.split(":")[0].split(",")[0] in shown["html"]
    assert shown["json"]["scope"].split(";")[0] in " ".join(shown["terminal"].split())
    caption = shown["json"]["caption"]
    assert caption in " ".join(shown["terminal"].split()) and caption in shown["html"]
    assert captions.judge_error(shown["json"]["revision"]) in caption


def test_the_caption_tells_the_judges_error_where_it_was_measured() -> None:
    revision = registry.create("nli", "nli").revision
    figures = documents.judge_measured(revision)["answers of language models"]
    sentence = captions.judge_error(revision)
    assert f"On {figures['n']} answers of language models" in sentence
    assert f"{figures['precision']:.0%} of the contradictions" in sentence
    assert f"{figures['recall']:.0%} of the {figures['contradictions']} real ones" in sentence
    assert "not been measured" in captions.judge_error("of nobody")
    assert documents.judge_measured("of nobody") == {}
