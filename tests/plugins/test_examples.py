"""The example packages: each works as installed, and the docs show it as it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.packages import write_metadata

ROOT = Path(__file__).parents[2]
EXAMPLES = [path.parent for path in sorted((ROOT / "examples").glob("*/pyproject.toml"))]
SHOWN = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


def test_there_is_one_of_each_sort() -> None:
    points = " ".join((folder / "pyproject.toml").read_text() for folder in EXAMPLES)
    for group in ("arena.bots", "arena.judges", "arena.questions"):
        assert f'entry-points."{group}"' in points


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_its_own_tests_pass_where_it_is_installed(folder: Path, tmp_path: Path) -> None:
    write_metadata(folder, tmp_path)
    path = os.pathsep.join((str(tmp_path), str(folder), str(ROOT)))
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    done = subprocess.run(
        words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d+ passed", done.stdout)


def test_the_docs_show_the_examples_as_they_are() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    shown = {name: source for name, source in SHOWN.findall(page) if (ROOT / "examples" / name).exists()}
    for folder in EXAMPLES:
        for name in (f"{folder.name}/{folder.name}.py", f"{folder.name}/pyproject.toml"):
            assert shown[name] == (ROOT / "examples" / name).read_text(encoding="utf-8"), (
                f"docs/extending.md: {name}"
            )
