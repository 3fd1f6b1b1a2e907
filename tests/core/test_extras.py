"""Optional libraries and shadowed packages: one sentence each, with what to type."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.core import extras, shadowing
from arena.core.errors import MissingPart

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("library", sorted(extras.EXTRAS))
def test_every_optional_library_is_in_the_extra_that_its_sentence_names(library: str) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    name = extras.EXTRAS[library]
    assert any(wish.startswith(library) for wish in declared[name])
    assert name in declared["all"][0]
    assert f"[{name}]" in extras.command(library)


def test_a_missing_library_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPart) as error:
        extras.need("matplotlib", "Plots need")
    assert str(error.value) == (
        "Plots need matplotlib, which is not installed: pip install 'consistency-arena[plots]'."
    )


def test_a_library_that_is_there_is_given() -> None:
    pytest.importorskip("matplotlib")
    assert extras.need("matplotlib", "Plots need") is importlib.import_module("matplotlib")


def test_the_arenas_own_packages_are_its_own() -> None:
    assert [shadowing.problem(package) for package in shadowing.PACKAGES] == [None] * 5


@pytest.mark.parametrize("package", shadowing.PACKAGES)
def test_a_folder_that_hides_a_package_is_named_at_the_start(package: str, tmp_path: Path) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise SystemExit('this must not run')\n")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "bots", "list"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"Error: The package '{package}' of {tmp_path / package} hides")
    assert len(done.stderr.splitlines()) == 1


def test_doctor_reports_a_hidden_package_beside_the_rest(tmp_path: Path) -> None:
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "doctor", "--json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    checks = {check["name"]: check["ok"] for check in json.loads(done.stdout)["checks"]}
    assert not checks["package ui"] and checks["package db"]
