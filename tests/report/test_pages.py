"""Tables, plots, exports and the page of a real tournament, with a hostile name among the bots."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from arena.core.types import Label
from arena.exchange import flat as exports
from arena.labelling.queue import is_random, order
from arena.labelling.work import AIH
from arena.report import html, plots, tables
from arena.results.labels import drawn_votes
from arena.results.view import view
from arena.stats import simulate
from arena.stats.agreement import judge
from arena.stats.comparison import compare
from arena.stats.counts import HEADLINE
from arena.stats.leaderboard import leaderboard
from arena.stats.stability import stability
from db.desks import Inquiries
from db.labelling import Task
from db.labels import Labels
from db.repository import Repository
from tests.stats import trials
from tests.support import tournaments as play
from tests.support.commands import run

HOSTILE = "=cmd|' /C calc'!A0<script>alert(1)</script>"
BOTS = (play.STEADY, f'  - {{name: "{HOSTILE}", adapter: scripted, fickleness: 0.6, sheet_seed: 5}}')


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module", autouse=True)
def store(folder: Path) -> Repository:
    repository = play.store(folder)
    play.play(repository, play.text(*BOTS, dialogues=8))
    changed = BOTS[1].replace("0.6", "0.1")
    play.play(repository, play.text(BOTS[0], changed, release="r2", dialogues=8))
    return repository


def test_the_leaderboard_command_prints_the_designs_json(folder: Path) -> None:
    output = run(folder, "leaderboard", "r1", "--json", "--tau-sweep")
    assert output.code == 0, output.stderr
    document = json.loads(output.stdout)
    assert [bot["bot"] for bot in document["bots"]] == ["steady", HOSTILE]
    first = document["bots"][0]
    assert {
        "bot", "rank", "rank_low", "rank_high", "contradiction_rate", "ci_low", "ci_high", "inquiries",
        "contradictions", "dialogues", "inquiries_per_dialogue", "contradictions_per_dialogue", "evasion_rate",
        "relevant_rate", "comparable", "unjudged", "by_kind",
    } <= set(first)  # fmt: skip
    assert (
        first["contradictions"] == 0
        and sum(first["by_kind"][kind]["inquiries"] for kind in HEADLINE if kind in first["by_kind"])
        == first["inquiries"]
    )
    cell = document["matrix"]["steady"][HOSTILE]
    assert cell["rate"] == pytest.approx(cell["contradictions"] / cell["inquiries"])
    assert set(document["tau_sweep"][0]["rates"]) == {"steady", HOSTILE}


def test_the_leaderboard_equals_a_count_by_hand(store: Repository) -> None:
    stored = store.find("r1")
    seen = view(store, stored)
    board = leaderboard(seen.inquiries, seen.judge.tau)
    for standing in board.standings:
        rates = []
        for speaker in ("steady", HOSTILE):
            scores = [
                verdict.judgement.contradiction
                for record in store.records(stored.id)
                if (record.speaker, record.tested) == (speaker, standing.bot)
                for verdict in record.verdicts
                if verdict.judgement.contradiction is not None
            ]
            rates.append(sum(score > 0.5 for score in scores) / len(scores))
        assert standing.rate == pytest.approx(np.mean(rates))


def test_the_leaderboard_tells_what_was_not_asked_and_what_broke_down(tmp_path: Path) -> None:
    repository = play.store(tmp_path)
    play.play(
        repository,
        play.text(play.STEADY, "  - {name: echo, adapter: echo}", turns=5, dialogues=2, more="on_loop: keep"),
    )
    document = json.loads(run(tmp_path, "leaderboard", "r1", "--json").stdout)
    by_bot = {bot["bot"]: bot for bot in document["bots"]}
    records = list(repository.records(repository.find("r1").id))
    refused = Counter()
    for record in records:
        if record.tested == "steady":
            refused.update(record.refused)
    assert by_bot["steady"]["refused"] == dict(refused) and by_bot["steady"]["degenerate_dialogues"] == 0
    assert by_bot["echo"]["degenerate"]["repeats"] == by_bot["echo"]["degenerate_dialogues"] > 0
    shown = run(tmp_path, "leaderboard", "r1").stdout
    assert "Questions that were not asked" in shown and "says the same again" in shown
    echoing = [r for r in records if r.tested == "echo"]
    looped = [r for r in echoing if r.collapse]
    assert looped and by_bot["echo"]["collapsed"]["share"] == len(looped) / len(echoing)
    table = shown[shown.index("Dialogues that fell into a loop") :]
    assert f"{len(looped)} of {len(echoing)}" in next(line for line in table.splitlines() if "echo" in line)


def test_only_labels_drawn_by_lot_correct_a_rate(tmp_path: Path) -> None:
    repository = play.store(tmp_path)
    tournament, _ = play.play(repository, play.text(*BOTS, dialogues=8))
    stored = repository.find(tournament.info.id)
    answers = {"appropriate": True, "relevant": True, "contradicts": True}
    desk, task = Inquiries(repository), Task(seed=3, share=0.5)
    queue = order(desk.waiting(stored.id), task.seed, task.share)
    for now in range(len(queue) - 1):  # one is left: all labels would need no lot
        subject = desk.next(
            queue, "ann", AIH.complete, 3, float(now), lambda one: is_random(task.seed, one, task.share)
        )
        assert subject is not None
        desk.answer(Label(subject, "inquiry", "aih", "ann", answers), AIH.complete, float(now))
    desk.decide(stored.id, Task(seed=4, share=1.0))  # what is decided later changes nothing
    keys = sorted({label.subject for label in Labels(repository).of(stored.id)})
    seen = view(repository, stored)
    drawn = drawn_votes(seen)
    lucky = {key for key in keys if is_random(3, key, 0.5)}
    assert 0 < len(lucky) < len(keys)
    assert {key for key in keys if np.isfinite(drawn.votes[seen.rows[key]])} == lucky
    assert drawn.left_out == len(keys) - len(lucky)
    document = json.loads(run(tmp_path, "leaderboard", "r1", "--corrected", "--json").stdout)
    assert document["corrected_left_out"] == drawn.left_out
    judged = [key for key in lucky if np.isfinite(seen.inquiries.score[seen.rows[key]])]
    assert sum(row["labelled"] for row in document["corrected"]) == len(judged) > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("leaderboard", "r1", "--corrected"),
        ("stability", "r1"),
        ("compare", "r1", "r2"),
        ("compare", "--history", "steady"),
    ],
)
def test_people_see_letters_only(folder: Path, arguments: tuple[str, ...]) -> None:
    output = run(folder, *arguments)
    assert output.code == 0, output.stderr
    assert "steady" in output.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", output.stdout)


def test_stability_takes_a_reference_and_draws_it(folder: Path) -> None:
    reference = folder / "experts.txt"
    reference.write_text(f"steady\n{HOSTILE}\n", encoding="utf-8")
    output = run(
        folder, "stability", "r1", "--reference", str(reference), "--json", "--plot", str(folder / "s.png")
    )
    assert output.code == 0, output.stderr
    document = json.loads(output.stdout)
    assert document["reference"] == ["steady", HOSTILE]
    assert document["curve"][-1]["dialogues"] == 4  # half of the 8 that were played
    assert {"dialogues", "agreement", "kendall", "same_clusters"} == set(document["curve"][0])
    assert document["stable_at"]["0.95"] is not None
    assert all((folder / f"s{suffix}").is_file() for suffix in (".png", ".svg", ".csv"))
    reference.write_text("steady\nnobody\n", encoding="utf-8")
    wrong = run(folder, "stability", "r1", "--reference", str(reference))
    assert wrong.code == 2 and "nobody" in wrong.stderr


def test_compare_finds_the_improvement(folder: Path) -> None:
    document = json.loads(run(folder, "compare", "r1", "r2", "--json").stdout)
    assert document["comparable"] and document["a"] == "r1"
    by_bot = {bot["bot"]: bot for bot in document["bots"]}
    assert by_bot[HOSTILE]["verdict"] == "better" and by_bot[HOSTILE]["delta"] < -0.2
    assert by_bot[HOSTILE]["self_pair"]["delta"] < 0
    back = run(folder, "compare", "r2", "r1", "--fail-on-regression", "--markdown")
    assert back.code == 1
    assert "**worse**" in back.stdout and "<script>" not in back.stdout


def test_compare_refuses_what_cannot_be_compared(store: Repository, folder: Path) -> None:
    play.play(store, play.text(*BOTS, release="short", turns=2, dialogues=4))
    output = run(folder, "compare", "r1", "short", "--json")
    assert output.code == 2
    document = json.loads(output.stdout)
    assert not document["comparable"] and document["bots"] == [] and "turns" in document["reasons"][0]
    forced = run(folder, "compare", "r1", "short", "--force", "--json")
    assert forced.code == 0 and json.loads(forced.stdout)["bots"]


def test_csv_is_harmless_and_raw_is_not_touched(store: Repository, folder: Path) -> None:
    stored = store.find("r1")
    exports.csv(store, stored, folder / "safe.csv")
    exports.csv(store, stored, folder / "raw.csv", raw=True)
    with (folder / "safe.csv").open(encoding="utf-8", newline="") as file:
        safe = list(csv.DictReader(file))
    with (folder / "raw.csv").open(encoding="utf-8", newline="") as file:
        raw = list(csv.DictReader(file))
    assert not any(
        value.startswith(("=", "+", "-", "@", "\t", "\r")) for row in safe for value in row.values()
    )
    assert {row["speaker"] for row in raw} == {"steady", HOSTILE}
    inquiries = sum(len(record.inquiries) for record in store.records(stored.id))
    assert len(raw) == len(safe) == inquiries


def test_parquet_holds_the_same_rows(store: Repository, folder: Path) -> None:
    import pyarrow.parquet as pq

    stored = store.find("r1")
    exports.parquet(store, stored, folder / "x.parquet")
    table = pq.read_table(folder / "x.parquet").to_pylist()
    assert table == list(exports.rows(store, stored))
    assert {row["tested"] for row in table} == {"steady", HOSTILE}


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_page_needs_no_network_and_runs_one_script(store: Repository, folder: Path) -> None:
    html.report(store, store.find("r1"), folder / "x.html")
    text = (folder / "x.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert len(scripts) == 2 and scripts[0]["type"] == "application/json"
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed")
        assert not any(name.startswith("on") or name in ("src", "srcset", "action") for name in attributes)
        reference = attributes.get("href") or attributes.get("xlink:href") or "#"
        assert reference.startswith(("#", "data:image/png;base64,"))
    assert "default-src 'none'" in text
    held = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))  # type: ignore[union-attr]
    assert {dialogue["tested"] for dialogue in held["dialogues"]} == {"steady", HOSTILE}
    assert len(held["dialogues"]) == held["total"] == 32


def test_every_plot_is_drawn_beside_its_data(folder: Path) -> None:
    rng = np.random.default_rng(1)
    played = simulate.tournament(
        (HOSTILE, "$x^2$ 雪", "b" * 300, "d"), trials.AUTO, trials.QUESTIONS, 20, 0, rng
    )
    built = {"stability": plots.stability_plot(stability(played, rounds=20))}
    first, second = trials.release("a", played), trials.release("b", played)
    built["slope"] = plots.slope_plot(compare(first, second))
    built["confusion"] = plots.confusion_plot(judge(rng.random(50), rng.integers(0, 2, 50), 0.5), HOSTILE)
    for name, plot in built.items():
        for path in plots.save(plot, folder / f"{name}.svg"):
            assert path.stat().st_size > 100
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert not [e for e in root.iter() if e.tag.endswith(("script", "foreignObject"))]
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert len(rows) == 1 + len(plot.rows)
        assert not any(value.startswith(("=", "+", "@")) for row in rows for value in row)


def test_board_plots_are_written_by_the_command(folder: Path) -> None:
    output = run(folder, "leaderboard", "r1", "--plots", str(folder / "plots"))
    assert output.code == 0, output.stderr
    assert {"ranks.svg", "pairs.png", "stability.csv", "tau.svg"} <= {
        p.name for p in (folder / "plots").iterdir()
    }


def test_labels_of_aih_reach_the_leaderboard(store: Repository) -> None:
    stored = store.find("r1")
    some = [
        i.id for record in store.records(stored.id) for i in record.inquiries if record.tested == "steady"
    ]
    labels = [
        Label(
            key,
            "inquiry",
            "aih",
            person,
            {"appropriate": True, "relevant": k % 2 == 0, "contradicts": False},
            drawn=True,
        )
        for k, key in enumerate(some)
        for person in ("ann", "bob")
    ]
    _store(store, labels)
    seen = view(store, stored)
    standing = next(s for s in leaderboard(seen.inquiries, 0.5).standings if s.bot == "steady")
    assert standing.relevant_rate == pytest.approx(0.5, abs=0.05) and standing.comparable == (len(some) < 20)
    assert tables.leaderboard(seen, leaderboard(seen.inquiries, 0.5)).row_count == 2


def test_labels_give_the_papers_tables_4_and_6(folder: Path) -> None:
    document = json.loads(run(folder, "leaderboard", "r1", "--json").stdout)
    assert document["appropriate"]["steady"]["steady"] == 1.0
    cost = document["effort"]
    assert cost["people_contradictions"] == 0 and cost["people_dialogues"] > 0
    assert cost["people_seconds_to_judge"] >= 24  # two people, 12 seconds an inquiry
    assert cost["contradictions"] > 0


def test_an_exchange_gives_the_same_leaderboard(folder: Path, tmp_path: Path) -> None:
    """JSON lines out, into another database, and every figure is the same; the hostile name too."""
    assert run(folder, "export", "r1", "--format", "jsonl", "--out", str(tmp_path / "x.jsonl")).code == 0
    other = tmp_path / "other"
    other.mkdir()
    assert run(other, "import", str(tmp_path / "x.jsonl")).code == 0
    first, second = (
        json.loads(run(place, "leaderboard", "r1", "--json").stdout) for place in (folder, other)
    )
    for document in (first, second):
        document.pop("effort")  # clock times are no part of the exchange
    assert first == second


def _store(store: Repository, labels: list[Label]) -> None:
    from db import models
    from db.session import writing

    rows = [
        {
            "subject": label.subject,
            "subject_type": label.subject_type,
            "schema": label.schema,
            "person": label.person,
            "values": dict(label.values),
            "note": "",
            "seconds": 12.0,
            "drawn": label.drawn,
            "created": 0.0,
        }
        for label in labels
    ]
    with writing(store.engine) as connection:
        connection.execute(models.LabelRow.__table__.insert(), rows)  # type: ignore[attr-defined]
