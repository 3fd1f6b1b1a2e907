"""What all settings of judges share: unknown keys are refused, and nothing changes after reading."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A judge without settings of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)
