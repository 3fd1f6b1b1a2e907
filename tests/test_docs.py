"""README and docs: every command block runs, every command is documented, the reference is fresh, links lead somewhere.

In a page, `<!-- file: NAME -->` before a block writes it to that file, and `<!-- not run: WHY -->` leaves it out.
A folder whose pyproject.toml a page shows is installed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import COMMANDS, main
from arena.core import plugins
from tests.support.packages import install

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?:<!-- (file|not run): (.+?) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)
MEASURED = sorted((ROOT / "docs" / "measurements").glob("*.md"))
TESTED = [page for page in PAGES if page.name != "reference.md"]


def blocks(page: Path) -> list[tuple[str, str, str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def commands(source: str) -> list[str]:
    lines = source.replace("\\\n", " ").splitlines()
    return [line.split("  #")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    plugins._found.cache_clear()


@pytest.mark.parametrize("page", TESTED, ids=lambda page: page.name)
def test_no_command_hides_in_a_block_without_a_language(page: Path) -> None:
    language = None
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            language = line[3:] or "none" if language is None else None
        elif language == "none":
            assert not line.startswith(("arena ", "pip ", "make ")), f"name the language of '{line}'"
        elif language is None:
            assert not re.match(r"    (arena|pip|make) ", line), f"put '{line.strip()}' into a block"


@pytest.mark.parametrize("page", TESTED, ids=lambda page: page.name)
def test_what_a_page_shows_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    shared = {"__name__": "docs"}  # the Python blocks of a page go on from each other
    for marker, detail, language, source in blocks(page):
        if marker == "file":
            target = tmp_path / detail.strip()
            assert target.resolve().is_relative_to(tmp_path.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source)
            if target.name == "pyproject.toml":
                install(target.parent, monkeypatch)
        elif marker == "not run":
            assert len(detail) > 8, "say why"
        elif language == "python":
            exec(compile(source, str(page), "exec"), shared)
        elif language in ("bash", "console", "sh", "shell"):
            for line in commands(source):
                run(line, page)


def run(line: str, page: Path) -> None:
    words = shlex.split(line)
    assert words[0] == "arena", f"{page.name} shows '{line}': mark it <!-- not run: WHY -->"
    with pytest.raises(SystemExit) as stop:
        main(words[1:])
    assert stop.value.code in (0, None), f"{page.name}: '{line}' exits with {stop.value.code}"


def test_every_command_is_in_a_page_for_people() -> None:
    answers = "\n".join(page.read_text(encoding="utf-8") for page in TESTED)
    missing = [name for name in COMMANDS if f"arena {name}" not in answers]
    assert not missing


def test_the_reference_is_what_the_code_says() -> None:
    """In a process of its own: click remembers how a command was first called."""
    written = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    words = [sys.executable, "-m", "arena.cli.reference"]
    output = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout
    assert written == output, "run: python -m arena.cli.reference > docs/reference.md"


@pytest.mark.parametrize(
    "page",
    [*PAGES, *MEASURED, ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"],
    ids=lambda page: page.name,
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), target


def test_every_page_and_picture_is_linked_from_somewhere() -> None:
    answers = "\n".join(page.read_text(encoding="utf-8") for page in [*PAGES, *MEASURED])
    for result in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs" / "pictures").glob("web-*.png")]:
        assert f"/{result.name})" in answers or f"({result.name})" in answers, result


def test_no_page_names_a_machine_or_a_registry() -> None:
    bad = re.compile(r"/work/|/tmp/team|pypi\.org|files\.pythonhosted|deb\.debian|registry\.npmjs")
    for page in [
        *PAGES,
        ROOT / "SECURITY.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
    ]:
        assert not bad.search(page.read_text(encoding="utf-8")), page
