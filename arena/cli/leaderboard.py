"""arena leaderboard: who contradicts itself least, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, json_option, repository, say

if TYPE_CHECKING:
    from arena.results.labels import Drawn
    from arena.results.view import View
    from arena.stats.calibration import Corrected
    from arena.stats.counts import Kinds
    from arena.stats.standings import Leaderboard
    from arena.stats.sweeps import Sweep
    from db.repository import Repository

KIND = click.option(
    "--kind",
    default="wh,yes_no_true",
    show_default=True,
    metavar="K",
    help="Kinds of inquiry, separated by commas, or 'all'.",
)


@click.command()
@click.argument("tournament")
@click.option("--judge", metavar="NAME", help="Whose verdicts; the tournament's first judge unless given.")
@click.option("--tau", type=click.FloatRange(0, 1), metavar="X", help="Contradiction means a score above it.")
@KIND
@click.option("--distance", default="0", show_default=True, metavar="D", help="Distance in turns, or 'all'.")
@click.option(
    "--tau-sweep",
    is_flag=True,
    help="Rates at many thresholds; F1 and Pearson where labels were drawn by lot.",
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
    type=click.Choice(["score", "bca", "percentile", "linearised"]),
    help="How intervals are made; score unless given.",
)
@click.option(
    "--corrected",
    is_flag=True,
    help="Rates corrected for the judge's errors, by the labels of inquiries drawn by lot.",
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
    """Ranks the bots of TOURNAMENT: rates, intervals, ranks, the pair matrix, differences between bots."""
    from arena.results.labels import drawn_votes
    from arena.results.view import view
    from arena.stats.intervals import Method, Weighting
    from arena.stats.leaderboard import leaderboard
    from arena.stats.sweeps import sweep

    store = repository(db)
    seen = view(store, store.find(tournament), judge, tau)
    chosen, far = several_kinds(kind), one_distance(distance)
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
        swept = sweep(seen.inquiries, kind=chosen, distance=far, labels=drawn_votes(store, seen).votes)
    if plots is not None:
        from arena.report.plots import write_board

        for path in write_board(store, seen, board, plots, kind=chosen, distance=far):
            say(f"Wrote {path}.")
    drawn = drawn_votes(store, seen) if corrected else None
    rows = None if drawn is None else _corrected(seen, drawn, chosen, far)
    if as_json:
        emit(_document(store, seen, board, swept, drawn, rows))
    else:
        _print(store, seen, board, swept, drawn, rows)


def show(store: Repository, tournament: str) -> None:
    """The ranking of a tournament, without what it rests on."""
    from arena.report import tables
    from arena.results.view import view
    from arena.stats.leaderboard import leaderboard

    seen = view(store, store.find(tournament))
    board = leaderboard(seen.inquiries, seen.judge.tau)
    console().print(tables.leaderboard(seen, board))
    for note in board.notes:
        say(f"Note: {note}")


def several_kinds(kind: str) -> Kinds:
    """The kinds that are named; None for all."""
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


def _corrected(seen: View, drawn: Drawn, kind: Kinds, distance: int | None) -> tuple[Corrected, ...]:
    from arena.stats.calibration import corrected

    return corrected(seen.inquiries, seen.judge.tau, drawn.votes, kind=kind, distance=distance)


def _document(
    store: Repository,
    seen: View,
    board: Leaderboard,
    swept: Sweep | None,
    drawn: Drawn | None,
    rows: tuple[Corrected, ...] | None,
) -> dict[str, Any]:
    from arena.report import documents
    from arena.report.board import document as board_document

    document = board_document(store, seen, board, swept)
    if drawn is not None and rows is not None:
        document["corrected"] = documents.corrected(rows)
        document["corrected_left_out"] = drawn.left_out
        document["corrected_undecided"] = drawn.undecided
    return document


def _print(
    store: Repository,
    seen: View,
    board: Leaderboard,
    swept: Sweep | None,
    drawn: Drawn | None,
    rows: tuple[Corrected, ...] | None,
) -> None:
    from arena.report import tables
    from arena.results.labels import effort
    from db.conduct import conduct

    out = console()
    aside = conduct(store.engine, seen.tournament.id)
    cost = effort(store, seen)
    for table in (
        tables.leaderboard(seen, board),
        tables.beside(board),
        tables.differences(board),
        tables.matrix(board),
        tables.kinds(board),
        tables.unjudged(board),
        tables.refused(board, aside),
        tables.degenerate(board, aside),
        None if swept is None else tables.sweep(swept),
        None if cost is None else tables.effort(cost),
        None if drawn is None or rows is None else tables.corrected(rows, drawn),
    ):
        if table is not None:
            out.print(table)
    for note in board.notes:
        say(f"Note: {note}")
