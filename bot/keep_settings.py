"""How long the bot keeps what was asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

from bot.keep import Keep

LONGEST = 36_500
"""Days; more is for ever."""


class KeepSettings(BaseSettings):
    """After how many days what ages out; 0: never."""

    keep_results_days: Annotated[
        int, Field(validation_alias="DB_AGENT_KEEP_RESULTS_DAYS", ge=0, le=LONGEST)
    ] = 30
    """The rows of results. They go with their runs at the latest."""
    keep_runs_days: Annotated[
        int, Field(validation_alias="DB_AGENT_KEEP_RUNS_DAYS", ge=0, le=LONGEST)
    ] = 365
    """Questions, answers, trails, feedback and escalations."""

    @property
    def keep(self) -> Keep:
        """Both."""
        return Keep(self.keep_results_days, self.keep_runs_days)
