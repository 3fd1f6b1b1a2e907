"""A rule of the grammar: what it matches, and examples of what it asks, which also serve as its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading

Write = Callable[[Reading], Iterator[Asked | None]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the grammar.

    `single` says whether the fact has exactly one right answer; a question may override it. `examples` maps
    statements to the questions that the rule asks about them. By default, a rule only reads affirmative clauses;
    `denied` lets it read negative clauses, too.
    """

    name: str
    matches: str
    single: bool | None
    examples: Mapping[str, str]
    write: Write
    denied: bool = False
    pointed: bool = False  # whether the rule reads clauses about `it` and `there`

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


class Rules(list[Rule]):
    """The rules of one file, in source order."""

    def add(
        self,
        name: str,
        matches: str,
        single: bool | None,
        examples: Mapping[str, str],
        denied: bool = False,
        pointed: bool = False,
    ) -> Callable[[Write], Write]:
        def added(write: Write) -> Write:
            self.append(Rule(name, matches, single, examples, write, denied, pointed))
            return write

        return added
