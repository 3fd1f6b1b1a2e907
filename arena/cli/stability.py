"""arena stability: how many dialogues a pair a stable ranking needs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import console, db_option, emit, json_option, repository, say
from arena.cli.leaderboard import KIND, one_distance, several_kinds


@click.command()
@click.argument("tournament")
@click.option("--judge", metavar="NAME", help="Whose verdicts; the tournament's first judge unless given.")
@click.option("--tau", type=click.FloatRange(0, 1), metavar="X", help="Contradiction means a score above it.")
@KIND
@click.option("--distance", default="0", show_default=True, metavar="D", help="Distance in turns, or 'all'.")
@click.option(
    "--reference",
    type=click.Path(),
    metavar="FILE",
    help="The ranking to reproduce: a bot a line, best first.",
)
@click.option("--rounds", type=click.IntRange(1, 100_000), default=1000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--plot", type=click.Path(), metavar="FILE", help="Draw the curves (SVG or PNG), data beside as CSV."
)
@db_option
@json_option
def command(
    tournament: str,
    judge: str | None,
    tau: float | None,
    kind: str,
    distance: str,
    reference: str | None,
    rounds: int,
    seed: int,
    plot: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Sub-samples the dialogues of TOURNAMENT and counts how often the reference ranking comes out.

    Without --reference it is the ranking of all the data. Leaving a bot out removes it as speaker too.
    """
    from arena.report import documents, tables
    from arena.results.view import counts, view
    from arena.stats.stability import neighbours, stability

    store = repository(db)
    expected = None if reference is None else _lines(reference)
    seen = view(store, store.find(tournament), judge, tau)
    counted = counts(seen, kind=several_kinds(kind), distance=one_distance(distance))
    result = stability(counted, expected, rounds=rounds, seed=seed)
    apart = neighbours(counted)
    if plot is not None:
        from arena.report.plots import save, stability_plot

        for path in save(stability_plot(result), Path(plot)):
            say(f"Wrote {path}.")
    if as_json:
        emit(documents.stability(result, apart))
        return
    out = console()
    out.print(tables.stability(result))
    out.print(tables.separations(apart))
    for note in result.notes:
        say(f"Note: {note}")


def _lines(file: str) -> list[str]:
    from arena.core.errors import InputError

    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read; give a UTF-8 text file with a bot a line, best first."
        ) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
