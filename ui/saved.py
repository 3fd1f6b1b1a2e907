"""Stores what the launch form keeps on this machine: the draft, and bots saved by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.play.launch import read_json, write_json


@dataclass(frozen=True, slots=True)
class Saved:
    """The draft and the saved bots, in two small files in the folder of launched runs."""

    folder: Path

    def draft(self) -> dict[str, Any]:
        """The last state of the form; empty if there is none."""
        return read_json(self.folder / "draft.json")

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        if draft != self.draft():
            self._write("draft.json", draft)

    def bots(self) -> dict[str, dict[str, Any]]:
        """The saved entries, as in a tournament file, by the bot's name."""
        entries = read_json(self.folder / "bots.json")
        return {name: entry for name, entry in entries.items() if isinstance(entry, dict)}

    def keep_bot(self, entry: Mapping[str, Any]) -> None:
        self._write("bots.json", {**self.bots(), str(entry["name"]): dict(entry)})

    def forget_bot(self, name: str) -> None:
        self._write("bots.json", {key: entry for key, entry in self.bots().items() if key != name})

    def _write(self, name: str, facts: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / name, facts)
