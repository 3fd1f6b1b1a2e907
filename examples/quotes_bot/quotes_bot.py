"""A bot that answers with the line of a text file that shares most words with what it heard."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from arena.core.errors import InputError
from bots.base import Reply, ReplyRequest, RunOptions
from bots.simple import SimpleAdapter

CODE = "1"  # raise it whenever the same file would give other replies


class Settings(BaseModel):
    """The keys that an entry of this adapter may carry in a tournament file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    file: str  # a text file with one possible reply per line


class QuotesBot:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        """One reply per request, in order."""
        return [Reply(self._answer(request)) for request in requests]

    async def close(self) -> None:
        """Nothing to free."""

    def _answer(self, request: ReplyRequest) -> str:
        heard = words(request.history[-1].text)
        shared = [len(heard & words(line)) for line in self._lines]
        best = [line for line, count in zip(self._lines, shared, strict=True) if count == max(shared)]
        return random.Random(request.seed).choice(best)  # never the global generator


class QuotesAdapter(SimpleAdapter):
    what = "answers with the nearest line of a text file"
    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:
        """Another file is another bot: its dialogues are played anew."""
        content = "\n".join(read(settings["file"]))
        return f"{CODE}:{hashlib.sha256(content.encode()).hexdigest()[:12]}"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> QuotesBot:  # noqa: ARG002
        return QuotesBot(read(settings["file"]))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def read(file: str) -> list[str]:
    """The file's lines; every failure is one sentence that says what to do."""
    try:
        lines = [line.strip() for line in Path(file).read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The file of quotes {file} cannot be read ({error}); name a text file.") from error
    lines = [line for line in lines if line]
    if not lines:
        raise InputError(f"The file of quotes {file} is empty; write one reply per line.")
    return lines


adapter = QuotesAdapter()
