"""The base of all judges' settings: unknown keys are refused, and values are frozen."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A judge without settings of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)
