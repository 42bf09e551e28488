"""Whether /ask reaches the agent that answers questions about the bot's own record."""

from __future__ import annotations

from dataclasses import dataclass

from bot.about_itself import NoSelfAgent
from bot.protocols import Agent

NO_SELF = "I cannot be asked about myself here: my own record is not open to questions."


@dataclass(frozen=True)
class Itself:
    """Whether the bot can be asked about its own record."""

    reason: str = NO_SELF
    """Why it cannot be; "" where it can."""

    @classmethod
    def of(cls, agent: Agent | NoSelfAgent | None) -> Itself:
        """`agent` answers such questions, or says why nobody does."""
        if agent is None:
            return cls()
        return cls(agent.reason if isinstance(agent, NoSelfAgent) else "")
