"""Queries stand in `db` and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTSIDE = [
    path for folder in ("arena", "bots", "inquirer", "judges", "ui") for path in (ROOT / folder).rglob("*.py")
]


def modules(tree: ast.AST) -> set[str]:
    """The top-level packages that a module imports, wherever it does."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_only_db_imports_sqlalchemy() -> None:
    users = [path for path in OUTSIDE if "sqlalchemy" in modules(ast.parse(path.read_text(encoding="utf-8")))]
    assert users == [] and len(OUTSIDE) > 300


@pytest.mark.parametrize("owner", ["store", "repository", "desk", "ledger", "labels", "chats", "pages"])
def test_nobody_else_takes_the_engine_out_of_a_database(owner: str) -> None:
    users = [path for path in OUTSIDE if f"{owner}.engine" in path.read_text(encoding="utf-8")]
    assert users == []
