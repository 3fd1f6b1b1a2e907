"""arena agreement: agreement among people, between judges and people, and among judges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from arena.cli.common import console, db_option, emit, json_option, repository
from arena.cli.verdict_options import CHECKS_OF_MESSAGES

if TYPE_CHECKING:
    from rich.table import Table

    from arena.results.agreement import Agreement, Fitted

SAMPLES = {
    "drawn by lot": "drawn by lot",
    "everything": "all that there are",
    "unknown": "which were imported: how they were chosen is not known, so they may not stand for the others",
}


@click.command()
@click.argument("tournament")
@click.option("--question", metavar="NAME", help="A question of the schema (default: its main question).")
@click.option("--schema", metavar="NAME", help="The label schema (default: aih; finding with --check).")
@click.option(
    "--check", type=click.Choice(CHECKS_OF_MESSAGES), help="Use the labels of this check's findings."
)
@click.option(
    "--fit",
    "fitting",
    metavar="NAME,NAME",
    help="Also combine these judges by weights fitted on the labels, and print the entry for a tournament file.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Selects the half of the dialogues that --fit learns from.",
)
@db_option
@json_option
def command(
    tournament: str,
    question: str | None,
    schema: str | None,
    check: str | None,
    fitting: str | None,
    seed: int,
    db: str,
    as_json: bool,
) -> None:
    """Shows how far the people and judges of TOURNAMENT agree.

    For people: Fleiss' κ, Krippendorff's α, Cohen's κ, and each person's Pearson correlation with the others' vote. For
    judges, on randomly drawn items: F1, Pearson's r, κ and the confusion matrix against the vote at the judge's own τ,
    and the best τ.
    """
    from arena.core.types import Check
    from arena.labelling import own
    from arena.labelling.schemas import schema as schema_of
    from arena.report.agreement import document
    from arena.results.agreement import compute, fit

    store = repository(db, read_only=True)
    stored = store.find(tournament)
    form = schema_of(schema or ("finding" if check else "aih"), own.schemas(store))
    agreement = compute(store, stored, question, form, Check(check) if check else None)
    combined = fit(store, stored, [name.strip() for name in fitting.split(",")], seed) if fitting else None
    if as_json:
        emit(document(stored.id, agreement, combined))
    else:
        _show(agreement, combined)


def _show(agreement: Agreement, combined: Fitted | None) -> None:
    from rich.table import Table

    from arena.core.safe_text import rich_text

    out, people = console(), agreement.people
    out.print(
        f"{agreement.labels} labels of {people.n} people on '{agreement.question}', {agreement.open} votes open (ties)."
    )
    if not agreement.labels:
        out.print(
            "People label on the page Label of 'arena ui'; 'arena labels import' reads a file of theirs."
        )
    if people.items:
        out.print(
            f"{people.items} items with two labels or more: Fleiss κ {_figure(people.fleiss_kappa)}, "
            f"Krippendorff α {_figure(people.krippendorff_alpha)}, unanimous {_figure(people.share_unanimous)}."
        )
    if people.n > 2:
        table = Table("person", "r with the others' vote", title="People")
        for person, r in people.pearson_with_others.items():
            table.add_row(rich_text(person), _figure(r))
        out.print(table)
    if people.cohen_kappa:
        table = Table("person", "person", "κ", title="People with people")
        for (a, b), kappa in people.cohen_kappa.items():
            table.add_row(rich_text(a), rich_text(b), _figure(kappa))
        out.print(table)
    if agreement.judges:
        out.print(_judges(agreement))
    if agreement.pairs:
        table = Table("judge", "judge", "κ", title="Judges with judges")
        for (a, b), kappa in agreement.pairs.items():
            table.add_row(rich_text(a), rich_text(b), _figure(kappa))
        out.print(table)
    if combined is not None:
        _show_fit(combined)


def _judges(agreement: Agreement) -> Table:
    """Make the table of judges. Its figures come from randomly drawn labels, but the last column from all labels."""
    from rich.table import Table

    from arena.core.safe_text import rich_text

    table = Table(
        *("judge", "n", "τ", "F1", "r", "κ", "accuracy", "AUC", "best τ", "F1 there", "κ by all labels"),
        title="Judges with people",
        caption=f"By {agreement.drawn} items with a vote, {SAMPLES[agreement.sample]}, with 95% intervals. The F1 at "
        "the best τ is of dialogues that did not choose it. All labels together are a diagnostic, not a fair sample.",
    )
    for name, one in agreement.judges.items():
        best = agreement.thresholds.get(name)
        figures = {"f1": one.f1, "pearson": one.pearson, "kappa": one.kappa, "accuracy": one.accuracy}
        table.add_row(
            rich_text(name),
            str(one.items),
            f"{one.tau:g}",
            *(
                _estimate(value, one.intervals.get(key))
                for key, value in (figures | {"auc": one.auc}).items()
            ),
            _figure(best.tau) if best else "–",
            _figure(best.f1) if best else "–",
            _figure(agreement.diagnostic[name].kappa),
        )
    return table


def _estimate(value: float, bounds: tuple[float, float] | None) -> str:
    if bounds is None or not math.isfinite(bounds[0]):
        return _figure(value)
    return f"{_figure(value)} ({bounds[0]:.2f}–{bounds[1]:.2f})"


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
