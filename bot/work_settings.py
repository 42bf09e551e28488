"""How much one process takes on at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings


class WorkSettings(BaseSettings):
    """The part of the settings that says so."""

    workers: Annotated[int, Field(validation_alias="DB_AGENT_WORKERS", ge=1, le=64)] = 8
    """Questions that are worked on at the same time."""
    sockets: Annotated[int, Field(validation_alias="DB_AGENT_SOCKETS", ge=1, le=10)] = 1
    """Event connections to Slack, which allows an app ten of all processes together."""
