"""A question that this process has made its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from agent.checkpoint import Recorded
from bot.place import Place
from bot.store import Hold, Question


@dataclass(frozen=True)
class Claimed:
    """A question that is ours to answer."""

    question: Question
    run_id: str
    place: Place
    hold: Hold
    from_outside: bool = False
    asker_only: bool = False
    """Nobody but the one who asked sees the answer."""
    has_strangers: bool = False
    """Slack said that another organisation reads along."""
    kept: tuple[Recorded, ...] = ()
    """How far another process had come with it."""
    has_ended: bool = False
    """How it ended is written down, and has to be shown."""
    asked_at: datetime | None = None
    """When it was stored."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """Where its trace goes on: `bot.telemetry.traces`."""
    takes_over: bool = False
    """A process has died over it."""
