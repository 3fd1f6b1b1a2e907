"""Everything that is installed is pinned by hash, and the list of it is complete."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
INSTALLED = ("requirements.lock", "requirements-torch.txt", "requirements-nodeps.txt")
FREE = "requirements-nodeps.txt"  # whose own pins cannot be met, as the file says


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(*files: str) -> dict[str, list[str]]:
    """Hashes by package."""
    collected = {}
    for file in files:
        text = re.sub(r"(?m)^#.*\n", "", (ROOT / file).read_text())
        for block in filter(None, re.split(r"\n(?=[A-Za-z0-9])", text.strip())):
            name = re.match(r"([A-Za-z0-9._-]+)==\S+", block)
            assert name, f"{file}: {block[:80]} is not pinned"
            collected[normal(name[1])] = re.findall(r"--hash=sha256:[0-9a-f]{64}", block)
    return collected


def test_every_pin_has_hashes() -> None:
    for name, hashes in pins(*INSTALLED, "requirements-spacy.lock").items():
        assert hashes, name
    assert len(pins("requirements-torch.txt")["torch"]) > 10  # a build for each platform and Python


def test_nothing_is_needed_that_is_not_pinned() -> None:
    known = pins(*INSTALLED)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in extras if name != "spacy" for one in extras[name])]
    missing = {
        line
        for line in wanted
        if normal(Requirement(line).name) not in {*known, "consistency-arena", "spacy"}
    }
    for name in known:
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:  # of another platform or Python
            continue
        for line in needs if name not in pins(FREE) else ():
            need = Requirement(line)
            if (need.marker is None or need.marker.evaluate({"extra": ""})) and normal(
                need.name
            ) not in known:
                missing.add(f"{name}: {line}")
    assert not missing, f"add their pins to requirements.lock and run .ci/lock.py: {sorted(missing)}"


def test_what_installs_takes_hashes_only() -> None:
    recipe = (ROOT / "Makefile").read_text()
    for file in INSTALLED:
        assert f"--no-deps --require-hashes -r {file}" in recipe
    assert "--no-deps --no-build-isolation -e ." in recipe


def test_the_bill_of_materials_names_what_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "sbom.py")], capture_output=True, text=True, check=True
    )
    document = json.loads(done.stdout)
    assert document["bomFormat"] == "CycloneDX"
    listed = {one["purl"].partition("@")[0]: one for one in document["components"]}
    click = listed["pkg:pypi/click"]
    assert click["version"] == distribution("click").version and click["hashes"]
    assert "pkg:pypi/torch" in listed and listed["pkg:pypi/torch"]["hashes"]
