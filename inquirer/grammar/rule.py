"""A rule of the grammar: what it reads, how it asks, and examples, which also serve as its tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.language import words as w

Write = Callable[[Reading], Iterator[Asked | None]]

EXAMPLES: Mapping[str, dict[str, str]] = defaultdict(dict)
for _rule, _statement, _question in w.rows("examples.tsv"):
    EXAMPLES[_rule][_statement] = _question


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the grammar.

    `single` says whether the fact has exactly one right answer; a question may override it. By default, a rule only
    reads affirmative clauses; `denied` lets it read negative clauses, too.
    """

    name: str
    single: bool | None
    write: Write
    denied: bool = False
    pointed: bool = False  # whether the rule reads clauses about `it` and `there`

    @property
    def matches(self) -> str:
        """What the rule reads, as its function's docstring says it."""
        text = " ".join((self.write.__doc__ or "").split()).rstrip(".")
        return text[:1].lower() + text[1:]

    @property
    def examples(self) -> Mapping[str, str]:
        """Statements, and the questions that the rule asks about them."""
        return EXAMPLES[self.name]

    def questions(self, reading: Reading) -> Iterator[Asked]:
        """Yields the rule's questions about one clause, with the rule's name in each question."""
        if reading.denied and (not self.denied or (reading.loosely_denied and not self.pointed)):
            return
        if not self.pointed and reading.subject in (["it"], ["there"]):
            return
        for asked in self.write(reading):
            if asked is not None:
                single = self.single if asked.single is None else asked.single
                yield replace(asked, rule=self.name, single=single)


REGISTERED: list[Rule] = []


def rule(
    name: str, single: bool | None, denied: bool = False, pointed: bool = False
) -> Callable[[Write], Write]:
    """Makes a rule of a function."""

    def registered(write: Write) -> Write:
        REGISTERED.append(Rule(name, single, write, denied, pointed))
        return write

    return registered
