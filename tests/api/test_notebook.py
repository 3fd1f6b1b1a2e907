"""The example notebook runs from top to bottom in a real kernel, and shows tables and progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first-tournament.ipynb"


@pytest.mark.timeout(280)
def test_the_example_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs before committing"
    nbclient.NotebookClient(notebook, timeout=200, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [_html(cell) for cell in notebook.cells if cell.cell_type == "code"]
    ran = next(text for text in shown if "<progress" in text)
    ranking = next(text for text in shown if "rank</th>" in text)
    compared = next(text for text in shown if "verdict</th>" in text)
    assert "36 of 36" in ran and "moody" in ranking and "first → second" in compared
    assert any(
        "image/svg+xml" in output.get("data", {}) for cell in notebook.cells for output in _outputs(cell)
    )


def _outputs(cell: Any) -> list[Any]:
    return cell.get("outputs", [])  # text cells have none


def _html(cell: Any) -> str:
    return "".join(output["data"].get("text/html", "") for output in _outputs(cell) if "data" in output)
