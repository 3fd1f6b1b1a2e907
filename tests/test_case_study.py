"""The case study's tables say what its export says when it is imported."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "case-study.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> arena.Result:
    from click.testing import CliRunner

    from arena.cli import app

    folder = tmp_path_factory.mktemp("case-study")
    packed = ROOT / "examples" / "first-interviews" / "dialogues.jsonl.gz"
    (folder / "dialogues.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
    url = f"sqlite:///{folder / 'arena.db'}"
    imported = CliRunner().invoke(app, ["import", str(folder / "dialogues.jsonl"), "--db", url])
    assert imported.exit_code == 0, imported.output
    return arena.open("lm-interviews", db=url)


def rows(heading: str) -> Iterator[list[str]]:
    """The cells of the first table under a heading, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            yield cells


def test_the_leaderboard(result: arena.Result) -> None:
    frame = result.leaderboard(judge="nli").frame
    written = list(rows("The leaderboard"))
    assert len(written) == 6
    for cells in written:
        bot = frame.loc[re.findall(r"`(.+?)`", cells[0])[0]]
        assert cells[1] == f"{bot.contradiction_rate:.3f}"
        assert cells[2] == f"{bot.ci_low:.3f}–{bot.ci_high:.3f}"
        assert (int(cells[3]), int(cells[4])) == (bot.inquiries, bot.contradictions)


def test_the_readers(result: arena.Result) -> None:
    verdicts = result.verdicts()
    judged = verdicts[(verdicts.judge == "nli") & (verdicts.check == "inquiry")].set_index("finding")
    votes = result.labels()
    votes = votes[votes.schema == "aih"].groupby("subject").contradicts.agg(["sum", "count"])
    agreed = votes[(votes["count"] == 2) & (votes["sum"] != 1)]
    readers = agreed["sum"] == 2
    both = judged.loc[agreed.index]
    flagged = both.contradicts.astype(bool)
    assert (int(readers.sum()), int((flagged & readers).sum()), int((flagged & ~readers).sum())) == (
        29,
        29,
        25,
    )
    for cells in rows("How far the judge can be believed"):
        own = both.tested == cells[0].strip("`")
        shares = (f"{flagged[own].mean():.3f}", f"{readers[own].mean():.3f}")
        assert (int(cells[1]), *shares) == (int(own.sum()), cells[2], cells[3])
