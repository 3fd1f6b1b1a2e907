"""arena leaderboard: which bots contradict themselves least, and how certain that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, gathered, json_option, repository, say
from arena.cli.verdict_options import ALL_CHECKS, one_distance, several_kinds, verdict_options

if TYPE_CHECKING:
    from arena.results.labels import Drawn
    from arena.results.view import View
    from arena.stats.calibration import Corrected
    from arena.stats.counts import Kinds
    from arena.stats.standings import Leaderboard
    from arena.stats.sweeps import Sweep
    from db.repository import Repository


@dataclass(frozen=True, slots=True)
class LeaderboardOptions:
    """The arguments and options of `arena leaderboard`."""

    tournament: str
    judge: str | None
    tau: float | None
    kind: str
    distance: str
    check: str
    tau_sweep: bool
    weighting: str
    intervals: str | None
    corrected: bool
    plots: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("tournament")
@verdict_options("the tournament's first judge")
@click.option(
    "--check",
    type=click.Choice(ALL_CHECKS),
    default="inquiry",
    show_default=True,
    help="Rank by answers to inquiries, or by messages under another check.",
)
@click.option(
    "--tau-sweep",
    is_flag=True,
    help="Show the rates at many thresholds, and F1 and Pearson's r on randomly drawn labels.",
)
@click.option(
    "--weighting",
    type=click.Choice(["macro", "inquiries"]),
    default="macro",
    show_default=True,
    help="Give equal weight to speakers (macro) or to inquiries.",
)
@click.option(
    "--intervals",
    type=click.Choice(["score", "bca", "percentile", "linearised"]),
    help="The method for intervals (default: score).",
)
@click.option(
    "--corrected",
    is_flag=True,
    help="Correct the rates for the judge's errors, by labels of randomly drawn inquiries.",
)
@click.option(
    "--plots",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write plots and their data to this folder.",
)
@db_option
@json_option
@gathered(LeaderboardOptions)
def command(options: LeaderboardOptions) -> None:
    """Ranks the bots of TOURNAMENT and shows rates, intervals, ranks, the pair matrix, and differences between bots."""
    from arena.core.errors import InputError
    from arena.core.types import Check
    from arena.results.checks import view_of
    from arena.results.labels import drawn_votes
    from arena.stats.intervals import Method, Weighting
    from arena.stats.leaderboard import leaderboard
    from arena.stats.sweeps import sweep

    store = repository(options.db)
    check = Check(options.check)
    if options.corrected and check is not Check.INQUIRY:
        raise InputError("Rates are corrected by labels of inquiries: leave out --corrected or --check.")
    seen = view_of(store, store.find(options.tournament), check, options.judge, options.tau)
    chosen, far = several_kinds(options.kind), one_distance(options.distance)
    if check is not Check.INQUIRY:  # messages have neither kinds nor distances
        chosen, far = None, None
    board = leaderboard(
        seen.inquiries,
        seen.judge.tau,
        kind=chosen,
        distance=far,
        method=None if options.intervals is None else Method(options.intervals),
        weighting=Weighting(options.weighting),
    )
    swept = None
    if options.tau_sweep:
        swept = sweep(seen.inquiries, kind=chosen, distance=far, labels=drawn_votes(seen).votes)
    if options.plots is not None:
        from arena.report.plots import write_board

        for path in write_board(seen, board, options.plots, kind=chosen, distance=far):
            say(f"Wrote {path}.")
    drawn = drawn_votes(seen) if options.corrected else None
    rows = None if drawn is None else _corrected(seen, drawn, chosen, far)
    if options.as_json:
        emit(_document(store, seen, board, swept, drawn, rows))
    else:
        _print(store, seen, board, swept, drawn, rows)


def show(store: Repository, tournament: str) -> Leaderboard:
    """Print only the ranking of a tournament, and return it."""
    from arena.report import tables
    from arena.results.view import view
    from arena.stats.leaderboard import leaderboard

    seen = view(store, store.find(tournament))
    board = leaderboard(seen.inquiries, seen.judge.tau)
    console().print(tables.leaderboard(seen, board))
    for note in board.notes:
        say(f"Note: {note}")
    return board


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
    aside = conduct(store, seen.tournament.id)
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
        tables.loops(board, aside),
        None if swept is None else tables.sweep(swept),
        None if cost is None else tables.effort(cost),
        None if drawn is None or rows is None else tables.corrected(rows, drawn),
    ):
        if table is not None:
            out.print(table)
    for note in board.notes:
        say(f"Note: {note}")
