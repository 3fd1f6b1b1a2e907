"""arena agreement: people with people, judges with people, judges with judges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from arena.cli.common import console, db_option, emit, json_option, repository

if TYPE_CHECKING:
    from arena.results.agreement import Agreement, Fitted

QUESTIONS = ("contradicts", "relevant", "appropriate")


@click.command()
@click.argument("tournament")
@click.option("--question", type=click.Choice(QUESTIONS), default="contradicts", show_default=True)
@click.option(
    "--fit",
    "fitting",
    metavar="NAME,NAME",
    help="Also combine these judges by weights fitted on the labels, and print the entry for a tournament file.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Which half of the dialogues --fit learns from."
)
@db_option
@json_option
def command(tournament: str, question: str, fitting: str | None, seed: int, db: str, as_json: bool) -> None:
    """How far the people and judges of TOURNAMENT agree.

    People: Fleiss' κ, Krippendorff's α, each person's Pearson correlation with the vote, as in AIH's table 8.
    Judges: F1, Pearson, κ and confusion with the vote at their τ, and the τ that would suit the labels best.
    """
    from arena.report.agreement import document
    from arena.results.agreement import compute, fit

    store = repository(db, read_only=True)
    stored = store.find(tournament)
    found = compute(store, stored, question)
    combined = fit(store, stored, [name.strip() for name in fitting.split(",")], seed) if fitting else None
    if as_json:
        emit(document(stored.id, found, combined))
    else:
        _show(found, combined)


def _show(found: Agreement, combined: Fitted | None) -> None:
    from rich.table import Table

    from arena.core.safe_text import rich_text

    out, people = console(), found.people
    out.print(
        f"{found.labels} labels of {people.n} people on '{found.question}', {found.open} votes open (ties)."
    )
    if not found.labels:
        out.print(
            "People label on the page Label of 'arena ui'; 'arena labels import' reads a file of theirs."
        )
    if people.items:
        out.print(
            f"{people.items} items with two labels or more: Fleiss κ {_figure(people.fleiss_kappa)}, "
            f"Krippendorff α {_figure(people.krippendorff_alpha)}, unanimous {_figure(people.share_unanimous)}."
        )
    if people.pearson_with_vote:
        table = Table("person", "r with the vote", title="People")
        for bot in found.by_bot:
            table.add_column(rich_text(bot))
        for person, r in people.pearson_with_vote.items():
            by_bot = (_figure(found.by_bot[bot].get(person, math.nan)) for bot in found.by_bot)
            table.add_row(rich_text(person), _figure(r), *by_bot)
        out.print(table)
    if found.judges:
        table = Table(
            "judge", "items", "τ", "F1", "r", "κ", "accuracy", "AUC", "best τ", "F1 there", title="Judges"
        )
        for name, one in found.judges.items():
            best = found.thresholds.get(name)
            table.add_row(
                rich_text(name),
                str(one.items),
                f"{one.tau:g}",
                *map(_figure, (one.f1, one.pearson, one.kappa, one.accuracy, one.auc)),
                _figure(best.tau) if best else "–",
                _figure(best.f1) if best else "–",
            )
        out.print(table)
    if found.pairs:
        table = Table("judge", "judge", "κ", title="Judges with judges")
        for (a, b), kappa in found.pairs.items():
            table.add_row(rich_text(a), rich_text(b), _figure(kappa))
        out.print(table)
    if combined is not None:
        _show_fit(combined)


def _show_fit(combined: Fitted) -> None:
    import yaml
    from rich.table import Table

    from arena.core.safe_text import rich_text

    out = console()
    if combined.held_out:
        table = Table("judge", "AUC", "F1", title="On the half of the dialogues that was not fitted on")
        for name, figures in combined.held_out.items():
            table.add_row(rich_text(name), _figure(figures["auc"]), _figure(figures["f1"]))
        out.print(table)
    click.echo(
        f"# fitted on {combined.items} labelled inquiries; an entry for `judges:` of a tournament file"
    )
    click.echo(
        yaml.safe_dump([dict(combined.entry)], sort_keys=False, allow_unicode=True, default_flow_style=None)
    )


def _figure(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"
