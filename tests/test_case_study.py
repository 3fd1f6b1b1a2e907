"""The case study's tables and quotations say what its export says when it is imported."""

from __future__ import annotations

import gzip
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import arena

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "first-leaderboard"
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("docs/case-study.md", "README.md")}


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("case_study_tables", FOLDER / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    from click.testing import CliRunner

    from arena.cli import app

    folder = tmp_path_factory.mktemp("case-study")
    (folder / "dialogues.jsonl").write_bytes(gzip.decompress((FOLDER / "dialogues.jsonl.gz").read_bytes()))
    url = f"sqlite:///{folder / 'arena.db'}"
    imported = CliRunner().invoke(app, ["import", str(folder / "dialogues.jsonl"), "--db", url])
    assert imported.exit_code == 0, imported.output
    return url


@pytest.fixture(scope="module")
def study(tables: ModuleType, url: str) -> Any:
    return tables.Study(url)


def test_the_tables(tables: ModuleType, study: Any) -> None:
    for name, page in PAGES.items():
        assert "<!-- table: " in page, name
        assert tables.rendered(page, study) == page, f"{name}: run tables.py --write"


def test_no_table_is_empty(tables: ModuleType, study: Any) -> None:
    for name, table in tables.TABLES.items():
        lines = table(study)
        assert len(lines) > 2 and not any("nan" in line for line in lines), name


def quoted() -> Iterator[list[str]]:
    section = PAGES["docs/case-study.md"].split("## Worth reading\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_quotations(url: str) -> None:
    """Each stands in one inquiry of that bot, or in two messages of one of its dialogues."""
    result = arena.open("first-leaderboard", db=url)
    findings, messages = result.findings("inquiry"), result.messages()
    rows = list(quoted())
    assert len(rows) == 10
    for bot, quote, question, answer in rows:
        name = re.findall(r"`(.+?)`", bot)[0]
        if question == "–":
            own = messages[(messages.bot == name) & messages.tested]
            texts = own.groupby("dialogue").text.agg(lambda some: " ".join(" ".join(some).split()))
            assert any(_within(quote, text) and _within(answer, text) for text in texts), quote
        else:
            asked = findings[(findings.tested == name) & (findings.question == question)]
            assert any(
                _within(quote, row.said) and _within(answer, row.answer) for row in asked.itertuples()
            ), question


def _within(quote: str, text: str) -> bool:
    """Whether the text has the parts of the quotation between its dots, in order."""
    flat, place = " ".join(text.split()), 0
    for part in filter(None, (piece.strip() for piece in quote.split("…"))):
        place = flat.find(part, place)
        if place < 0:
            return False
    return True


@pytest.mark.parametrize("name", ["tournament", "before", "after", "again", "self-play", "self-play-models"])
def test_the_files_name_what_was_played(name: str, url: str) -> None:
    written = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    result = arena.open(written["release"], db=url)
    played = result.dialogues()
    names = {bot["name"] for bot in written["bots"]}
    assert set(played.speaker) | set(played.tested) == names
    pairs = [(speaker, tested) for speaker in names for tested in names]
    wanted = pairs if written["pairs"] == "all" else [(s, t) for s, t in pairs if s == "interviewer" != t]
    counted = played.groupby(["speaker", "tested"]).size().to_dict()
    assert counted == dict.fromkeys(wanted, written["dialogues_per_pair"])
