"""arena judges: lists, describes and tries judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, emit, json_option

if TYPE_CHECKING:
    from arena.core.types import JudgeSpec

KINDS = ("wh", "yes_no_true", "yes_no_false", "ask_twice", "paraphrase", "about_partner")


@click.group()
def command() -> None:
    """Lists, describes and tries judges."""


@command.command(name="list")
@json_option
def listed(as_json: bool) -> None:
    """Lists the installed judges and what each judge needs."""
    from arena.core import plugins
    from arena.core.errors import ArenaError
    from judges import registry

    facts: list[dict[str, Any]] = []
    for name in registry.names():
        try:
            factory = registry.factory(name)
            available, detail = plugins.works(factory)
            what = str(factory.describe({}).get("what", "")) if available else ""
        except ArenaError as error:
            available, detail, what = False, str(error), ""
        facts.append({"name": name, "available": available, "detail": detail, "what": what})
    if as_json:
        emit({"judges": facts})
        return
    from rich.table import Table

    from arena.core.safe_text import rich_text

    table = Table("judge", "works", "what it is", "needs")
    for one in facts:
        works = "yes" if one["available"] else "no"
        table.add_row(one["name"], works, rich_text(one["what"]), rich_text(one["detail"]))
    console().print(table)


@command.command()
@click.argument("name")
@json_option
def describe(name: str, as_json: bool) -> None:
    """Shows the settings, classes and limits of the judge NAME."""
    from judges import registry

    base, settings = registry.parse(name)
    factory = registry.factory(base)
    available, detail = factory.available()
    fields = {
        key: {"default": None if field.is_required() else field.default, "needed": field.is_required()}
        for key, field in factory.Settings.model_fields.items()
    }
    facts = {"name": name, "available": available, "detail": detail, **factory.describe(settings)}
    facts["settings"] = fields
    if as_json:
        emit(facts)
        return
    from arena.core.safe_text import terminal

    for key, value in facts.items():
        if key == "settings":
            continue
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        click.echo(f"{key}: {terminal(shown)}")
    for key, field in fields.items():
        default = "needed" if field["needed"] else f"default {field['default']}"
        click.echo(f"setting {key}: {terminal(str(default))}")


@command.command(name="try")
@click.argument("utterance")
@click.argument("question")
@click.argument("answer")
@click.option("--judge", "name", default="nli", show_default=True, metavar="NAME")
@click.option("--kind", type=click.Choice(KINDS), default="wh", show_default=True)
@click.option("--expected", metavar="TEXT", help="The right answer, for judges that need it.")
@click.option("--knowledge", metavar="TEXT", help="The knowledge for the answer, for judges of groundedness.")
@json_option
def trial(
    utterance: str,
    question: str,
    answer: str,
    name: str,
    kind: str,
    expected: str | None,
    knowledge: str | None,
    as_json: bool,
) -> None:
    """Judges ANSWER to QUESTION, which was asked about UTTERANCE."""
    import asyncio

    from arena.cli.named import mapping
    from arena.core.safe_text import terminal
    from arena.core.types import Case, Kind
    from arena.judging.one_case import judge_case
    from judges import registry

    spec: JudgeSpec = registry.spec(mapping(name) or name)
    case = Case(utterance, question, answer, Kind(kind), expected, (utterance,), knowledge)
    facts = asyncio.run(judge_case(spec, case))
    if as_json:
        emit(facts)
        return
    if facts["contradiction"] is None:
        wants = facts["reason"] == "no_truth" and expected is None and spec.judge != "truth"
        cure = " (--expected gives it the right answer)" if wants else ""
        click.echo(f"{facts['judge']} does not judge it: {facts['reason']}{cure}")
    else:
        verdict = "contradiction" if facts["contradiction"] > facts["tau"] else "no contradiction"
        click.echo(f"{facts['judge']}: {verdict} ({facts['contradiction']:.3f}, τ = {facts['tau']:g})")
    for key, value in {**facts["classes"], **facts["evidence"]}.items():
        click.echo(f"  {key}: {terminal(f'{value:.3f}' if isinstance(value, float) else str(value))}")
