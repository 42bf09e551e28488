"""What the bot needs from outside: the only reader of the environment in this package."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.errors import SettingsInvalid
from agent.settings import what_is_wrong
from bot.install_settings import INSTALL_HELP, InstallSettings
from bot.keep_settings import KeepSettings
from bot.token_shape import QUOTES, with_prefix
from bot.work_settings import WorkSettings

SLACK_URL = "https://slack.com/api/"
BOT_TOKEN_HELP = (
    'it is the "Bot User OAuth Token" (xoxb-…) on the page "OAuth & Permissions" of your app at '
    "https://api.slack.com/apps, shown there once the app is installed to the workspace"
)
APP_TOKEN_HELP = (
    'it is an "App-Level Token" (xapp-…) with the scope connections:write, made on the page '
    '"Basic Information" of your app at https://api.slack.com/apps'
)
SIGNING_SECRET_HELP = (
    'it is the "Signing Secret" on the page "Basic Information" of your app at '
    "https://api.slack.com/apps"
)
CHANNEL_HELP = (
    "in Slack, open the channel's details by its name; the id stands at the end of the page"
)
MEMBER_HELP = 'in Slack, open the profile, then "⋮" and "Copy member ID"'
Settings = TypeVar("Settings", bound="StorePlace")
_CHANNEL_ID = re.compile(r"[CG][A-Z0-9]{6,}")
_MEMBER_ID = re.compile(r"[UW][A-Z0-9]{6,}")


class StorePlace(BaseSettings):
    """Where the bot's own record is; all that is needed to look into it."""

    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True, populate_by_name=True
    )

    store_url: Annotated[SecretStr | None, Field(validation_alias="DB_AGENT_STORE_URL")] = None
    """PostgreSQL for the bot's own records; None: an embedded server in `data_dir`."""
    data_dir: Annotated[
        Path, Field(validation_alias="DB_AGENT_DATA_DIR", default_factory=lambda: _data_dir())
    ]
    migrates: Annotated[bool, Field(validation_alias="DB_AGENT_MIGRATE")] = True
    """Is the record brought up to date by whoever opens it? Else by `db-agent migrate` alone."""


class BotSettings(InstallSettings, KeepSettings, WorkSettings, StorePlace):
    """The bot's settings, read once at start and never changed.

    Values given to the constructor win over the environment; that is how the demo passes the
    tokens of its local workspace.
    """

    serves_http: ClassVar[bool] = False
    """Is there a port of ours that Slack can call?"""
    takes_events: ClassVar[bool] = True
    """Does Slack send us its events? Else we answer what others have taken."""

    slack_bot_token: Annotated[SecretStr, Field(validate_default=True)] = SecretStr("")
    """Opens the one workspace; not looked at where there are several."""
    slack_signing_secret: SecretStr | None = None
    """What Slack signs its requests with; None: events come over Socket Mode, port or no port."""
    slack_app_token: Annotated[SecretStr, Field(validate_default=True)] = SecretStr("")
    """What opens Socket Mode; empty where events come over HTTP."""
    slack_url: Annotated[str, Field(validation_alias="DB_AGENT_SLACK_URL")] = SLACK_URL
    """Where Slack's Web API is; the local workspace has its own."""
    max_running_per_person: Annotated[
        int | None, Field(validation_alias="DB_AGENT_MAX_RUNNING_PER_PERSON", ge=1)
    ] = None
    """Questions that are worked on at the same time, in all processes; None: any number."""
    max_running: Annotated[int | None, Field(validation_alias="DB_AGENT_MAX_RUNNING", ge=1)] = None
    escalation_channel: Annotated[str, Field(validation_alias="DB_AGENT_ESCALATION_CHANNEL")] = ""
    """The id of the channel where people answer what the bot could not; "": there is none."""
    metrics_port: Annotated[
        int | None, Field(validation_alias="DB_AGENT_METRICS_PORT", ge=0, le=65_535)
    ] = None
    """A port for measures and health alone; None: there is none of its own."""
    metrics_host: Annotated[str, Field(validation_alias="DB_AGENT_METRICS_HOST")] = "127.0.0.1"
    """The address that it listens on; 0.0.0.0 in a container."""
    operators_channel: Annotated[str, Field(validation_alias="DB_AGENT_OPERATORS_CHANNEL")] = ""
    """The id of the channel that is told of runs that end badly; "": nobody is."""
    escalation_reminder_h: Annotated[
        int, Field(validation_alias="DB_AGENT_ESCALATION_REMINDER_H", ge=1, le=1000)
    ] = 4
    """Hours after which a question that waits for a person is brought up once more."""
    contact: Annotated[str, Field(validation_alias="DB_AGENT_CONTACT", max_length=200)] = ""
    """Whom a card names where there is no escalation channel, such as "the data team"."""
    max_usd_per_person_day: Annotated[
        Decimal | None, Field(validation_alias="DB_AGENT_MAX_USD_PER_PERSON_DAY", gt=0)
    ] = None
    """The money after which a person's questions wait for the next day; None: no ceiling."""
    max_usd_per_channel_day: Annotated[
        Decimal | None, Field(validation_alias="DB_AGENT_MAX_USD_PER_CHANNEL_DAY", gt=0)
    ] = None
    max_usd_per_workspace_month: Annotated[
        Decimal | None, Field(validation_alias="DB_AGENT_MAX_USD_PER_WORKSPACE_MONTH", gt=0)
    ] = None
    admins: Annotated[str, Field(validation_alias="DB_AGENT_ADMINS")] = ""
    """The ids of members who see the whole bill, besides the workspace's administrators."""
    store_reader_url: Annotated[
        SecretStr | None, Field(validation_alias="DB_AGENT_STORE_READER_URL")
    ] = None
    """A login that can read the bot's log and nothing else, where the bot cannot make its own."""

    @field_validator("slack_url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("https", "http") and parts.hostname and parts.port != 0
        except ValueError:
            good = False
        if not good:
            raise ValueError(f"must be the address of a Web API, such as {SLACK_URL}")
        return url

    @field_validator("escalation_channel", "operators_channel")
    @classmethod
    def _check_channel(cls, channel: str) -> str:
        channel = channel.strip()
        if channel and not _CHANNEL_ID.fullmatch(channel):
            raise ValueError(f"must be a channel's id, such as C0123ABCD: {CHANNEL_HELP}")
        return channel

    @field_validator("admins")
    @classmethod
    def _check_admins(cls, admins: str) -> str:
        for member in admins.replace(",", " ").split():
            if not _MEMBER_ID.fullmatch(member):
                raise ValueError(f"must be members' ids with commas, U0123ABCD: {MEMBER_HELP}")
        return admins

    @property
    def admin_ids(self) -> frozenset[str]:
        """The ids in `admins`."""
        return frozenset(self.admins.replace(",", " ").split())

    @field_validator("slack_bot_token")
    @classmethod
    def _check_bot_token(cls, token: SecretStr, info: ValidationInfo) -> SecretStr:
        if info.data.get("slack_client_id", "wrong"):
            return SecretStr("")
        if not token.get_secret_value():
            raise PydanticCustomError("missing", "Field required")
        return with_prefix(token, "xoxb-", BOT_TOKEN_HELP)

    @field_validator("slack_signing_secret")
    @classmethod
    def _check_signing_secret(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is None:
            return None
        text = secret.get_secret_value().strip()
        if text.startswith((*QUOTES, "xoxb-", "xapp-")) or not text.isalnum() or len(text) < 8:
            raise ValueError(f"must be letters and digits alone: {SIGNING_SECRET_HELP}")
        return SecretStr(text)

    @field_validator("slack_app_token")
    @classmethod
    def _check_app_token(cls, token: SecretStr, info: ValidationInfo) -> SecretStr:
        # A secret that is wrong is not there, and has been told of.
        over_http = cls.serves_http and info.data.get("slack_signing_secret", "wrong") is not None
        if not cls.takes_events or (token.get_secret_value() in ("", "xapp-") and over_http):
            return SecretStr("")
        if not token.get_secret_value():
            raise PydanticCustomError("missing", "Field required")
        return with_prefix(token, "xapp-", APP_TOKEN_HELP)

    @property
    def events_over_http(self) -> bool:
        """Does Slack call us? Else we connect to it (Socket Mode)."""
        return self.serves_http and self.slack_signing_secret is not None


class HttpSettings(BotSettings):
    """The settings of a bot that serves HTTP."""

    serves_http: ClassVar[bool] = True


class WorkerSettings(BotSettings):
    """The settings of a bot that answers what others have taken."""

    takes_events: ClassVar[bool] = False


def _data_dir() -> Path:
    """Where this system keeps an application's data.

    For root that is the system's folder: PostgreSQL gives up root's rights, and root's home is
    closed to everyone else.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return platformdirs.site_state_path("db-agent", appauthor=False)
    return platformdirs.user_data_path("db-agent", appauthor=False)


def read_settings(*, http: bool = False, events: bool = True, **given: object) -> BotSettings:
    """Return the settings from the environment, with `given` values before it.

    `http` says that there is a port, so that Slack can call us where it signs its requests; without
    `events` nothing is asked for that only they need.
    Raises `SettingsInvalid`, which names every setting that is missing or wrong and says where
    the right value is to be had, a line for each.
    """
    kind = HttpSettings if http else BotSettings
    return _read(kind if events else WorkerSettings, given)


def read_store_place() -> StorePlace:
    """Return where the record is, from the environment. Raises `SettingsInvalid`."""
    return _read(StorePlace, {})


def _read(settings: type[Settings], given: Mapping[str, Any]) -> Settings:
    try:
        return settings(**given)
    except ValidationError as error:
        problems = [f"{_problem(settings, each)}." for each in error.errors()]
        raise SettingsInvalid("\n".join(problems)) from None


def _problem(settings: type[BaseSettings], error: ErrorDetails) -> str:
    problem = what_is_wrong(settings, error)
    where = {"SLACK_BOT_TOKEN": BOT_TOKEN_HELP, "SLACK_APP_TOKEN": APP_TOKEN_HELP, **INSTALL_HELP}
    if issubclass(settings, HttpSettings):
        where["SLACK_APP_TOKEN"] += (
            "; or let Slack call the port instead, and set SLACK_SIGNING_SECRET: "
            + SIGNING_SECRET_HELP
        )
    name = problem.partition(" ")[0]
    return f"{problem}: {where[name]}" if error["type"] == "missing" and name in where else problem
