"""The papers' figures as data: one JSON file per data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def paper(name: str) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))
    return figures
