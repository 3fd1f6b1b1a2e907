"""A simple clause and its phrases, and the tagged words of a sentence from which they are read."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from inquirer.language import words as w
from inquirer.language.tokens import Token
from inquirer.language.verbs import base


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


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase after the verb. All numbers are positions in the words.

    `kind` is np, pp, adj, adv, sub (a clause) or rest, among others. `body` is where the noun phrase begins, after
    any preposition.
    """

    kind: str
    start: int
    end: int
    body: int


@dataclass(frozen=True, slots=True)
class Clause(Text):
    """A simple clause from `start` to `end`, with the words of its whole sentence.

    `chain` holds the further verbs that belong together with the verb, for example "to ride" in "like to ride". The
    last verb of the chain takes the phrases.
    """

    start: int
    end: int
    subject: tuple[int, int]
    auxiliaries: tuple[int, ...]
    negation: int | None
    adverbs: tuple[int, ...]
    verb: int
    chain: tuple[int, int]  # from behind the verb to the end of the last verb; empty where there is one verb
    phrases: tuple[Phrase, ...]
    joiner: str = ""
    borrowed: tuple[Token, ...] = ()  # the subject, where it stands in another clause

    @property
    def subject_words(self) -> tuple[Token, ...]:
        return self.borrowed or self.words[self.subject[0] : self.subject[1]]

    @property
    def lemma(self) -> str:
        """The base form of the finite verb."""
        return base(self.low(self.verb))

    @property
    def chained(self) -> bool:
        """Whether there is a chain of verbs, for example "like to ride", "love riding"."""
        return self.chain[1] > self.chain[0]

    @property
    def deepest(self) -> str:
        """The base form of the last verb of the chain."""
        return base(self.low(self.chain[1] - 1)) if self.chained else self.lemma

    @property
    def helpers(self) -> list[str]:
        return [self.low(i) for i in self.auxiliaries]

    @property
    def copular(self) -> bool:
        low = self.low(self.verb)
        return low in w.BE or (low == "'s" and self.tags[self.verb] != "POS")
