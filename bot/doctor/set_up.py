"""What is set, read so that one wrong variable does not hide the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from agent.settings import AgentSettings, what_is_wrong
from bot.doctor.clocks import Clocks
from bot.http.port import Port
from bot.installations.seal import new_key
from bot.settings import BotSettings, HttpSettings

_Settings = TypeVar("_Settings", bound=BaseSettings)
_PLACEHOLDERS: Final = {
    "SLACK_BOT_TOKEN": "xoxb-none",
    "SLACK_APP_TOKEN": "xapp-none",
    "SLACK_CLIENT_SECRET": "none",
    "DB_AGENT_TOKEN_KEY": new_key(),
    "DB_AGENT_PUBLIC_URL": "https://localhost",
    "DB_AGENT_TEAMS": "any",
}
"""For what has no default; `SetUp.problem_with` says that it is none."""


@dataclass(frozen=True)
class SetUp:
    """The settings as the bot would read them, with defaults in place of what is wrong."""

    agent: AgentSettings
    bot: BotSettings
    missing: frozenset[str] = frozenset()
    """Variables without a default that are not set."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Variable to what it must be, as a whole sentence without its full stop."""
    clocks: Clocks = field(default_factory=Clocks)
    port: Port | None = None
    """The port that would be served; None: none."""

    def is_missing(self, variable: str) -> bool:
        """Say whether a variable that is needed is not set at all."""
        return variable in self.missing

    def is_wrong(self, variable: str) -> bool:
        """Say whether a variable is set to what cannot be."""
        return variable in self.problems


def read_set_up(*, model: str | None = None, port: Port | None = None) -> SetUp:
    """Return what the environment and `.env` say; `model` comes before both.

    `port` is the one that would be served.

    Raises OSError or UnicodeError where `.env` cannot be read.
    """
    given = {} if model is None else {"model": model}
    agent, problems = _read(AgentSettings, given)
    bot, more = _read(BotSettings if port is None else HttpSettings, {})
    found = {**problems, **more}
    missing = {name for name, problem in found.items() if problem.endswith(" is not set")}
    return SetUp(
        agent,
        bot,
        frozenset(missing),
        {name: problem for name, problem in found.items() if name not in missing},
        port=port,
    )


def _read(settings: type[_Settings], given: Mapping[str, Any]) -> tuple[_Settings, dict[str, str]]:
    problems: dict[str, str] = {}
    replaced = dict(given)
    while True:
        try:
            return settings(**replaced), problems
        except ValidationError as error:
            # What stands in for one variable may be what makes another one needed.
            found = [what_is_wrong(settings, each) for each in error.errors()]
        names = {sentence.partition(" ")[0]: sentence for sentence in found}
        assert names.keys() - problems.keys(), found
        problems = {**names, **problems}
        for name in names:
            attribute, field = _field(settings, name)
            default = field.get_default(call_default_factory=True, validated_data={})
            replaced[attribute] = _PLACEHOLDERS.get(name, default)


def _field(settings: type[BaseSettings], variable: str) -> tuple[str, FieldInfo]:
    return next(
        (attribute, each)
        for attribute, each in settings.model_fields.items()
        if variable_of(attribute, each) == variable
    )


def variable_of(attribute: str, each: FieldInfo) -> str:
    """Return the name of the environment variable behind a field of a settings class."""
    return str(each.validation_alias or attribute).upper()
