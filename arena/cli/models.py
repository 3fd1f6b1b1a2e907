"""arena models: what is fetched once and kept in the cache folder."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.common import emit, json_option, say


@click.group()
def command() -> None:
    """Models that are fetched once: language models of the package registry, Stanza's full English models."""


@command.command("list")
@json_option
def listing(as_json: bool) -> None:
    """Lists them, their terms, and whether they are on this machine."""
    from bots import models
    from inquirer import models as of_inquirer

    rows: list[dict[str, Any]] = [
        {
            "name": model.name,
            "about": model.about,
            "licence": model.licence,
            "terms": model.terms,
            "megabytes": model.megabytes,
            "present": models.gguf_file(model) is not None,
        }
        for model in models.MODELS.values()
    ]
    rows.append(of_inquirer.facts())
    if as_json:
        emit({"models": rows})
        return
    for row in rows:
        size = f"{row['megabytes']} MB " if row["megabytes"] else ""
        state = "here" if row["present"] else f"{size}to fetch"
        click.echo(f"{row['name']}: {row['about']}; {row['licence']}; {state}")


@command.command()
@click.argument("name")
@json_option
def fetch(name: str, as_json: bool) -> None:
    """Downloads NAME and checks its hash; fetching it means accepting its terms."""
    from arena.core.errors import InputError
    from arena.core.plugins import unknown
    from bots import models
    from inquirer import models as of_inquirer

    if name == of_inquirer.NAME:
        folder = of_inquirer.fetch()
        if as_json:
            emit({"name": name, "path": str(folder)})
        else:
            click.echo(f"Stanza's full models are in {folder}; the inquirer uses them from now on.")
        return
    if name not in models.MODELS:
        raise InputError(unknown("model", name, [*models.MODELS, of_inquirer.NAME]))
    model = models.embedded(name)
    say(f"{model.about}. Licence: {model.licence}, {model.terms}: by using it you accept these terms.")
    path = models.fetch(name)
    if as_json:
        emit({"name": name, "path": str(path), "licence": model.licence, "terms": model.terms})
    else:
        click.echo(f"It is here; name it in a tournament file as model: embedded:{name}")
