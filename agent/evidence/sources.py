"""What a draft may rest on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from agent.messages import Calculation, QueryResult


@dataclass(frozen=True)
class Sources:
    """Everything that a figure of a draft may come from."""

    question: str
    """As the person wrote it; a limit or a period that it names may be repeated."""
    results: tuple[QueryResult, ...] = ()
    """In the order of the queries: sources are named "result 1", "result 2"."""
    calculations: tuple[Calculation, ...] = ()
    today: date | None = None
    """The day on which the question was asked."""
