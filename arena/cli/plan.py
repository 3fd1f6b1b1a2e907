"""arena plan: computes the number of dialogues that is needed to detect a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, gathered, json_option, repository, say
from arena.core.defaults import INQUIRIES_PER_100_REPLIES

if TYPE_CHECKING:
    from arena.stats.planning import Assumed, Components, Size

DIFFERENCES = (0.02, 0.05, 0.10, 0.20)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The arguments and options of `arena plan`."""

    file: str
    differences: tuple[float, ...]
    power: float
    rate: float | None
    inquiries: float | None
    correlation: float | None
    like: str | None
    judge: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--difference",
    "differences",
    type=click.FloatRange(0, 1, min_open=True),
    multiple=True,
    metavar="D",
    help="A difference of two rates to plan for (default: 0.02, 0.05, 0.10 and 0.20).",
)
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.99),
    default=0.8,
    show_default=True,
    help="Probability that the ranking separates two such bots.",
)
@click.option("--rate", type=click.FloatRange(0, 1), metavar="P", help="Contradiction rate to assume.")
@click.option(
    "--inquiries", type=click.FloatRange(0.01), metavar="N", help="Inquiries per dialogue to assume."
)
@click.option(
    "--correlation",
    type=click.FloatRange(0, 1),
    metavar="R",
    help="Correlation between inquiries of one dialogue to assume.",
)
@click.option(
    "--like",
    metavar="TOURNAMENT",
    help="Take rate, inquiries and correlations from this tournament, and show where its variance comes from.",
)
@click.option("--judge", metavar="NAME", help="The judge whose verdicts on that tournament are used.")
@db_option
@json_option
@gathered(PlanOptions)
def command(options: PlanOptions) -> None:
    """Computes how many dialogues per pair FILE needs to tell two bots apart, and what it can detect as it is.

    Missing values are taken from the tournament that --like names. Without --like, the plan assumes a rate of 0.25, an
    inquiry after every third reply, and a correlation of 0.1.
    """
    from arena.config.resolve import load

    tournament = load(options.file)
    components: Components | None = None
    if options.like is None:
        assumed = usual(tournament.turns)
    else:
        assumed, components = _seen(options.db, options.like, options.judge)
    size = size_of(tournament)
    document = plan(
        _given(assumed, options.rate, options.inquiries, options.correlation),
        size,
        components,
        options.differences,
        options.power,
    )
    if options.as_json:
        emit(document)
        return
    _show(document)


def usual(turns: int, per_100_replies: float = INQUIRIES_PER_100_REPLIES) -> Assumed:
    """Return the values that are assumed for bots without earlier results."""
    from arena.stats.planning import Assumed

    return Assumed(inquiries=max(1.0, turns * per_100_replies / 100))


def size_of(tournament: Any) -> Size:
    from arena.stats.planning import Size

    bots = len(tournament.bots)
    return Size(
        bots,
        max(1.0, len(tournament.pairs) / max(bots, 1)),
        tournament.dialogues_per_pair,
        len(tournament.openers),
        tournament.openers_drawn,
    )


def plan(
    assumed: Assumed,
    size: Size,
    components: Components | None = None,
    differences: tuple[float, ...] = (),
    power: float = 0.8,
) -> dict[str, Any]:
    """Return the plan, which --json prints."""
    from arena.stats.planning import advice, detectable, error, needed

    return {
        "bots": size.bots,
        "dialogues_per_pair": size.dialogues,
        "openers": size.openers,
        "power": power,
        "assumed": {
            "rate": assumed.rate,
            "inquiries_per_dialogue": assumed.inquiries,
            "correlation": assumed.correlation,
            "opener_share": assumed.opener_share,
        },
        "standard_error": error(assumed, size),
        "detectable": detectable(assumed, size, power=power),
        "needed": [
            {"difference": d, "dialogues_per_pair": needed(d, assumed, size, power=power)}
            for d in differences or DIFFERENCES
        ],
        "variance": None
        if components is None
        else {
            "opener": components.opener,
            "opponent": components.opponent,
            "dialogue": components.dialogue,
            "question": components.question,
            "of_rate": components.of_rate,
        },
        "advice": list(advice(assumed, size, components)),
    }


def _seen(db: str, tournament: str, judge: str | None) -> tuple[Assumed, Components]:
    from arena.core.errors import InputError
    from arena.results.view import counts, view
    from arena.stats.planning import observed

    store = repository(db, read_only=True)
    counted = counts(view(store, store.find(tournament), judge))
    if not counted.inquiries.any():
        raise InputError(
            f"No finding of {tournament} is judged at distance 0; judge it first, or leave --like out."
        )
    return observed(counted)


def _given(
    assumed: Assumed, rate: float | None, inquiries: float | None, correlation: float | None
) -> Assumed:
    from dataclasses import replace

    if rate is not None:
        assumed = replace(assumed, rate=rate)
    if inquiries is not None:
        assumed = replace(assumed, inquiries=inquiries)
    return assumed if correlation is None else replace(assumed, correlation=correlation)


def _show(document: dict[str, Any]) -> None:
    from rich.table import Table

    assumed, out = document["assumed"], console()
    say(
        f"{document['bots']} bots, {document['dialogues_per_pair']} dialogues per pair, {document['openers']} openers; "
        f"assumed: rate {assumed['rate']:.3f}, {assumed['inquiries_per_dialogue']:.2f} inquiries per dialogue, "
        f"correlation {assumed['correlation']:.2f}, {assumed['opener_share']:.0%} of it by openers."
    )
    out.print(
        f"As it is, the file tells two bots apart that differ by {document['detectable']:.3f} or more, "
        f"with {document['power']:.0%} probability."
    )
    table = Table("difference", "dialogues per pair", title="Needed to tell two bots apart")
    for row in document["needed"]:
        number = row["dialogues_per_pair"]
        table.add_row(f"{row['difference']:g}", "no number is enough" if number is None else f"{number:,}")
    out.print(table)
    if variance := document["variance"]:
        table = Table("of", "variance of one outcome", title="Where the variance comes from")
        for name in ("opener", "opponent", "dialogue", "question"):
            value = variance[name]
            table.add_row(name, "not known" if value is None else f"{value:.4f}")
        out.print(table)
    for line in document["advice"]:
        out.print(line)
