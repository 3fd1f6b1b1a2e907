"""From a tournament file to its resolved form: defaults written out, mistakes named with their line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from arena.core import resources
from arena.core.errors import InputError, unreadable
from arena.core.hashing import digest
from arena.core.source_map import Path as KeyPath
from arena.core.source_map import Place, explain, near, read
from arena.core.types import NOTHING, BotSpec, Facts, JudgeSpec, Kind, TournamentInfo

COMMON_BOT_KEYS = ("name", "adapter", "persona", "knowledge", "resources")


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _kinds(value: Any) -> Any:
    """`yes_no` stands for both of its halves."""
    if not isinstance(value, list):
        return value
    both = [Kind.YES_NO_TRUE, Kind.YES_NO_FALSE]
    spread = [kind for one in value for kind in (both if one == "yes_no" else [one])]
    return [kind for place, kind in enumerate(spread) if kind not in spread[:place]]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InquirerForm(Strict):
    entities: str | dict[str, Any] = "stanza"
    questions: str | dict[str, Any] | list[str | dict[str, Any]] = "rules"
    kinds: Annotated[list[Kind], BeforeValidator(_kinds), BeforeValidator(_listed)] = Field(
        [Kind.WH], min_length=1
    )
    distances: list[Annotated[int, Field(ge=0)]] = Field([0], min_length=1)
    per_turn: Annotated[int, Field(ge=1)] | Literal["all"] = 1
    round_trip: bool | str | dict[str, Any] = False
    top: int = Field(1, ge=1)
    long_replies: Literal["sure", "meant", "all"] = "sure"
    resources: dict[str, Any] = {}


class Budget(Strict):
    max_cost: float | None = Field(None, gt=0)


class Limits(Strict):
    """What a bot may take; beyond it a reply counts as a fault."""

    reply_seconds: float = Field(300, gt=0)
    reply_chars: int = Field(8000, ge=1)
    retries: int = Field(2, ge=0)


class Form(Strict):
    """The file as it is written."""

    release: str = Field("unreleased", min_length=1, max_length=200)
    seed: int = Field(0, ge=0, lt=2**63)
    turns: int = Field(15, ge=1, le=1000)
    dialogues_per_pair: int = Field(20, ge=1)
    pairs: Literal["all"] | list[Annotated[list[str], Field(min_length=2, max_length=2)]] = "all"
    openers: list[str] | str = Field(["hello"], min_length=1)
    bots: list[dict[str, Any]] = Field(min_length=1)
    inquirer: InquirerForm | Literal[False] = InquirerForm()
    judges: list[str | dict[str, Any]] = Field(["nli"], min_length=1)
    tau: float | None = Field(None, ge=0, le=1)
    budget: Budget = Budget()
    limits: Limits = Limits()

    @field_validator("release")
    @classmethod
    def _printable(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("has characters that cannot be printed")
        return value


@dataclass(frozen=True, slots=True)
class Tournament:
    """A resolved configuration: everything that decides which dialogues exist and how they are judged."""

    info: TournamentInfo
    turns: int
    dialogues_per_pair: int
    pairs: tuple[tuple[str, str], ...]
    openers: tuple[str, ...]
    inquirer: Mapping[str, Any] | None
    inquirer_id: str
    kinds: tuple[Kind, ...]
    distances: tuple[int, ...]
    per_turn: int | Literal["all"]
    judges: tuple[JudgeSpec, ...]
    max_cost: float | None
    limits: Limits

    @property
    def bots(self) -> Sequence[BotSpec]:
        return self.info.bots

    @property
    def dialogues(self) -> int:
        return len(self.pairs) * self.dialogues_per_pair


def load(path: str | File, *, release: str | None = None) -> Tournament:
    """Reads, checks and resolves a tournament file."""
    file = File(path)
    try:
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
    """The same for a text; paths in it are relative to `folder`."""
    data, lines = read(text, name)
    place = Place(name, lines)
    if release is not None:
        data["release"] = release
    try:
        form = Form.model_validate(data)
    except ValidationError as error:
        raise _explained(error, data, place) from None
    return resolve(form, place, folder or File())


def resolve(form: Form, place: Place, folder: File) -> Tournament:
    """Fills in identities and revisions, reads the files that the form names."""
    from judges import registry as judges

    bots = tuple(_bot(entry, i, place, folder) for i, entry in enumerate(form.bots))
    names = [bot.name for bot in bots]
    for i, bot_name in enumerate(names):
        if bot_name in names[:i]:
            place.fail(("bots", i, "name"), f"two bots are named '{bot_name}'; rename one of them.")
    pairs = _pairs(form.pairs, names, place)
    openers = _openers(form.openers, place, folder)
    inquirer, inquirer_id = _inquirer(form.inquirer, place)
    known = {bot.name: {"adapter": bot.adapter, **bot.settings} for bot in bots}
    specs: list[JudgeSpec] = []
    for i, entry in enumerate(form.judges):
        with place.at("judges", i):
            spec = judges.spec(entry, known)
            tau = form.tau if form.tau is not None else spec.tau
            specs.append(replace(spec, tau=tau))
        if spec.name in [s.name for s in specs[:-1]]:
            place.fail(("judges", i), f"two judges are named '{spec.name}'; give one of them another 'name'.")
    asked = form.inquirer or None
    resolved: dict[str, Any] = {
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
        "inquirer": _placed(asked.model_dump(mode="json") | {"id": inquirer_id}) if asked else None,
        "judges": [
            _placed(
                {"name": s.name, "judge": s.judge, "settings": dict(s.settings), "tau": s.tau}
                | {"resources": dict(s.resources)}
            )
            for s in specs
        ],
        "budget": form.budget.model_dump(),
        "limits": form.limits.model_dump(),
    }
    config_hash = digest(_unplaced(resolved))
    return Tournament(
        info=TournamentInfo(config_hash[:12], form.release, config_hash, form.seed, resolved, bots),
        turns=form.turns,
        dialogues_per_pair=form.dialogues_per_pair,
        pairs=tuple(pairs),
        openers=tuple(openers),
        inquirer=inquirer,
        inquirer_id=inquirer_id,
        kinds=tuple(asked.kinds) if asked else (),
        distances=tuple(asked.distances) if asked else (),
        per_turn=asked.per_turn if asked else 1,
        judges=tuple(specs),
        max_cost=form.budget.max_cost,
        limits=form.limits,
    )


def restore(info: TournamentInfo) -> Tournament:
    """The tournament that a stored resolved form describes."""
    config = info.config
    asked = config["inquirer"]
    form = InquirerForm.model_validate({k: v for k, v in asked.items() if k != "id"}) if asked else None
    return Tournament(
        info=info,
        turns=config["turns"],
        dialogues_per_pair=config["dialogues_per_pair"],
        pairs=tuple((i, j) for i, j in config["pairs"]),
        openers=tuple(config["openers"]),
        inquirer=_building(form) if form else None,
        inquirer_id=asked["id"] if asked else "off",
        kinds=tuple(form.kinds) if form else (),
        distances=tuple(form.distances) if form else (),
        per_turn=form.per_turn if form else 1,
        judges=tuple(restored_judge(entry) for entry in config["judges"]),
        max_cost=config["budget"]["max_cost"],
        limits=Limits.model_validate(config["limits"]),
    )


def restored_judge(entry: Mapping[str, Any]) -> JudgeSpec:
    """A judge of a stored configuration."""
    return JudgeSpec(
        entry["name"], entry["judge"], entry["settings"], entry["tau"], entry.get("resources") or NOTHING
    )


def _placed(entry: dict[str, Any]) -> dict[str, Any]:
    """Without resources that nobody named."""
    return {key: value for key, value in entry.items() if key != "resources" or value}


def _unplaced(resolved: Mapping[str, Any]) -> dict[str, Any]:
    """What decides the content: where things run does not."""

    def bare(entry: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return None if entry is None else {k: v for k, v in entry.items() if k != "resources"}

    return {
        **resolved,
        "bots": [bot | {"settings": bare(bot["settings"])} for bot in resolved["bots"]],
        "inquirer": bare(resolved["inquirer"]),
        "judges": [bare(judge) for judge in resolved["judges"]],
    }


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────


def _bot(entry: Mapping[str, Any], index: int, place: Place, folder: File) -> BotSpec:
    from arena.core import plugins
    from bots import registry

    name = entry.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        place.fail(("bots", index, "name"), "a bot needs a 'name' of 1 to 200 characters; give it one.")
    adapter = entry.get("adapter")
    if not isinstance(adapter, str):
        known = ", ".join(registry.names())
        place.fail(("bots", index, "adapter"), f"the bot '{name}' needs an 'adapter'; known are {known}.")
    with place.at("bots", index, "adapter"):
        model = plugins.load("arena.bots", adapter).Settings
    settings = {key: value for key, value in entry.items() if key not in ("name", "adapter")}
    for key in ("persona", "knowledge"):
        if key in settings:
            settings[key] = _told(settings[key], (*("bots", index), key), place, folder)
    with place.at("bots", index, "resources"):
        resources.read(settings.get("resources"), f"the bot '{name}'")
    own = {key: value for key, value in settings.items() if key not in COMMON_BOT_KEYS}
    try:
        model.model_validate(own)
    except ValidationError as error:
        fields = [*model.model_fields, *COMMON_BOT_KEYS]
        raise explain(error, place, ("bots", index), {(): fields}) from None
    except InputError as error:  # from an adapter's own check
        raise place.error(("bots", index), str(error)) from error
    with place.at("bots", index):
        return registry.spec(name, adapter, settings)


def _told(value: Any, path: KeyPath, place: Place, folder: File) -> str | list[str]:
    """A persona or knowledge: a text, a list with one a dialogue, or a file with one a paragraph."""
    if isinstance(value, str) and value.strip() and not _looks_like_file(value):
        return value
    if isinstance(value, list) and value and all(isinstance(item, str) and item.strip() for item in value):
        return value
    if isinstance(value, Mapping) and set(value) == {"file"}:
        value = value["file"]
    if isinstance(value, str) and value.strip():
        blocks = [block.strip() for block in _file(value, path, place, folder).split("\n\n") if block.strip()]
        if not blocks:
            place.fail(path, f"the file {value} is empty; write one paragraph a dialogue into it.")
        return blocks if len(blocks) > 1 else blocks[0]
    place.fail(path, f"'{path[-1]}' must be a text, a list of texts (one a dialogue) or {{file: PATH}}.")


def _looks_like_file(value: str) -> bool:
    return "\n" not in value and " " not in value and value.endswith((".txt", ".md"))


def _file(value: str, path: KeyPath, place: Place, folder: File) -> str:
    try:
        return (folder / value).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        place.fail(
            path,
            f"the file {value} cannot be read as UTF-8 text; check the path (it is relative to the file).",
        )


def _openers(value: list[str] | str, place: Place, folder: File) -> list[str]:
    lines = _file(value, ("openers",), place, folder).splitlines() if isinstance(value, str) else value
    openers = [line.strip() for line in lines if line.strip()]
    if not openers:
        place.fail(("openers",), "there is no opener in it; write at least one first message.")
    return openers


def _pairs(value: Any, names: Sequence[str], place: Place) -> list[tuple[str, str]]:
    if value == "all":
        return [(i, j) for i in names for j in names]
    pairs = [(str(i), str(j)) for i, j in value]
    if not pairs:
        place.fail(("pairs",), "the list of pairs is empty; name some or write 'all'.")
    for number, pair in enumerate(pairs):
        for name in pair:
            if name not in names:
                place.fail(("pairs", number), f"there is no bot '{name}'{near(name, names)}")
        if pair in pairs[:number]:
            place.fail(("pairs", number), f"the pair {list(pair)} is there twice; remove one.")
    return pairs


def _building(form: InquirerForm) -> dict[str, Any]:
    wanted = {"entities", "questions", "round_trip", "top", "long_replies", "resources"}
    return _placed(form.model_dump(mode="json", include=wanted))


def _inquirer(form: InquirerForm | Literal[False], place: Place) -> tuple[dict[str, Any] | None, str]:
    from inquirer.build import build

    if form is False:
        return None, "off"
    settings = _building(form)
    with place.at("inquirer"):
        resources.read(settings.get("resources"), "the inquirer")
        revision = build(settings).revision
    chosen = [[kind.value for kind in form.kinds], form.distances, form.per_turn]
    return settings, digest(revision, chosen)[:16]


FIELDS: dict[KeyPath, list[str]] = {
    (): list(Form.model_fields),
    ("inquirer",): list(InquirerForm.model_fields),
    ("budget",): list(Budget.model_fields),
    ("limits",): list(Limits.model_fields),
}


def _explained(error: ValidationError, data: Facts, place: Place) -> InputError:
    if not data.get("bots") and any(e["loc"][:1] == ("bots",) for e in error.errors()):
        return place.error(("bots",), "there are no bots; list at least one with 'name' and 'adapter'.")
    return explain(error, place, (), FIELDS)
