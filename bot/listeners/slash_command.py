"""What Slack sends of one use of /ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

COMMAND = "/ask"


@dataclass(frozen=True)
class Command:
    """One use of the command."""

    channel: str
    user: str
    text: str
    trigger: str
    response_url: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> Command:
        """Read the payload of a slash command."""
        return cls(
            body["channel_id"],
            body["user_id"],
            (body.get("text") or "").strip(),
            body["trigger_id"],
            body["response_url"],
        )
