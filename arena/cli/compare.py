"""arena compare: has a bot improved from one release to the next?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, gathered, json_option, repository, say
from arena.cli.verdict_options import one_distance, several_kinds, verdict_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.stats.calibration import CorrectedChange
    from arena.stats.comparison import Comparison
    from arena.stats.counts import Kinds
    from db.repository import Repository


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """The arguments and options of `arena compare`."""

    a: str | None
    b: str | None
    judge: str | None
    tau: float | None
    kind: str
    distance: str
    margin: float
    relative_margin: float
    force: bool
    fail_on_regression: bool
    fail_on_unclear: bool
    corrected: bool
    markdown: bool
    history: str | None
    plot: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@verdict_options("the first judge of A's file")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    default=0.03,
    show_default=True,
    help="A difference within this margin counts as no change.",
)
@click.option(
    "--relative-margin",
    type=click.FloatRange(0),
    default=0.5,
    show_default=True,
    metavar="X",
    help="Reduce the margin to X times the mean rate where that is less, but not below 0.01.",
)
@click.option("--force", is_flag=True, help="Compare releases that are not comparable, and show the reasons.")
@click.option("--fail-on-regression", is_flag=True, help="Exit code 1 if a bot has become worse.")
@click.option(
    "--fail-on-unclear", is_flag=True, help="Exit code 1 if a verdict is unclear or a bot is worse."
)
@click.option(
    "--corrected",
    is_flag=True,
    help="Also correct the changes for the judge's errors, by randomly drawn labels in both releases.",
)
@click.option("--markdown", is_flag=True, help="Print a table for a pull request.")
@click.option("--history", metavar="BOT", help="Show only this bot's rate in every release, oldest first.")
@click.option(
    "--plot",
    type=click.Path(),
    metavar="FILE",
    help="Draw the slope chart (SVG or PNG), with its data as CSV.",
)
@db_option
@json_option
@gathered(CompareOptions)
def command(options: CompareOptions) -> int:
    """Compares two releases (or tournaments), A and B; the verdict is about B.

    A pair of bots counts only if its speaker is the same bot in both releases.
    """
    from arena.core.errors import InputError
    from arena.results.comparison import compared, corrected_changes

    chosen, far = several_kinds(options.kind), one_distance(options.distance)
    if options.history is not None:
        if options.a or options.b:
            raise InputError("--history shows every release of a bot; leave A and B out.")
        _history(
            repository(options.db), options.history, options.judge, options.tau, chosen, far, options.as_json
        )
        return 0
    if not options.a or not options.b:
        raise InputError("Give two releases or tournaments: arena compare A B.")
    store = repository(options.db)
    result = compared(
        store,
        options.a,
        options.b,
        judge=options.judge,
        tau=options.tau,
        kind=chosen,
        distance=far,
        margin=options.margin,
        relative_margin=options.relative_margin,
        force=options.force,
    )
    by_labels = (
        corrected_changes(
            store,
            options.a,
            options.b,
            result,
            judge=options.judge,
            tau=options.tau,
            kind=chosen,
            distance=far,
        )
        if options.corrected
        else None
    )
    if options.plot is not None and result.changes:
        from pathlib import Path

        from arena.report.plots import save, slope_plot

        for path in save(slope_plot(result), Path(options.plot)):
            say(f"Wrote {path}.")
    _show(result, by_labels, options.margin, as_json=options.as_json, markdown=options.markdown)
    if not result.comparable and not options.force:
        say("Not comparable; --force compares all the same.")
        return 2
    failed = result.regressed if options.fail_on_regression or options.fail_on_unclear else ()
    return 1 if failed or (options.fail_on_unclear and result.unclear) else 0


def _show(
    result: Comparison,
    by_labels: Sequence[CorrectedChange] | None,
    margin: float,
    *,
    as_json: bool,
    markdown: bool,
) -> None:
    from arena.report import documents, tables

    if as_json:
        document = documents.comparison(result)
        if by_labels is not None:
            document["corrected"] = [documents.corrected_change(change) for change in by_labels]
        emit(document)
        return
    if markdown:
        click.echo(tables.markdown(result, margin))
        return
    for reason in result.reasons:
        say(f"Not comparable: {reason}.")
    if not result.changes:
        return
    out = console()
    out.print(tables.comparison(result))
    if by_labels is not None:
        out.print(tables.corrected_changes(by_labels))
    own = tables.self_pairs(result)
    if own is not None:
        out.print(own)
    for note in result.notes:
        say(f"Note: {note}")
    for names, where in ((result.only_a, result.a), (result.only_b, result.b)):
        if names:
            say(f"Only in {where}: {', '.join(names)}.")


def _history(
    store: Repository,
    bot: str,
    judge: str | None,
    tau: float | None,
    kind: Kinds,
    distance: int | None,
    as_json: bool,
) -> None:
    from arena.core.errors import InputError
    from arena.report import documents, tables
    from arena.results.releases import history

    rows = history(store, bot, judge, tau, kind=kind, distance=distance)
    if not rows:
        names = sorted({name for stored in store.tournaments() for name in stored.bots})
        from arena.core import plugins

        raise InputError(plugins.unknown("judged bot", bot, names))
    if as_json:
        document: dict[str, Any] = {"bot": bot, "releases": [documents.past(row) for row in rows]}
        emit(document)
        return
    console().print(tables.history(bot, rows))
