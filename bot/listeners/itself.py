"""How /ask reaches the agent that answers questions about the bot's own record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.about_itself import NoSelfAgent
from bot.listeners.intake import Intake
from bot.protocols import Agent

NO_SELF = "I cannot be asked about myself here: my own record is not open to questions."


@dataclass(frozen=True)
class Itself:
    """How the bot is asked about its own record, or why it cannot be."""

    intake: Intake | None = None
    reason: str = NO_SELF

    @classmethod
    def of(cls, agent: Agent | NoSelfAgent | None, intake: Callable[[Agent], Intake]) -> Itself:
        """`agent` answers such questions, behind an intake of its own."""
        if agent is None:
            return cls()
        return cls(reason=agent.reason) if isinstance(agent, NoSelfAgent) else cls(intake(agent))
