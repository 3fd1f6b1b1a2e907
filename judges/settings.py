"""The base class of all judges' settings: unknown keys are refused, and values are frozen."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """The settings of a judge that has none of its own; the base class of all other settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)
