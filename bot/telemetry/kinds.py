"""The acts of the bot around a run, beside those of `agent.watching.Kind`."""

from __future__ import annotations

from typing import Final

SLACK: Final = "slack"
"""One call of Slack's Web API; its name is the method."""
UPLOAD: Final = "upload"
"""Charts on their way to Slack."""
CARD: Final = "card"
"""The last word of a run, on its way to Slack."""
