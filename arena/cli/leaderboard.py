"""arena leaderboard: who contradicts itself least, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.common import console, db_option, emit, json_option, repository, say

if TYPE_CHECKING:
    from arena.results.view import Drawn, View
    from arena.stats.calibration import Corrected
    from arena.stats.leaderboard import Leaderboard, Sweep
    from db.repository import Repository


@click.command()
@click.argument("tournament")
@click.option("--judge", metavar="NAME", help="Whose verdicts; the tournament's first judge unless given.")
@click.option("--tau", type=click.FloatRange(0, 1), metavar="X", help="Contradiction means a score above it.")
@click.option("--kind", default="wh", show_default=True, metavar="K", help="Kind of inquiry, or 'all'.")
@click.option("--distance", default="0", show_default=True, metavar="D", help="Distance in turns, or 'all'.")
@click.option(
    "--tau-sweep", is_flag=True, help="Rates at many thresholds; F1 and Pearson where there are labels."
)
@click.option(
    "--weighting",
    type=click.Choice(["macro", "inquiries"]),
    default="macro",
    show_default=True,
    help="Every speaker counts the same, or every inquiry does.",
)
@click.option(
    "--intervals",
    type=click.Choice(["bca", "percentile", "linearised"]),
    help="How intervals are made; bca up to 1,000 pairs, linearised above, unless given.",
)
@click.option(
    "--corrected",
    is_flag=True,
    help="Rates freed of the judge's errors, by the labels of inquiries drawn by lot.",
)
@click.option(
    "--plots", type=click.Path(file_okay=False), metavar="DIR", help="Write plots and their data there."
)
@db_option
@json_option
def command(
    tournament: str,
    judge: str | None,
    tau: float | None,
    kind: str,
    distance: str,
    tau_sweep: bool,
    weighting: str,
    intervals: str | None,
    corrected: bool,
    plots: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Ranks the bots of TOURNAMENT: rates, intervals, rank ranges, the pair matrix."""
    from arena.results.view import drawn_votes, effort, label_votes, view
    from arena.stats.intervals import Method, Weighting
    from arena.stats.leaderboard import leaderboard, sweep

    store = repository(db)
    seen = view(store, store.find(tournament), judge, tau)
    chosen, far = one_kind(kind), one_distance(distance)
    board = leaderboard(
        seen.inquiries,
        seen.judge.tau,
        kind=chosen,
        distance=far,
        method=None if intervals is None else Method(intervals),
        weighting=Weighting(weighting),
    )
    swept = None
    if tau_sweep:
        swept = sweep(seen.inquiries, kind=chosen, distance=far, labels=label_votes(store, seen))
    if plots is not None:
        from arena.report.plots import write_board

        for path in write_board(store, seen, board, plots, kind=chosen, distance=far):
            say(f"Wrote {path}.")
    if as_json:
        from arena.report import documents
        from arena.report.board import document as board_document

        document = board_document(store, seen, board, swept)
        if corrected:
            drawn = drawn_votes(store, seen)
            document["corrected"] = documents.corrected(_corrected(seen, drawn, chosen, far))
            document["corrected_left_out"] = drawn.left_out
        emit(document)
        return
    _print(store, seen, board, swept)
    cost = effort(store, seen)
    if cost is not None:
        from arena.report import tables

        console().print(tables.effort(cost))
    if corrected:
        from arena.report import tables

        drawn = drawn_votes(store, seen)
        console().print(tables.corrected(_corrected(seen, drawn, chosen, far), drawn))


def show(store: Repository, tournament: str) -> None:
    """The leaderboard of a tournament as people read it."""
    from arena.results.view import view
    from arena.stats.leaderboard import leaderboard

    seen = view(store, store.find(tournament))
    _print(store, seen, leaderboard(seen.inquiries, seen.judge.tau), None)


def one_kind(kind: str) -> str | None:
    from arena.core import plugins
    from arena.core.errors import InputError
    from arena.core.types import Kind

    known = [k.value for k in Kind]
    if kind != "all" and kind not in known:
        raise InputError(plugins.unknown("kind", kind, [*known, "all"]))
    return None if kind == "all" else kind


def one_distance(distance: str) -> int | None:
    from arena.core.errors import InputError

    if distance == "all":
        return None
    if not distance.isdecimal():
        raise InputError(f"--distance is a number of turns or 'all', not '{distance}'.")
    return int(distance)


def _corrected(seen: View, drawn: Drawn, kind: str | None, distance: int | None) -> tuple[Corrected, ...]:
    from arena.stats.calibration import corrected

    return corrected(seen.inquiries, seen.judge.tau, drawn.votes, kind=kind, distance=distance)


def _print(store: Repository, seen: View, board: Leaderboard, swept: Sweep | None) -> None:
    from arena.report import tables
    from db.conduct import conduct

    out = console()
    aside = conduct(store.engine, seen.tournament.id)
    for table in (
        tables.leaderboard(seen, board),
        tables.matrix(board),
        tables.kinds(board),
        tables.unjudged(board),
        tables.refused(board, aside),
        tables.degenerate(board, aside),
        None if swept is None else tables.sweep(swept),
    ):
        if table is not None:
            out.print(table)
    for warning in board.warnings:
        say(f"Note: {warning}")
