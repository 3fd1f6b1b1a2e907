"""Resolves a tournament file: fills in defaults, and reports each mistake with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as File
from typing import Any, Literal

from pydantic import ValidationError

from arena.config import pairs as pairing
from arena.config.budget import refuse_unpriced
from arena.config.forms import COMMON_BOT_KEYS, FIELDS, Form
from arena.config.openers import DEFAULT, DRAWN, IN_TURN, shipped
from arena.config.tournament import Tournament, inquirer_settings, without_empty_resources, without_placement
from arena.core import resources
from arena.core.amounts import Ceiling
from arena.core.errors import InputError, MissingPart, unreadable
from arena.core.hashing import canonical, digest
from arena.core.inquirer_form import InquirerForm
from arena.core.missing import combined
from arena.core.source_map import LONGEST, SourceMap, explain, keys_of, read
from arena.core.source_map import Path as KeyPath
from arena.core.types import BotSpec, Check, Facts, JudgeSpec, OnLoop, TournamentInfo


def load(path: str | File, *, release: str | None = None) -> Tournament:
    """Read, check and resolve a tournament file."""
    file = File(path)
    try:
        if file.stat().st_size > 4 * LONGEST:
            raise InputError(f"{file} has {file.stat().st_size:,} bytes: it cannot be a tournament file.")
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(
            f"There is no file {file}; name a tournament file such as tournament.yaml."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from error
    return parse(text, name=str(file), folder=file.parent, release=release)


def parse(
    text: str, *, name: str = "the file", folder: File | None = None, release: str | None = None
) -> Tournament:
    """Like `load`, but for a text; relative paths in it start from `folder`."""
    data, lines = read(text, name)
    return _checked(data, SourceMap(name, lines), folder or File(), release)


def from_mapping(
    config: Mapping[str, Any], *, folder: File | None = None, release: str | None = None
) -> Tournament:
    """Like `load`, but for a mapping with the keys of a tournament file."""
    try:
        text = canonical(dict(config))
        data = json.loads(text)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The configuration contains what no tournament file can ({error}); "
            "use texts, finite numbers, lists and mappings."
        ) from error
    if "\\u0000" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise InputError("The configuration contains a character that cannot be stored; remove it.")
    return _checked(data, SourceMap("the configuration", {}), folder or File(), release)


def _checked(data: dict[str, Any], source: SourceMap, folder: File, release: str | None) -> Tournament:
    if release is not None:
        data["release"] = release
    try:
        form = Form.model_validate(data)
    except ValidationError as error:
        raise _explained(error, data, source) from None
    return resolve(form, source, folder)


def resolve(form: Form, source: SourceMap, folder: File) -> Tournament:
    """Fill in identities and revisions, and read the files that the form names."""
    missing: list[str] = []
    listed = list(_present_bots(form, source, folder, missing))
    try:
        inquirer, inquirer_id = _inquirer(form.inquirer, source)
    except MissingPart as error:
        missing.append(str(error))
    if missing:
        raise combined(list(dict.fromkeys(missing)))
    _refuse_twins(listed, source)
    bots = pairing.with_interviewer(form.pairs, listed, source)
    pairs = pairing.resolved(form.pairs, bots, source)
    openers = _openers(form.openers, source, folder)
    order = form.opener_order or (DRAWN if form.openers == DEFAULT else IN_TURN)
    specs = _judges(form, bots, source)
    asked = form.inquirer or None
    refuse_unpriced(form, source)
    resolved = {
        "release": form.release,
        "seed": form.seed,
        "turns": form.turns,
        "dialogues_per_pair": form.dialogues_per_pair,
        "pairs": [list(pair) for pair in pairs],
        "openers": list(openers),
        "bots": [
            {"name": b.name, "adapter": b.adapter, "identity": b.identity, "settings": dict(b.settings)}
            for b in bots
        ],
        "inquirer": without_empty_resources(asked.model_dump(mode="json") | {"id": inquirer_id})
        if asked
        else None,
        "judges": [_judge_entry(spec) for spec in specs],
        "budget": form.budget.resolved(),
        "limits": form.limits.model_dump(),
        **_later_keys(form, order),
    }
    config_hash = digest(without_placement(resolved))
    return Tournament(
        info=TournamentInfo(config_hash[:12], form.release, config_hash, form.seed, resolved, bots),
        turns=form.turns,
        dialogues_per_pair=form.dialogues_per_pair,
        pairs=tuple(pairs),
        openers=tuple(openers),
        openers_drawn=order == DRAWN,
        inquirer=inquirer,
        inquirer_id=inquirer_id,
        kinds=tuple(asked.kinds) if asked else (),
        distances=tuple(asked.distances) if asked else (),
        per_turn=asked.per_turn if asked else 1,
        prefer=asked.prefer if asked else "any",
        judges=tuple(specs),
        checks=tuple(form.checks),
        ceiling=Ceiling.of(form.budget.model_dump()),
        limits=form.limits,
        on_loop=form.on_loop,
    )


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────


def _later_keys(form: Form, order: str) -> dict[str, Any]:
    """Return the keys that revision 0db0902 did not have, unless their value gives the behaviour of that revision."""
    keys: dict[str, Any] = {}
    if order != IN_TURN:
        keys["opener_order"] = order
    if form.checks != [Check.INQUIRY]:
        keys["checks"] = [check.value for check in form.checks]
    if form.on_loop is not OnLoop.KEEP:
        keys["on_loop"] = form.on_loop.value
    return keys


def _refuse_twins(bots: Sequence[BotSpec], source: SourceMap) -> None:
    names = [bot.name for bot in bots]
    for i, name in enumerate(names):
        if name in names[:i]:
            source.fail(("bots", i, "name"), f"two bots are named '{name}'; rename one of them.")


def _judges(form: Form, bots: Sequence[BotSpec], source: SourceMap) -> list[JudgeSpec]:
    from judges import registry

    known = {bot.name: {"adapter": bot.adapter, **bot.settings} for bot in bots}
    specs: list[JudgeSpec] = []
    for i, entry in enumerate(form.judges):
        with source.at("judges", i):
            spec = registry.spec(entry, known)
        if spec.name in [other.name for other in specs]:
            source.fail(
                ("judges", i), f"two judges are named '{spec.name}'; give one of them another 'name'."
            )
        specs.append(replace(spec, tau=form.tau if form.tau is not None else spec.tau))
    return specs


def _judge_entry(spec: JudgeSpec) -> dict[str, Any]:
    return without_empty_resources(
        {
            "name": spec.name,
            "judge": spec.judge,
            "settings": dict(spec.settings),
            "tau": spec.tau,
            "resources": dict(spec.resources),
        }
    )


def _present_bots(form: Form, source: SourceMap, folder: File, missing: list[str]) -> Iterator[BotSpec]:
    """Yield the bots whose parts are present. For each other bot, a sentence is added to `missing`."""
    for index, entry in enumerate(form.bots):
        try:
            yield _bot(entry, index, source, folder)
        except MissingPart as error:
            missing.append(str(error))


def _bot(entry: Mapping[str, Any], index: int, source: SourceMap, folder: File) -> BotSpec:
    from arena.core import plugins
    from bots import registry

    name = entry.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        source.fail(("bots", index, "name"), "a bot needs a 'name' of 1 to 200 characters; give it one.")
    adapter = entry.get("adapter")
    if not isinstance(adapter, str):
        known = ", ".join(registry.names())
        source.fail(("bots", index, "adapter"), f"the bot '{name}' needs an 'adapter'; known are {known}.")
    with source.at("bots", index, "adapter"):
        model = plugins.load("arena.bots", adapter).Settings
    settings = {key: value for key, value in entry.items() if key not in ("name", "adapter")}
    for key in ("persona", "knowledge"):
        if key in settings:
            settings[key] = _texts(settings[key], (*("bots", index), key), source, folder)
    with source.at("bots", index, "resources"):
        resources.read(settings.get("resources"), f"the bot '{name}'")
    own = {key: value for key, value in settings.items() if key not in COMMON_BOT_KEYS}
    try:
        model.model_validate(own)
    except ValidationError as error:
        fields = {**keys_of(model), (): [*model.model_fields, *COMMON_BOT_KEYS]}
        raise explain(error, source, ("bots", index), fields) from None
    except InputError as error:  # from an adapter's own check
        raise source.error(("bots", index), str(error)) from error
    with source.at("bots", index):
        return registry.spec(name, adapter, settings)


def _texts(value: Any, path: KeyPath, source: SourceMap, folder: File) -> str | list[str]:
    """Read a persona or knowledge: a text, a list with one item per dialogue, or a file with one per paragraph."""
    if isinstance(value, str) and value.strip() and not _looks_like_file(value):
        return value
    if isinstance(value, list) and value and all(isinstance(item, str) and item.strip() for item in value):
        return value
    if isinstance(value, Mapping) and set(value) == {"file"}:
        value = value["file"]
    if isinstance(value, str) and value.strip():
        blocks = [
            block.strip() for block in _file(value, path, source, folder).split("\n\n") if block.strip()
        ]
        if not blocks:
            source.fail(path, f"the file {value} is empty; write one paragraph a dialogue into it.")
        return blocks if len(blocks) > 1 else blocks[0]
    source.fail(path, f"'{path[-1]}' must be a text, a list of texts (one a dialogue) or {{file: PATH}}.")


def _looks_like_file(value: str) -> bool:
    return "\n" not in value and " " not in value and value.endswith((".txt", ".md"))


def _file(value: str, path: KeyPath, source: SourceMap, folder: File) -> str:
    try:
        return (folder / value).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        source.fail(
            path,
            f"the file {value} cannot be read as UTF-8 text; check the path (it is relative to the file).",
        )


def _openers(value: list[str] | str, source: SourceMap, folder: File) -> list[str]:
    if value == DEFAULT:
        return list(shipped())
    lines = _file(value, ("openers",), source, folder).splitlines() if isinstance(value, str) else value
    openers = [line.strip() for line in lines if line.strip()]
    if not openers:
        source.fail(("openers",), "there is no opener in it; write at least one first message.")
    return openers


def _inquirer(form: InquirerForm | Literal[False], source: SourceMap) -> tuple[dict[str, Any] | None, str]:
    from inquirer.build import revision

    if form is False:
        return None, "off"
    settings = inquirer_settings(form)
    with source.at("inquirer"):
        resources.read(settings.get("resources"), "the inquirer")
        revised = revision(settings)
    chosen: list[Any] = [[kind.value for kind in form.kinds], form.distances, form.per_turn]
    if form.prefer != "any":  # without a preference, the key is the same as before `prefer` existed
        chosen.append(form.prefer)
    return settings, digest(revised, chosen)[:16]


def _explained(error: ValidationError, data: Facts, source: SourceMap) -> InputError:
    if not data.get("bots") and any(e["loc"][:1] == ("bots",) for e in error.errors()):
        return source.error(("bots",), "there are no bots; list at least one with 'name' and 'adapter'.")
    return explain(error, source, (), FIELDS)
