"""The common part of adapters without a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from arena.core.types import NOTHING, Facts
from bots.base import AdapterDefaults


class NoSettings(BaseModel):
    """The settings of a bot that has no settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SimpleAdapter(AdapterDefaults):
    """The base class of adapters that work on every machine."""

    what = ""
    Settings: type[Any] = NoSettings

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, self.what

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": self.what, **settings}
