"""A sentence as the parser sees it: words with their tags."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from inquirer.language.tokens import Token


@dataclass(frozen=True, slots=True)
class Text:
    """Words with their tags. Beyond the ends, words and tags are empty."""

    words: tuple[Token, ...]
    tags: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    def low(self, i: int) -> str:
        """Returns a word in lower case."""
        return self.words[i].lower if 0 <= i < len(self.words) else ""

    def tag(self, i: int) -> str:
        return self.tags[i] if 0 <= i < len(self.tags) else ""

    def lows(self, start: int, end: int) -> list[str]:
        return [word.lower for word in self.words[start:end]]

    def until(self, end: int) -> Text:
        return Text(self.words[:end], self.tags[:end])

    def after(self, i: int, tags: Set[str], words: Set[str] = frozenset()) -> int:
        """Returns the first position from `i` whose tag is not among the tags and whose word is not among the words."""
        while self.tag(i) in tags or self.low(i) in words:
            i += 1
        return i
