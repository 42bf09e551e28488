"""What a process of the bot does: takes questions in, answers them, or both."""

from __future__ import annotations

from enum import Enum
from typing import Final

from agent.errors import SettingsInvalid
from bot.settings import BotSettings

NOT_SHARED: Final = (
    "DB_AGENT_STORE_URL is not set: {command} shares its record with other processes, so it must "
    "name a PostgreSQL database that all of them reach, such as "
    "postgresql://USER:PASSWORD@HOST:5432/DATABASE."
)


class Role(Enum):
    """The value is what starts it."""

    BOTH = "serve"
    INTAKE = "serve --no-workers"
    WORKER = "worker"

    @property
    def takes_events(self) -> bool:
        """Does Slack tell it what happens?"""
        return self is not Role.WORKER

    @property
    def answers(self) -> bool:
        """Does it work on questions?"""
        return self is not Role.INTAKE

    @property
    def in_words(self) -> str:
        """What a person who starts it reads that it does."""
        match self:
            case Role.BOTH:
                return "serves"
            case Role.INTAKE:
                return "takes questions (db-agent worker answers them)"
            case Role.WORKER:
                return "answers questions that others take"

    def require_record(self, settings: BotSettings) -> None:
        """Raise `SettingsInvalid` where it needs a record that others share, and none is set."""
        if self is not Role.BOTH and settings.store_url is None:
            raise SettingsInvalid(NOT_SHARED.format(command=f"db-agent {self.value}"))
