"""A question that this process has made its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.place import Place
from bot.store import Question


@dataclass(frozen=True)
class Claimed:
    """A question that is ours to answer."""

    question: Question
    run_id: str
    place: Place
    recorded: bool = True
    """False: the store was away when it was claimed."""
    from_outside: bool = False
    asker_only: bool = False
    """Nobody but the one who asked sees the answer."""
    has_strangers: bool = False
    """Slack said that another organisation reads along."""
    asked_at: datetime | None = None
    """When it was stored."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """Where its trace goes on: `bot.telemetry.traces`."""
