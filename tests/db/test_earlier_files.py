"""Databases, exports and labels of revision 0db0902 open, and show the same counts and point rates."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.config.tournament import restore
from arena.core.types import TournamentInfo
from arena.play.schedule import plans
from db import Repository, connect

OLD = Path(__file__).parents[1] / "data" / "0db0902"
PRINTED: list[dict[str, Any]] = json.loads((OLD / "printed.json").read_text())
# What a better estimate may change, and what only describes the run
MAY_CHANGE = {
    *("ci_low", "ci_high", "p_value", "rank", "rank_low", "rank_high", "rank_a", "rank_b", "tied", "level"),
    *("enough_data", "comparable", "verdict", "warnings", "notes", "reasons", "intervals", "effort"),
    *("reference", "curve", "leave_one_out", "leave_one_out_stable_at", "stable_at", "separations"),
    *("corrected", "self_pair", "appropriate", "best_tau", "best_f1"),
}


def arena(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    printed = capsys.readouterr()
    assert end.value.code in (0, None), printed.err
    if "--json" not in words:
        return printed.out
    document = json.loads(printed.out)
    if words[0] == "agreement":  # judges are measured by labels drawn by lot now; it was by all of them
        document["judges"] = {name: one["all_labels"] for name, one in document["judges"].items()}
    return document


@pytest.fixture
def old_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The stored database, upgraded as its user would upgrade it."""
    path = tmp_path / "old.db"
    path.write_bytes(lzma.decompress((OLD / "arena.db.xz").read_bytes()))
    url = f"sqlite:///{path}"
    arena(capsys, "db", "upgrade", "--db", url)
    return url


@pytest.fixture
def imported_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """An empty database that has read the old exports."""
    url = f"sqlite:///{tmp_path / 'imported.db'}"
    for name in ("first", "second"):
        export = tmp_path / f"{name}.jsonl"
        export.write_bytes(lzma.decompress((OLD / f"{name}.jsonl.xz").read_bytes()))
        arena(capsys, "import", str(export), "--db", url)
    return url


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Where `new` does not hold what `old` held; new fields are welcome."""
    if isinstance(old, Mapping):
        for key, value in old.items():
            if key in MAY_CHANGE:
                continue
            if key not in new:
                yield f"{path}.{key} is missing"
            else:
                yield from differences(value, new[key], f"{path}.{key}")
    elif isinstance(old, list) and old and isinstance(old[0], Mapping):
        named = {_name(entry): entry for entry in new}
        for entry in old:
            if _name(entry) not in named:
                yield f"{path}[{_name(entry)}] is missing"
            else:
                yield from differences(entry, named[_name(entry)], f"{path}[{_name(entry)}]")
    elif isinstance(old, float) and isinstance(new, float | int):
        if new != pytest.approx(old, rel=1e-9, abs=1e-12):
            yield f"{path}: {old} became {new}"
    elif old != new:
        yield f"{path}: {old} became {new}"


def _name(entry: Mapping[str, Any]) -> str:
    """By what an entry of a list is known, so that lists may grow and change their order."""
    for keys in (("id",), ("hash",), ("bot",), ("a", "b"), ("judge", "revision"), ("schema", "person")):
        if all(key in entry for key in keys):
            return ", ".join(str(entry[key]) for key in keys)
    return str(sorted(entry.items()))


def printed_ids(value: Any) -> str:
    return " ".join(value["command"])


@pytest.mark.parametrize("case", PRINTED, ids=printed_ids)
def test_the_old_database_shows_the_same_numbers(
    case: dict[str, Any], old_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    now = arena(capsys, *case["command"], "--db", old_database, "--json")
    assert list(differences(case["printed"], now)) == []


def test_the_old_exports_show_the_same_numbers(
    imported_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export holds no tournament file: the threshold that the file gives the judge `strict` is not in it."""
    for case in deepcopy(PRINTED):
        given = ("--tau", "0.9") if "strict" in case["command"] else ()
        now = arena(capsys, *case["command"], *given, "--db", imported_database, "--json")
        if case["command"][0] == "agreement":
            del case["printed"]["judges"]["strict"], case["printed"]["judge_pairs"]
        assert list(differences(case["printed"], now)) == [], case["command"]


def test_an_export_of_the_old_database_holds_what_the_old_export_held(
    old_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("first", "second"):
        before = lzma.decompress((OLD / f"{name}.jsonl.xz").read_bytes()).decode().splitlines()
        now = arena(capsys, "export", name, "--out", "-", "--db", old_database).splitlines()
        assert len(now) == len(before)
        for then, line in zip(before, now, strict=True):
            assert list(differences(json.loads(then), json.loads(line))) == []


def test_the_old_labels_are_there_already(old_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    facts = arena(capsys, "labels", "import", str(OLD / "labels.csv"), "--db", old_database, "--json")
    assert facts == {"new": 0, "changed": 0, "equal": 210, "skipped": 0}


def test_old_tournaments_plan_the_dialogues_that_are_stored(old_database: str) -> None:
    """So that they resume, and no dialogue is played a second time."""
    store = Repository(connect(old_database, create=False))
    for stored in store.tournaments():
        info = TournamentInfo(
            stored.id, stored.release, stored.config_hash, stored.seed, stored.config, store.bots(stored.id)
        )
        planned = [plan.key for plan in plans(restore(info))]
        assert sorted(planned) == sorted(record.key for record in store.records(stored.id))
