"""Creates judges by name, for example `nli`; a setting may follow after a colon, as in `nli:FOLDER`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from arena.core import plugins, resources
from arena.core.errors import InputError, MissingPart
from arena.core.source_map import near, wrong
from arena.core.types import NOTHING, JudgeSpec
from bots.base import RunOptions
from judges.base import Factory, Judge

GROUP = "arena.judges"


def names() -> list[str]:
    """Return all registered names, even of judges that cannot be loaded."""
    return plugins.names(GROUP)


def factory(name: str) -> Factory:
    """Return the factory of a name; a colon and the text after it are ignored."""
    loaded: Factory = plugins.load(GROUP, name.partition(":")[0])
    if not hasattr(loaded, "shorthand"):
        raise MissingPart(
            f"The judge '{name}' has no `shorthand`: let its factory inherit from judges.base.FactoryDefaults."
        )
    return loaded


def parse(judge: str, settings: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
    """Split a name into judge and settings.

    `hybrid:compat` is the judge `hybrid` whose setting `shorthand` (its factory says which) is `compat`.
    """
    base, colon, value = judge.partition(":")
    merged = dict(settings or {})
    if colon:
        key = factory(base).shorthand
        if not key:
            raise InputError(f"The judge '{base}' takes nothing after a colon: write '{base}'.")
        if key in merged:
            raise InputError(
                f"The judge '{judge}' has {key} twice: leave out '{key}' or what follows the colon."
            )
        merged[key] = value
    return base, merged


def validated(judge: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with all defaults filled in; an error names the invalid key."""
    base, merged = parse(judge, settings)
    model = factory(base).Settings
    try:
        checked = model.model_validate(merged)
    except ValidationError as error:
        raise InputError(_sentence(base, error, sorted(model.model_fields))) from None
    result: dict[str, Any] = checked.model_dump(mode="json")
    return result


def create(
    name: str, judge: str, settings: Mapping[str, Any] | None = None, tau: float | None = None
) -> Judge:
    """Create a judge. Models are not loaded until the first case."""
    created = factory(judge).create(name, validated(judge, settings or {}))
    lacking = [part for part in ("scale", "use", "close", "implementation") if not hasattr(created, part)]
    if lacking:
        raise InputError(
            f"The judge '{judge}' has no `{lacking[0]}`: let its class inherit from judges.base.Defaults."
        )
    if tau is not None:
        if not 0.0 <= tau <= 1.0:
            raise InputError(f"The judge '{name}' has tau {tau}: give a number from 0 to 1.")
        created.tau = tau
    return created


def from_spec(spec: JudgeSpec, run: RunOptions | None = None) -> Judge:
    """Create the judge of a resolved configuration; only judges that ask bots use `run`."""
    judge = create(spec.name, spec.judge, spec.settings, spec.tau)
    if run is not None:
        judge.use(run)
    return judge


def spec(
    entry: str | Mapping[str, Any], bots: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> JudgeSpec:
    """Resolve a judge from a tournament file or `--judge`: a name, or a mapping with `judge` or `name`.

    `bots` are the bots of the tournament by name, each with its adapter; a judge may use one of them.
    """
    if isinstance(entry, str):
        base, settings = parse(entry)
        return JudgeSpec(entry, base, validated(base, _known(settings, bots)))
    rest = dict(entry)
    judge = rest.pop("judge", None) or rest.get("name")
    if not isinstance(judge, str):
        raise InputError("A judge needs `judge:` with one of: " + ", ".join(names()) + ".")
    name, tau = rest.pop("name", judge), rest.pop("tau", None)
    needs = rest.pop("resources", None)
    resources.read(needs, f"the judge '{name}'")
    base, settings = parse(judge, rest)
    return JudgeSpec(str(name), base, validated(base, _known(settings, bots)), tau, needs or NOTHING)


def _known(settings: Mapping[str, Any], bots: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Replace the setting `bot: NAME` by the entry of that bot, if the tournament has a bot of that name."""
    bot = settings.get("bot")
    return {**settings, "bot": dict(bots[bot])} if isinstance(bot, str) and bot in bots else settings


def revision(judge: str, settings: Mapping[str, Any] | None = None) -> str:
    """The revision under which this judge's verdicts are stored."""
    return create(judge, judge, settings).revision


def _sentence(judge: str, error: ValidationError, known: list[str]) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"]) or "settings"
    if first["type"] == "extra_forbidden":
        return f"The judge '{judge}' has no setting '{key}'{near(key, known)}"
    if first["type"] == "missing":
        return f"The judge '{judge}' needs the setting '{key}'; 'arena judges describe {judge}' explains it."
    return f"The setting '{key}' of the judge '{judge}' is wrong: {wrong(first)}."
