"""A resolved tournament: everything that decides which dialogues exist and how they are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from arena.config.forms import Limits
from arena.config.openers import DRAWN
from arena.core.amounts import Ceiling
from arena.core.inquirer_form import PARTS, InquirerForm
from arena.core.types import NOTHING, BotSpec, Check, JudgeSpec, Kind, OnLoop, TournamentInfo


@dataclass(frozen=True, slots=True)
class Tournament:
    """A resolved configuration: everything that decides which dialogues exist and how they are judged."""

    info: TournamentInfo
    turns: int
    dialogues_per_pair: int
    pairs: tuple[tuple[str, str], ...]
    openers: tuple[str, ...]
    openers_drawn: bool  # else the dialogues use the openers in turn
    inquirer: Mapping[str, Any] | None
    inquirer_id: str
    kinds: tuple[Kind, ...]
    distances: tuple[int, ...]
    per_turn: int | Literal["all"]
    prefer: Literal["single", "any"]
    judges: tuple[JudgeSpec, ...]
    checks: tuple[Check, ...]
    ceiling: Ceiling
    limits: Limits
    on_loop: OnLoop = OnLoop.KEEP

    @property
    def bots(self) -> Sequence[BotSpec]:
        return self.info.bots

    @property
    def dialogues(self) -> int:
        return len(self.pairs) * self.dialogues_per_pair


def restore(info: TournamentInfo) -> Tournament:
    """Restore the tournament from its stored configuration."""
    config = info.config
    asked = config["inquirer"]
    form = _stored_inquirer(asked) if asked else None
    return Tournament(
        info=info,
        turns=config["turns"],
        dialogues_per_pair=config["dialogues_per_pair"],
        pairs=tuple((i, j) for i, j in config["pairs"]),
        openers=tuple(config["openers"]),
        openers_drawn=config.get("opener_order") == DRAWN,
        inquirer=inquirer_settings(form) if form else None,
        inquirer_id=asked["id"] if asked else "off",
        kinds=tuple(form.kinds) if form else (),
        distances=tuple(form.distances) if form else (),
        per_turn=form.per_turn if form else 1,
        prefer=form.prefer if form else "any",
        judges=tuple(restored_judge(entry) for entry in config["judges"]),
        checks=tuple(Check(name) for name in config.get("checks", [Check.INQUIRY.value])),
        ceiling=Ceiling.of(config["budget"]),
        limits=Limits.model_validate(config["limits"]),
        on_loop=OnLoop(config.get("on_loop", OnLoop.KEEP)),
    )


def _stored_inquirer(asked: Mapping[str, Any]) -> InquirerForm:
    """Restore a stored inquirer. Old configurations without `prefer` get the value `any`."""
    return InquirerForm.model_validate(
        {"prefer": "any", **{k: v for k, v in asked.items() if k not in ("id", "long_replies")}}
    )


def restored_judge(entry: Mapping[str, Any]) -> JudgeSpec:
    """Restore a judge from a stored configuration."""
    return JudgeSpec(
        entry["name"], entry["judge"], entry["settings"], entry["tau"], entry.get("resources") or NOTHING
    )


def without_empty_resources(entry: dict[str, Any]) -> dict[str, Any]:
    """Remove `resources` from an entry if it is empty."""
    return {key: value for key, value in entry.items() if key != "resources" or value}


def without_placement(resolved: Mapping[str, Any]) -> dict[str, Any]:
    """Remove `resources` and `isolate` from a configuration; they do not affect dialogues or verdicts."""

    def bare(entry: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return (
            None if entry is None else {k: v for k, v in entry.items() if k not in ("resources", "isolate")}
        )

    return {
        **resolved,
        "bots": [bot | {"settings": bare(bot["settings"])} for bot in resolved["bots"]],
        "inquirer": bare(resolved["inquirer"]),
        "judges": [bare(judge) for judge in resolved["judges"]],
    }


def without_budget(resolved: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the budget and the placement, so that a run with another budget continues the same tournament."""
    return {key: value for key, value in without_placement(resolved).items() if key != "budget"}


def inquirer_settings(form: InquirerForm) -> dict[str, Any]:
    return without_empty_resources(form.model_dump(mode="json", include={*PARTS, "resources"}))
