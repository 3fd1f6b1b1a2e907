"""What adapters without a model share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class Plain(BaseModel):
    """Settings of a bot that has none."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Ready:
    """Facts of an adapter that works everywhere."""

    what = ""
    Settings: type[Any] = Plain

    def available(self) -> tuple[bool, str]:
        return True, self.what

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": self.what, **settings}
