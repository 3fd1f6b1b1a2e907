"""The options by which commands choose verdicts: judge, threshold, kinds of inquiry, distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.core.types import MESSAGE_CHECKS, Check

if TYPE_CHECKING:
    from arena.stats.counts import Kinds

F = TypeVar("F", bound=Callable[..., Any])
ALL_CHECKS = [check.value for check in Check]
CHECKS_OF_MESSAGES = [check.value for check in MESSAGE_CHECKS]


def verdict_options(usual_judge: str) -> Callable[[F], F]:
    """Return a decorator that adds these options; `usual_judge` says whose verdicts count by default."""

    def decorate(function: F) -> F:
        for option in (
            click.option(
                "--distance", default="0", show_default=True, metavar="D", help="Distance in turns, or 'all'."
            ),
            click.option(
                "--kind",
                default="wh,yes_no_true",
                show_default=True,
                metavar="K",
                help="Kinds of inquiry, separated by commas, or 'all'.",
            ),
            click.option(
                "--tau",
                type=click.FloatRange(0, 1),
                metavar="X",
                help="Scores above X count as contradictions.",
            ),
            click.option(
                "--judge", metavar="NAME", help=f"Use the verdicts of this judge (default: {usual_judge})."
            ),
        ):
            function = option(function)
        return function

    return decorate


def several_kinds(kind: str) -> Kinds:
    """Return the named kinds of inquiry; None for `all`."""
    from arena.core import plugins
    from arena.core.errors import InputError
    from arena.core.types import Kind

    known = [k.value for k in Kind]
    if kind == "all":
        return None
    wanted = tuple(name.strip() for name in kind.split(","))
    for name in wanted:
        if name not in known:
            raise InputError(plugins.unknown("kind", name, [*known, "all"]))
    return wanted


def one_distance(distance: str) -> int | None:
    from arena.core.errors import InputError

    if distance == "all":
        return None
    if not distance.isdecimal():
        raise InputError(f"--distance is a number of turns or 'all', not '{distance}'.")
    return int(distance)
