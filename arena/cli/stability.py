"""arena stability: how many dialogues per pair a stable ranking needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from arena.cli.common import console, db_option, emit, gathered, json_option, repository, say
from arena.cli.verdict_options import one_distance, several_kinds, verdict_options


@dataclass(frozen=True, slots=True)
class StabilityOptions:
    """The arguments and options of `arena stability`."""

    tournament: str
    judge: str | None
    tau: float | None
    kind: str
    distance: str
    reference: str | None
    rounds: int
    seed: int
    plot: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("tournament")
@verdict_options("the tournament's first judge")
@click.option(
    "--reference",
    type=click.Path(),
    metavar="FILE",
    help="The ranking to reproduce: one bot per line, best first.",
)
@click.option("--rounds", type=click.IntRange(1, 100_000), default=1000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--plot", type=click.Path(), metavar="FILE", help="Draw the curves (SVG or PNG), with their data as CSV."
)
@db_option
@json_option
@gathered(StabilityOptions)
def command(options: StabilityOptions) -> None:
    """Sub-samples the dialogues of TOURNAMENT and counts how often the reference ranking is reproduced.

    The default reference is the ranking of all the data. A bot that is left out is also removed as a speaker.
    """
    from arena.report import documents, tables
    from arena.results.view import counts, view
    from arena.stats.stability import neighbours, stability

    store = repository(options.db)
    expected = None if options.reference is None else _lines(options.reference)
    seen = view(store, store.find(options.tournament), options.judge, options.tau)
    counted = counts(seen, kind=several_kinds(options.kind), distance=one_distance(options.distance))
    result = stability(counted, expected, rounds=options.rounds, seed=options.seed)
    apart = neighbours(counted)
    if options.plot is not None:
        from arena.report.plots import save, stability_plot

        for path in save(stability_plot(result), Path(options.plot)):
            say(f"Wrote {path}.")
    if options.as_json:
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
            f"{file} cannot be read; give a UTF-8 text file with one bot per line, best first."
        ) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
