"""Reads the lists and tables of a page that its rows lead away from, as somebody sees them."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pandas as pd
from streamlit.testing.v1 import AppTest


def _parts(test: AppTest, beginning: str) -> list[ElementTree.Element]:
    bodies = [str(one.proto.body) for one in test.get("html")]
    return [ElementTree.fromstring(body) for body in bodies if body.startswith(beginning)]


def _words(part: ElementTree.Element) -> str:
    return "".join(part.itertext())


def rows(test: AppTest) -> pd.DataFrame:
    """The first list: its texts by caption, its facts, and what the row opens."""
    collected: list[dict[str, Any]] = []
    for row in _parts(test, '<div class="hits')[0].findall("div"):
        if row.get("role") != "link":
            continue
        cells = row.findall("div[@class='cell']")
        texts = {_words(cell[0]).removesuffix(": "): _words(cell[1]) for cell in cells}
        facts = " | ".join(_words(fact) for fact in row.findall("div")[-1])
        data = {name.removeprefix("data-"): value for name, value in row.items() if name.startswith("data-")}
        collected.append({**texts, "facts": facts, "current": "current" in (row.get("class") or ""), **data})
    return pd.DataFrame(collected)


def scores(listed: pd.DataFrame) -> pd.Series[float]:
    return listed["facts"].str.extract(r"score ([\d.]+)")[0].astype(float)


def table(test: AppTest) -> pd.DataFrame:
    """The first table whose rows lead somewhere, by the words of its heads."""
    return _frame(_parts(test, '<div class="wide')[0][0])


def plain(test: AppTest) -> list[pd.DataFrame]:
    """The tables that only show something."""
    return [_frame(part) for part in _parts(test, '<table class="board')]


def _frame(shown: ElementTree.Element) -> pd.DataFrame:
    heads = [_words(head).rstrip(" ↓↑") for head in shown.findall("thead/tr/th")]
    cells = [[_words(cell) for cell in row] for row in shown.findall("tbody/tr")]
    return pd.DataFrame(cells, columns=heads)
