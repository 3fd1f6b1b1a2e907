"""ConsisTest's facts with answers right or wrong by construction: the corrected hybrid against the released one."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from arena.core.hashing import generator
from arena.core.types import Case, Kind
from arena.stats import metrics
from judges import registry

JUDGES = ("hybrid", "hybrid:compat", "nli", "lexical", "overlap")


def main() -> None:
    folder = (
        Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[3] / "shared" / "data") / "consistest"
    )
    if not folder.is_dir():
        print("no ConsisTest here: set ARENA_DATA to the folder that holds it")
        return
    cases, right = built(folder)
    print(
        json.dumps({"cases": len(cases), **{name: scored(name, cases, right) for name in JUDGES}}, indent=1)
    )


def built(folder: Path, most: int = 1200) -> tuple[list[Case], list[float]]:
    """Half of the answers are right: short, bare and with the fact; the others deny or answer with another fact."""
    rows = [
        row
        for name in ("persona_qas.json", "history_qas.json")
        for document in json.loads((folder / name).read_text(encoding="utf-8")).values()
        for row in document
    ]
    draw = generator("hybrid", 1)
    rows = draw.sample(rows, most)
    cases, right = [], []
    for row in rows:
        fact, answer = row.get("alt_c") or row["c"], row["a"].split("|")[0].strip()
        good = draw.random() < 0.5
        if row["type"] == "yn":
            truth = "no" not in [one.strip() for one in row["a"].lower().split("|")]
            text = _polar(row["q"], truth == good, draw) + (
                f" {fact}" if good and draw.random() < 0.5 else ""
            )
            kind = Kind.YES_NO_TRUE if truth else Kind.YES_NO_FALSE
        else:
            head = row["q"].lower().split()[:2]
            others = [
                o
                for o in rows
                if o["type"] == "wh" and o["q"].lower().split()[:2] == head and o["a"] != row["a"]
            ]
            if not good and not others:
                continue
            other = draw.choice(others) if others else row
            text = (
                draw.choice((answer, fact))
                if good
                else draw.choice((other["a"].split("|")[0].strip(), other["c"]))
            )
            kind = Kind.WH
        cases.append(Case(fact, row["q"], text, kind, row["a"]))
        right.append(float(good))
    return cases, right


def _polar(question: str, yes: bool, draw: Any) -> str:
    verb = question.lower().split()[0]
    short = {"do": "do", "are": "am", "can": "can", "did": "did", "will": "will", "have": "have"}.get(verb)
    forms = ["Yes", "Yes.", "yeah,"] if yes else ["No", "No.", "nope,"]
    if short:
        forms += [f"I {short}."] if yes else [f"I {short} not.", f"No, I {short} not."]
    return str(draw.choice(forms))


def scored(name: str, cases: list[Case], right: list[float]) -> dict[str, Any]:
    judgements = asyncio.run(registry.create(name, name).judge(cases))
    known = [
        (1 - one.contradiction, truth, case.kind is not Kind.WH)
        for one, truth, case in zip(judgements, right, cases, strict=True)
        if one.contradiction is not None
    ]
    scores, truths, polar = (np.array(column) for column in zip(*known, strict=True))
    hits = (scores > 0.5) == (truths > 0.5)
    return {
        "scored": len(known),
        "accuracy": round(float(hits.mean()), 4),
        "yes_no": round(float(hits[polar].mean()), 4),
        "wh": round(float(hits[~polar].mean()), 4),
        "mse": round(float(np.mean((scores - truths) ** 2)), 4),
        "auc": round(metrics.auc(truths > 0.5, scores), 4),
    }
