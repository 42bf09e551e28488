"""For how long the bot keeps what was asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Keep:
    """For how many days what is kept; 0: for ever."""

    results_days: int = 30
    """The rows of results, from when they were recorded."""
    runs_days: int = 365
    """Whole runs, from when they were asked."""
