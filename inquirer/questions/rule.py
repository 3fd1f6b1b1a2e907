"""What a rule of the grammar is: a name, what it asks, and whether the fact it asks for has one right answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar, cast

from inquirer.questions.frame import Asked

F = TypeVar("F", bound=Callable[..., Any])
Single = bool | None | Callable[[str], bool | None]  # a function decides by the words of the question


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    single: Single = None

    def single_answer(self, question: str) -> bool | None:
        return self.single(question) if callable(self.single) else self.single

    def marked(self, asked: Asked) -> Asked:
        """The question with this rule's name, unless a rule within it made the question."""
        if asked.rule:
            return asked
        return replace(asked, rule=self.name, single=self.single_answer(asked.direct))


def rule(name: str, single: Single = None) -> Callable[[F], F]:
    """Marks what a function asks; it may give one question, several, a list, or None."""
    known = Rule(name, single)

    def decorated(function: F) -> F:
        @wraps(function)
        def marking(*arguments: Any, **named: Any) -> Any:
            made = function(*arguments, **named)
            if made is None:
                return None
            if isinstance(made, Asked):
                return known.marked(made)
            if isinstance(made, list):
                return [known.marked(asked) for asked in made]
            return _marked(known, made)

        return cast(F, marking)

    return decorated


def _marked(known: Rule, made: Iterator[Asked]) -> Iterator[Asked]:
    for asked in made:
        yield known.marked(asked)
