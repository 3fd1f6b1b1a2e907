"""A simple clause: subject, auxiliaries, verb and the phrases that complete it."""

from __future__ import annotations

from dataclasses import dataclass

from inquirer.language.tags import BE
from inquirer.language.tokens import Token
from inquirer.language.verbs import base


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
class Clause:
    """A simple clause.

    `chain` holds the further verbs that belong together with the verb, for example "to ride" in "like to ride". The
    last verb of the chain takes the phrases.
    """

    words: tuple[Token, ...]
    tags: tuple[str, ...]
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
        return base(self.words[self.verb].lower)

    @property
    def deepest(self) -> str:
        """The base form of the last verb of the chain."""
        return base(self.words[self.chain[1] - 1].lower) if self.chain[1] > self.chain[0] else self.lemma

    @property
    def copular(self) -> bool:
        low = self.words[self.verb].lower
        return low in BE or (low == "'s" and self.tags[self.verb] != "POS")
