"""What the store keeps, as values."""

from __future__ import annotations

from dataclasses import dataclass

from agent.messages import Outcome, QueryResult


@dataclass(frozen=True)
class Thread:
    """A thread in Slack; `ts` is the one of its first message."""

    team: str
    channel: str
    ts: str

    @property
    def is_direct(self) -> bool:
        """In the direct messages with the bot."""
        return self.channel.startswith("D")


@dataclass(frozen=True)
class Question:
    """A question as it was asked. (team, channel, ts) is its name for good."""

    thread: Thread
    ts: str
    asked_by: str
    text: str


@dataclass(frozen=True)
class RunRecord:
    """A run as the store remembers it."""

    id: str
    question: Question
    outcome: Outcome | None
    """None: still running, cut off, or turned away."""
    answer: str
    summary: str
    card_ts: str | None
    results: tuple[QueryResult, ...]


@dataclass(frozen=True)
class CutOff:
    """A run whose process is gone, and the message that was its card, if one was posted."""

    run_id: str
    channel: str
    card_ts: str | None
